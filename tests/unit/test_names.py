"""Words and identifiers: a table of spellings, and what holds for any text."""

from __future__ import annotations

import unicodedata
from keyword import iskeyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.python.names import pascal, snake, spell_words, split_words

ANY_TEXT = st.text(st.characters(exclude_categories=()))
SPELLINGS = [
    # text, words, class, field
    ("CreateChatTool", "Create Chat Tool", "CreateChatTool", "create_chat_tool"),
    ("HTTPServer2Config", "HTTP Server2 Config", "HTTPServer2Config", "http_server2_config"),
    ("MCPTool", "MCP Tool", "MCPTool", "mcp_tool"),
    ("FileURL", "File URL", "FileURL", "file_url"),
    ("IPv4Address", "IPv4 Address", "IPv4Address", "ipv4_address"),
    ("MIvar", "M Ivar", "MIvar", "m_ivar"),
    ("fileIDs", "file IDs", "FileIDs", "file_ids"),
    ("io.k8s.apps.v1beta1", "io k8s apps v1beta1", "IoK8sAppsV1beta1", "io_k8s_apps_v1beta1"),
    ("V1beta1Scale", "V1beta1 Scale", "V1beta1Scale", "v1beta1_scale"),
    ("tool_calls", "tool calls", "ToolCalls", "tool_calls"),
    ("snake.case/path", "snake case path", "SnakeCasePath", "snake_case_path"),
    ("@type", "type", "Type", "type"),
    ("$ref", "ref", "Ref", "ref"),
    ("__init__", "init", "Init", "init"),
    ("_id", "id", "Id", "id"),
    ("oauth2", "oauth2", "Oauth2", "oauth2"),
    ("gpt-4o", "gpt 4o", "Gpt4o", "gpt_4o"),
    ("gpt-3.5-turbo", "gpt 3 5 turbo", "Gpt3_5Turbo", "gpt_3_5_turbo"),
    ("1024x1024", "1024x1024", "N1024x1024", "n1024x1024"),
    ("30d", "30d", "N30d", "n30d"),
    ("4XX", "4XX", "N4XX", "n4xx"),
    ("名前", "名前", "名前", "名前"),
    ("größeMax", "größe Max", "GrößeMax", "größe_max"),
    ("\ufb01le", "file", "File", "file"),
    ("e\u0301tat", "\xe9tat", "\xc9tat", "\xe9tat"),
    ("", "empty", "Empty", "empty"),
    ("_", "underscore", "Underscore", "underscore"),
    ("@", "at", "At", "at"),
    ("*", "star", "Star", "star"),
    ("$", "dollar", "Dollar", "dollar"),
    (">=", "greater equals", "GreaterEquals", "greater_equals"),
    ("+1", "plus 1", "Plus1", "plus_1"),
    ("-1", "minus 1", "Minus1", "minus_1"),
    ("-created", "created", "Created", "created"),
    ("\U0001f389", "party popper", "PartyPopper", "party_popper"),
    ("\U0001f389 party", "party", "Party", "party"),
    ("\0", "u0000", "U0000", "u0000"),
    ("\ud800", "ud800", "Ud800", "ud800"),
    ("\u3164", "empty", "Empty", "empty"),
    ("a\u200db", "ab", "Ab", "ab"),
    ("from", "from", "From", "from_"),
    ("none", "none", "None_", "none"),
    ("True", "True", "True_", "true"),
    ("match", "match", "Match", "match"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words", "class_name", "field_name"), SPELLINGS)
def test_spelling(text: str, words: str, class_name: str, field_name: str) -> None:
    parts = split_words(text)
    assert (" ".join(parts), pascal(parts), snake(parts)) == (words, class_name, field_name)


@given(ANY_TEXT)
def test_any_text_gives_identifiers(text: str) -> None:
    for words in (split_words(text), spell_words(text), spell_words(text, mark_case=True)):
        assert words
        for name in (pascal(words), snake(words)):
            assert name.isidentifier()
            assert not iskeyword(name)
            assert not name.startswith("_")
            assert name == unicodedata.normalize("NFKC", name)


@given(st.from_regex(r"([A-Z][a-z]+[0-9]*|[A-Z]{2,4})+", fullmatch=True))
def test_pascal_case_comes_back_unchanged(name: str) -> None:
    assert pascal(split_words(name)).removesuffix("_") == name


@pytest.mark.parametrize(
    ("text", "spelled", "marked"),
    [
        ("a-b", "a dash b", "a dash b"),
        ("a+b", "a plus b", "a plus b"),
        ("a_b", "a underscore b", "a underscore b"),
        ("a.b/c d", "a dot b slash c space d", "a dot b slash c space d"),
        ("Foo", "Foo", "cap Foo"),
        ("FOO", "FOO", "caps FOO"),
        ("fooBar", "foo Bar", "foo cap Bar"),
        ("", "empty", "empty"),
    ],
)
def test_spelled_out(text: str, spelled: str, marked: str) -> None:
    assert " ".join(spell_words(text)) == spelled
    assert " ".join(spell_words(text, mark_case=True)) == marked
