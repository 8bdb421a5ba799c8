"""Rendered files -> a folder on disk, and what a folder on disk lacks of them."""

from codegen.emit.write import Written, write_package

__all__ = ["Written", "write_package"]
