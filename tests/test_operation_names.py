"""What operations and their streams are called: by what someone wrote, and by no order."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from codegen.backends.naming import name_streams
from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api
from codegen.pipeline import load_api
from tests.support import CASES
from tests.test_naming import shuffle_keys

HEAD = "openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\n"
# Documents, and the operations that they have: each is called something of its own.
OPERATIONS = {
    "their own ids": ("paths: {/a: {get: {operationId: read}}}", {"read"}),
    "without an id": ("paths: {/a: {get: {}, post: {}}}", {"get /a", "post /a"}),
    "methods of their own": (
        "paths: {/a: {additionalOperations: {COPY: {}, LINK: {operationId: link}}}}",
        {"COPY /a", "link"},
    ),
    "an id of two": (
        "paths: {/a: {get: {operationId: read}}, /b: {get: {operationId: read}}}",
        {"get /a", "get /b"},
    ),
    "an id that is the place of another": (
        "paths: {/a: {get: {operationId: get /b}}, /b: {get: {}}}",
        {"get /b", "get /b /b"},
    ),
    "one path item twice": (
        "paths:\n"
        "  /a: {$ref: '#/components/pathItems/item'}\n"
        "  /b: {$ref: '#/components/pathItems/item'}\n"
        "components: {pathItems: {item: {get: {operationId: read}}}}",
        {"get /a", "get /b"},
    ),
    "a webhook and a path item": (
        "webhooks: {a: {post: {}}}\ncomponents: {pathItems: {a: {post: {}}}}",
        {"post a a #/webhooks/a", "post a a #/components/pathItems/a"},
    ),
    "an id that is the whole place of another": (
        "paths: {/a: {get: {operationId: 'post a a #/webhooks/a'}}}\n"
        "webhooks: {a: {post: {}}}\ncomponents: {pathItems: {a: {post: {}}}}",
        {
            "post a a #/webhooks/a",
            "post a a #/webhooks/a_",
            "post a a #/components/pathItems/a",
        },
    ),
    "callbacks": (
        "paths: {/a: {get: {callbacks: {\n"
        "  done: {x: {post: {}}, y: {post: {}}}, failed: {x: {post: {}}}}}}}",
        {"get /a", "get /a done post x", "get /a done post y", "get /a failed post"},
    ),
    "a callback of several": (
        "paths:\n"
        "  /a: {get: {callbacks: {done: {$ref: '#/components/callbacks/end'}}}}\n"
        "  /b: {get: {callbacks: {over: {$ref: '#/components/callbacks/end'}}}}\n"
        "components: {callbacks: {end: {x: {post: {}}}}}",
        {"get /a", "get /b", "end post"},
    ),
}


def load(data: Any, folder: Path) -> Api:
    (folder / "spec.yaml").write_text(yaml.safe_dump(data, sort_keys=False), "utf-8")
    return load_api(str(folder / "spec.yaml"), (), Diagnostics())


@pytest.mark.parametrize(("document", "ids"), OPERATIONS.values(), ids=OPERATIONS)
def test_operations(
    document: str, ids: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = yaml.safe_load(HEAD + document)
    for order in (data, shuffle_keys(data)):
        api = load(order, Path())
        assert {it.id for it in api.operations} == ids
        assert len(api.operations) == len(ids)


def test_streams() -> None:
    """No two are called the same, and none as what all packages of streams have."""
    api = load_api(str(CASES / "stream_names_that_meet/spec.yaml"), (), Diagnostics())
    assert {name: it.operation.id for name, it in name_streams(api).items()} == {
        "ChatStream": "chat",
        "EventStream": "event",
        "TruncatedStream_": "truncated",
        "ReadDashAStream": "read-a",
        "ReadAStream": "readA",
    }


STREAMS = """
paths:
  /a:
    get:
      operationId: read
      responses:
        "206": {content: {text/event-stream: {itemSchema: {}}}}
        "200": {content: {application/jsonl: {itemSchema: {}}, text/event-stream: {itemSchema: {}}}}
"""


def test_streams_of_one_operation(tmp_path: Path) -> None:
    data = yaml.safe_load(HEAD + STREAMS)
    for order in (data, shuffle_keys(data)):
        named = name_streams(load(order, tmp_path))
        assert {
            name: it.origin.pointer.rpartition("responses/")[2] for name, it in named.items()
        } == {
            "ReadStream": "200/content/application~1jsonl",
            "ReadSseStream": "200/content/text~1event-stream",
            "ReadSse206Stream": "206/content/text~1event-stream",
        }
