"""The bytes of a recorded body: of a file, or of standard input as they come."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BufferedIOBase

from codegen.diagnostics import Diagnostics

_READ = 65_536


def read_body(recording: str, diagnostics: Diagnostics) -> Iterator[bytes]:
    """Yield what each read brings; "-" is standard input. Raises Refused after SB623."""
    if recording == "-":
        stdin = sys.stdin.buffer
        assert isinstance(stdin, BufferedIOBase), "standard input is buffered"
        while data := stdin.read1(_READ):
            yield data
        return
    try:
        with open(recording, "rb") as file:
            while data := file.read(_READ):
                yield data
    except OSError as error:
        message = f"cannot read the recording: {error.strerror}"
        diagnostics.add("SB623", message, document=recording)
        diagnostics.check()
