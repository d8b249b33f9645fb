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

#: What makes a value one that nobody uses, when nothing else is in it than words that go with it.
_STAND_IN_PARTS = (
    *("your", "example", "placeholder", "changeme", "change_me", "change-me", "redacted", "dummy", "fake"),
    *("notreal", "not-a-", "insert", "replace", "goes-here", "_here", "-here"),
)
_STAND_IN_WORDS = """
    a account add an and any api app auth aws bot change changeme client code com credential credentials data
    database db default demo dev dummy enter example examples fake for from generated github goes gitlab here
    id in insert is it its jwt key long me mock my name net new not notreal old openai org our password passwd
    passphrase pass paste placeholder private prod public put pwd random real redacted replace sample secret
    secrets secure set some string stripe strong super test the this to token url use user username value very
    webhook with your yours xxx xxxx
""".split()
_STAND_IN_STARTS = tuple("^[ ^( %( !vault !Ref !Sub !GetAtt @Microsoft".split())
_REFERENCE_STARTS = (
    *("arn:", "op:", "vault:", "vault/", "ssm:", "env:", "env.", "file:", "keyring:", "sops:", "secretref:"),
    *("ENC[", "projects/", "secrets/", "data:", "sha256:", "ref+", "gcp:", "aws:", "azure:"),
)
SENSITIVE_WORDS = frozenset(
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
#: Words that hold a sentence together; a passphrase has none.
LINKING_WORDS = frozenset(
    """
    a about after all an and any are as at be been before between but by can characters contains do does
    each enter field for from has have how if in into is it its least may minimum more must name needs new no
    not of on one only or our please same see set should than that the then they this to until use used using
    via was we when where which will with without you your
    """.split()
)
_SYMBOLS = frozenset("!@#$%^&*+=~?/\\|(){}[]:;,")


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


#: A marker as this product writes it; one that is typed in protects nothing but itself.
KNOWN_MARKER = r"\[REDACTED:[a-z-]{1,40}\]"
_VARIABLE = (
    r"\$[A-Z_][A-Z0-9_]*|\$[A-Za-z]+(?:\d?_[A-Za-z]+)*\d?|\$[A-Za-z_]\w*(?:->|::|\[|\(|\.[A-Za-z]|:[A-Za-z]).*"
    r"|\$\d|\$\([A-Za-z_./~-]*|\$\{[\w.:-]*|%\w+%|\$\$|\{\w[^{}]*\}"
)
_REFERENCE = (
    r"\$?\{\{[^{}]*\}\}|\$\{[^{}]*\}|\$\([^()]*\)|\$[A-Z_][A-Z0-9_]*\b|%[A-Z_]+%|\{\{[\w.]*\Z|\$\{\{?\Z"
)
_BRACKETED = (
    r"<[^<>]*>|\[[A-Za-z_ .,:|-]*\]?|\([A-Za-z_ .,:|-]*\)?|\{[\w.\[\]() ,:!-]*\}|\{[A-Za-z_ .,:-]*"
    r"|\(*\^?\[\^?[^\]]*(?:A-Z|a-z|0-9|A-F|a-f)[^\]]*\].*|\(\?[:=!<].*|\\[dwsDWSbB].*"
)
_MASK = r"(?i:x){3,}|\.{2,}|…|\*{2,}|•+"
_EXPRESSION = r"(?:await |new )?[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*(?:[\[(].*|\{[^}]*\}?)"
_DOTTED = r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+"
_LONGEST_NAMED = 24  #: characters of a dotted name that may have any number of digits
_PATH = r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@ -]+(?:[/\\][\w.@ -]*)*"
_NUMBER = r"[~^<>=vV]{0,2}\d+(?:[.:/-]\d+)*[A-Za-z%+]{0,12}"
_TYPE = r"[A-Z]+[a-z]*\d{0,5}(?:[A-Z][a-z]{2,}\d?){2,}"
_TEMPLATE = r"\{[\w.\[\]]+\}|%[sdr](?!\w)|<\w[^<>]*>"
_ALGORITHM = (
    r"(?i:base|sha|md|argon|oauth|utf|hs|rs|es|ps|aes|rsa|dsa|ecdsa|pbkdf|ed|secp|prime|curve|hmac|chacha|uuidv?"
    r"|ipv|http|x|iso|rfc|tlsv?|crc|jwt|hmac-?sha|bcrypt|scrypt|oidc|saml|totp)[-_]?\d{1,4}[A-Za-z_-]{0,16}\d?"
)
_WORD_PIECE = r"[A-Za-z]+\d{0,2}|\d{1,4}|v\d+"


def is_secret(value: str, family: str, form: Form) -> bool:
    """Whether a value of this family, found in this form, is worth hiding."""
    least = _LEAST[family][form is Form.LOOSE]
    if len(value) < least or stands_in(value) or refers(value, form):
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
    return value.lower() == "pw" or stands_in(value) or bool(_pattern(_VARIABLE).fullmatch(value))


def without_markers(value: str) -> str:
    """The value without what was redacted from it before."""
    return _pattern(KNOWN_MARKER).sub("", value) if MARKER in value else value


def stands_in(value: str) -> bool:
    lowered = value.lower()
    word = lowered[:-1] if lowered[-1:].isdigit() else lowered
    if word in SENSITIVE_WORDS or not any(c.isalnum() for c in value) or len(set(lowered)) <= 2:
        return True
    if value.startswith(_STAND_IN_STARTS) or _pattern(_BRACKETED).fullmatch(value):
        return True
    return _is_masked(value) or _is_made_up(lowered) or _is_filled_in(value, _REFERENCE)


def _is_masked(value: str) -> bool:
    """Whether hardly more is left of the value than dots, stars or a row of x."""
    rest = _pattern(_MASK).sub("", value)
    if rest == value:
        return False
    shown = _pattern(r"\A[A-Za-z]{2,10}[-_]").sub("", rest)
    return len(shown) <= 4 or len(rest) * 2 <= len(value)


def _is_made_up(lowered: str) -> bool:
    """Whether the whole value says that it is none: your-api-key-1234, changeme, my_example_password."""
    if not any(part in lowered for part in _STAND_IN_PARTS):
        return False
    if _made_up().fullmatch(lowered):
        return True
    pieces = _pattern(r"[-_ .]+").split(lowered.strip("-_ ."))
    if not {pieces[0], pieces[-1]} & {*_STAND_IN_PARTS, "here", "my", "some"}:
        return False
    return len(pieces) > 1 and all(_pattern(r"[a-z]{1,12}|\d{1,4}").fullmatch(piece) for piece in pieces)


@cache
def _made_up() -> re.Pattern[str]:
    words = "|".join(sorted(_STAND_IN_WORDS, key=len, reverse=True))
    return re.compile(rf"(?>(?:{words})[-_ .:/]*+)++(?:\d{{1,6}}|x*)[!.]?")


def _is_filled_in(value: str, places: str) -> bool:
    """Whether the value comes from elsewhere but for a few words around it: Bearer ${TOKEN}, user:{id}:v2."""
    rest = _pattern(places).sub("", value)
    if rest == value:
        return False
    pieces = [piece for piece in _pattern(r"[-_./:=, ]+").split(rest) if piece]
    if len(pieces) > 1:
        return all(_pattern(_WORD_PIECE).fullmatch(piece) for piece in pieces)
    return len(rest) < 6 or not any(c.isdigit() for c in rest)


def refers(value: str, form: Form) -> bool:
    """Whether the value says where the secret is, or how it comes about."""
    value = value.lstrip("([{")
    if "://" in value or value.startswith(_REFERENCE_STARTS):
        return True
    if form is Form.QUOTED and _is_filled_in(value, _TEMPLATE):
        return True
    sources = [_VARIABLE, _PATH, _ALGORITHM]
    if form is not Form.QUOTED:
        sources.append(_EXPRESSION)
    if form < Form.SETTING or not any(c.isdigit() for c in value):
        sources.append(_DOTTED if len(value) < _LONGEST_NAMED else r"(?=\D*(?:\d\D*){0,3}\Z)" + _DOTTED)
    if form is Form.LOOSE:
        sources += [_NUMBER, _TYPE]
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
        if form is Form.TIGHT and len(value) >= 8 and value[-1] in "!$#":
            return not _is_wording(value[:-1])
        if symbols and " " not in value:
            return form > Form.LOOSE or len(value) >= 8
        if form is Form.QUOTED and _is_passphrase(value):
            return True
        return form >= Form.SETTING and len(value) >= 6 and not _is_wording(value)
    if symbols >= 2:
        return form >= Form.SETTING and len(value) >= 12 and " " not in value
    return form >= Form.SETTING and len(value) >= 16 and value.isalpha() and not _is_wording(value)


def _is_passphrase(value: str) -> bool:
    """Whether the words make no sentence and no label: correct horse battery staple."""
    words = value.split(" ")
    if not 3 <= len(words) <= 12 or not all(word.isalpha() and len(word) >= 3 for word in words):
        return False
    if not (value.islower() or all(word[0].isupper() for word in words)):
        return False
    lowered = [word.lower() for word in words]
    if any(word in LINKING_WORDS or word.removesuffix("s") in SENSITIVE_WORDS for word in lowered):
        return False
    return sum(word in _PLAIN_WORDS for word in lowered) * 2 < len(words)


def _is_wording(value: str) -> bool:
    """Whether the letters are ordinary words: a sentence, a label, the name of another field."""
    lowered = value.lower()
    if " " in value or lowered.lstrip("-") in _PLAIN_WORDS:
        return True
    return any(
        word in lowered for word in ("password", "passwd", "passphrase", "secret", "token", "credential")
    )
