"""Texts that would become code, or break it, wherever one of them is written as it came."""

from keyword import iskeyword

RUNS = '__import__("os").system("__canary__")'
TEXTS = {
    "double quote": 'say "__canary__()" now',
    "single quote": "say '__canary__()' now",
    "both quotes": "\"'\"'__canary__()",
    "two quotes": 'a"" + __canary__() + ""',
    "three quotes": '"""\n__canary__()\n"""',
    "three quotes at the end": 'a"""; __canary__(); """',
    "three quotes that run": f'"""\nimport os; {RUNS}\n"""',
    "four quotes": '""""\n__canary__()\n""""',
    "nine quotes": '"' * 9 + "__canary__()",
    "three single quotes": "'''\n__canary__()\n'''",
    "quote at the end": 'ends in "',
    "single quote at the end": "ends in '",
    "escaped quote": '\\"""; __canary__()',
    "backslash at the end": "ends in \\",
    "backslash and quote at the end": 'ends in \\"',
    "two backslashes": "\\\\",
    "three backslashes": "\\\\\\",
    "backslash and line feed": "a\\\n__canary__()",
    "line feed": "a\n__canary__()",
    "carriage return": "a\r__canary__()",
    "both": "a\r\n    __canary__()",
    "form feed": "a\x0c__canary__()",
    "vertical tab": "a\x0b__canary__()",
    "file separator": "a\x1c__canary__()",
    "NUL": "a\x00b",
    "next line": "a\x85__canary__()",
    "line separator": "a\u2028__canary__()",
    "paragraph separator": "a\u2029__canary__()",
    "right to left": "a\u202e__canary__()\u2066",
    "marks of direction": "a\u200e\u200f\u061c\u2067\u2068\u2069b",
    "unseen": "a\u200b\u200d\u00ad\ufeffb",
    "surrogate": "a\ud800b",
    "surrogates in the wrong order": "a\udc00\ud800b",
    "not a character": "a\uffffb\U0010ffff",
    "letters that read as others": "ｅｖａｌ __ｃａｎａｒｙ__",
    "template": "{{ __canary__ }}{% include 'x' %}{# c #}",
    "template that runs": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "line statement": "# for x in __canary__\n## c",
    "format string": "{__canary__!r} {0} %s %(x)s",
    "braces": "}{ {__canary__} }}",
    "named character": "\\N{BULLET} \\x41 \\u0041 \\101",
    "broken escape": "\\N{ \\x4 \\u00 \\U0000",
    "type comment": "# type: ignore",
    "directives": "# noqa: F401 # fmt: off # pyright: basic # coding: latin-1",
    "call": "__import__('os').system('__canary__')",
    "statement": "x: int = 1; import os; __canary__()",
    "end of a class": "x\n\n\nclass Evil(__canary__):\n    pass",
    "end of a call": "x), __canary__(), (",
    "brackets": "]) or __canary__() or ([",
    "annotation": "list[__canary__]",
    "keyword": "class",
    "dunder": "__class__",
    "pointer": "../../a~1b~0/%2e%2e/c#/d",
    "device": "CON",
    "markup": "</script>`x` <!-- -->  &amp; \x1b[31m",
    "long word": "y-" * 2500,
    "long": "__canary__() " * 500,
    "wide": "日付 " * 60,
    "space": "  \t ",
    "nothing": "",
}
# What is as harmless as can be.
TWIN = "harmless words"


def twin_of(text: str) -> str:
    """A harmless text of the same kind: an identifier, or with as many dots, where some extensions
    cut a text in members, or with what is not Unicode.
    """
    if text.isidentifier() and not iskeyword(text):
        return "harmlessName"
    half = "\ud83d" if any("\ud800" <= char <= "\udfff" for char in text) else ""
    return TWIN + half + ".more" * text.count(".")
