"""A document from elsewhere, kept in the project: URL -> https -> files and a line in a lock.

The only place that opens a connection, and only for `streambind fetch`.
"""
