"""Rendered files -> a folder on disk, and what a folder on disk lacks of them."""
