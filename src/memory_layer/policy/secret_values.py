"""Whether the value beside a word such as `password` is a secret or only talk about one.

Memories of a code base mention secrets far more often than they hold one, so a value must look like
a real one: placeholders, references, expressions and plain words stay.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache

MARKER = "[REDACTED:"


class Form(IntEnum):
    """How surely the place holds a literal value, from prose to quotation marks."""

    LOOSE = 0  #: password: value, --password value, the password is value
    TIGHT = 1  #: password=value
    SETTING = 2  #: DB_PASSWORD=value
    QUOTED = 3  #: password = "value"


#: The shortest value that counts, and the shortest in prose.
_LEAST = {"password": (4, 6), "secret": (6, 10), "token": (8, 10), "key": (8, 10)}

_STAND_IN_PARTS = (
    *("your", "example", "placeholder", "changeme", "change_me", "change-me", "redacted", "dummy", "fake"),
    *("notreal", "not-a-", "xxx", "...", "…", "***", "•••", "${", "{{", "}}"),
)
_STAND_IN_STARTS = tuple("< [ ( { \\ ^[ ^( %( !vault !Ref !Sub !GetAtt @Microsoft".split())
_REFERENCE_STARTS = (
    *("arn:", "op:", "vault:", "vault/", "ssm:", "env:", "env.", "file:", "keyring:", "sops:", "secretref:"),
    *("ENC[", "projects/", "secrets/", "data:", "sha256:", "ref+", "gcp:", "aws:", "azure:"),
)
_SENSITIVE_WORDS = frozenset(
    "api auth credential credentials key pass passphrase passwd password pwd secret token".split()
)
#: Words that stand where a value would: types, states, well-known defaults that open nothing but a test.
_PLAIN_WORDS = frozenset(
    """
    abcd access admin allow always anything argument ascii auto base basic bearer blank body bool boolean
    bytes char client config cookie correct credential default deny disabled empty enabled encrypted env
    environment expired false field file foobar function generated github gitlab guest hash hashed header
    hidden incorrect input integer invalid keychain keyring length literal localhost login manual mandatory
    masked minio minioadmin missing mongo mysql never none nothing null number object omitted optional
    parameter passthrough plain plaintext postgres postgresql present prompt provided public query rabbitmq
    random readonly redis refresh required return root rotate sample sandbox session skip string strong
    super test tester testing text todo true type undefined unknown unset user username value variable
    varchar vault weak wrong
    """.split()
)
_SYMBOLS = frozenset("!@#$%^&*+=~?/\\|(){}[]:;,")


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


_VARIABLE = r"\$\(?\{?[A-Za-z_].*|%\w+%|\$\$|\{\w[^{}]*\}"
_EXPRESSION = r"(?:await |new )?[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*[\[({].*"
_DOTTED = r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+"
_PATH = r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@ -]+(?:[/\\][\w.@ -]*)*"
_NUMBER = r"[~^<>=vV]{0,2}\d+(?:[.:/-]\d+)*[A-Za-z%+]{0,12}"
_TEMPLATE = r".*?(?:\{[\w.\[\]]+\}|%[sdr](?!\w)|<\w[^<>]*>).*"
_ALGORITHM = (
    r"(?i:base|sha|md|argon|oauth|utf|hs|rs|es|ps|aes|rsa|dsa|ecdsa|pbkdf|ed|secp|prime|curve|hmac|chacha|uuidv?"
    r"|ipv|http|x|iso|rfc|tlsv?|crc|jwt|hmac-?sha|bcrypt|scrypt|oidc|saml|totp)[-_]?\d{1,4}[A-Za-z_-]{0,16}\d?"
)
_WORD_PIECE = r"[A-Za-z]+\d{0,2}|\d{1,4}|v\d+"


def is_secret(value: str, family: str, form: Form) -> bool:
    """Whether a value of this family, found in this form, is worth hiding."""
    least = _LEAST[family][form is Form.LOOSE]
    if len(value) < least or _stands_in(value) or _refers(value, form):
        return False
    letters = any(c.isalpha() for c in value)
    digits = any(c.isdigit() for c in value)
    if letters and digits:
        return not _is_name(value, family, form)
    if digits:
        return family in ("password", "secret") and form > Form.LOOSE and len(value) >= 6
    return _spells_a_secret(value, family, form)


def stands_for_password(value: str) -> bool:
    """Whether what a URL holds in the password's place is only an example of one."""
    if value.lower() == "secret":
        return False
    return value.lower() == "pw" or _stands_in(value) or bool(_pattern(_VARIABLE).fullmatch(value))


def _stands_in(value: str) -> bool:
    lowered = value.lower()
    word = lowered[:-1] if lowered[-1:].isdigit() else lowered
    if word in _SENSITIVE_WORDS or not any(c.isalnum() for c in value) or len(set(lowered)) <= 2:
        return True
    return value.startswith(_STAND_IN_STARTS) or any(part in lowered for part in _STAND_IN_PARTS)


def _refers(value: str, form: Form) -> bool:
    """Whether the value says where the secret is, or how it comes about."""
    if "://" in value or value.startswith(_REFERENCE_STARTS):
        return True
    sources = [_VARIABLE, _PATH, _ALGORITHM]
    if form is Form.QUOTED:
        sources.append(_TEMPLATE)
    else:
        sources.append(_EXPRESSION)
    if form < Form.SETTING or not any(c.isdigit() for c in value):
        sources.append(_DOTTED)
    if form is Form.LOOSE:
        sources.append(_NUMBER)
    return any(_pattern(source).fullmatch(value) for source in sources)


def _is_name(value: str, family: str, form: Form) -> bool:
    """Whether words and small numbers joined by punctuation name a thing: db-credentials-v2."""
    if family == "password" and form > Form.LOOSE:
        return False
    pieces = _pattern(r"[-_./:=,]").split(value)
    if len(pieces) == 1:
        return False
    return all(not piece or _pattern(_WORD_PIECE).fullmatch(piece) for piece in pieces)


def _spells_a_secret(value: str, family: str, form: Form) -> bool:
    """Whether letters without a digit are a secret; words of a language and names of variables are not."""
    symbols = sum(c in _SYMBOLS for c in value[:-1])
    if family == "password":
        if symbols and " " not in value:
            return form > Form.LOOSE or len(value) >= 8
        return form >= Form.SETTING and len(value) >= 6 and not _is_wording(value)
    if symbols >= 2:
        return form >= Form.SETTING and len(value) >= 12 and " " not in value
    return form >= Form.SETTING and len(value) >= 16 and value.isalpha() and not _is_wording(value)


def _is_wording(value: str) -> bool:
    """Whether the letters are ordinary words: a sentence, a label, the name of another field."""
    lowered = value.lower()
    if " " in value or lowered in _PLAIN_WORDS:
        return True
    return any(
        word in lowered for word in ("password", "passwd", "passphrase", "secret", "token", "credential")
    )
