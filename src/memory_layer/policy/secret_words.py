"""The words that announce a secret, in several languages, and which kind of secret each announces."""

from __future__ import annotations

import re
from functools import cache

#: A text without any of these announces nothing by name. Letters with marks are met without them, too.
NAME_ANCHORS = (
    *("pass", "pw", "p/w", "secret", "token", "key", "_pat", "-pat", "credential", "creds", "mdp", "psk", "bearer"),
    *("kennwort", "zugang", "geheim", "schlussel", "schluessel", "contrase", "clave", "llave", "identifiants"),
    *("senha", "chave", "clé", "credenc", "jeton", "chiave", "sleutel", "segret", "wachtwoord", "losenord", "lösenord", "kodeord", "adgangskode"),
    *("salasana", "haslo", "hasło", "heslo", "geslo", "lozinka", "jelsz", "parol", "sifre", "mat khau", "sandi"),
    *("парол", "ключ", "токен", "секрет", "κωδικ", "סיסמ", "كلمة", "पासवर्ड", "รหัสผ่าน"),
    *("密码", "密碼", "口令", "密钥", "密鑰", "令牌", "パスワード", "キー", "暗証番号", "비밀번호", "암호", "토큰"),
)

#: What makes a `key` one that opens something.
_KEY_OWNERS = tuple(
    "api access account admin app application auth bot cipher client consumer crypto deploy django encryption"
    " encrypt decryption fernet flask hmac jwt laravel license licence master private root secret server service"
    " session shared signing storage subscription vault webhook wrapping".split()
)
#: A word before `token` that makes it a part of a text or a page, not a credential.
_HARMLESS_OWNERS = frozenset(
    "bos eos pad unk sep cls mask stop start end next page continuation max min num last first prev per"
    " cancellation cancel special image design color public sync resume input output prompt completion".split()
)
#: A word before `key` that makes it a name in a table, a cache or a lock, or one that everybody may see.
_LOOKUP_OWNERS = tuple(
    "public primary foreign partition sort site publishable index object s3 routing idempotency dedupe"
    " host map row hash column lookup cache range unique composite surrogate natural group order translation i18n"
    " locale registry issue jira project trace span metric event message config setting json dict the a".split()
)

_FOREIGN_PASSWORD = (
    r"kennwort|contrase(?:ñ|n\u0303?)a|clave|senha|wachtwoord|l(?:ö|o)senord|passord|kodeord|adgangskode|salasana"
    r"|has(?:ł|l)o|heslo|geslo|lozinka|jelsz(?:ó|o|av\w{0,4})|parol[aăy]|(?:ş|s)ifre|mat[ ]khau|kata[ ]sandi"
)
_UNSPACED = (
    r"парол[ьяюе]|парола|κωδικ(?:ό|ο)ς|סיסמה|סיסמא|كلمة[ ](?:المرور|السر)|पासवर्ड|รหัสผ่าน"
    r"|密码|密碼|口令|密钥|密鑰|令牌|パスワード|暗証番号|비밀번호|암호|토큰|ключ|токен|секрет"
)
_SECRETS = (
    r"secret[_-]?key(?:[_-]?base)?|secreto?|credentials?|creds?|geheimnis|zugangsdaten|segreto|credenciales|identifiants"
)
_KEYS = r"schl(?:ü|u|ue)ssel|sleutel|キー|clé|llave|chave|chiave|key"

#: A name: a word for a secret, what may follow in it, and no further letter.
_NAME = rf"""
(?P<name>
    (?i:pass(?:word|wort|wd|phrase|code)|pwd|mdp|p/w|psk|(?:{_FOREIGN_PASSWORD})(?:[a-z]{{1,3}}(?![A-Za-z]))?|{_SECRETS}|token|jeton|bearer|{_KEYS}|{_UNSPACED})
  | (?i:(?<=mot[ ]de[ ])passe|(?<=motde)passe|(?<=palavra[- ])passe)
  | (?:(?<![A-Za-z])(?i:pass|pw)|(?<=[a-z0-9])P(?:ass|[wW])|(?i:(?<=db)pw|(?<=_)pass))
  | (?:(?<=[A-Z0-9]_)PAT|(?<=[a-z0-9][_-])pat)
)(?:[_-]?(?i:prod|production|dev|stage|staging|test|live|admin|root|backup))?
"""
_NUMBER = r"(?![A-Za-z])(?:[_-]?\d{1,2}(?![\w.-]))?"
NAME = _NAME + _NUMBER
#: The same at the end of a field's name, where it may stand for several.
FIELD = _NAME + r"[sS]?" + _NUMBER + r"\Z"

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

_FAMILY_STARTS = (
    ("token", ("toke", "jeto", "bear", "pat", "токен", "令牌", "토큰")),
    ("secret", ("secr", "cred", "gehe", "zuga", "segr", "iden", "секрет")),
    ("key", ("key", "schl", "sleu", "キー", "clé", "llav", "chav", "chia", "密钥", "密鑰", "ключ")),
)


def name_places(text: str) -> list[int]:
    """Return where a name may begin; looking for letters is far cheaper than a pattern."""
    lowered = text.replace("İ", "I").lower()  # the one letter that changes the length
    places = []
    for anchor in NAME_ANCHORS:
        place = lowered.find(anchor)
        while place >= 0:
            places.append(place + (anchor[0] in "_-"))
            place = lowered.find(anchor, place + 1)
    return sorted(places)


def family(name: str) -> str:
    """Return which kind of secret a name announces."""
    lowered = name.lower()
    if lowered.startswith("pat") or not lowered.isascii() or lowered[0] not in "kp":
        for kind, starts in _FAMILY_STARTS:
            if lowered.startswith(starts):
                return kind
    return "key" if lowered.startswith("key") else "password"


def opens(owner: str, name: str) -> bool:
    """Tell whether the name is a credential's: an API key, not a foreign one; an auth token, not the next one."""
    lowered = name.lower()
    if family(name) == "key" and lowered.isascii():
        owner = owner[:-1] if owner.endswith(("_", "-", ".", " ")) else owner
        return owner.lower().endswith(_KEY_OWNERS) or lowered not in ("key", "llave", "chave", "chiave")
    near = _pattern(r"[\w .-]*\Z").search(owner[-30:])  # in `/page?token=` the page does not own the token
    words = _pattern(r"[A-Z]?[a-z]+|[A-Z]+").findall(near[0] if near else "")
    return not (lowered == "token" and words and words[-1].lower() in _HARMLESS_OWNERS)


def is_sealed(text: str, place: int) -> bool:
    """Tell whether the name at a place belongs to a reference, or heads what is encrypted already."""
    return bool(_pattern(r"arn:[\w:-]*\Z").search(text, max(0, place - 120), place)) or (
        text.find("encryptedData", max(0, place - 400), place + 200) >= 0
    )


def looks_things_up(owner: str) -> bool:
    """Tell whether a `key` of this owner names an entry, or is one that everybody may see."""
    words = _pattern(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+").findall(owner[-30:])
    return bool(words) and words[-1].lower() in _LOOKUP_OWNERS


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)
