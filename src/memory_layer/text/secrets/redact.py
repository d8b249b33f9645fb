"""Redact secrets; most texts are found harmless by a quick look for letters that every kind of secret needs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from memory_layer.model.record import NamedTuple
from memory_layer.text import regex
from memory_layer.text.secrets.half_keys import KIND as HALF_KEY
from memory_layer.text.secrets.half_keys import without_half_key
from memory_layer.text.unicode import ENCODING_STARTS, fold
from memory_layer.text.word_rules import WordRule

#: No secret is announced by name in a text without any of these. Accented letters also match without accents.
NAME_ANCHORS = tuple(
    """
    pass pw p/w secret token key _pat -pat _salt cred mdp psk bearer
    kennwort zugang geheim schlussel schluessel contrase clave llave identifiants senha chave clé jeton chiave
    sleutel segret wachtwoord losenord lösenord kodeord adgangskode salasana haslo hasło heslo geslo lozinka jelsz
    parol sifre khau sandi парол ключ токен секрет κωδικ סיסמ كلمة पासवर्ड รหัสผ่าน
    密码 密碼 口令 密钥 密鑰 令牌 パスワード キー 暗証番号 비밀번호 암호 토큰
    """.split()
)
#: No login is in a text without any of these.
LOGIN_ANCHORS = (
    *" / ,log in,logged in,sign in,signed in,user ,user:,user=,auth(,auth =,auth=".split(","),
    *"login cred zugang zugänge username identifiants admin basic unlock decrypt öffn entsperr opens @ root".split(),
)
#: Quick signs of a login, besides a word that looks like a password.
LOGIN_SIGNS = tuple("zugänge username admin unlock decrypt öffn entsperr opens".split())
CODE_ANCHORS = (
    *"pin ,pin:,pin-,pin=,pincode,passcode,codes, code,code:,code ,licen,lizenz".split(","),
    *("serial", "product key", "seed"),
)
PHRASE_ANCHORS = ("phrase", "seed", "mnemonic")
WIRELESS_ANCHORS = ("wifi", "wi-fi", "wlan")
#: Quick signs of a code; `PIN` and others are too common within words.
CODE_SIGNS = ("codes", "pincode", "keypad", "zugangscode")
#: Whole words that announce a secret.
SIGN_WORDS = frozenset({"PIN", "PAT", "door", "alarm"})
URL_ANCHORS = ("://", "@tcp(", "@unix(")
#: Options by which programs take secrets.
OPTIONS = frozenset("-p -P -w -a -k -t -u -U -N -A -X -c -b -s --user --auth".split())
#: Words of commands that take a secret in another way.
COMMAND_SIGNS = tuple(
    "login echo printf sqlplus securestring rabbitmqctl http-basic /user: snyk rclone /p:".split()
)
#: Anchors of all commands that take a secret.
COMMAND_ANCHORS = (" -", "\\", "pass", "token", "secret", "key", *COMMAND_SIGNS)
#: Signs of a password in an SQL statement, besides the word itself.
SQL_ANCHORS = ("identified", "crypt(", "encrypt(")
#: A text without these, with short words, nothing encoded or hidden and no striking word, has no secret but one of a
#: known format. None of them contains white space, so they can be checked word by word.
SIGNS = (
    *(
        *NAME_ANCHORS,
        *LOGIN_SIGNS,
        *CODE_SIGNS,
        *PHRASE_ANCHORS,
        *WIRELESS_ANCHORS,
        *URL_ANCHORS,
        *COMMAND_SIGNS,
    ),
    *SQL_ANCHORS,
)
#: The shortest word that most tokens need; most texts have none as long.
TOKEN_LENGTH = 20
#: Anchors of formats that are shorter than that.
SHORT_ANCHORS = (
    *('"auth', "_auth", '"kty"', ":5432:", ":3306:", ":1433:", ":*:", "password", "authorization", "bearer"),
    *("ssws", "apikey", "api-key", "cookie:", "sess", "connect.sid"),
)
#: Marks that are common in passwords and rare in names.
MARKS = frozenset("!#$%^&*~?+=@§€£")
#: Ids that this program makes: one may end like the name of a secret, with another behind it.
_OWN_IDS = r"(?:mem|out|op|rec|run)_[a-z2-7]{26}(?::mem_[a-z2-7]{26})?"
_SIGNS = tuple(dict.fromkeys([*ENCODING_STARTS, *SHORT_ANCHORS, *SIGNS]))
_PLAIN_SIGNS = tuple(filter(str.isascii, _SIGNS))

_BATCH = 32  #: words checked together: a sign that none of them has costs one search


def is_plain(text: str) -> bool:
    """Tell whether a quick check shows that the text has no secret, as it does for most texts."""
    return not any(_oddness.answers(text)) and fold(text) == text


def odd_words(text: str) -> list[str]:
    """Return the words that may be part of a secret or announce one, in their order."""
    return list(compress(text.split(), _oddness.answers(text)))


def _are_odd(words: list[str]) -> Iterator[bool]:
    for start in range(0, len(words), _BATCH):
        yield from _are_odd_together(words[start : start + _BATCH])


def _are_odd_together(words: list[str]) -> list[bool]:
    joined = " ".join(words)
    lowered = joined.lower()
    signs = [sign for sign in (_PLAIN_SIGNS if joined.isascii() else _SIGNS) if sign in lowered]
    return [
        len(word) >= TOKEN_LENGTH
        or (bool(signs) and any(map(word.lower().__contains__, signs)))
        or (word in SIGN_WORDS if word.isalpha() else _is_striking(word))
        for word in words
    ]


_oddness = WordRule(_are_odd)


def _is_striking(word: str) -> bool:
    """Tell whether a word looks like a password or an option that takes one."""
    if word.startswith("-"):
        return word[:2] in OPTIONS or word in OPTIONS
    if len(word) >= 6 and not MARKS.isdisjoint(word) and any(map(str.isdigit, word)):
        return any(map(str.isalpha, word))
    return "@" in word[1:] or word.strip(".,:;!?()-\"'") in SIGN_WORDS


class Redacted(NamedTuple):
    """A text without its secrets, and their kinds, each once, in order of appearance."""

    text: str
    kinds: tuple[str, ...] = ()


def redact(text: str) -> Redacted:
    """Replace every secret with `[REDACTED:kind]`; earlier markers stay as they are."""
    if is_plain(text) or regex(_OWN_IDS).fullmatch(text):
        return Redacted(text)
    from memory_layer.text.secrets.find import without_secrets  # most texts need none of its tables

    clean, kinds = without_secrets(text)
    if "-----END" not in clean or (whole := without_half_key(clean)) == clean:
        return Redacted(clean, kinds)
    return Redacted(whole, tuple(dict.fromkeys([*kinds, HALF_KEY])))


def redact_value(value: object) -> tuple[object, tuple[str, ...]]:
    """Remove the secrets from the keys and values of a JSON value; return it with their kinds."""
    from memory_layer.text.secrets.find import clean_value  # likewise

    kinds: list[str] = []
    return clean_value(value, kinds), tuple(dict.fromkeys(kinds))
