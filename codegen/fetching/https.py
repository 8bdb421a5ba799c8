"""One request over https: limits on size and time, and nothing sent that says who asks.

Proxies are those of the environment (`HTTPS_PROXY`, `NO_PROXY`), and certificates those that the
system trusts, or `SSL_CERT_FILE` and `SSL_CERT_DIR` name. A redirect is followed within its origin.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urldefrag
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from codegen import __version__
from codegen.fetching.url import find_fault, origin, redact

MAX_BYTES = 64 * 1024 * 1024
# How long a server may be silent, and how long a body may take.
_SILENCE = 20.0
_SECONDS = 120.0
_PIECE = 64 * 1024
_HEADERS = [
    ("User-Agent", f"streambind/{__version__}"),
    ("Accept", "application/yaml, application/json, text/markdown, */*;q=0.5"),
]
_MISTRUST = "where it is your own authority's, name its certificate with SSL_CERT_FILE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A body, and the URL that it came from in the end."""

    url: str
    content: bytes


class Undelivered(Exception):
    """There is no body; `help` says the way out where one is known."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


def download(url: str) -> Download:
    """Return what a URL without a fault answers with; raises `Undelivered`."""
    try:
        with _opener().open(Request(urldefrag(url)[0]), timeout=_SILENCE) as response:
            return Download(url=response.url, content=b"".join(_read(response)))
    except HTTPError as error:
        with error:
            raise Undelivered(f"the server answered {error.code} {error.reason}") from None
    except URLError as error:
        raise _undelivered(error.reason) from None
    except (OSError, HTTPException) as error:
        raise _undelivered(error) from None


def _opener() -> OpenerDirector:
    """What speaks https and no other scheme."""
    opener = OpenerDirector()
    opener.addheaders = _HEADERS
    for handler in (
        ProxyHandler(),
        UnknownHandler(),
        HTTPSHandler(context=ssl.create_default_context()),
        _Redirects(),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


class _Redirects(HTTPRedirectHandler):
    max_redirections = 5
    max_repeats = 1

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> Request | None:
        if (refusal := _refuse_redirect(req.full_url, newurl)) is not None:
            fp.close()
            raise refusal
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _refuse_redirect(url: str, newer: str) -> Undelivered | None:
    if (fault := find_fault(newer)) is not None:
        return Undelivered(f"it is redirected to {redact(newer)}: {fault}")
    if origin(newer) != origin(url):
        message = f"it is redirected to another origin, {redact(newer)}"
        return Undelivered(message, "fetch it from there, if you trust it")
    return None


def _read(response: HTTPResponse) -> Iterator[bytes]:
    """Yield the pieces of a body, as far as the limits let it come."""
    if response.status != 200:
        raise Undelivered(f"the server answered {response.status} {response.reason}")
    stated = response.headers.get("Content-Length", "")
    end = time.monotonic() + _SECONDS
    size = 0
    while piece := response.read1(_PIECE):
        size += len(piece)
        if size > MAX_BYTES:
            raise Undelivered(f"it is larger than {MAX_BYTES // 1024**2} MiB")
        if time.monotonic() > end:
            raise Undelivered(f"it did not come within {_SECONDS:.0f} seconds")
        yield piece
    # `read1` tells no body that was cut from one that is over.
    if stated.isdecimal() and int(stated) != size:
        raise Undelivered(f"the connection ended after {size:,} of {int(stated):,} bytes")


def _undelivered(reason: object) -> Undelivered:
    match reason:
        case ssl.SSLCertVerificationError():
            what = f"the certificate is not trusted: {reason.verify_message}"
            return Undelivered(what, _MISTRUST)
        case TimeoutError():
            return Undelivered(f"the server was silent for {_SILENCE:.0f} seconds")
        case OSError() if reason.strerror:
            return Undelivered(reason.strerror)
        case _:
            return Undelivered(str(reason) or type(reason).__name__)
