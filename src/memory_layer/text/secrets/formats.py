"""The record of a token format, the checks of what was found, and all formats, read from `formats.txt`."""

from __future__ import annotations

import re
from binascii import Error as NotBase64
from binascii import a2b_base64
from collections.abc import Callable

from memory_layer.model.record import NamedTuple
from memory_layer.text import read_columns
from memory_layer.text.secrets.redact import TOKEN_LENGTH


def is_varied(value: str) -> bool:
    """Return False for a row of x, dots or zeros in place of a secret."""
    return len(set(value)) >= 6 and "xxxx" not in value.lower()


def is_alphanumeric(value: str) -> bool:
    """Require a digit and a letter, which words that happen to share a prefix rarely have."""
    return is_varied(value) and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def is_mixed_case(value: str) -> bool:
    """Require digits, capitals and small letters."""
    return is_alphanumeric(value) and any(c.isupper() for c in value) and any(c.islower() for c in value)


def is_generated(value: str) -> bool:
    """Require a random run at the end, after a prefix that identifies it."""
    body = re.split(r"[_.:~$-]", value)[-1]
    random = is_mixed_case(body) or (len(body) >= 24 and is_alphanumeric(body))
    return random and is_alphanumeric(value) and not re.search(r"[A-Za-z][a-z]{7}", body)


def is_encoded_key(value: str) -> bool:
    """Require base64 of the header of a private key."""
    try:
        return b"PRIVATE KEY" in a2b_base64(value[:96])
    except NotBase64:
        return False


def is_key_id(value: str) -> bool:
    """Require the form of an AWS key id, not of a word in capitals."""
    return is_varied(value) and (value.startswith("AKIA") or is_alphanumeric(value))


def is_armoured(value: str) -> bool:
    """Require enough base64 for a key, since some texts only mention the header."""
    return re.search(r"[A-Za-z0-9+/]{24}", value) is not None


def is_user_and_password(value: str) -> bool:
    """Require base64 of a user and a password."""
    try:
        return b":" in a2b_base64(value + "=" * (-len(value) % 4))
    except NotBase64:
        return False


def is_session(value: str) -> bool:
    """Require a cookie with a value that looks generated."""
    pairs = (part.partition("=")[2].strip() for part in value.split(";"))
    return any(len(part) >= 16 and " " not in part and is_alphanumeric(part) for part in pairs)


class SecretFormat(NamedTuple):
    """A format in which secrets are written."""

    kind: str
    anchors: tuple[str, ...]  #: a text without any has no such secret; capitals match as written
    pattern: str  #: the group `secret` is redacted, or else the whole match
    check: Callable[[str], bool] = is_varied
    length: int = TOKEN_LENGTH  #: the shortest run without white space in a text that has one
    touching: bool = False  #: found even next to a letter or digit, since its prefix is distinctive


_CHECKS: dict[str, Callable[[str], bool]] = {
    check.__name__: check
    for check in (
        *(is_alphanumeric, is_mixed_case, is_generated, is_encoded_key, is_key_id, is_armoured),
        *(is_user_and_password, is_session),
    )
}


def _format(kind: str, anchors: str, options: str, pattern: str) -> SecretFormat:
    """Read a row of the table."""
    named = dict(option.partition("=")[::2] for option in options.split(","))
    return SecretFormat(
        kind,
        tuple(anchor.replace("+", " ") for anchor in anchors.split()),
        pattern,
        next((_CHECKS[name] for name in named if name in _CHECKS), is_varied),
        int(named.get("length", TOKEN_LENGTH)),
        "touching" in named,
    )


FORMATS = tuple(_format(*row) for row in read_columns("secrets/formats", 4)["formats"])
