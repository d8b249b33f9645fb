"""Find secrets in sentences: `the password X works`, `X is the token`; also PINs, passphrases and logins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from memory_layer.model.record import NamedTuple
from memory_layer.text import regex
from memory_layer.text.secrets.redact import MARKS
from memory_layer.text.secrets.values import (
    LINKING_WORDS,
    MARKER,
    PROMISING,
    SENSITIVE_WORDS,
    is_hex_key,
    looks_chosen,
    looks_issued,
    looks_random,
)
from memory_layer.text.secrets.words import LONGEST_NAME, family, has_no_literal, is_credential, is_lookup_key

_REACH_AFTER = 160  #: characters after a name in which its value may be
_REACH_BEFORE = 80  #: characters before it
_LONG = 16  #: characters of a value that a bare "key" requires
#: Beginnings of English names; English sentences mark the value clearly.
_ENGLISH = ("pass", "pw", "secr", "toke", "key", "cred", "bear")
_QUOTES = "\"'`“”‘’«»„「」*("
_VALUE = r"[^\s\"'`<>|,;()（）「」“”‘’«»，。：]{4,512}"
_VERBS = (
    r"is|was|are|be|ist|war|lautet|sei|es|era|est|este|jest|to|je|e|é|è|är|ar|er|είναι|это|будет|adalah|là|equals"
    r"|becomes|reads|called|named|now|jetzt|nun|ahora|auf|als"
)
#: A sign or a verb between a name and its value, with small words and marks.
_LINK = (
    rf"(?:(?P<sign>(?<![=!<>])[:=](?=[\s{_QUOTES}])|→|=>|->|[ ][—–-](?=[ ]))"
    rf"|(?<![\w])(?:{_VERBS})(?![\w])|[是为為は는은이])"
    rf"\s{{0,4}}(?:(?:now|still|currently|set|reset|changed|to|jetzt|nun|:)[ \t]{{1,4}}){{0,3}}"
    rf"[{_QUOTES}]{{0,3}}(?={_VALUE})"
)
_AT_ONCE = rf"[:=：]?[ \t]{{0,3}}[{_QUOTES}]{{0,3}}(?={_VALUE})"
#: A value joined to its name, as in a file name.
_JOINED = r"[-_.]{1,2}(?P<value>[A-Za-z0-9!@#$%^&*+~]{8,128})(?![A-Za-z0-9_-])"
#: A value and the words before its name.
_NAMED_AFTER = (
    r"(?<![^\s\"'`“(])(?P<value>[^\s\"'`<>|,;()]{6,512})[\"'`”’»]?"
    r"[ ](?:is|was|are|as|ist|war|als|es|est|como|comme|for|für)(?:[ ][\w'’-]{1,20}){0,4}[ ]?\Z"
)
#: Words right before a value that label it as public.
_OPEN_LABELS = frozenset(
    """
    commit sha hash digest checksum fingerprint id uuid guid ids kid version revision rev public example placeholder
    fake dummy sample sha1 sha256 sha512 md5 etag ref nonce serialnumber thumbprint regex pattern format
    """.split()
)
#: Labels of this kind only without a separator such as a colon.
_HOLDERS = frozenset(
    """
    build image tag path file url branch ticket trace release package bucket host hostname serial header field column
    variable env class function method user username login account client email slot
    """.split()
)
#: Words that form another noun with the name before them.
_NOUNS = frozenset(
    """
    field policy hash hashing reset manager store length rules provider type format algorithm issuer endpoint service
    name id budget count limit bucket based encoder encoding auth authentication login form page input file path
    header column scope scopes rotation refresh prompt flow check checker validator validation less
    """.split()
)
_WIRELESS = r"(?i:wlan|wi-?fi|ssid|wpa|luks|bitlocker)"

_CODE_NAMES = (
    r"\bPIN(?:[ -]?(?:code|Code|number|Nummer))?\b|\b(?i:passcode|pin[ -]code|code[ ]pin)\b"
    r"|\b(?i:(?:recovery|backup|rescue|one-time|2fa|mfa|otp|sms|door|gate|alarm|unlock|pairing|access|keypad|safe"
    r"|zugangs|tür|tuer|einmal|sicherheits)[ -]?(?:codes?|pins?))\b"
)
_CODE = r"(?=[A-Za-z-]{0,9}\d)(?:[A-Za-z0-9]{4,8}-[A-Za-z0-9]{4,8}|\d{4,8})"
_CODES = (
    rf"(?:{_CODE_NAMES})[^\n.;\d]{{0,80}}?[ :=(\"'`\n][ -]{{0,3}}"
    rf"(?P<codes>{_CODE}(?:(?:,[ ]?|[ ]|\n[ ]?-?[ ]?){_CODE}){{0,32}})"
    r"(?![\w.%:-]*\w|[ ]?(?:digits|Ziffern|characters|ms|px))"
)
#: Licence keys in groups of capitals and digits, and seeds of one-time passwords.
_ISSUED = (
    r"(?i:licen[cs]e|lizenz|serial|product|activation)[^\n]{0,60}?(?P<codes>\b(?:[A-Z0-9]{4,8}-){3,}[A-Z0-9]{4,8}\b)"
    r"|\b(?i:seed)\b[^\n]{0,60}?[ :=](?P<seed>[A-Z2-7]{16,64}\b)"
)
_PHRASE = (
    r"(?i:\bpass-?phrase|\bseed(?:[ -]phrase)?|\bmnemonic|\brecovery[ -]phrase)\b[^\n:=\"']{0,60}"
    r"(?:[:=]|\b(?i:is|ist)\b|(?=[ ][\"'`“]))[ ]?[\"'`“]?"
    r"(?P<words>\b[^\W\d_]{3,12}(?:[ ][^\W\d_]{2,12}){2,23}(?:[ ]\d{1,4})?)"
    r"[\"'`”]?[ ]?(?:[.\n]|\Z|(?<=[\"'`”])|(?<=[\"'`”][ ]))"
)
_WIRELESS_CODE = (
    r"(?i:wlan|wi-?fi)[^\n]{0,80}?(?i:\b(?:code|key|schlüssel|clé|clave))[ :=]{1,3}[\"'`“«]?[ ]?"
    r"(?P<value>[^\s\"'`“”<>|,;()]{6,64})"
)
_JOINERS = r"[—–→-]|and|und|y|et|e|with|mit|con|avec"
_LOGIN_VALUE = r"[\"'`“„(]?(?P<value>[^\s\"'`“”<>|,;()]{6,64})"
_LOGIN = (
    r"(?i:\b(?:log(?:ged|s)?[ -]?in(?:to)?|sign(?:ed|s)?[ -]?in(?:to)?|logins?|creds?|credentials?|zugang\w{0,8}"
    r"|zugänge|anmeldung|credenziali|credenciales|identifiants|basic[ -]?auth|user(?:name)?(?!-)|konto|usuario|benutzer"
    r"|utilisateur|account|access|admin(?:istrator)?|root|tenant))\b[^\n]{1,120}"
)
#: A look-ahead, because the second word of a pair may be the first of the next.
_PAIR = (
    rf"(?<![\w@/.:-])(?=[\w.+@-]{{2,40}}[\"'`”“]?"
    rf"(?:(?P<tight>[ ][—–→/][ ])|(?P<parted>[ ]?[/:|+][ ]?|,[ ]|[ ](?:{_JOINERS})[ ])|[ ]){_LOGIN_VALUE})"
)


class _Name(NamedTuple):
    """A word that announces a secret, and the text around it that is nearest to this word."""

    start: int
    end: int
    kind: str
    telling: bool  #: an API key, not just a key
    foreign: bool
    first: int = 0
    last: int = 0


def in_sentences(text: str, names: Iterable[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    """Find values near a word that announces them."""
    for name in _with_reach(list(_candidate_names(text, names)), len(text)):
        if not regex(PROMISING).search(text, name.first, name.last):
            continue
        for start, value in _values_near(text, name):
            if (name.telling or len(value) >= _LONG) and not _is_labelled(text, start, value):
                yield start, start + len(value), name.kind


def _candidate_names(text: str, names: Iterable[re.Match[str]]) -> Iterator[_Name]:
    handled_until = 0
    for match in names:
        place = match.start()
        if (
            place < handled_until
            or _is_verb(text, match)
            or _is_table_key(text, match)
            or has_no_literal(text, place)
        ):
            continue
        owner, kind = text[max(0, place - LONGEST_NAME) : place], _kind(text, place, match["name"])
        telling = is_credential(owner, match["name"])
        if telling or (kind == "key" and not owner[-1:].islower() and not is_lookup_key(owner)):
            handled_until = match.end()
            yield _Name(place, handled_until, kind, telling, not match["name"].lower().startswith(_ENGLISH))


def _is_verb(text: str, match: re.Match[str]) -> bool:
    """Tell whether `pass` is a verb."""
    if match["name"].lower() != "pass":
        return False
    as_noun = r"[ \t]{0,2}=" if match["name"] == "PASS" else r"[ \t]{0,2}[:=]|[ ](?:is|for|of)[ ]"
    return not regex(as_noun).match(text, match.end())


def _is_table_key(text: str, match: re.Match[str]) -> bool:
    """Tell whether a word for key means the key of a table, in languages where the adjective follows."""
    return bool(
        regex(r"[ ](?i:prim[aä]r|for[aá]n|extranj|[uú]nica|compuest|[eé]tr|estrang)").match(text, match.end())
    )


def _kind(text: str, place: int, name: str) -> str:
    """Return the kind that a name announces; the key of a wireless network is a password."""
    kind = family(name)
    return "password" if kind == "key" and regex(_WIRELESS).search(text, max(0, place - 80), place) else kind


def _with_reach(names: list[_Name], length: int) -> Iterator[_Name]:
    """Give each name the text up to the next one, so that nothing is read twice."""
    for number, name in enumerate(names):
        before = names[number - 1].end if number else 0
        after = names[number + 1].start if number + 1 < len(names) else length
        if number and names[number - 1].kind == "password" and name.start - before < _REACH_BEFORE:
            name = name._replace(kind="password")
        yield name._replace(
            first=max(before, name.start - _REACH_BEFORE), last=min(after, name.end + _REACH_AFTER)
        )


def _values_near(text: str, name: _Name) -> Iterator[tuple[int, str]]:
    for start, at_once in _places(text, name):
        value = _value_at(text, start)
        chosen = name.kind == "password" or (name.kind == "secret" and not at_once)
        if looks_issued(value) or (chosen and looks_chosen(value)):
            yield start, value
    foreign = name.foreign and name.kind in ("password", "secret")
    joined = regex(_JOINED).match(text, name.end)
    if joined and looks_random(joined["value"], 8):
        yield joined.start("value"), joined["value"]
    for start, value in _values(text, name.end, name.last):
        if (
            looks_random(value)
            or regex(r"0x[0-9a-fA-F]{64}").fullmatch(value)
            or (foreign and _is_mixed(value) and not _sentence_ends_between(text, name.end, start))
        ):
            yield start, value
    for start, value in _values(text, name.first, name.start):
        if looks_random(value) and start + len(value) <= name.start:
            yield start, value
    before = regex(_NAMED_AFTER).search(text, name.first, name.start)
    if before and _ends_phrase(text, name.end):
        chosen = name.kind in ("password", "secret") and looks_chosen(before["value"])
        if chosen or looks_issued(before["value"]):
            yield before.start("value"), before["value"]


def _places(text: str, name: _Name) -> Iterator[tuple[int, bool]]:
    """Yield the positions of possible values: after a sign or a verb, or right after the name."""
    at_once = regex(_AT_ONCE).match(text, name.end, name.last)
    if at_once and at_once.end() > name.end:
        yield at_once.end(), True
    for link in regex(_LINK).finditer(text, name.end, name.last):
        if link["sign"] == ":" or not _sentence_ends_between(text, name.end, link.start()):
            yield link.end(), False


def _values(text: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    for match in regex(_VALUE).finditer(text, first, last):
        start = match.start()
        if start == 0 or text[start - 1].isspace() or text[start - 1] in _QUOTES:
            yield start, _value_at(text, start)


def _value_at(text: str, start: int) -> str:
    match = regex(_VALUE).match(text, start)
    if match is None or MARKER in match[0] or text.startswith(("(", "["), match.end()):
        return ""
    return regex(r"&(?:amp;)?[\w.-]{1,40}=").split(match[0], maxsplit=1)[0].rstrip(".:…*")


def _sentence_ends_between(text: str, first: int, last: int) -> bool:
    return bool(regex(r"[.!?][ \n]").search(text, first, last))


def _is_mixed(value: str) -> bool:
    return looks_chosen(value) and any(map(str.isdigit, value)) and any(map(str.isupper, value))


def _ends_phrase(text: str, end: int) -> bool:
    """Tell whether the name is more than part of another noun."""
    follower = regex(r"[ -]?(\w*)").match(text, end)
    return follower is None or follower[1].lower() not in _NOUNS


def _is_labelled(text: str, start: int, value: str) -> bool:
    """Tell whether the word before a value labels it as something other than a secret."""
    label = regex(r"([A-Za-z0-9]+)([^A-Za-z0-9]*)\Z").search(text, max(0, start - 24), start)
    if label is None:
        return False
    word = label[1].lower()
    is_separated = any(sign in label[2] for sign in ":=\n") and not is_hex_key(value)
    return word in _OPEN_LABELS or (word in _HOLDERS and not is_separated)


def in_codes(text: str) -> Iterator[tuple[int, int, str]]:
    """Find PINs, access codes and licences beside their name."""
    if not regex(r"\d{4}|\d[A-Za-z0-9]{0,7}-|-[A-Za-z0-9]{0,7}\d|[A-Z2-7]{16}").search(text):
        return
    for match in regex(_CODES).finditer(text):
        yield *match.span("codes"), "password"
    for match in regex(_ISSUED).finditer(text):
        group = "codes" if match["codes"] else "seed"
        if any(map(str.isdigit, match[group])) and len(set(match[group])) > 6:
            yield *match.span(group), "key"


def in_phrases(text: str) -> Iterator[tuple[int, int, str]]:
    """Find passphrases: words in a row that are the secret itself."""
    for match in regex(_PHRASE).finditer(text):
        words = match["words"].lower().split()
        if not any(word in LINKING_WORDS or word in SENSITIVE_WORDS for word in words):
            yield *match.span("words"), "password"


def in_wireless(text: str) -> Iterator[tuple[int, int, str]]:
    """Find the key of a wireless network."""
    for match in regex(_WIRELESS_CODE).finditer(text):
        value = match["value"].rstrip(".:…")
        if looks_chosen(value):
            yield match.start("value"), match.start("value") + len(value), "password"


def in_logins(text: str) -> Iterator[tuple[int, int, str]]:
    """Find passwords beside their user, or beside what they open."""
    if not any(
        _is_candidate(word) for word in regex(r"[\s\"'`“”„<>|,;()]+").split(text) if not word.isalpha()
    ):
        return
    for match in regex(_LOGIN).finditer(text):
        for pair in regex(_PAIR).finditer(text, *match.span()):
            if _is_likely_password(pair, value := _strip_marks(pair)):
                yield pair.start("value"), pair.start("value") + len(value), "password"
    for source, is_likely in _SOURCES:
        for pair in regex(source).finditer(text):
            if is_likely(value := _strip_marks(pair)):
                yield pair.start("value"), pair.start("value") + len(value), "password"


def _strip_marks(pair: re.Match[str]) -> str:
    return pair["value"].rstrip(".:…*")


def _is_candidate(word: str) -> bool:
    """Check quickly whether a word, or a part of it after a separator, can be a password."""
    if len(word) < 6 or "://" in word or not regex(r"[0-9!#$%^&*~]|[A-Z]\w*_").search(word):
        return False
    pieces = [piece.rstrip(".:…*") for piece in {word, *regex(r"[:/+=]").split(word)}]
    return any(looks_chosen(piece) or looks_random(piece, 8) or is_hex_key(piece) for piece in pieces)


def _is_likely_password(pair: re.Match[str], value: str) -> bool:
    """Tell whether the second of two words looks enough like a password for the separator between them."""
    if _has_digit_and_mark(value) or (pair["tight"] and looks_chosen(value)):
        return True
    return bool(pair["tight"] or pair["parted"]) and (looks_random(value, 8) or is_hex_key(value))


def _has_digit_and_mark(value: str) -> bool:
    """Tell whether a value has a digit and a mark that is rare outside passwords."""
    return _is_chosen_with_digit(value) and any(c in MARKS or c == "." for c in value[1:])


def _is_chosen_with_digit(value: str) -> bool:
    return looks_chosen(value) and any(map(str.isdigit, value))


def _is_chosen_with_capital(value: str) -> bool:
    return looks_chosen(value) and any(map(str.isupper, value))


#: Other places for a password, and the check that it has to pass there.
_SOURCES: tuple[tuple[str, Callable[[str], bool]], ...] = (
    (rf"(?<![\w/.])[\w.+@-]{{2,40}}[ ]/[ ]{_LOGIN_VALUE}", _has_digit_and_mark),
    (
        r"(?<![:/\w.])[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,20}){1,3}[)\"'`]?"
        rf"(?:[ ]?[/|:,][ ]?|[ ](?:{_JOINERS}|pw)[ ]){_LOGIN_VALUE}",
        _is_chosen_with_digit,
    ),
    (
        r"(?i:\b(?:open|unlock|decrypt|encrypt|protect|öffne|entsperr|entschlüssel|verschlüssel|abre|ouvr)\w{0,4}"
        rf"(?:[ ]\w{{1,12}}){{0,3}}[ ](?:with|using|mit|con|avec)[ ]){_LOGIN_VALUE}",
        _is_chosen_with_capital,
    ),
    (
        r"(?i:\b(?:\w{0,20}auth|\w{0,12}credentials?|login|connect))[ ]?[=(][ ]?[(]?[ ]?"
        r"[\"'][^\"'\n]{1,60}[\"'],[ ]?(?=[\"'])" + _LOGIN_VALUE,
        looks_chosen,
    ),
    (rf"(?:--user|--auth)[ =][\"']?[\w.@-]{{1,40}}:{_LOGIN_VALUE}", looks_chosen),
    (
        r"(?i:\b(?:creds?|credentials?|zugangsdaten|logins?|basic[ -]?auth))(?:[:=]|[ ]is)?[ ]"
        rf"[\w.@-]{{1,40}}[:/]{_LOGIN_VALUE}",
        _is_chosen_with_digit,
    ),
    (rf"(?<![\w/.])(?:admin|root|administrator|sa)[/:]{_LOGIN_VALUE}", _is_chosen_with_capital),
    (
        rf"(?i:\b(?:use|enter|type|try|nimm|mit))[ ]{_LOGIN_VALUE}[\"'`]?[ ](?i:to|zum|pour|para)[ ]"
        r"(?i:log|sign|unlock|connect|einloggen|anmelden|open|decrypt)",
        _is_chosen_with_capital,
    ),
)
