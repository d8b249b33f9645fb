"""Find the secrets of a text or a JSON value and replace them with markers.

`formats` knows tokens by their form; the other tables know values by their context.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.text import ascii_regex
from memory_layer.text.secrets.assignments import in_assignments, in_links, in_sql, in_tables, in_urls
from memory_layer.text.secrets.formats import FORMATS, SecretFormat
from memory_layer.text.secrets.prose import in_codes, in_logins, in_phrases, in_sentences, in_wireless
from memory_layer.text.secrets.redact import (
    CODE_ANCHORS,
    COMMAND_ANCHORS,
    LOGIN_ANCHORS,
    PHRASE_ANCHORS,
    SQL_ANCHORS,
    TOKEN_LENGTH,
    URL_ANCHORS,
    WIRELESS_ANCHORS,
    Redacted,
    odd_words,
    redact,
)
from memory_layer.text.secrets.values import MARKER, Form, is_secret, without_markers
from memory_layer.text.secrets.words import field_family, names_in
from memory_layer.text.unicode import decodings, fold

_SECRET = r"[\"'`]?(?P<secret>[^\s\"'`|;<>]{3,512})"

#: No program in a text without any of these takes a secret by an option.
_OPTION = (
    r"\s(?:-[pPwaktuUNAXcbs]|--(?:user|auth|proxy|creds|src|dest|body|pass|api)|-(?:ApiKey|token|storepass|keypass)"
    r"|/[pu])|ConvertTo|sqlplus|[mx]pdp|mysqladmin|(?i:auth)[ ]"
)
#: Passes a secret to a program through a pipe.
_PIPE = (
    r"\b(?:echo|printf)[ ](?:-n[ ]|-e[ ]|[\"']%s(?:\\n)?[\"'][ ])?"
    r"(?:[\"'](?P<quoted>[^\"'\n|]{3,256})[\"']|(?P<bare>[^\s\"'|;]{3,256}))[ ]?\|[ ]?(?P<program>[^\n|;]{0,200})"
)
_TAKES_SECRETS = (
    r"--password-stdin|--stdin|sudo[ ](?:-\w+[ ])*-\w*S\b|\bpasswd\b|chpasswd|login|auth|--with-token|--passphrase-fd"
    r"|secrets?[ ](?:versions[ ])?(?:create|put|set|add)|cryptsetup|gpg\b|openssl|vault|kinit|smbpasswd|age\b"
    r"|base64\b(?![ ]+(?:-[dD]|--decode))"
)


class SecretCommand(NamedTuple):
    """Programs, and the pattern between their name and the secret."""

    names: tuple[str, ...]
    until: str
    value: str = _SECRET
    anywhere: bool = True  #: allow other arguments before the secret


def _by_option(names: str, until: str, value: str = _SECRET) -> SecretCommand:
    """Describe a program that takes a secret by an option."""
    return SecretCommand(tuple(names.split(",")), until, value)


def _by_position(names: str, until: str = "", value: str = _SECRET) -> SecretCommand:
    """Describe a program that takes a secret as an argument right after its name."""
    return SecretCommand(tuple(names.split(",")), until, value, anywhere=False)


#: Programs that take a secret by a short option or by position.
COMMANDS: tuple[SecretCommand, ...] = (
    _by_option("curl,wget,http", r"(?:-u|--user|--proxy-user|-a|--auth)[ =]?[\"']?[^\s:\"']{1,64}:"),
    _by_option("mysql,mariadb,mongo,7z,7za,unrar", "-p", r"[\"']?(?P<secret>[^\s\"'`-][^\s\"'`]{3,128})"),
    _by_option("mongo,mongosh,twine,sshpass,cypher-shell,cqlsh,rdesktop,login,az,isql,beeline", "-p[ =]"),
    _by_option("zip,unzip,sqlcmd,bcp,ipmitool,mosquitto_pub,mosquitto_sub,tsql", "-P[ ]?"),
    _by_option("ldapsearch,ldapadd,ldapmodify,ldapwhoami,ldappasswd", "-w[ ]?"),
    _by_option("redis-cli,keydb-cli,valkey-cli", "(?:-a|--pass|(?i:auth))[ ]"),
    _by_option("openssl", "(?:-passin|-passout|-pass)[ ]pass:|(?:-k|-pass)[ ]"),
    _by_option("smbclient", r"-U[ ]?[\"']?[\w.\\/@-]{1,64}%"),
    _by_option("xfreerdp,wfreerdp", "/p:"),
    _by_option("lftp", r"-u[ ]?[\"']?[^\s,\"']{1,64},"),
    _by_option("skopeo,buildah", r"--(?:src-|dest-)?creds[ =][\"']?[^\s:\"']{1,64}:"),
    _by_option("keytool,jarsigner,apksigner", "-(?:storepass|keypass|srcstorepass|deststorepass)[ ]"),
    _by_option("snmpget,snmpwalk", "-[AXc][ ]"),
    _by_option("ssh-keygen", "-[NP][ ]"),
    _by_option("mysqladmin", "password[ ]"),
    _by_option("net use", r"/user:[^\s]{1,64}[ ]|[\\][^\s]{1,128}[ ](?=[^\s/]{6,}[ ]/user:)"),
    _by_option("nuget,choco push", "(?:-k|-ApiKey|--api-key)[ ]"),
    _by_option(
        "codecov,firebase,doctl,vercel,drone,argocd,consul,nomad,sentry-cli", "(?:-t|-token|--auth-token)[ =]"
    ),
    _by_option("gh secret set", "(?:-b|--body)[ =]"),
    _by_option("sqlplus,expdp,impdp", r"(?:-\w+[ ])?\w{1,40}/", r"[\"']?(?P<secret>[^\s\"'`@/]{4,128})(?=@)"),
    _by_option("ConvertTo-SecureString", "(?:-String[ ])?(?=[\"'])"),
    _by_position("send", r"(?=[\"'][^\"'\n]{4,64}\\[rn])", r"[\"'](?P<secret>[^\s\"'`\\]{4,64})"),
    _by_position("htpasswd", r"-\w{0,6}b\w{0,6}[ ][^\s]{1,128}[ ][^\s]{1,64}[ ]"),
    _by_position("rabbitmqctl", r"(?:add_user|change_password)[ ][^\s]{1,64}[ ]"),
    _by_position(
        "set-initial-password,wandb login,snyk auth,vault login,cargo login,authtoken,add-authtoken"
    ),
    _by_position("rclone obscure,requirepass,masterauth"),
    _by_position("wpa_passphrase", r"[^\s]{1,64}[ ]"),
    _by_position("configure set", r"(?i:[\w.-]{0,40}(?:secret|token|password|key))[ =]"),
    _by_position("mc alias set", r"[^\s]{1,40}[ ][^\s]{1,200}[ ][^\s]{1,64}[ ]"),
    _by_position("login", r"[^\s]{1,80}\s+password\s+"),
    _by_position("bundle config", r"[^\s]{1,80}[ ][\w.@-]{1,40}:"),
    _by_position(
        "http-basic.,npm config set,yarn config set,poetry config",
        r"(?=[^\n]{0,60}(?i:auth|token|basic))[^\s]{1,80}[ =](?:[\w.@-]{1,40}[ ])?",
    ),
)
_BY_POSITION = tuple(command for command in COMMANDS if not command.anywhere)


@cache
def _source(command: SecretCommand) -> str:
    named = "|".join(map(re.escape, sorted(command.names, key=len, reverse=True)))
    between = r"[^\n|;]{0,200}?[ ]" if command.anywhere else r"[ ]+"
    return rf"(?<!\w)(?:{named})[\w.-]{{0,60}}{between}(?:{command.until}){command.value}"


def in_commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Find secrets that a command takes by a short option, by position or through a pipe."""
    has_option = ascii_regex(_OPTION).search(text)
    for command in COMMANDS if has_option else _BY_POSITION:
        if any(map(text.__contains__, command.names)):
            for match in ascii_regex(_source(command)).finditer(text):
                if is_secret(without_markers(match["secret"]), "password", Form.SETTING):
                    yield *match.span("secret"), "command-password"
    for match in ascii_regex(_PIPE).finditer(text) if "|" in text else ():
        group = "quoted" if match["quoted"] else "bare"
        takes_secret = ascii_regex(_TAKES_SECRETS).search(match["program"])
        if takes_secret and is_secret(without_markers(match[group]), "password", Form.SETTING):
            yield *match.span(group), "command-password"


Span = tuple[int, int, str]
_Anchored = tuple[tuple[str, SecretFormat], ...]

#: Searching for a few letters is far cheaper than a pattern, and most texts have none of them.
_ANCHORS = tuple((anchor, row) for row in FORMATS for anchor in row.anchors)
_SHORT = tuple((anchor, row) for anchor, row in _ANCHORS if row.length < TOKEN_LENGTH)
_LONG = tuple((anchor, row) for anchor, row in _ANCHORS if row.length >= TOKEN_LENGTH)
_LONGEST_ANCHOR = max(len(anchor) for anchor, _ in _ANCHORS)
_NAMED_KINDS = ("password", "secret", "token", "key", "url-password", "command-password")
#: All kinds of `[REDACTED:kind]`, the most specific first.
KINDS: tuple[str, ...] = tuple(
    dict.fromkeys([*(row.kind for row in FORMATS if row.kind not in _NAMED_KINDS), *_NAMED_KINDS])
)
#: Removing one secret can expose another beside it: so many of an unbroken chain are found one by one.
_PASSES = 32
_RANK = {kind: rank for rank, kind in enumerate(KINDS)}
_FINDERS: tuple[tuple[tuple[str, ...], Callable[[str], Iterator[tuple[int, int, str]]]], ...] = (
    (LOGIN_ANCHORS, in_logins),
    (CODE_ANCHORS, in_codes),
    (PHRASE_ANCHORS, in_phrases),
    (WIRELESS_ANCHORS, in_wireless),
    (URL_ANCHORS, in_urls),
    (URL_ANCHORS, in_links),
    (SQL_ANCHORS, in_sql),
)
DEEPEST_VALUE = 100  #: levels of nesting in a JSON value
#: Fields that name the content of a field `value`, and endings of fields that only describe a secret.
_LABELS = ("name", "key", "field", "label", "variable")
_DESCRIBING = ("name", "type", "kind", "description", "policy", "length", "date", "_at", "_in", "algorithm")


def _by_case(rows: _Anchored) -> tuple[_Anchored, _Anchored]:
    """Separate the anchors that are searched in lower case from those searched as written."""
    any_case = tuple((anchor, row) for anchor, row in rows if anchor == anchor.lower())
    return any_case, tuple((anchor, row) for anchor, row in rows if anchor != anchor.lower())


#: Anchors in the token itself, so in one of the long words, and those that may be beside it.
_TOKENS = _by_case(tuple((anchor, row) for anchor, row in _LONG if "(?P<secret>" not in row.pattern))
_BESIDE_TOKENS = _by_case(tuple((anchor, row) for anchor, row in _LONG if "(?P<secret>" in row.pattern))


def spans(text: str) -> Iterator[Span]:
    """Find secrets in the text as written, and as it reads once decoded."""
    yield from _find(text)
    for reading in decodings(text):
        yield from reading.map_back(_find(reading.text))


def _find(text: str) -> Iterator[Span]:
    odd = odd_words(text)
    lowered, odd_text = text.lower(), " ".join(["", *odd]).lower()
    yield from _find_formats(text, lowered, odd, odd_text)
    yield from _in_context(text, lowered, odd_text)


def _find_formats(text: str, lowered: str, odd: list[str], odd_text: str) -> Iterator[Span]:
    """Find tokens of a known format; the anchors of short formats and of tokens are in odd words."""
    longest = max(map(len, odd), default=0)
    rows = [row for anchor, row in _SHORT if anchor in odd_text]
    if longest >= TOKEN_LENGTH:
        within = " ".join(odd)
        for haystack, lower, (any_case, as_written) in (
            (text, lowered, _BESIDE_TOKENS),
            (within, odd_text, _TOKENS),
        ):
            rows += [row for anchor, row in any_case if anchor in lower]
            rows += [row for anchor, row in as_written if anchor in haystack]
    longest = max(map(len, text.split()), default=0) if rows else 0
    for row in dict.fromkeys(rows):
        if row.length <= longest:
            yield from _matches(row, text)


def _matches(row: SecretFormat, text: str) -> Iterator[Span]:
    pattern = _format_pattern(row.pattern, row.touching)
    group = "secret" if "secret" in pattern.groupindex else 0
    match = pattern.search(text)
    while match:
        start, end = match.span(group)
        value = match[group]
        if row.check(value):
            end = _end_before_next(text, end)
            yield start, end - (len(value) - len(value.rstrip())), row.kind
        match = pattern.search(text, max(end, match.start() + 1))


def _end_before_next(text: str, end: int) -> int:
    """Return where a token ends if it ran into the start of the next, which could not be recognised without it."""
    place = max(0, end - _LONGEST_ANCHOR)
    while following := _token_starts().search(text, place, end + _LONGEST_ANCHOR):
        if following.start() >= end:
            break
        if following.end() > end:
            return following.start()
        place = following.start() + 1
    return end


@cache
def _token_starts() -> re.Pattern[str]:
    """Compile the beginnings of tokens that are not purely alphanumeric."""
    anchors = {anchor for rows in _TOKENS for anchor, _ in rows if len(anchor) > 2 and not anchor.isalnum()}
    return re.compile("|".join(map(re.escape, sorted(anchors, key=len, reverse=True))), re.IGNORECASE)


@cache
def _format_pattern(pattern: str, touching: bool) -> re.Pattern[str]:
    if "(?P<secret>" not in pattern and not touching:
        pattern = rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])"
    return re.compile(pattern, re.ASCII)


def without_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """Replace every secret with `[REDACTED:kind]`; return the text and the kinds, each once."""
    kinds: list[str] = []
    for number in range(_PASSES):
        found = _merge_spans(spans(text))
        if not found:
            break
        if number == _PASSES - 1:
            found = _merge_spans(_whole_runs(text, found))
        kinds.extend(kind for _, _, kind in found)
        text = _insert_markers(text, found)
    return text, tuple(dict.fromkeys(kinds))


def _whole_runs(text: str, found: Iterable[Span]) -> Iterable[Span]:
    """Extend each find to everything that touches it, since the rest of a longer chain would go undetected."""
    runs = (run.span() for run in re.finditer(r"\S+", text))
    first, last = next(runs)
    for start, end, kind in found:
        while last <= start:
            first, last = next(runs)
        yield min(first, start), max(last, end), kind


def _merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Merge overlapping finds under the most specific kind."""
    joined: list[Span] = []
    for start, end, kind in sorted(spans):
        if joined and start < joined[-1][1]:
            first, last, known = joined.pop()
            joined.append((first, max(last, end), min(known, kind, key=_RANK.__getitem__)))
        else:
            joined.append((start, end, kind))
    return joined


def _insert_markers(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, kind in spans:
        pieces += [text[place:start], MARKER, kind, "]"]
        place = end
    return "".join([*pieces, text[place:]])


def _in_context(text: str, lowered: str, odd_text: str) -> Iterator[tuple[int, int, str]]:
    """Find secrets that are assigned, mentioned or passed to a command; `odd_text` has the odd words in lower case."""
    if names := names_in(text, lowered, odd_text):
        yield from in_assignments(text, names)
        yield from in_sentences(text, names)
        yield from in_tables(text)
        yield from in_sql(text)
    if any(map(odd_text.__contains__, COMMAND_ANCHORS)):
        yield from in_commands(text)
    for anchors, finder in _FINDERS:
        if any(map(lowered.__contains__, anchors)):
            yield from finder(text)


def clean_value(value: object, kinds: list[str]) -> object:
    """Remove the secrets of a JSON value and append their kinds to a list."""
    return _clean(value, None, kinds, DEEPEST_VALUE)


def _clean(value: object, family: str | None, kinds: list[str], levels: int) -> object:
    if levels == 0:
        raise InvalidInput(f"a value is nested deeper than {DEEPEST_VALUE} levels")
    if isinstance(value, Mapping):
        return _clean_pairs(value, family, kinds, levels)
    if isinstance(value, list | tuple):
        return _clean_items(value, family, kinds, levels)
    if isinstance(value, bool) or value is None:
        return value
    result = redact(value) if isinstance(value, str) else Redacted(str(value))
    kinds.extend(result.kinds)
    if family and is_secret(fold(without_markers(result.text)), family, Form.QUOTED):
        kinds.append(family)
        return f"{MARKER}{family}]"
    return result.text if isinstance(value, str) else value


def _clean_items(items: Sequence[object], family: str | None, kinds: list[str], levels: int) -> list[object]:
    clean_value: list[object] = []
    option = None
    for item in items:
        clean_value.append(_clean(item, option or family, kinds, levels - 1))
        option = field_family(fold(item)) if isinstance(item, str) and item.startswith("-") else None
    return clean_value


def _clean_pairs(
    pairs: Mapping[object, object], family: str | None, kinds: list[str], levels: int
) -> dict[object, object]:
    names = {fold(str(key)).lower(): value for key, value in pairs.items()}
    named = next((names[label] for label in _LABELS if isinstance(names.get(label), str)), "")
    clean_value: dict[object, object] = {}
    for key, value in pairs.items():
        name = fold(str(key))
        own_family = (
            field_family(fold(str(named))) if name.lower() in ("value", "values") else field_family(name)
        )
        inherited = None if name.lower().endswith(_DESCRIBING) else family
        clean_key = _clean(key, None, kinds, levels) if isinstance(key, str) else key
        while clean_key in clean_value:
            clean_key = f"{clean_key}+"
        clean_value[clean_key] = _clean(value, own_family or inherited, kinds, levels - 1)
    return clean_value
