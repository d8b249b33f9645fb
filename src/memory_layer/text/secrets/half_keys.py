"""Redact the rest of a private key whose beginning was cut off, by `tail` or by a limit."""

from __future__ import annotations

import re

KIND = "private-key"
SHORTEST = 16  #: characters of a key
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re.compile(r"[A-Za-z0-9+/=]*")


def without_half_key(text: str) -> str:
    """Return a text, in which whole keys are redacted already, without the end of a key."""
    found = _END.search(text)
    if found is None:
        return text
    lines = text[: found.start()].split("\n")
    body = 0
    while lines and _BODY.fullmatch(lines[-1].strip()):
        body += len(lines.pop().strip())
    if body < SHORTEST:
        return text
    kept = "".join(f"{line}\n" for line in lines)
    return f"{kept}[REDACTED:{KIND}]{text[found.end() :]}"
