"""What a token format is, and how a value is checked that has its form."""

from __future__ import annotations

import re
from binascii import Error as NotBase64
from binascii import a2b_base64
from collections.abc import Callable

from memory_layer.model.record import NamedTuple
from memory_layer.text.secrets.redact import TOKEN_LENGTH


def varied(value: str) -> bool:
    """Not a row of x, dots or zeros that stands for a secret."""
    return len(set(value)) >= 6 and "xxxx" not in value.lower()


def mixed(value: str) -> bool:
    """Holds a digit and a letter, which words that happen to share a prefix rarely do."""
    return varied(value) and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def hashlike(value: str) -> bool:
    """Holds digits, capitals and small letters."""
    return mixed(value) and any(c.isupper() for c in value) and any(c.islower() for c in value)


def generated(value: str) -> bool:
    """Ends in a long run that no words make up, behind a beginning that says what it is."""
    body = re.split(r"[_.:~$-]", value)[-1]
    random = hashlike(body) or (len(body) >= 24 and mixed(body))
    return random and mixed(value) and not re.search(r"[A-Za-z][a-z]{7}", body)


def encoded_key(value: str) -> bool:
    """Decodes to the header of a private key."""
    try:
        return b"PRIVATE KEY" in a2b_base64(value[:96])
    except NotBase64:
        return False


def key_id(value: str) -> bool:
    """Looks like the id of an AWS key, not like a word in capitals."""
    return varied(value) and (value.startswith("AKIA") or mixed(value))


def armoured(value: str) -> bool:
    """Holds a long enough run of base64 to be a key, not talk about its header."""
    return re.search(r"[A-Za-z0-9+/]{24}", value) is not None


def user_and_password(value: str) -> bool:
    """Decodes to a user and a password."""
    try:
        return b":" in a2b_base64(value + "=" * (-len(value) % 4))
    except NotBase64:
        return False


def session(value: str) -> bool:
    """Holds the value of a cookie that looks generated."""
    pairs = (part.partition("=")[2].strip() for part in value.split(";"))
    return any(len(part) >= 16 and " " not in part and mixed(part) for part in pairs)


class Format(NamedTuple):
    """One way a secret is written."""

    kind: str
    anchors: tuple[str, ...]  #: a text with none of them holds no such secret; capitals are meant as written
    pattern: str  #: what the group `secret` matches vanishes; without the group, the whole match
    check: Callable[[str], bool] = varied
    length: int = TOKEN_LENGTH  #: the shortest unbroken run of characters in a text that holds one
    touching: bool = False  #: found even where a letter or digit touches it, so telling is its beginning
