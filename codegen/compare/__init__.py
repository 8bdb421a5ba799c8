"""Two APIs -> what the second one means for code that uses the package of the first."""
