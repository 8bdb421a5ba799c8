"""Recordings held against a document: what deviates, how often, and what would make it true."""
