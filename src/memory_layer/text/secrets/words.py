"""The words that announce a secret, in several languages, and the kind of secret of each."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_layer.text import ascii_regex, regex
from memory_layer.text.secrets.redact import NAME_ANCHORS

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

#: Words before `key` that make it a credential.
_KEY_OWNERS = tuple(
    """
    api access account admin app application auth bot cipher client consumer crypto deploy django encryption encrypt
    decryption fernet flask functions hmac jwt laravel license licence master private root secret server service
    session shared signing storage subscription unseal vault webhook wrapping
    """.split()
)
#: Words before `token` that make it part of a text or a page, not a credential.
_HARMLESS_OWNERS = frozenset(
    """
    bos eos pad unk sep cls mask stop start end next page continuation max min num last first prev per cancellation
    cancel special image design color public sync resume input output prompt completion
    """.split()
)
#: Words before `key` that make it a key in a table, a cache or a lock, or a public one.
_LOOKUP_OWNERS = frozenset(
    """
    public primary foreign partition sort site publishable index object s3 routing idempotency dedupe host map row
    hash column lookup cache range unique composite surrogate natural group order translation i18n locale registry
    issue jira project trace span metric event message config setting json dict the a
    """.split()
)

_ENGLISH = (
    r"pass(?:word|wort|wd|phrase|code)|pwd|mdp|p/w|psk|secret[_-]?key(?:[_-]?base)?|secreto?|token|bearer|key"
)
_LATIN = (
    r"kennwort|contrase(?:ñ|n\u0303?)a|clave|senha|wachtwoord|l(?:ö|o)senord|passord|kodeord|adgangskode|salasana"
    r"|has(?:ł|l)o|heslo|geslo|lozinka|jelsz(?:ó|o|av\w{0,4})|parol[aăy]|(?:ş|s)ifre|mat[ ]khau|kata[ ]sandi"
)
_OTHER_WORDS = (
    r"credentials?|creds?|geheimnis|zugangsdaten|segreto|credenciales|identifiants|jeton|schl(?:ü|u|ue)ssel|sleutel"
    r"|キー|clé|llave|chave|chiave|парол[ьяюеа]|κωδικ(?:ό|ο)ς|סיסמה|סיסמא|كلمة[ ](?:المرور|السر)|पासवर्ड|รหัสผ่าน"
    r"|密码|密碼|口令|密钥|密鑰|令牌|パスワード|暗証番号|비밀번호|암호|토큰|ключ|токен|секрет"
)
_NAME = rf"""(?x)
(?P<name>
    (?i:{_ENGLISH}|(?:{_LATIN})(?:[a-z]{{1,3}}(?![A-Za-z]))?|{_OTHER_WORDS})
  | (?i:(?<=mot[ ]de[ ])passe|(?<=motde)passe|(?<=palavra[- ])passe)
  | (?:(?<![A-Za-z])(?i:pass|pw)|(?<=[a-z0-9])P(?:ass|[wW])|(?i:(?<=[a-z]{{2}})pw(?=[ \t=:"'])|(?<=_)pass))
  | (?:(?<=[A-Z0-9]_)PAT|(?<=[a-z0-9][_-])pat|(?<![A-Za-z])PAT(?=:|[ ][A-Za-z0-9+/_]{{16}}))
  | (?i:(?<=_)salt)
)(?:[_-]?(?i:prod|production|dev|stage|staging|test|live|admin|root|backup))?
"""
_NUMBER = r"(?![A-Za-z])(?:[_-]?\d{1,2}(?![\w.-]))?"
_NUMBERED_NAME = _NAME + _NUMBER
_FIELD = _NAME + r"[sS]?" + _NUMBER + r"\Z"
_FAMILY_STARTS = (
    ("token", ("token", "jeton", "bearer", "pat", "токен", "令牌", "토큰")),
    ("secret", ("secr", "salt", "cred", "geheim", "zugang", "segr", "ident", "секрет")),
    ("key", ("key", "schl", "sleu", "キー", "clé", "llav", "chav", "chia", "密钥", "密鑰", "ключ")),
)

_ALL_ANCHORS = (*NAME_ANCHORS, " pat")
#: Offset from an anchor to the start of its name, where they differ.
_NAME_OFFSETS = {"_pat": 1, "-pat": 1, " pat": 1, "_salt": 1, "khau": -4, "sandi": -5}
LONGEST_NAME = 60  #: characters of a name that are read


def names_in(text: str, lowered: str, odd_text: str) -> list[re.Match[str]]:
    """Return all names in the order of the text; `lowered` is the text, `odd_text` its odd words, in lower case."""
    anchors = [anchor for anchor in _ALL_ANCHORS if anchor in odd_text]
    found = (regex(_NUMBERED_NAME).match(text, place) for place in _places(text, lowered, anchors))
    return [name for name in found if name]


def _places(text: str, lowered: str, anchors: Iterable[str]) -> list[int]:
    """Return the positions where a name may begin; searching for letters is far cheaper than a pattern."""
    if len(lowered) != len(text):
        lowered = text.replace("İ", "I").lower()  # the one letter that changes the length
    places = []
    for anchor in anchors:
        place = lowered.find(anchor)
        while place >= 0:
            places.append(place + _NAME_OFFSETS.get(anchor, 0))
            place = lowered.find(anchor, place + 1)
    return sorted(places)


def field_family(name: str) -> str | None:
    """Return the family of the secret in a field of this name; None if the name announces none."""
    name = name[-LONGEST_NAME:]
    for place in _places(name, name.lower(), _ALL_ANCHORS):
        match = regex(_FIELD).match(name, place)
        if match and is_credential(name[:place], match["name"]):
            return family(match["name"])
    return None


def family(name: str) -> str:
    """Return the kind of secret that a name announces."""
    lowered = name.lower()
    if lowered.startswith("pass"):
        return "password"
    return next((kind for kind, starts in _FAMILY_STARTS if lowered.startswith(starts)), "password")


def is_credential(owner: str, name: str) -> bool:
    """Tell whether the name is a credential's: an API key, not a foreign key; an auth token, not the next one."""
    lowered = name.lower()
    if lowered in ("key", "llave", "chave", "chiave", "キー", "clé", "ключ"):
        owner = owner[:-1] if owner.endswith(("_", "-", ".", " ")) else owner
        return owner.lower().endswith(_KEY_OWNERS)
    if lowered != "token":
        return True
    owner_words = ascii_regex(r"[\w .-]*\Z").search(
        owner[-30:]
    )  # in `/page?token=` the page does not own the token
    words = ascii_regex(r"[A-Z]?[a-z]+|[A-Z]+").findall(owner_words[0] if owner_words else "")
    return not (words and words[-1].lower() in _HARMLESS_OWNERS)


def is_lookup_key(owner: str) -> bool:
    """Tell whether a `key` of this owner names an entry, or is public."""
    words = ascii_regex(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+").findall(owner[-30:])
    return bool(words) and words[-1].lower() in _LOOKUP_OWNERS


def has_no_literal(text: str, place: int) -> bool:
    """Tell whether the name is part of a reference, or precedes data that is encrypted already."""
    if text.find("encryptedData", max(0, place - 400), place + 200) >= 0:
        return True
    return bool(ascii_regex(r"arn:[\w:-]*\Z").search(text, max(0, place - 120), place))
