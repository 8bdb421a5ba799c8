"""The second lock: what a broken first lock would let through is refused here."""

from __future__ import annotations

import re

import pytest

from codegen.python.verify import Shape, Surplus, verify

MODULE = '''"""A pet."""

from __future__ import annotations

import typing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ..models.owner import Owner as Keeper

Pets: TypeAlias = "list[Pet]"
KINDS = ("cat", "dog")


@dataclass(slots=True)
class Pet:
    """What it is."""

    name: str = field(default="")
    """How it is called."""

    def from_dict(self, data: dict[str, object]) -> list[str]:
        """Read it."""
        out = [key for key, value in data.items() if value is not None]
        for key in out:
            if (size := len(key)) > 3 and not size == 7:
                continue
            try:
                out[0:1] = [key, *out]
            except KeyError as error:
                raise ValueError(key) from error
        return out


def decode_pet(data: object) -> Pet:
    return Pet(name="x" if data else "y")
'''
OUTLINE = (
    "docstring",
    "from __future__ import annotations",
    "import typing",
    "from dataclasses import dataclass",
    "from dataclasses import field",
    "from typing import TYPE_CHECKING",
    "from typing import TypeAlias",
    "if TYPE_CHECKING",
    "if TYPE_CHECKING > from ..models.owner import Owner as Keeper",
    "assign Pets",
    "assign KINDS",
    "class Pet",
    "class Pet > docstring",
    "class Pet > field name",
    "class Pet > docstring",
    "class Pet > def from_dict",
    "def decode_pet",
)
WORDS = (
    "TYPE_CHECKING TypeAlias Pets KINDS dataclass slots Pet name str field default from_dict self"
    " data dict object list out key value items size len KeyError error ValueError decode_pet"
)
NAMES = frozenset(WORDS.split())
SHAPE = Shape(statements=OUTLINE, names=NAMES)


def test_what_was_declared_passes() -> None:
    verify(MODULE, SHAPE, "pet.py")


MATCH = "match out:\n            case %s:\n                return out"
# What is put in the place of what, and what the refusal says.
BREAKS = {
    "docstring break-out": ("What it is.", 'What"""; KINDS; """it is.', "'class Pet > expr'"),
    "default runs code": ('default=""', 'default=__import__("os")', "`__import__` is called"),
    "declared name runs code": ('default=""', 'default=eval("1")', "`eval` is called"),
    "splice": ('"dog")', '"dog"); KINDS = 1', "'assign KINDS' instead of `class Pet`"),
    "trailing backslash": ('A pet."""\n', 'A pet.\\"""\n', "not Python"),
    "one import more": ("import typing\n", "import typing, os\n", "'import os'"),
    "import renamed": ("import typing\n", "import typing as os\n", "'import typing as os'"),
    "import from elsewhere": ("..models.owner", ".models.owner", "> from .models"),
    "import in a function": ("return out", "import os", "Import is not allowed"),
    "decorator": ("@dataclass(slots=True)", "@dataclass\n@evil", "`evil` was not declared"),
    "base class": ("class Pet:", "class Pet(evil):", "`evil` was not declared"),
    "metaclass": ("class Pet:", "class Pet(metaclass=str):", "`metaclass` was not declared"),
    "keywords unpacked in a class": ("class Pet:", "class Pet(**data):", "`**` in a call"),
    "nested function": ("return out", "def f(): pass", "FunctionDef is not allowed"),
    "nested class": ("return out", "class Pet: pass", "ClassDef is not allowed"),
    "lambda": ('default=""', "default=lambda: 1", "Lambda is not allowed"),
    "format string": ('default=""', 'default=f"{Pet}"', "JoinedStr is not allowed"),
    "comprehension": ("[key for", "[evil(key) for", "`evil` was not declared"),
    "attribute": ("data.items()", "data.__class__", "`__class__` was not declared"),
    "keyword": ('default=""', 'default_factory=""', "`default_factory` was not declared"),
    "annotation": ("name: str =", "name: evil =", "`evil` was not declared"),
    "argument": ("self, data", "self, evil, data", "`evil` was not declared"),
    "return annotation": ("-> Pet", "-> evil()", "`evil` was not declared"),
    "exception name": ("as error", "as evil", "`evil` was not declared"),
    "name in a pattern": ("return out", "match 1:\n            case evil: 1", "`evil` was not"),
    "arguments unpacked": ("len(key)", "len(*key)", "`*` in a call"),
    "keywords unpacked": ("len(key)", "len(**data)", "`**` in a call"),
    "pattern that binds": ("return out", MATCH % "evil", "`evil` was not declared"),
    "pattern that calls": ("return out", MATCH % "Pet()", "MatchClass is not allowed"),
    "global": ("return out", "global Pet", "Global is not allowed"),
    "loop without end": ("return out", "while True: pass", "While is not allowed"),
    "statement lost": ('    """How it is called."""\n', "", "instead of `class Pet > docstring`"),
    "end lost": (MODULE[MODULE.index("def decode_pet") :], "", "`def decode_pet` is missing"),
    "statement at the end": ('else "y")\n', 'else "y")\nPet()\n', "'expr' instead of the end"),
    "else branch": ("Keeper\n", "Keeper\nelse:\n    import os\n", "> else > import os'"),
    "test of a branch": ("if TYPE_CHECKING:", "if Pet():", "found 'if' instead"),
    "target that is an attribute": ("KINDS =", "typing.KINDS =", "found 'assign' instead"),
    "NUL": ("A pet", "A\0pet", "not Python"),
    "lone surrogate": ("A pet", "A\ud800pet", "not Python"),
    "nesting": ('("cat", "dog")', "(" * 5000 + ")" * 5000, "not Python"),
    "deep attributes": ('("cat", "dog")', "Pet" + ".name" * 1_000_000, "not Python"),
    "encoding in the first line": ('"""A', '# coding: utf-7\n"""A', "declares an encoding"),
    "encoding in the second line": ('"""A', '# x\n# vim: fileencoding=utf-7\n"""A', "declares an"),
    "byte order mark": ('"""A', '\ufeff"""A', "declares an encoding"),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_break(name: str) -> None:
    old, new, message = BREAKS[name]
    assert MODULE.count(old) >= 1
    shape = Shape(statements=OUTLINE, names=NAMES | {"eval"})
    with pytest.raises(Surplus, match=re.escape(message)) as caught:
        verify(MODULE.replace(old, new, 1), shape, "pet.py")
    assert str(caught.value).startswith("pet.py:")


def test_the_line_is_told() -> None:
    with pytest.raises(Surplus, match=r"pet\.py:27: "):
        verify(MODULE.replace("len(key)", "evil(key)"), SHAPE, "pet.py")


def test_a_heading_in_a_docstring_declares_no_encoding() -> None:
    text = '"""Title\n# Encoding: any\n"""\n'
    verify(text, Shape(statements=("docstring",), names=frozenset()), "a.py")
