"""Headers of every response: what a browser must not do with it."""

from __future__ import annotations

#: Only the server's own files run, load and are asked; nothing is embedded anywhere; no text becomes markup.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
ALWAYS = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)
UNCACHED = ("cache-control", "no-store")


def completed(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Add the headers to those of a response; only its caching is its own to decide."""
    own = {name.lower() for name, _ in headers}
    fixed = {name.encode() for name, _ in ALWAYS}
    kept = [(name, value) for name, value in headers if name.lower() not in fixed]
    more = ALWAYS if b"cache-control" in own else (*ALWAYS, UNCACHED)
    return kept + [(name.encode(), value.encode()) for name, value in more]
