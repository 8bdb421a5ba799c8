"""JSON lines, alias NDJSON: bytes in, one JSON text a line out, and back.

Media types application/jsonl, application/json-lines, application/x-ndjson and such.
A line ends at LF, and a CR before it is white space of the text: nothing else that
Python or Unicode takes for a line end is one. Blank lines are skipped. Many servers
leave out the last line end, so a last line without one is for the reader to judge.
"""

from .framing import FramedText, TextDecoder, encode_text


class JsonLinesDecoder(TextDecoder):
    """Decodes one response body of JSON lines."""

    __slots__ = ()

    def _split(self, data: bytes, texts: list[FramedText]) -> None:
        if b"\n" in data:
            data = bytes(self._pending) + data
            self._pending.clear()
            *lines, data = data.split(b"\n")
            for line in lines:
                self._add(line, texts)
        self._pending += data


def encode(text: str) -> bytes:
    """Write one JSON text as a line.

    Raises `ValueError` for an LF in the text, no text, and a lone surrogate.
    """
    if "\n" in text:
        raise ValueError("a line cannot carry a line end")
    return encode_text(text) + b"\n"
