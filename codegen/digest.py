"""The digest of bytes, as manifests and locks write it."""

import hashlib


def digest(content: bytes) -> str:
    """Return `sha256:` and the digest in hexadecimal."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
