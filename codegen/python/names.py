"""Words and identifiers.

In: any text of a document. Out: words as written, and Python identifiers made of them.
Rules: text is normalised to NFKC, as Python does with identifiers; casing is applied only where an
identifier is made, so a name that is in PascalCase comes back as it was. Every identifier is valid,
is no keyword and starts with a letter: what starts with a digit gets an `n` or `N` (`30d`: `n30d`),
a keyword gets a trailing underscore (`from_`). Soft keywords such as `type` are left alone.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from keyword import iskeyword

# Over one letter for each character: U upper case, D a digit, s and v themselves, L other letters.
_WORD = (
    r"D*UU+(?:s(?![LsvD])|vD+(?![Lsv]))"  # an acronym's plural or version: IDs, IPv4
    r"|D*U+(?![Lsv])(?:D[LsvD]*)?"  # an acronym: HTTP, EC2, V1beta1
    r"|D*U?[Lsv][LsvD]*"  # a word: Server2, oauth2, 4o
    r"|D+"
)
_WORDS = re.compile(_WORD)
_WORDS_AND_REST = re.compile(rf"{_WORD}| ")
_SIGN = re.compile(r"[+-](?=\d)")
# Letters and marks to Unicode, nothing to the eye: two names must not differ by these alone.
_UNSEEN = re.compile(
    r"[\u200c\u200d\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0000-\U000e0fff]"
)
_SPOKEN_IN_ORDER = (
    "space bang quote hash dollar percent and apostrophe open close star plus comma dash dot slash"
    " colon semicolon less equals greater question at bracket backslash unbracket caret underscore"
    " backtick brace pipe unbrace tilde"
)
_SPOKEN = dict(zip(" " + string.punctuation, _SPOKEN_IN_ORDER.split(), strict=True))


@lru_cache(maxsize=65536)
def split_words(text: str) -> tuple[str, ...]:
    """Split text into words as written, one at least.

    Words end at punctuation and where the case says so: `HTTPServer2Config` is `HTTP Server2
    Config`. Digits stay with the word before them. Punctuation is dropped, save a sign before a
    number (`-1` is `minus 1`) and where there is nothing else (`@` is `at`, no text is `empty`).
    """
    text = _normal(text)
    words = tuple(text[slice(*match.span())] for match in _WORDS.finditer(_kinds(text)))
    if sign := _SIGN.match(text):
        return ("minus" if sign[0] == "-" else "plus", *words)
    return words or spell_words(text)


def spell_words(text: str, *, mark_case: bool = False) -> tuple[str, ...]:
    """Split text into words and spell the punctuation out: `a-b` is `a dash b`.

    Where asked, upper case is marked too: `fooBar` is `foo cap Bar`, `fooBAR` is `foo caps BAR`.
    """
    text = _normal(text)
    kinds = _kinds(text)
    words: list[str] = []
    for match in _WORDS_AND_REST.finditer(kinds):
        piece, capitals = text[slice(*match.span())], match[0].count("U")
        if match[0] == " ":
            words += _speak(piece)
            continue
        if capitals and mark_case:
            words.append("cap" if capitals == 1 else "caps")
        words.append(piece)
    return tuple(words) or ("empty",)


def pascal(words: tuple[str, ...]) -> str:
    """Join words to a class name; only first letters change.

    An underscore keeps numbers apart: `gpt 3 5` is `Gpt3_5`.
    """
    name = ""
    for word in words:
        between = "_" if name[-1:].isdecimal() and word[:1].isdecimal() else ""
        name += f"{between}{word[:1].upper()}{word[1:]}"
    return _identifier(name, "N")


def snake(words: tuple[str, ...]) -> str:
    """Join words to a name of a field, function or module."""
    return _identifier("_".join(words).lower(), "n")


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", _UNSEEN.sub("", unicodedata.normalize("NFKC", text)))


def _kinds(text: str) -> str:
    return "".join(map(_kind, text))


@lru_cache(maxsize=4096)
def _kind(char: str) -> str:
    if char == "_" or not f"a{char}".isidentifier():
        return " "
    if char.isdecimal():
        return "D"
    if char.isupper() or char.istitle():
        return "U"
    return char if char in "sv" else "L"


def _speak(char: str) -> Iterator[str]:
    """Name a character: our word, or Unicode's name, or its code point."""
    name = _SPOKEN[char] if char in _SPOKEN else unicodedata.name(char, f"u{ord(char):04x}")
    return (word.lower() for word in re.findall(r"[A-Za-z0-9]+", name))


def _identifier(name: str, letter: str) -> str:
    starts_well = name[:1].isidentifier() and name[0] != "_"
    name = unicodedata.normalize("NFKC", name if starts_well else letter + name)
    return f"{name}_" if iskeyword(name) else name
