"""`streambind fetch` against a server on loopback, over TLS with a certificate of its own."""

import hashlib
import os
import ssl
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import Result

import codegen.fetching.documents
import codegen.fetching.https
from codegen.fetching.https import Undelivered, download
from codegen.fetching.url import file_name, find_fault, redact
from tests.command import run
from tests.support import tree

TLS = Path(__file__).parent / "tls"
SPEC = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pet: {type: object, properties: {age: {type: integer}}}
"""
OLDER = SPEC.replace("type: integer", "type: string")
SPLIT = SPEC + '    Toy: {$ref: "schemas/toy.yaml#/Toy"}\n'
TOY = 'Toy: {type: object, properties: {part: {$ref: "./part%20a.json"}}}\n'
PART = '{"type": "string"}'


class Server(ThreadingHTTPServer):
    """`answers` are bodies by path, or locations that answer with a redirect; `asked` what came."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(TLS / "certificate.pem", TLS / "key.pem")
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.answers: dict[str, str | bytes] = {}
        self.asked: list[str] = []
        self.headers: dict[str, str] = {}
        self.url = f"https://localhost:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: that some clients go away is what is tested."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.headers = dict(self.headers)
        answer = self.server.answers.get(self.path)
        if isinstance(answer, str) and answer.startswith("->"):
            self.send_response(302)
            self.send_header("Location", answer.removeprefix("->"))
            self.end_headers()
            return
        content = answer.encode() if isinstance(answer, str) else answer
        self.send_response(404 if content is None else 200)
        stated = 1_000 if self.path == "/cut.yaml" else len(content or b"")
        self.send_header("Content-Length", str(stated))
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def _running() -> Iterator[Server]:
    with Server() as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def server(_running: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.chdir(tmp_path)
    for name in [it for it in os.environ if it.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "certificate.pem"))
    _running.answers, _running.asked = {"/openapi.yaml": SPEC}, []
    return _running


def fetch(*args: str) -> Result:
    return run("fetch", *args)


def lock(folder: str = "spec") -> Any:
    return tomllib.loads(Path(folder, "streambind.lock").read_text())["documents"]


def digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def test_a_document_comes_with_a_line_in_the_lock(server: Server) -> None:
    result = fetch(f"{server.url}/openapi.yaml")
    assert (result.exit_code, result.stdout) == (0, "")
    where = f"{server.url}/openapi.yaml -> spec/openapi.yaml"
    assert result.stderr == f"{where}: {len(SPEC)} bytes\n"
    assert tree().keys() == {"spec/openapi.yaml", "spec/streambind.lock"}
    assert Path("spec/openapi.yaml").read_text() == SPEC
    (entry,) = lock()
    assert entry.pop("fetched")[10:11] == "T"
    assert entry == {
        "file": "openapi.yaml",
        "url": f"{server.url}/openapi.yaml",
        "digest": digest(SPEC),
    }
    assert server.headers.keys() == {
        "Accept",
        "Accept-Encoding",
        "Connection",
        "Host",
        "User-Agent",
    }


def test_generate_takes_what_came(server: Server) -> None:
    server.answers |= {
        "/api/openapi.yaml": SPLIT,
        "/api/schemas/toy.yaml": TOY,
        "/api/schemas/part%20a.json": PART,
    }
    result = fetch(f"{server.url}/api/openapi.yaml", "-o", "docs/pets.yaml")
    assert result.exit_code == 0, result.stderr
    assert result.stderr.endswith(
        f"-> docs/pets.yaml: {len(SPLIT + TOY + PART)} bytes in 3 files\n"
    )
    assert Path("docs/schemas/part a.json").read_text() == PART
    assert lock("docs")[0]["references"] == {
        "schemas/part a.json": digest(PART),
        "schemas/toy.yaml": digest(TOY),
    }
    made = run("generate", "docs/pets.yaml", "-o", "out")
    assert made.exit_code == 0, made.stderr


def test_what_is_fetched_again_is_unchanged(server: Server) -> None:
    fetch(f"{server.url}/openapi.yaml")
    before = tree()
    for arguments in ([f"{server.url}/openapi.yaml"], ["--update"]):
        result = fetch(*arguments)
        assert result.stderr == f"spec/openapi.yaml: unchanged since {lock()[0]['fetched']}\n"
        assert (result.exit_code, result.stdout, tree()) == (0, "", before)


def test_a_newer_document_is_compared_and_takes_the_place(server: Server) -> None:
    server.answers |= {"/openapi.yaml": OLDER, "/other.json": '{"swagger": "2.0"}'}
    fetch(f"{server.url}/openapi.yaml")
    fetch(f"{server.url}/other.json")
    date = lock()[0]["fetched"][:10]
    server.answers["/openapi.yaml"] = SPEC
    result = fetch("--update")
    assert result.exit_code == 0, result.stderr
    head, *lines = result.stdout.splitlines()
    assert head == f"{date}:spec/openapi.yaml -> spec/openapi.yaml: 1 wire"
    (told,) = [line for line in lines if "Pet.age" in line]
    assert "was str | None = None, becomes int | None = None" in told
    assert told.endswith("spec/openapi.yaml:6:38 #/components/schemas/Pet/properties/age")
    assert Path("spec/openapi.yaml").read_text() == SPEC
    assert [it["digest"] for it in lock()] == [digest(SPEC), digest('{"swagger": "2.0"}')]


def test_it_is_compared_as_the_jobs_of_the_configuration_have_it(server: Server) -> None:
    server.answers["/openapi.yaml"] = OLDER + "    Shop: {type: object}\n"
    fetch(f"{server.url}/openapi.yaml")
    Path("streambind.toml").write_text(
        'spec = "spec/openapi.yaml"\noutput = "api"\nschema = ["Shop"]\n'
    )
    server.answers["/openapi.yaml"] = SPEC + "    Shop: {type: object}\n"
    assert fetch("--update").stdout.splitlines()[0].endswith(": no changes")


def test_what_is_not_to_be_compared_comes_all_the_same(server: Server) -> None:
    fetch(f"{server.url}/openapi.yaml")
    server.answers["/openapi.yaml"] = SPEC + '    Toy: {$ref: "#/nothing"}\n'
    result = fetch("--update")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith(
        "spec/openapi.yaml: not compared, for an error that `streambind check` shows\n"
    )
    assert "nothing" in Path("spec/openapi.yaml").read_text()


def test_one_of_several_can_be_updated(server: Server) -> None:
    server.answers["/other.yaml"] = SPEC
    fetch(f"{server.url}/openapi.yaml")
    fetch(f"{server.url}/other.yaml")
    server.asked.clear()
    assert fetch("--update", "-o", "spec/other.yaml").exit_code == 0
    assert server.asked == ["/other.yaml"]
    nothing = fetch("--update", "-o", "docs/other.yaml")
    assert nothing.exit_code == 2
    assert "docs/streambind.lock names no document that --update could fetch." in nothing.stderr


def test_a_folder_can_be_named(server: Server) -> None:
    assert fetch(f"{server.url}/openapi.yaml", "-o", "docs/v1.2").exit_code == 0
    assert tree().keys() == {"docs/v1.2/openapi.yaml", "docs/v1.2/streambind.lock"}
    assert "unchanged since" in fetch("--update", "-o", "docs/v1.2").stderr


def test_init_finds_what_was_fetched(server: Server) -> None:
    server.answers["/pets.yaml"] = SPEC
    fetch(f"{server.url}/pets.yaml")
    result = run("init", "-o", "acme")
    assert result.exit_code == 0, result.stderr
    assert 'spec = "spec/pets.yaml"\n' in Path("streambind.toml").read_text()
    assert "  git add spec/pets.yaml spec/streambind.lock streambind.toml " in result.stderr


def test_files_that_are_referred_to_no_more_go(server: Server) -> None:
    server.answers |= {"/openapi.yaml": SPLIT, "/schemas/toy.yaml": "Toy: {}"}
    fetch(f"{server.url}/openapi.yaml")
    assert Path("spec/schemas/toy.yaml").exists()
    server.answers["/openapi.yaml"] = SPEC
    fetch("--update")
    assert tree().keys() == {"spec/openapi.yaml", "spec/streambind.lock"}


def test_what_somebody_changed_stays(server: Server) -> None:
    fetch(f"{server.url}/openapi.yaml")
    Path("spec/openapi.yaml").write_text(SPEC + "# mine\n")
    before = tree()
    result = fetch("--update")
    assert result.exit_code == 2
    assert result.stderr == (
        "spec/openapi.yaml: error SB133 the file is not what was fetched: somebody wrote or "
        "changed it\nhelp: what it should say goes to an overlay; then move it away\n"
    )
    assert tree() == before


REFUSED = {
    "http://api.acme.com/x.yaml": "only https is fetched",
    "file:///etc/passwd": "only https is fetched",
    "openapi.yaml": "only https is fetched",
    "https:///x.yaml": "the URL names no host",
    "https://me:secret@api.acme.com/x.yaml": "the URL holds a user or a password",
    "https://me@api.acme.com/x.yaml": "the URL holds a user or a password",
    "https://api.acme.com/x.yaml?api_key=1": "the parameter 'api_key' looks like a credential",
    "https://s3.acme.com/x?X-Amz-Signature=1": (
        "the parameter 'X-Amz-Signature' looks like a credential"
    ),
    "https://raw.acme.com/x.yaml?token=1": "the parameter 'token' looks like a credential",
    "https://[api.acme.com/x.yaml": "this is no URL: Invalid IPv6 URL",
    "https://api.acme.com:0x/": "this is no URL: Port could not be cast to integer value as '0x'",
    "https://api.acme.com/ä": "the URL holds characters that have to be percent-encoded",
    "https://api.acme.com/\r\nHost: x": (
        "the URL holds characters that have to be percent-encoded"
    ),
}


@pytest.mark.parametrize(("url", "fault"), REFUSED.items(), ids=ascii)
def test_what_is_not_fetched(url: str, fault: str, server: Server) -> None:
    assert find_fault(url) == fault
    result = fetch(url)
    assert (result.exit_code, tree()) == (2, {})
    assert f"error SB131 {fault}\n" in result.stderr
    assert "secret" not in result.stderr


def test_what_is_said_of_a_url_that_is_not_fetched() -> None:
    assert fetch("https://me:secret@api.acme.com/x.yaml?token=1").stderr == (
        "https://api.acme.com/x.yaml: error SB131 the URL holds a user or a password\n"
        "help: the lock would keep it: give an https URL without credentials\n"
    )


@pytest.mark.parametrize(
    "url", ["https://a.com/x?format=yaml&version=2", "https://a.com:8443/keys?monkey=1&tokenizer"]
)
def test_what_is_fetched(url: str) -> None:
    assert find_fault(url) is None
    assert redact(url) == url.partition("?")[0]


NAMES = {
    "https://a.com/v1/openapi.json": "openapi.json",
    "https://a.com/": "openapi",
    "https://a.com": "openapi",
    "https://a.com/..%2F..%2Fetc%2Fpasswd": "etc-passwd",
    "https://a.com/a%00b.yaml": "a-b.yaml",
    "https://a.com/.hidden": "hidden",
}


@pytest.mark.parametrize(("url", "name"), NAMES.items())
def test_what_it_is_called(url: str, name: str) -> None:
    assert file_name(url) == name


@pytest.mark.parametrize(
    ("content", "file"),
    [
        (SPEC, "openapi.yaml"),
        ('{"openapi": "3.1.0", "info": {}}', "openapi.json"),
        (f"# Pets\n\n```yaml\n{SPEC}```\n", "openapi.md"),
    ],
)
def test_the_suffix_is_that_of_the_content(content: str, file: str, server: Server) -> None:
    server.answers["/openapi"] = content
    assert fetch(f"{server.url}/openapi").exit_code == 0
    assert lock()[0]["file"] == file


UNDELIVERED = {
    "/none.yaml": "the server answered 404 Not Found",
    "/cut.yaml": "the connection ended after 4 of 1,000 bytes",
    "/to-http.yaml": "it is redirected to http://localhost/x.yaml: only https is fetched",
    "/away.yaml": "it is redirected to another origin, https://example.com/x.yaml",
    "/signed.yaml": "it is redirected to https://localhost/x.yaml: "
    "the parameter 'sig' looks like a credential",
    "/round.yaml": "the server answered 302 The HTTP server returned a redirect error that would "
    "lead to an infinite loop.\nThe last 30x error message was:\nFound",
}


@pytest.mark.parametrize(("path", "message"), UNDELIVERED.items())
def test_what_does_not_come(path: str, message: str, server: Server) -> None:
    server.answers |= {
        "/cut.yaml": "text",
        "/to-http.yaml": "->http://localhost/x.yaml",
        "/away.yaml": "->https://example.com/x.yaml?v=1",
        "/signed.yaml": "->https://localhost/x.yaml?sig=1",
        "/round.yaml": "->/round.yaml",
    }
    with pytest.raises(Undelivered) as raised:
        download(server.url + path)
    assert str(raised.value) == message


def test_what_is_said_of_what_does_not_come(server: Server) -> None:
    server.answers["/away.yaml"] = "->https://example.com/x.yaml"
    assert fetch(f"{server.url}/away.yaml").stderr == (
        f"{server.url}/away.yaml: error SB132 it is redirected to another origin, "
        "https://example.com/x.yaml\nhelp: fetch it from there, if you trust it\n"
    )


def test_a_redirect_within_the_origin_is_followed(server: Server) -> None:
    server.answers |= {
        "/latest": "->/v2/openapi.yaml",
        "/v2/openapi.yaml": SPLIT,
        "/v2/schemas/toy.yaml": "Toy: {}",
    }
    assert fetch(f"{server.url}/latest").exit_code == 0
    assert server.asked == ["/latest", "/v2/openapi.yaml", "/v2/schemas/toy.yaml"]
    assert (lock()[0]["file"], lock()[0]["url"]) == ("latest.yaml", f"{server.url}/latest")


def test_a_certificate_that_nobody_trusts(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    result = fetch(f"{server.url}/openapi.yaml")
    assert (result.exit_code, tree()) == (2, {})
    assert "error SB132 the certificate is not trusted: self" in result.stderr
    assert "name its certificate with SSL_CERT_FILE\n" in result.stderr


def test_a_size_limit(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.fetching.https, "MAX_BYTES", 1024 * 1024)
    server.answers["/openapi.yaml"] = b" " * (1024 * 1024 + 1)
    result = fetch(f"{server.url}/openapi.yaml")
    assert "error SB132 it is larger than 1 MiB\n" in result.stderr
    assert tree() == {}


def test_a_time_limit(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.fetching.https, "_SECONDS", -1.0)
    result = fetch(f"{server.url}/openapi.yaml")
    assert "error SB132 it did not come within -1 seconds\n" in result.stderr


def test_a_server_that_says_nothing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.fetching.https, "_SILENCE", 0.05)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as silent:
        result = fetch(f"https://localhost:{silent.server_port}/openapi.yaml")
    assert "error SB132 the server was silent for 0 seconds\n" in result.stderr


def test_nobody_listens(server: Server) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as other:
        port = other.server_port
    result = fetch(f"https://localhost:{port}/openapi.yaml")
    assert "error SB132 Connection refused\n" in result.stderr


def test_the_proxy_of_the_environment_is_asked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            asked.append(self.path)
            self.send_error(403)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as proxy:
        Thread(target=proxy.handle_request, daemon=True).start()
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.server_port}")
        result = fetch("https://api.acme.test/openapi.yaml")
    assert asked == ["api.acme.test:443"]
    assert "error SB132 Tunnel connection failed: 403 Forbidden\n" in result.stderr


NO_DOCUMENTS = {
    "<html><body>Log in</body></html>\n": "error SB200 not an OpenAPI description",
    "openapi: 2.0\n": "error SB200 OpenAPI 2.0: OpenAPI 3.0",
    '{"openapi": "3.1.0"': "error SB103",
    '{"openapi": "3.1.0", "openapi": "3.0.0"}': "error SB104",
}


@pytest.mark.parametrize(("content", "said"), NO_DOCUMENTS.items(), ids=NO_DOCUMENTS.values())
def test_what_is_no_document_is_not_kept(content: str, said: str, server: Server) -> None:
    fetch(f"{server.url}/openapi.yaml")
    before = tree()
    server.answers["/openapi.yaml"] = content
    result = fetch("--update")
    assert (result.exit_code, tree()) == (2, before)
    assert result.stderr.startswith(f"{server.url}/openapi.yaml:")
    assert said in result.stderr


LEFT_OUT = {
    "../other.yaml#/Pet": "'../other.yaml' is no file beside the document",
    "/other.yaml": "'/other.yaml' is no file beside the document",
    "https://example.com/pet.yaml#/Pet": (
        "'https://example.com/pet.yaml' is no file beside the document"
    ),
    "a/%2e%2e/%2e%2e/other.yaml": "'a/%2e%2e/%2e%2e/other.yaml' is no file beside the document",
    "https://[x/pet.yaml": "'https://[x/pet.yaml' is no file beside the document",
    "pet.yaml?v=1": "'pet.yaml?v=1' is no file beside the document",
    "gone.yaml": "'gone.yaml' has not come: the server answered 404 Not Found",
    "page.yaml": "'page.yaml' has not come: it is no document: ",
}


@pytest.mark.parametrize(("reference", "message"), LEFT_OUT.items(), ids=LEFT_OUT)
def test_what_is_left_out_is_told(reference: str, message: str, server: Server) -> None:
    server.answers |= {
        "/openapi.yaml": SPEC + f'    Toy: {{$ref: "{reference}"}}\n',
        "/page.yaml": "a: b: c",
        "/other.yaml": SPEC,
        "/pet.yaml?v=1": SPEC,
    }
    result = fetch(f"{server.url}/openapi.yaml")
    assert result.exit_code == 0
    line = f"{server.url}/openapi.yaml:7:11: warning SB135 {message}"
    assert line in result.stderr
    assert result.stderr.endswith(
        f'    7 |     Toy: {{$ref: "{reference}"}}\n'
        "      |           ^\n"
        "help: `generate` will miss it; an overlay can give the reference another target\n"
    )
    assert tree().keys() == {"spec/openapi.yaml", "spec/streambind.lock"}


def test_references_of_discriminators_come_and_those_of_examples_do_not(server: Server) -> None:
    server.answers |= {
        "/openapi.yaml": SPEC
        + "    Toy: {discriminator: {propertyName: a, mapping: {x: x.yaml, Pet: Pet}}}\n"
        + "    Cat: {example: {$ref: cat.yaml}}\n"
        + "    Dog: {$id: 'https://a.com/dog', items: {$ref: /dog#/x}}\n",
        "/x.yaml": "type: object",
    }
    assert fetch(f"{server.url}/openapi.yaml").stderr.count("SB") == 0
    assert server.asked == ["/openapi.yaml", "/x.yaml"]


def test_too_much_of_all_files(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.fetching.documents, "MAX_BYTES", 400)
    server.answers |= {
        "/openapi.yaml": SPEC + "    A: {$ref: a.yaml}\n",
        "/a.yaml": f"# {300 * 'a'}\n{{}}",
    }
    result = fetch(f"{server.url}/openapi.yaml")
    assert "has not come: all files together would be larger than 400 bytes" in result.stderr


def test_nothing_is_written_over_the_lock(server: Server) -> None:
    server.answers |= {
        "/openapi.yaml": SPEC + "    A: {$ref: streambind.lock}\n",
        "/streambind.lock": "a = 1",
    }
    result = fetch(f"{server.url}/openapi.yaml")
    assert (result.exit_code, tree()) == (2, {})
    assert "spec/streambind.lock: error SB133 the lock lies here\n" in result.stderr


def test_too_many_files(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.fetching.documents, "MAX_FILES", 1)
    server.answers |= {
        "/openapi.yaml": SPEC + "    A: {$ref: a.yaml}\n    B: {$ref: b.yaml}\n",
        "/a.yaml": "{}",
        "/b.yaml": "{}",
    }
    result = fetch(f"{server.url}/openapi.yaml")
    assert "has not come: it would be one of more than 1 files" in result.stderr
    assert len(server.asked) == 2


def test_nothing_is_written_through_a_link_that_leads_out(server: Server) -> None:
    Path("mine").mkdir()
    Path("spec").mkdir()
    Path("spec/schemas").symlink_to("../mine")
    server.answers |= {"/openapi.yaml": SPLIT, "/schemas/toy.yaml": TOY}
    result = fetch(f"{server.url}/openapi.yaml")
    assert result.exit_code == 2
    assert "spec/schemas/toy.yaml: error SB503 a symbolic link leads out" in result.stderr
    assert tree() == {}


def test_nothing_is_deleted_through_a_link_that_leads_out(server: Server) -> None:
    Path("mine").mkdir()
    Path("mine/toy.yaml").write_text(TOY)
    Path("spec").mkdir()
    Path("spec/schemas").symlink_to("../mine")
    Path("spec/streambind.lock").write_text(
        LOCK.replace("https://a.com/a.yaml", f"{server.url}/openapi.yaml")
        + f'[documents.references]\n"schemas/toy.yaml" = "{digest(TOY)}"\n'
    )
    assert fetch("--update").exit_code == 0
    assert Path("mine/toy.yaml").exists()
    assert "references" not in lock()[0]


LOCK = """\
[[documents]]
file = "a.yaml"
url = "https://a.com/a.yaml"
digest = ""
fetched = "2026-01-31T12:00:00Z"
"""
BROKEN = {
    "an entry without a digest": (LOCK.replace('digest = ""\n', ""), "the entry has no 'digest'"),
    "a file elsewhere": (
        LOCK.replace("a.yaml", "../a.yaml", 1),
        "the file '../a.yaml' leads elsewhere",
    ),
    "a time that acts": (
        LOCK.replace("2026-01-31T12:00:00Z", "\\u001b[2J"),
        "`fetched` is no time such as 2026-01-31T12:00:00Z",
    ),
    "a URL with a password": (
        LOCK.replace("a.com", "me:secret@a.com"),
        "the URL holds a user or a password",
    ),
    "references of another type": (
        f"{LOCK}references = [1]\n",
        "'references' is a table of digests",
    ),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_a_lock_that_is_broken(text: str, message: str, server: Server) -> None:
    Path("spec").mkdir()
    Path("spec/streambind.lock").write_text(text)
    result = fetch("--update")
    assert result.exit_code == 2
    assert result.stderr.startswith(
        f"spec/streambind.lock:1:3: error SB134 {message} [#/documents/0]\n"
        "    1 | [[documents]]\n"
        "      |   ^\n"
        "help: `streambind fetch` alone writes it: restore it, or remove it\n"
    )
    assert server.asked == []


def test_a_url_or_an_update() -> None:
    for arguments in ([], ["https://a.com/a.yaml", "--update"]):
        result = fetch(*arguments)
        assert result.exit_code == 2
        assert "Name a URL, or --update what was fetched before" in result.stderr


def test_a_folder_that_cannot_be_written(server: Server) -> None:
    Path("spec").write_text("mine")
    result = fetch(f"{server.url}/openapi.yaml")
    assert result.exit_code == 2
    assert result.stderr == (
        "spec/openapi.yaml: error SB505 cannot write: File exists\n"
        "help: make room or give access, then run the command again\n"
    )
