"""How a value looks that nobody assigns, only mentions: random, chosen as a password, or the name of a thing.

A word such as `password` near a value is weaker evidence than an assignment, so the value itself has to look the part.
"""

from __future__ import annotations

import re
from functools import cache

from memory_layer.text.secrets.redact import MARKS
from memory_layer.text.secrets.values import SENSITIVE_WORDS, Form, refers, stands_in

#: What a value has that is told and not assigned: a digit, a mark between letters, or joined words.
PROMISING = r"[0-9]|\w[!#$%^&*~]\w|-\w+-\w+-|[a-z]_[a-zA-Z]"
#: What stands in code and in references, not in a password that is told in prose.
_CODE = (
    r"[(){}<>\[\]\\|]|://|::|=>|->|&&|\?\.|\A[\w.+-]+@[\w-]+\.\w|\A[./~@#+-]|/\Z|\A[A-Za-z_][\w.-]*=(?!=?\Z)|\A\$\w+\Z"
    r"|\.(?:[a-z]{1,4}|html|json5?|yaml|toml|lock|conf|[a-z]{2,4}#.*|html#.*|java|swift|properties|Z)\Z|%[sdr]\b|%[0-9A-Fa-f]{2}|UTF-8|\._|\Aself\.|_KEY|[&?]\w+=|(?i:abcdefgh|12345678)"
)
_IDENTIFIER = (
    r"[A-Z]{2,}(?:-\d+)+(?:-[a-z]+)*|\$\w{1,8}\$[\w=,]{0,12}\$?|0[xX][0-9A-Fa-f]+|[0-9a-f]{7,}|[0-9A-F]{16,}|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|(?i:sha|md)\d{1,3}[-:~].*"
    r"|AAAA[BCE].*|ssh-.*|v?\d+(?:\.\d+)+.*|\d{4}-\d\d-\d\d.*|\d{6,8}T\d{4,6}Z?.*|[a-z]{2,12}_[A-Za-z0-9]{14,}"
    r"|[A-Z0-9]+(?:[-_./:][A-Z0-9]+)*|(?:[A-Z0-9]+[-_])+v?\d[\d._]*|(?=\w*_[A-Z]{3,}(?:[_\d]|\Z))[A-Za-z]{2,}(?:_[A-Za-z]{2,}(?:v?\d{1,2})?)+(?:_\d{1,2})?|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2})+|#?[0-9A-Fa-f]{3,8}|[\d.,:/%+-]+[A-Za-z]{0,3}"
    r"|\d+(?:st|nd|rd|th|[a-z]{1,3}|[-_]?[a-z]{3,12})|(?i:ctrl|strg|cmd|command|alt|option|shift|meta|super)(?:[-+]\w+)+"
)
#: Names of things that have a number.
_NUMBERED = (
    r"(?i:oauth|auth|http|https|utf|sha|md|base|ipv|tls|ssl|python|py|node|java|jdk|es|ecma|web|neo|log|vue|angular"
    r"|react|postgres|postgresql|pg|mysql|mariadb|redis|ubuntu|debian|rhel|centos|win|windows|macos|ios|android|rfc"
    r"|iso|nist|fips|pkcs|blake|argon|pbkdf|bcrypt|scrypt|crc|v|ver|version|rev|step|phase|part|section|level|layer"
    r"|tier|stage|q|fy|sprint|week|day|issue|pr|bug|ticket|case|test|tests|user|foo|bar|baz|item|host|server|worker"
    r"|db|app|api|prod|dev|staging|table|column|field|row|line|page|chapter|option|type|class|group|team|env|region"
    r"|zone|port|slot|shard|replica|partition|bucket|queue|topic|stream|job|task|build|run|release|alpha|beta|rc|key"
    r"|token|secret|password|id|kid|arg|param|value|var|name|account|client|role|policy|rule|aes|rsa|dsa|hmac|hs|rs"
    r"|ecdsa|ed|curve|secp|chacha|sec|cve|saml|oidc|totp|hotp|fido|webauthn|pkce|jwt|jws|jwe|jwk|krb|ldapv?|website"
    r"|socks|swagger|openapi|kafka|sqlite|proto|ext|umd|commonjs|draft|area|room|floor|berlin|config|template|migration)"
    r"[-_.]?\d{1,6}(?:[-_.]?\w*)?"
)
#: Words of which names of secrets and machines are made; none of them makes a password.
_THING_WORDS = frozenset(
    """
    account admin api app auth aws backend cert certs client cluster config core cred credential credentials creds
    data database db deploy dev env eu file frontend gcp group host infra item job key keys kube lab main master name
    node ops password passwords policy pod pool prod production project read role root rotation rule sa secret secrets
    server service shared staging stg store svc team test token tokens us user username users vault version web west
    email field input login
    """.split()
)
#: Words that names in code are made of, each with a capital.
_CODE_WORDS = frozenset(
    "key keys token tokens secret password private public class error exception type handler factory manager config"
    " request response client server service test tests provider context builder since impl".split()
)
_DIGIT = re.compile(r"\d")
_HUMP = re.compile(r"[A-Z][a-z]{2,}")
_WORD = re.compile(r"[^\W\d_]+")


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


def looks_random(value: str, least: int = 12) -> bool:
    """Tell whether a value of mixed characters spells nothing, as a generated one does."""
    if not least <= len(value) <= 512 or not _has_digit(value) or len(set(value)) < 6:
        return False
    marked = not MARKS.isdisjoint(value.rstrip("=?!"))
    cased = value.upper() != value != value.lower()
    if not (marked or cased) and not (len(value) >= 20 and value.isalnum()):
        return False
    if any(hump.lower() in _CODE_WORDS for hump in _HUMP.findall(value)):
        return False
    most = 0.65 if marked else 0.45 if cased else 0.3
    return any(map(str.isalpha, value)) and _wordy(value) < most and _is_literal(value)


def looks_chosen(value: str) -> bool:
    """Tell whether a value looks like a password that somebody made up: letters with digits or marks among them."""
    if not 6 <= len(value) <= 128 or value.isalpha():
        return False
    digits = _has_digit(value)
    words = [word for word in _WORD.findall(value) if len(word) > 1]
    if not MARKS.isdisjoint(value[1:].rstrip("+?=*")) and (digits or _is_marked_phrase(value)):
        chosen = any(map(str.isalpha, value))
    elif digits:
        chosen = bool(words) and _is_numbered_phrase(value, words)
    else:
        chosen = _is_phrase(value, words)
    return chosen and _is_literal(value)


def _has_digit(value: str) -> bool:
    return _DIGIT.search(value) is not None


def _is_numbered_phrase(value: str, words: list[str]) -> bool:
    """Tell whether letters and digits together name no thing, standard or version."""
    if _pattern(_NUMBERED).fullmatch(value):
        return False
    things = any(word.lower() in _THING_WORDS for word in words)
    if not value.isalnum() and value.islower():
        return len(words) > 1 and not things and (value[-1].isdigit() or len(re.split(r"[-_.]", value)) > 2)
    return not (things and value.isalnum())


def _is_literal(value: str) -> bool:
    """Tell whether the value is neither code nor a placeholder, a reference or a number of something."""
    if _pattern(r"[A-Za-z0-9+/]{23,}={1,2}|[A-Z][a-z]+\.[A-Z][a-z]+\d{1,4}").fullmatch(value):
        return not stands_in(value)
    if _pattern(_CODE).search(value) or _pattern(_IDENTIFIER).fullmatch(value):
        return False
    return not (stands_in(value) or refers(value, Form.LOOSE))


def _is_phrase(value: str, words: list[str]) -> bool:
    """Tell whether letters alone are words joined to be remembered, not the name of a thing or of a field."""
    if any(word.lower() in _THING_WORDS or word.lower() in SENSITIVE_WORDS for word in words):
        return False
    if value.islower():
        return len(words) >= 4 and value.replace("-", "").isalpha()
    return len(words) >= 2 and "_" in value and not value.isupper() and value[0].isupper()


def _is_marked_phrase(value: str) -> bool:
    """Tell whether marks that hardly join words stand within letters: TieferSee&Berg, not a@b or c++."""
    return len(value) >= 8 and bool(re.search(r"[^\W_][!#$%^&*~][^\W_]", value)) and "@" not in value


def looks_issued(value: str) -> bool:
    """Tell whether a value directly beside a name looks like one that a service issued."""
    if looks_random(value, 8) or is_hex_key(value):
        return True
    coded = _pattern(
        r"[A-Z2-7]{16,}|(?:[A-Z0-9]{4,8}-){2,}[A-Z0-9]{4,8}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    ).fullmatch(value)
    return bool(coded) and len(set(value)) >= 8 and any(map(str.isdigit, value))


def is_hex_key(value: str) -> bool:
    """Tell whether a value has the length and the digits of a key in hexadecimal."""
    return (
        len(value) >= 32
        and bool(_pattern(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)").fullmatch(value))
        and not value.isdigit()
    )


def _wordy(value: str) -> float:
    """Return how much of the value is spelled in words."""
    runs = re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}", value)
    return sum(len(run) for run in runs if _is_word(run)) / len(value)


def _is_word(run: str) -> bool:
    """Tell whether letters can be spoken: vowels among them, and never many consonants in a row."""
    vowels = sum(c in "aeiouyAEIOUY" for c in run)
    return vowels * 5 >= len(run) and not _pattern(r"[^aeiouyAEIOUY]{4}").search(run)
