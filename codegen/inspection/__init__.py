"""What is shown of a recorded body: in a terminal, line by line, or as a page."""
