"""Bytes and places: documents read into plain JSON data, with the way back to line and column."""
