"""JSON lines, JSON text sequences (RFC 7464), a JSON array item by item, and multipart bodies (RFC
2046), at every split.

A case is (bytes in, texts out, text that the end of the body gives), written by hand. Each runs
whole, byte by byte and at every two-way split. `read_sequence` and `read_array` follow the rules
byte by byte, slowly, to compare with on inputs that nobody thought of. Multipart bodies are taken
apart by Python's `email` besides.
"""

import json
import re
import tracemalloc
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates.runtime import json_array, json_lines, json_sequence, multipart
from templates.runtime.framing import WHITE_SPACE, EventTooLarge, FramedText, TextDecoder
from templates.runtime.json_array import JsonArrayDecoder
from templates.runtime.json_lines import JsonLinesDecoder
from templates.runtime.json_sequence import JsonSequenceDecoder
from templates.runtime.multipart import MultipartDecoder

BOM = b"\xef\xbb\xbf"
ERROR = b'{\n  "error": {"code": 404, "message": "no [such] \\"model\\""}\n}'
Decoder = type[TextDecoder]
Texts = tuple[list[FramedText], list[FramedText]]
Case = tuple[bytes, list[FramedText], list[FramedText]]


def texts(*data: str) -> list[FramedText]:
    return [FramedText(each) for each in data]


def cut(data: str) -> list[FramedText]:
    return [FramedText(data, complete=False)]


LINES: dict[str, Case] = {
    "nothing": (b"", [], []),
    "lf": (b'{"a":1}\n{"b":2}\n', texts('{"a":1}', '{"b":2}'), []),
    "crlf": (b"1\r\n2\r\n", texts("1", "2"), []),
    "blank lines": (b"\n\r\n1\n \t\r \n\n2\n\n", texts("1", "2"), []),
    "a lone cr is white space": (b'{"a":\r1}\n', texts('{"a":\r1}'), []),
    "white space around": (b" \t{} \r\r\n", texts("{}"), []),
    "u+2028 u+2029 u+0085 vt ff fs gs rs are data": (
        '"\u2028\u2029\u0085\x0b\x0c\x1c\x1d\x1e"\n\u2028\n\x0c\n'.encode(),
        texts('"\u2028\u2029\u0085\x0b\x0c\x1c\x1d\x1e"', "\u2028", "\x0c"),
        [],
    ),
    "no last line end": (b'1\n{"a":2}', texts("1"), cut('{"a":2}')),
    "cut after the cr": (b"1\n2\r", texts("1"), cut("2")),
    "white space at the end": (b"1\n \r", texts("1"), []),
    "bom": (BOM + b"1\n", texts("1"), []),
    "bom alone": (BOM, [], []),
    "second bom and later ones are data": (
        BOM * 2 + b"1\n" + BOM + b"2\n",
        texts("\ufeff1", "\ufeff2"),
        [],
    ),
    "part of a bom": (BOM[:2] + b"1\n", texts("\ufffd1"), []),
    "cut in a bom": (BOM[:2], [], cut("\ufffd")),
    "bom of a blank line": (BOM + b"\n1\n", texts("1"), []),
    "not utf-8": (b'"\xff\xc3("\n1\n', texts('"\ufffd\ufffd("', "1"), []),
    "sequence cut by a line end": (b'"\xe2\x80\n1\n', texts('"\ufffd', "1"), []),
    "two to four bytes": ('"é…😀"\n'.encode(), texts('"é…😀"'), []),
    "lines that are not json": (b"data: 1\n{]\n", texts("data: 1", "{]"), []),
}

SEQUENCE: dict[str, Case] = {
    "nothing": (b"", [], []),
    "only rs": (b"\x1e\x1e", [], []),
    "rs and lf around each": (b'\x1e{"a":1}\n\x1e{"b":2}\n', texts('{"a":1}', '{"b":2}'), []),
    "several rs in a row are one": (b"\x1e\x1e1\n\x1e\x1e\x1e2\n\x1e", texts("1", "2"), []),
    "only white space between": (b"\x1e\n\x1e \t\r\n\x1e1\n", texts("1"), []),
    "crlf": (b"\x1e1\r\n\x1e[]\r\n", texts("1", "[]"), []),
    "lf in brackets": (
        b'\x1e{\n"a": [\n1\n]\n}\n\x1e[\n]\n\n',
        texts('{\n"a": [\n1\n]\n}', "[\n]"),
        [],
    ),
    "brackets and rs escaped in strings": (
        rb'{"a":"]}\"\\","\\\\":"\u001e["}' + b"\n" + rb'"\\"' + b"\n1\n",
        texts(r'{"a":"]}\"\\","\\\\":"\u001e["}', r'"\\"', "1"),
        [],
    ),
    "missing lf": (b'\x1e{"a":1}\x1e[2]\x1e"b"\x1e', texts('{"a":1}', "[2]", '"b"'), []),
    "missing last lf": (b'\x1e{"a":1}\n\x1e{"b":2}', texts('{"a":1}'), cut('{"b":2}')),
    "lf in a cut text": (b'\x1e{"a":\n\x1e1\n', texts('{"a":', "1"), []),
    "lf in a cut string": (b'\x1e"a\n\x1e1\n', texts('"a', "1"), []),
    "rs after a backslash": (b'\x1e"\\\x1e""\n1\n', texts('"\\', '""', "1"), []),
    "cut object": (b'\x1e{"a":{"b', [], cut('{"a":{"b')),
    "cut number": (b"\x1e1\n\x1e2", texts("1"), cut("2")),
    "cut number before an rs": (b"\x1e12\x1etrue\x1e3\n", cut("12") + cut("true") + texts("3"), []),
    "white space ends a number": (b"\x1e1 \x1e2\t", texts("1"), texts("2")),
    "several lines": (b'\x1e{"a":1}\n{"b":2}\n\n3\n', texts('{"a":1}', '{"b":2}', "3"), []),
    "more on the line": (b'\x1e{"a":1} {\n"b":2}\n\x1e1\n', texts('{"a":1} {', '"b":2}', "1"), []),
    "garbage": (b"\x1efoo bar\n\x1e]]}\n\x1e1\n", texts("foo bar", "]]}", "1"), []),
    "before the first rs": (b'oops\x1f\n{"a":1}\x1e1\n', texts("oops\x1f", '{"a":1}', "1"), []),
    "no rs": (b'{"a":1}\n{"b":2}\n', texts('{"a":1}', '{"b":2}'), []),
    "bom": (BOM + b"\x1e1\n", texts("1"), []),
    "bom later is data": (b"\x1e" + BOM + b"1\n", texts("\ufeff1"), []),
    "cut in a bom": (BOM[:1], [], cut("\ufffd")),
    "not utf-8": (b'\x1e"\xff\xe2\x80"\n', texts('"\ufffd\ufffd"'), []),
    "u+2028 and u+0085 are data": ('\x1e"\u2028\u0085"\n'.encode(), texts('"\u2028\u0085"'), []),
}

ARRAY: dict[str, Case] = {
    "nothing": (b"", [], []),
    "white space": (b" \r\n", [], []),
    "empty": (b"[]", [], []),
    "empty with white space": (b"\n[ \r\n\t]\n", [], []),
    "compact": (b'[{"a":1},{"b":2}]', texts('{"a":1}', '{"b":2}'), []),
    "as gemini sends it": (
        b'[{\n  "a": [1]\n}\n,\r\n{\n  "b": {}\n}\n]\n',
        texts('{\n  "a": [1]\n}', '{\n  "b": {}\n}'),
        [],
    ),
    "scalars": (
        b'[1,-2.5e3 , true\n,null,"a","",[],{}]',
        texts("1", "-2.5e3", "true", "null", '"a"', '""', "[]", "{}"),
        [],
    ),
    "brackets in strings": (
        rb'["],[\"}", {"]\\":"\\\\\"["}, "\\"]',
        texts(r'"],[\"}"', r'{"]\\":"\\\\\"["}', r'"\\"'),
        [],
    ),
    "nested": (b"[[[1,2],[]],[{},[{}]]]", texts("[[1,2],[]]", "[{},[{}]]"), []),
    "bom": (BOM + b"[1]", texts("1"), []),
    "not utf-8": (b'["\xff",{"\xe2\x80":1}]', texts('"\ufffd"', '{"\ufffd":1}'), []),
    "not json inside an item": (b"[{]},x y]", texts("{]"), texts("},x y]")),
    "error in place of the array": (ERROR + b"\n", [], texts(ERROR.decode())),
    "error after an item": (b"[1]\n" + ERROR, texts("1"), texts(ERROR.decode())),
    "error as an item": (b"[1\n," + ERROR + b"\n]", texts("1", ERROR.decode()), []),
    "second array": (b"[1][2,3]", texts("1"), texts("[2,3]")),
    "scalar in place of the array": (b"1,2]", [], texts("1,2]")),
    "lines in place of the array": (b"{}\n{}\n", [], texts("{}\n{}")),
    "between items": (b"[1 2, 3]", texts("1"), texts("2, 3]")),
    "after an item": (b'[{"a":1}x,"[",2]', texts('{"a":1}'), texts('x,"[",2]')),
    "no comma": (b"[{}{}]", texts("{}"), texts("{}]")),
    "comma before the end": (b"[1,\n]", texts("1"), texts("]")),
    "comma without an item": (b"[,1]", [], texts(",1]")),
    "two commas": (b"[1,,2]", texts("1"), texts(",2]")),
    "an item that is not json": (b"[x-1,}]", texts("x-1", "}"), []),
    "cut before an item": (b"[", [], []),
    "cut after an item": (b"[{}\n", texts("{}"), []),
    "cut after a comma": (b"[{},\n", texts("{}"), []),
    "cut object": (b'[1,{"a":"}', texts("1"), cut('{"a":"}')),
    "cut string": (b'["a","\\"', texts('"a"'), cut('"\\"')),
    "cut number": (b"[1,23", texts("1"), cut("23")),
    "cut in a bom": (BOM[:2], [], cut("\ufffd")),
}

MULTIPART: dict[str, Case] = {
    "nothing": (b"", [], []),
    "crlf": (b"--b\r\nA: x\r\n\r\n{}\r\n--b\r\nA: x\r\n\r\n1\r\n--b--\r\n", texts("{}", "1"), []),
    "lf": (b"--b\nA: x\n\n{}\n--b\nA: x\n\n1\n--b--\n", texts("{}", "1"), []),
    "no headers": (b"--b\r\n\r\n{}\r\n--b\n\n1\n--b--", texts("{}", "1"), []),
    "preamble": (b"{}\n\n1\n-b\n -- b\n--\n--b\n\n2\n--b--", texts("2"), []),
    "preamble with a dash line that is too long": (
        b"--" + b"x" * 98 + b"\n\n3\n--b\n\n1\n--b--",
        texts("1"),
        [],
    ),
    "longest boundary and padding": (
        b"--%b%b\n\n1\n--%b--" % (b"x" * 70, b" " * 27, b"x" * 70),
        texts("1"),
        [],
    ),
    "epilogue": (b"--b\n\n1\n--b--\n{}\n--b\n\n2\n--b--", texts("1"), []),
    "epilogue on the line of the closing delimiter": (b"--b\n\n1\n--b--{}\n2", texts("1"), []),
    "padding": (b"--b \t \r\n\r\n1\r\n--b\t\n\n2\n--b--  \r\n", texts("1", "2"), []),
    "more on the line": (b"--b\n\n1\n--b;x\n\n2\n--b-\n\n3\n--b--", texts("1", "2", "3"), []),
    "boundary inside a text": (
        b'--b\n\n{"\\n--b": "--b",\r\n "--b--":\r\n-1}\n--b--',
        texts('{"\\n--b": "--b",\r\n "--b--":\r\n-1}'),
        [],
    ),
    "cr alone is no line end": (b"--b\n\n1\r--b\r\n--b--", texts("1\r--b"), []),
    "boundary among headers": (b"--b\nA: --b\n --b\n--b\n\n1\n--b--", texts("1"), []),
    "headers that look like a text": (b'--b\n{"a":1}\n[--]\n-\n\n2\n--b--', texts("2"), []),
    "headers alone": (b"--b\nA: x\n--b\nA: x\n\n--b\n\n--b\n--b\n\n1\n--b--", texts("1"), []),
    "blank lines in a body": (b"--b\n\n\n\r\n1\n\n\n--b\n\n\r\n \n--b--", texts("1"), []),
    "several lines": (b"--b\n\n{\n}\n--b\n\n1\nx\n--b--", texts("{\n}", "1\nx"), []),
    "several texts in a part": (b'--b\n\n{} []x\n"a"\n--b--', texts("{}", "[]", 'x\n"a"'), []),
    "a broken text": (b'--b\n\n{"a\n--b\n\n[\n--b\n\n1\n--b--', texts('{"a', "[", "1"), []),
    "boundary of a dash": (b"---\n\n1\n---\n\n2\n-----\n3", texts("1", "2"), []),
    "boundary that ends in dashes": (b"--b--\n\n1\n--b--\n\n2\n--b----\n3", texts("1", "2"), []),
    "boundary with marks": (b"--.*(b \n\n1\n--xxb\n\n2\n--.*(b--", texts("1\n--xxb\n\n2"), []),
    "bom": (BOM + b"--b\n\n1\n--b--", texts("1"), []),
    "bom in a part is data": (b"--b\n\n" + BOM + b"1\n--b--", texts("\ufeff1"), []),
    "cut in a bom": (BOM[:2], [], []),
    "not utf-8": (b'--b\n\n"\xff\xe2\x80"\n--b--', texts('"\ufffd\ufffd"'), []),
    "u+2028 and u+0085 are data": (
        '--b\n\n"\u2028--b\u0085--b"\n--b--'.encode(),
        texts('"\u2028--b\u0085--b"'),
        [],
    ),
    "no delimiter": (ERROR, [], []),
    "cut in the first line": (b"--b", [], []),
    "cut in headers": (b"--b\nA: 1", [], []),
    "cut in a blank line": (b"--b\n\n1\n--b\n\r", texts("1"), []),
    "cut before a text": (b"--b\n\n", [], []),
    "cut after a text": (b"--b\n\n{}", texts("{}"), []),
    "cut in a text": (b'--b\n\n{"a":[]', [], cut('{"a":[]')),
    "cut in a number": (b"--b\n\n12", [], cut("12")),
    "cut after the line of a number": (b"--b\n\n12\n", [], texts("12")),
    "cut after the line of a number, crlf": (b"--b\n\n12\r\n", [], texts("12")),
    "cut in a delimiter": (b"--boundary\n\n12\r\n--bound", [], texts("12")),
    "cut in a delimiter inside a text": (b"--boundary\n\n{\r\n--bound", [], cut("{")),
    "cut in the closing delimiter": (b"--b\n\n12\r\n--b-", [], texts("12")),
    "cut after a delimiter": (b"--b\n\n1\n--b\n", texts("1"), []),
}

CASES: dict[Decoder, dict[str, Case]] = {
    JsonLinesDecoder: LINES,
    JsonSequenceDecoder: SEQUENCE,
    JsonArrayDecoder: ARRAY,
    MultipartDecoder: MULTIPART,
}
every_decoder = pytest.mark.parametrize("decoder", CASES, ids=lambda cls: cls.__name__)


def splits(body: bytes) -> Iterator[list[bytes]]:
    yield [body]
    yield [body[i : i + 1] for i in range(len(body))]
    # A read of no bytes is a read too.
    for i in range(0, len(body), 1 + len(body) // 200):
        yield [body[:i], b"", body[i:]]


def decode(decoder: TextDecoder, pieces: list[bytes]) -> Texts:
    return [text for piece in pieces for text in decoder.feed(piece)], decoder.close()


@pytest.mark.parametrize(
    ("decoder", "name"), [(decoder, name) for decoder, cases in CASES.items() for name in cases]
)
def test_case(decoder: Decoder, name: str) -> None:
    body, *expected = CASES[decoder][name]
    for pieces in splits(body):
        assert list(decode(decoder(), pieces)) == expected, pieces


@pytest.mark.parametrize("decoder", [JsonSequenceDecoder, JsonArrayDecoder])
def test_strings_in_three_pieces(decoder: Decoder) -> None:
    item = r'{"\"":"\"","\\":"\\\""}'
    body = f"[{item},1]" if decoder is JsonArrayDecoder else f"{item}\n1\n"
    for first, second in combinations(range(len(body)), 2):
        cuts = [body[:first], body[first:second], body[second:]]
        pieces = [piece.encode() for piece in cuts]
        assert decode(decoder(), pieces) == (texts(item, "1"), []), pieces


def framed(raw: bytes, complete: bool = True) -> list[FramedText]:
    data = raw.strip(WHITE_SPACE).decode("utf-8", "replace")
    return [FramedText(data, complete)] if data else []


def value_end(body: bytes) -> int:
    """Return the index after the object, array or string that opens a body, or -1."""
    depth, quoted, at = 0, False, 0
    while at < len(body):
        byte = body[at : at + 1]
        if quoted and byte == b"\\":
            at += 1
        elif byte == b'"':
            quoted = not quoted
        elif not quoted:
            depth += (byte in b"{[") - (byte in b"}]")
        at += 1
        if depth == 0 and not quoted:
            return at
    return -1


def read_lines(body: bytes) -> Texts:
    *lines, last = body.removeprefix(BOM).split(b"\n")
    return [text for line in lines for text in framed(line)], framed(last, complete=False)


def read_sequence(body: bytes) -> Texts:
    fed: list[FramedText] = []
    rest = b""
    for element in body.removeprefix(BOM).split(b"\x1e"):
        if rest:
            fed += framed(rest, rest[0] in b'{["' or rest[-1] in WHITE_SPACE)
        rest = element.lstrip(WHITE_SPACE)
        while rest:
            end = value_end(rest) if rest[0] in b'{["' else 0
            line_end = rest.find(b"\n", end) if end >= 0 else -1
            if line_end < 0:
                break
            fed += framed(rest[:line_end])
            rest = rest[line_end:].lstrip(WHITE_SPACE)
    return fed, framed(rest, rest[:1] not in b'{["' and rest[-1] in WHITE_SPACE)


def read_array(body: bytes) -> Texts:
    body = body.removeprefix(BOM).lstrip(WHITE_SPACE)
    fed: list[FramedText] = []
    if not body.startswith(b"["):
        return fed, framed(body)
    body = body[1:].lstrip(WHITE_SPACE)
    if body.startswith(b"]"):
        return fed, framed(body[1:])
    while body and body[0] not in b",]":
        token = re.match(rb"[^ \t\n\r,\]]++(?=.)", body, re.DOTALL)
        token_end = token.end() if token else -1
        end = value_end(body) if body[0] in b'{["' else token_end
        if end < 0:
            return fed, framed(body, complete=False)
        fed += framed(body[:end])
        body = body[end:].lstrip(WHITE_SPACE)
        if not body.startswith(b","):
            return fed, framed(body.removeprefix(b"]"))
        body = body[1:].lstrip(WHITE_SPACE)
    return fed, framed(body)


def framed_part(raw: bytes) -> list[str]:
    """Split the body of a part: objects, arrays and strings, then all that is left."""
    found: list[FramedText] = []
    rest = raw.strip(WHITE_SPACE)
    while rest:
        end = value_end(rest) if rest[0] in b'{["' else -1
        end = end if end >= 0 else len(rest)
        found += framed(rest[:end])
        rest = rest[end:].lstrip(WHITE_SPACE)
    return [text.data for text in found]


# Most bodies have parts. Where lines are no delimiters, headers or line ends to one reader and are
# to the other, both may be right: none is here.
HEADS = [b"--b\n\n", b"--b \t\r\n\r\n", b"--b\r\nA: x\r\n\r\n", b"--b\nA: {}\n --b\n\n", b"--b--\n"]
LINES_OF_PARTS = [b'{"a":1}\r\n', b'{"a":\n', b"1}\n", b"12\n", b" --b\n", b"--c\r\n", b"\r\n"]
MIME_PIECES = st.sampled_from([*HEADS, *LINES_OF_PARTS, b'"--b"', b"[]", b"-", b"\xff"])
# Ends of lines and parts of delimiters in any order.
DELIMITERS = [
    b"\n--b",
    b"\n--b--",
    b"\n--b\r\n\r\n{}",
    b"\n--b--\r\n",
    b"--b\n\n",
    b"-",
    b"--",
    b"b",
]
SHARDS = st.sampled_from(
    [*DELIMITERS, b"\r", b"\n", b"\r\n", b" ", b"A: x", b"1", b"{", b'"', b"}", BOM, b"x" * 60]
)
TOKENS = st.sampled_from(
    [b"%c" % byte for byte in b'{}[]"\\,\x1e\n\r 1x\xff']
    + [b'{"a":1}', b'"b",', b"[{},\n", b"\x1e{}\n", b"null", b"\xc3\xa9", b"\xe2\x80", BOM]
)


@pytest.mark.parametrize(
    ("decoder", "read"),
    [
        (JsonLinesDecoder, read_lines),
        (JsonSequenceDecoder, read_sequence),
        (JsonArrayDecoder, read_array),
    ],
)
@given(st.lists(st.lists(TOKENS).map(b"".join)))
def test_any_body_in_any_pieces_is_what_the_rules_say(
    decoder: Decoder, read: Callable[[bytes], Texts], pieces: list[bytes]
) -> None:
    body = b"".join(pieces)
    assert decode(decoder(), pieces) == read(body)
    for split in splits(body):
        assert decode(decoder(), split) == read(body)


@pytest.mark.parametrize(
    ("decoder", "body", "text"),
    [
        (JsonLinesDecoder, b"1\n", "1"),
        (JsonLinesDecoder, b"1\r\n", "1"),
        (JsonSequenceDecoder, b'\x1e{"a":[]}\n', '{"a":[]}'),
        (JsonSequenceDecoder, b"\x1e1\n", "1"),
        (JsonSequenceDecoder, b"\x1e{\x1e", "{"),
        (JsonArrayDecoder, b'[{"a":[]}', '{"a":[]}'),
        (JsonArrayDecoder, b'["a"', '"a"'),
        (JsonArrayDecoder, b"[1,", "1"),
        (JsonArrayDecoder, b"[1]", "1"),
        (MultipartDecoder, b'--b\n\n{"a":[]}', '{"a":[]}'),
        (MultipartDecoder, b'--b\n\n"a"', '"a"'),
        (MultipartDecoder, b"--b\n\n1\n--b\n", "1"),
        (MultipartDecoder, b"--b\n\n1\n--b--", "1"),
        (MultipartDecoder, b"--b\n\n{\n--b--", "{"),
    ],
)
def test_a_text_never_waits_for_the_next_read(decoder: Decoder, body: bytes, text: str) -> None:
    started = decoder()
    assert started.feed(body[:-1]) == []
    assert started.feed(body[-1:]) == texts(text)


@pytest.mark.parametrize(
    ("body", "ended"),
    [
        (b"", False),
        (b"[", False),
        (b"[1", False),
        (b"[{}\n", False),
        (b'["]",[],', False),
        (b"[,]", False),
        (b"[1,]", False),
        (b'{"a":[]}', False),
        (b"[]", True),
        (b"[1]", True),
        (b"[{}]\n", True),
        (b"[]x[", True),
    ],
)
def test_an_array_ends_at_its_bracket(body: bytes, ended: bool) -> None:
    for pieces in splits(body):
        decoder = JsonArrayDecoder()
        for piece in pieces:
            decoder.feed(piece)
        assert decoder.ended == ended, pieces
        decoder.close()
        assert decoder.ended == ended


@pytest.mark.parametrize(
    ("body", "ended"),
    [
        (b"", False),
        (b"--b", False),
        (b"--b\n", False),
        (b"--b\n\n1\n", False),
        (b"--b\n\n1\n--b-", False),
        (b"--b\n\n1\n --b--\n", False),
        (b"--b\n\n1--b--\n", False),
        (b"--b\n\n1\n--b--", True),
        (b"--b\n\n1\n--b--\r\n", True),
        (b"--b\n--b--\nx\n--b\n", True),
        (b"---\n-----\n", True),
        # Without a part the boundary can be seen only if nothing follows.
        (b"---", False),
        (b"----\n", False),
        (b"--b--", True),
        (b"x\n--b-- \r\n\r\n", True),
        (b"--b--\nA: x", False),
        (b"--b--\n\n1", False),
        (b"--b--\n\n1\n--b--", False),
        (b"--b--\n\n1\n--b----", True),
    ],
)
def test_parts_end_at_the_closing_delimiter(body: bytes, ended: bool) -> None:
    for pieces in splits(body):
        decoder = MultipartDecoder()
        decode(decoder, pieces)
        assert decoder.ended == ended, pieces


@pytest.mark.parametrize(
    ("boundary", "body", "expected"),
    [
        ("b", b"--a\n\n1\n--b\n\n2\n--a\n--b--", (texts("2\n--a"), [])),
        ("a.c", b"--abc\n\n1\n--a.c\n\n2\n--abc\n--a.c--", (texts("2\n--abc"), [])),
        ("=_ b'()+,./:?", b"--=_ b'()+,./:?\n\n1\n--=_ b'()+,./:?--", (texts("1"), [])),
        ("-", b"---\n\n1\n-----\n\n2", (texts("1"), [])),
        ("b--", b"--b--\n\n1\n--b----", (texts("1"), [])),
        ("x" * 200, b"--%b\n\n1\n--%b--" % (b"x" * 200, b"x" * 200), (texts("1"), [])),
    ],
)
def test_the_boundary_of_the_header(boundary: str, body: bytes, expected: Texts) -> None:
    for pieces in splits(body):
        decoder = MultipartDecoder(boundary=boundary)
        assert decode(decoder, pieces) == expected, pieces
        assert decoder.ended


def read_email(body: bytes, boundary: str) -> list[bytes]:
    """Give the body of each part as Python's email package sees it."""
    head = f'Content-Type: multipart/mixed; boundary="{boundary}"\r\n\r\n'
    message = message_from_bytes(head.encode() + body, policy=policy.default)
    bodies = [part.get_payload(decode=True) for part in message.iter_parts()]
    return [raw for raw in bodies if isinstance(raw, bytes)]


@given(st.lists(st.lists(MIME_PIECES).map(b"".join)), st.sampled_from([b"\n", b"\n--b--"]))
def test_parts_are_those_of_the_email_package(pieces: list[bytes], end: bytes) -> None:
    pieces = [*pieces, end]
    body = b"".join(pieces)
    expected = [text for raw in read_email(body, "b") for text in framed_part(raw)]
    for split in (pieces, *splits(body)):
        fed, closed = decode(MultipartDecoder(boundary="b"), split)
        found = [text.data for text in [*fed, *closed]]
        assert found == expected, split


@given(st.lists(st.lists(SHARDS).map(b"".join)), st.sampled_from(["", "b", "b-"]))
def test_how_a_multipart_body_was_cut_changes_nothing(pieces: list[bytes], boundary: str) -> None:
    def read(split: list[bytes]) -> tuple[Texts, bool]:
        decoder = MultipartDecoder(boundary=boundary)
        return decode(decoder, split), decoder.ended

    body = b"".join(pieces)
    for split in (pieces, *splits(body)):
        assert read(split) == read([body]), split


@every_decoder
def test_closed_is_closed(decoder: Decoder) -> None:
    started = decoder()
    started.feed(b'["a' if decoder is not MultipartDecoder else b'--b\n\n["a')
    assert started.close() == cut('["a' if decoder is not JsonArrayDecoder else '"a')
    assert started.close() == []
    with pytest.raises(ValueError, match="closed"):
        started.feed(b"1\n")


LIMIT = 8
TOO_LARGE: list[tuple[Decoder, bytes, list[FramedText]]] = [
    (JsonLinesDecoder, b"1\n2\n123456789\n3\n", texts("1", "2")),
    (JsonLinesDecoder, b"1\n123456789", texts("1")),
    (JsonLinesDecoder, b"        \r\n", []),
    (JsonSequenceDecoder, b"\x1e1\n\x1e[3456789]\n\x1e3\n", texts("1")),
    (JsonSequenceDecoder, b'\x1e1\n2\n"23456789\x1e3\n', texts("1", "2")),
    (JsonSequenceDecoder, b'\x1e"2345678\n\x1e3\n', []),
    (JsonSequenceDecoder, b"\x1e123456789\x1e3\n", []),
    (JsonSequenceDecoder, b"\x1e12345678 \x1e3\n", []),
    (JsonArrayDecoder, b"[1,2,[3456789],3]", texts("1", "2")),
    (JsonArrayDecoder, b"[1,123456789", texts("1")),
    (JsonArrayDecoder, b"[1]\n123456789", texts("1")),
    (JsonArrayDecoder, b"<!doctype html>", []),
    (MultipartDecoder, b"--b\n\n1\n--b\n\n[3456789]\n--b--", texts("1")),
    (MultipartDecoder, b"--b\n\n[]\n123456789", texts("[]")),
    (MultipartDecoder, b"--b\n\n12345678\r\n--b--", []),
    (MultipartDecoder, b'--b\n\n"23456789\n--b--', []),
]


@pytest.mark.parametrize(("decoder", "body", "expected"), TOO_LARGE)
def test_size_limit(decoder: Decoder, body: bytes, expected: list[FramedText]) -> None:
    for pieces in splits(body):
        started = decoder(max_event_size=LIMIT)
        found: list[FramedText] = []
        with pytest.raises(EventTooLarge, match="8 bytes") as raised:
            for piece in pieces:
                found += started.feed(piece)
        assert raised.value.limit == LIMIT
        assert found + raised.value.events == expected, pieces
        assert started.close() == []
        with pytest.raises(ValueError, match="closed"):
            started.feed(b"1\n")


@pytest.mark.parametrize(
    ("decoder", "body"),
    [
        (JsonLinesDecoder, BOM + b"12345678\n" + b"{}    \r\n" * 9 + b"\n" * 20),
        (JsonSequenceDecoder, b"\x1e[345678]\n\x1e12345678\n\x1e" + b" " * 20 + b"\x1e{\n23456}\n"),
        (JsonArrayDecoder, b" " * 20 + b"[12345678,[345678]" + b" " * 20 + b',"234567"]'),
        (
            MultipartDecoder,
            b"x" * 20
            + b"\n--long boundary\n%b\n\n" % (b"A: x\n" * 9)
            + b"12345678\n--long boundary"
            + b" " * 20
            + b"\n\n"
            + b" " * 20
            + b"[345678]{\n23456}\n--long boundary--"
            + b"x" * 20,
        ),
    ],
)
def test_at_the_size_limit_nothing_is_refused(decoder: Decoder, body: bytes) -> None:
    for pieces in splits(body):
        fed, closed = decode(decoder(max_event_size=LIMIT), pieces)
        assert len(fed) >= 3
        assert closed == []


PARTS = [b"--", b"x\n--b\n", b"--b\n\n1", b'--b\n\n{"a":"', b"--b\n\n1\n--b--"]


@pytest.mark.parametrize("size", [1, 1024])
@pytest.mark.parametrize("unit", [b"x", b"[", b"{]", b"\\", b" ", b"-"])
@pytest.mark.parametrize("start", [b"", b"[", b'["', b'[{"a":"', b"[1]", *PARTS])
@every_decoder
def test_no_read_copies_what_earlier_reads_brought(
    decoder: Decoder, start: bytes, unit: bytes, size: int
) -> None:
    """Add up what reads allocate after a MiB: a copy a read would make it 100 MiB."""
    started = decoder()
    started.feed(start + unit * (2**20 // len(unit)))
    piece, count, allocated = (unit * size)[:size], 100, 0
    tracemalloc.start()
    try:
        for _ in range(count):
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            started.feed(piece)
            allocated += tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    # The buffer may grow once or twice meanwhile.
    assert allocated < count * (4 * size + 3000) + 4 * 2**20


def write_lines(data: list[str]) -> bytes:
    return b"".join(map(json_lines.encode, data))


def write_sequence(data: list[str]) -> bytes:
    return b"".join(map(json_sequence.encode, data))


def write_array(data: list[str]) -> bytes:
    items = [json_array.encode(text, first=i == 0) for i, text in enumerate(data)]
    return b"".join([json_array.START, *items, json_array.END])


def write_parts(data: list[str]) -> bytes:
    return b"".join([*map(multipart.encode, data), multipart.END])


PART = "--json-text\r\nContent-Type: application/json\r\n\r\n"
WRITERS = (write_lines, write_sequence, write_array, write_parts)


@pytest.mark.parametrize(
    ("write", "wire"),
    [
        (write_lines, '{"é":1}\n2\n'),
        (write_sequence, '\x1e{"é":1}\n\x1e2\n'),
        (write_array, '[{"é":1},\n2]'),
        (write_parts, f'{PART}{{"é":1}}\r\n{PART}2\r\n--json-text--\r\n'),
    ],
)
def test_encode(write: Callable[[list[str]], bytes], wire: str) -> None:
    assert write(['{"é":1}', "2"]) == wire.encode()


def test_encode_an_empty_body() -> None:
    written = [write([]) for write in WRITERS]
    assert written == [b"", b"", b"[]", b"--json-text--\r\n"]


@pytest.mark.parametrize(
    ("write", "text", "reason"),
    [
        (write_lines, "{\n}", "line end"),
        (write_sequence, '"\x1e"', "RS"),
        (write_parts, "--json-text", "delimiter"),
        (write_parts, "[\r\n--json-text--]", "delimiter"),
        *((write, "", "white space") for write in WRITERS),
        *((write, " \r", "white space") for write in WRITERS),
        *((write, "\ud800", "surrogates") for write in WRITERS),
    ],
)
def test_encode_refuses_what_would_not_come_back(
    write: Callable[[list[str]], bytes], text: str, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        write([text])


STRINGS = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from('{}[]",\\\n\x1e\u2028')
)
VALUES: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
)


def written(value: object, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


@pytest.mark.parametrize(
    ("decoder", "write", "indents"),
    [
        (JsonLinesDecoder, write_lines, [None]),
        (JsonSequenceDecoder, write_sequence, [None, 1]),
        (JsonArrayDecoder, write_array, [None, 1]),
        (MultipartDecoder, write_parts, [None, 0, 1]),
    ],
)
@given(st.lists(VALUES, max_size=5))
def test_what_is_encoded_decodes_to_itself(
    decoder: Decoder,
    write: Callable[[list[str]], bytes],
    indents: list[int | None],
    values: list[object],
) -> None:
    for indent in indents:
        data = [written(value, indent) for value in values]
        for pieces in splits(write(data)):
            assert decode(decoder(), pieces) == (texts(*data), [])


@given(st.lists(VALUES, min_size=1), st.sampled_from([None, 0, 1]))
def test_the_email_package_reads_what_is_encoded(values: list[object], indent: int | None) -> None:
    data = [written(value, indent) for value in values]
    parts = read_email(write_parts(data), multipart.BOUNDARY)
    assert parts == [text.encode() for text in data]


@given(st.lists(VALUES), st.sampled_from([None, 0, 1]))
def test_an_array_in_any_layout_gives_its_items(values: list[object], indent: int | None) -> None:
    decoder = JsonArrayDecoder()
    fed, closed = decode(decoder, [written(values, indent).encode()])
    assert [json.loads(text.data) for text in fed] == values
    assert (closed, decoder.ended) == ([], True)


def test_texts_show_and_compare_every_attribute() -> None:
    text = FramedText("1", complete=False)
    assert repr(text) == "FramedText('1', complete=False)"
    assert text == FramedText("1", False)
    assert text != FramedText("1")
    assert text != FramedText("2", False)
    assert text != ("1", False)
