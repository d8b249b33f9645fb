"""Judge whether the value beside a word such as `password` is a secret.

Memories of a code base mention secrets far more often than they contain one, so a value must look real: placeholders,
references, expressions and plain words are not secrets.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache

from memory_layer.text import ascii_regex
from memory_layer.text.secrets.redact import MARKS

MARKER = "[REDACTED:"

#: The shortest secret of each family, and the shortest in prose.
_LEAST = {"password": (4, 6), "secret": (6, 10), "token": (8, 10), "key": (8, 10)}
#: Parts of placeholders, if all other words are in `_STAND_IN_WORDS`.
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
#: Words in place of a value: types, states, well-known defaults of test systems.
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
#: Function words of sentences; a passphrase has none.
LINKING_WORDS = frozenset(
    """
    a about after all an and any are as at be been before between but by can characters contains do does
    each enter field for from has have how if in into is it its least may minimum more must name needs new no
    not of on one only or our please same see set should than that the then they this to until use used using
    via was we when where which will with without you your
    """.split()
)
_SYMBOLS = frozenset("!@#$%^&*+=~?/\\|(){}[]:;,")
#: A marker as this program writes it; text around a typed one is still checked.
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
#: Signs of a secret in prose: a digit, a mark between letters, or joined words.
PROMISING = r"[0-9]|\w[!#$%^&*~]\w|-\w+-\w+-|[a-z]_[a-zA-Z]"
#: Signs of code and references, which passwords in prose do not have.
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
#: Numbered names.
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
#: Words in names of secrets and machines, not in passwords.
_THING_WORDS = frozenset(
    """
    account admin api app auth aws backend cert certs client cluster config core cred credential credentials creds
    data database db deploy dev env eu file frontend gcp group host infra item job key keys kube lab main master name
    node ops password passwords policy pod pool prod production project read role root rotation rule sa secret secrets
    server service shared staging stg store svc team test token tokens us user username users vault version web west
    email field input login
    """.split()
)
#: Words in camel-case names of code.
_CODE_WORDS = frozenset(
    "key keys token tokens secret password private public class error exception type handler factory manager config"
    " request response client server service test tests provider context builder since impl".split()
)
_DIGIT = re.compile(r"\d")
_HUMP = re.compile(r"[A-Z][a-z]{2,}")
_WORD = re.compile(r"[^\W\d_]+")


class Form(IntEnum):
    """The certainty that a place holds a literal value, from prose to quotation marks."""

    LOOSE = 0  #: password: value, --password value, the password is value
    TIGHT = 1  #: password=value
    SETTING = 2  #: DB_PASSWORD=value
    QUOTED = 3  #: password = "value"


def is_secret(value: str, family: str, form: Form) -> bool:
    """Tell whether a value of this family, found in this form, must be redacted."""
    least = _LEAST[family][form is Form.LOOSE]
    if len(value) < least or is_placeholder(value) or is_reference(value, form):
        return False
    letters = any(c.isalpha() for c in value)
    digits = any(c.isdigit() for c in value)
    if letters and digits:
        return not _is_name(value, family, form)
    if digits:
        return family in ("password", "secret") and form > Form.LOOSE and len(value) >= 6
    return _is_secret_in_letters(value, family, form)


def is_example_password(value: str) -> bool:
    """Tell whether the password in a URL is only an example."""
    if value.lower() == "secret":
        return False
    return value.lower() == "pw" or is_placeholder(value) or bool(ascii_regex(_VARIABLE).fullmatch(value))


def without_markers(value: str) -> str:
    """Remove the markers of earlier redactions."""
    return ascii_regex(KNOWN_MARKER).sub("", value) if MARKER in value else value


def is_placeholder(value: str) -> bool:
    lowered = value.lower()
    word = lowered[:-1] if lowered[-1:].isdigit() else lowered
    if word in SENSITIVE_WORDS or not any(c.isalnum() for c in value) or len(set(lowered)) <= 2:
        return True
    if value.startswith(_STAND_IN_STARTS) or ascii_regex(_BRACKETED).fullmatch(value):
        return True
    return _is_masked(value) or _is_example(lowered) or _is_template(value, _REFERENCE)


def _is_masked(value: str) -> bool:
    """Tell whether hardly more than dots, stars or a row of x is left of the value."""
    rest = ascii_regex(_MASK).sub("", value)
    if rest == value:
        return False
    shown = ascii_regex(r"\A[A-Za-z]{2,10}[-_]").sub("", rest)
    return len(shown) <= 4 or len(rest) * 2 <= len(value)


def _is_example(lowered: str) -> bool:
    """Tell whether the value is an obvious example: your-api-key-1234, changeme, my_example_password."""
    if not any(part in lowered for part in _STAND_IN_PARTS):
        return False
    if _example_words().fullmatch(lowered):
        return True
    pieces = ascii_regex(r"[-_ .]+").split(lowered.strip("-_ ."))
    if not {pieces[0], pieces[-1]} & {*_STAND_IN_PARTS, "here", "my", "some"}:
        return False
    return len(pieces) > 1 and all(ascii_regex(r"[a-z]{1,12}|\d{1,4}").fullmatch(piece) for piece in pieces)


@cache
def _example_words() -> re.Pattern[str]:
    words = "|".join(sorted(_STAND_IN_WORDS, key=len, reverse=True))
    return re.compile(rf"(?>(?:{words})[-_ .:/]*+)++(?:\d{{1,6}}|x*)[!.]?")


def _is_template(value: str, places: str) -> bool:
    """Tell whether the value is a reference with a few words around it: Bearer ${TOKEN}, user:{id}:v2."""
    rest = ascii_regex(places).sub("", value)
    if rest == value:
        return False
    pieces = [piece for piece in ascii_regex(r"[-_./:=, ]+").split(rest) if piece]
    if len(pieces) > 1:
        return all(ascii_regex(_WORD_PIECE).fullmatch(piece) for piece in pieces)
    return len(rest) < 6 or not any(c.isdigit() for c in rest)


def is_reference(value: str, form: Form) -> bool:
    """Tell whether the value says where the secret is stored, or how it is made."""
    value = value.lstrip("([{")
    if "://" in value or value.startswith(_REFERENCE_STARTS):
        return True
    if form is Form.QUOTED and _is_template(value, _TEMPLATE):
        return True
    sources = [_VARIABLE, _PATH, _ALGORITHM]
    if form is not Form.QUOTED:
        sources.append(_EXPRESSION)
    if form < Form.SETTING or not any(c.isdigit() for c in value):
        sources.append(_DOTTED if len(value) < _LONGEST_NAMED else r"(?=\D*(?:\d\D*){0,3}\Z)" + _DOTTED)
    if form is Form.LOOSE:
        sources += [_NUMBER, _TYPE]
    return any(ascii_regex(source).fullmatch(value) for source in sources)


def _is_name(value: str, family: str, form: Form) -> bool:
    """Tell whether words and small numbers joined by punctuation name a thing: db-credentials-v2."""
    if family == "password" and form > Form.LOOSE:
        return False
    pieces = ascii_regex(r"[-_./:=,]").split(value)
    if len(pieces) == 1:
        return False
    return all(not piece or ascii_regex(_WORD_PIECE).fullmatch(piece) for piece in pieces)


def _is_secret_in_letters(value: str, family: str, form: Form) -> bool:
    """Tell whether letters without a digit are a secret, not words or the name of a variable."""
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
    """Tell whether the words are neither a sentence nor a label: correct horse battery staple."""
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
    """Tell whether the letters are ordinary words: a sentence, a label, the name of another field."""
    lowered = value.lower()
    if " " in value or lowered.lstrip("-") in _PLAIN_WORDS:
        return True
    return any(
        word in lowered for word in ("password", "passwd", "passphrase", "secret", "token", "credential")
    )


def looks_random(value: str, least: int = 12) -> bool:
    """Tell whether a value of mixed characters spells no words, like a generated one."""
    if not least <= len(value) <= 512 or not _has_digit(value) or len(set(value)) < 6:
        return False
    marked = not MARKS.isdisjoint(value.rstrip("=?!"))
    cased = value.upper() != value != value.lower()
    if not (marked or cased) and not (len(value) >= 20 and value.isalnum()):
        return False
    if any(hump.lower() in _CODE_WORDS for hump in _HUMP.findall(value)):
        return False
    most = 0.65 if marked else 0.45 if cased else 0.3
    return any(map(str.isalpha, value)) and _share_of_words(value) < most and _is_literal(value)


def looks_chosen(value: str) -> bool:
    """Tell whether a value looks like a password that a person made up: letters with digits or marks."""
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
    """Tell whether letters and digits together are not the name of a thing, a standard or a version."""
    if ascii_regex(_NUMBERED).fullmatch(value):
        return False
    things = any(word.lower() in _THING_WORDS for word in words)
    if not value.isalnum() and value.islower():
        return len(words) > 1 and not things and (value[-1].isdigit() or len(re.split(r"[-_.]", value)) > 2)
    return not (things and value.isalnum())


def _is_literal(value: str) -> bool:
    """Tell whether the value is not code, a placeholder, a reference or an identifier."""
    if ascii_regex(r"[A-Za-z0-9+/]{23,}={1,2}|[A-Z][a-z]+\.[A-Z][a-z]+\d{1,4}").fullmatch(value):
        return not is_placeholder(value)
    if ascii_regex(_CODE).search(value) or ascii_regex(_IDENTIFIER).fullmatch(value):
        return False
    return not (is_placeholder(value) or is_reference(value, Form.LOOSE))


def _is_phrase(value: str, words: list[str]) -> bool:
    """Tell whether letters alone are words joined as a passphrase, not the name of a thing or a field."""
    if any(word.lower() in _THING_WORDS or word.lower() in SENSITIVE_WORDS for word in words):
        return False
    if value.islower():
        return len(words) >= 4 and value.replace("-", "").isalpha()
    return len(words) >= 2 and "_" in value and not value.isupper() and value[0].isupper()


def _is_marked_phrase(value: str) -> bool:
    """Tell whether marks that rarely join words are between letters: TieferSee&Berg, not a@b or c++."""
    return len(value) >= 8 and bool(re.search(r"[^\W_][!#$%^&*~][^\W_]", value)) and "@" not in value


def looks_issued(value: str) -> bool:
    """Tell whether a value right beside a name looks like one that a service issued."""
    if looks_random(value, 8) or is_hex_key(value):
        return True
    coded = ascii_regex(
        r"[A-Z2-7]{16,}|(?:[A-Z0-9]{4,8}-){2,}[A-Z0-9]{4,8}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    ).fullmatch(value)
    return bool(coded) and len(set(value)) >= 8 and any(map(str.isdigit, value))


def is_hex_key(value: str) -> bool:
    """Tell whether a value has the length and the digits of a hexadecimal key."""
    return (
        len(value) >= 32
        and bool(ascii_regex(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)").fullmatch(value))
        and not value.isdigit()
    )


def _share_of_words(value: str) -> float:
    """Return the share of the value that consists of words."""
    runs = re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}", value)
    return sum(len(run) for run in runs if _is_word(run)) / len(value)


def _is_word(run: str) -> bool:
    """Tell whether letters are pronounceable: enough vowels, and no long run of consonants."""
    vowels = sum(c in "aeiouyAEIOUY" for c in run)
    return vowels * 5 >= len(run) and not ascii_regex(r"[^aeiouyAEIOUY]{4}").search(run)
