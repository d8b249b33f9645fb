"""Secrets that only their name gives away: `password = …`, `--token …`, `postgres://user:…@host`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.policy.secret_values import (
    KNOWN_MARKER,
    Form,
    is_secret,
    stands_for_password,
    without_markers,
)

#: A text without any of these assigns nothing.
NAME_ANCHORS = ("pass", "pw", "contrase", "kennwort", "secret", "token", "key")
URL_ANCHORS = ("://", "@tcp(", "@unix(")
COMMAND_ANCHORS = ("curl", "mysql", "sshpass", "redis-cli", "login", "wget")

KINDS = ("password", "secret", "token", "key", "url-password", "command-password")

_FAMILIES = dict.fromkeys(("pass", "pwd", "pw", "cont", "kenn"), "password") | {
    "secr": "secret",
    "cred": "secret",
    "toke": "token",
}
#: A word before `token` that makes it a part of a text or a page, not a credential.
_HARMLESS_OWNERS = frozenset(
    "bos eos pad unk sep cls mask stop start end next page continuation max min num last first prev per"
    " cancellation cancel special image design color public sync resume".split()
)
_NAME_LENGTH = 60
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

#: What makes a `key` one that opens something.
_KEY_OWNERS = tuple(
    "api access account admin app application auth bot cipher client consumer deploy encryption hmac jwt"
    " license master private secret server service session shared signing storage subscription webhook".split()
)

_NAME = r"""
(?P<name>
    (?i:pass(?:word|wort|wd|phrase)|pwd|kennwort|contrase(?:ñ|n\u0303?)a|secret[_-]?key|secret|token|key)
  | (?i:(?<=mot[ ]de[ ])passe)
  | (?:(?<![A-Za-z])(?i:pass|pw)|(?<=[a-z0-9])P(?:ass|[wW])|(?i:(?<=db)pw))
)(?:[_-]?(?i:prod|production|dev|stage|staging|test|live|admin|root|backup))?
(?![A-Za-z])(?:[_-]?\d{1,2}(?![\w.-]))?
"""
_BETWEEN = r"""
(?P<closed>\\{0,4}["'`]\]?)?
(?:
    (?P<typed>[ \t]{0,4}:[ \t]{0,4}[A-Za-z][\w.|\[\]]{0,40}(?:[ ]\|[ ]\w{1,20})?[ \t]{1,4}=(?!=)[ \t]{0,8})
  | (?P<assigned>[ \t]{0,8}(?:=>|:=|→|[=!]==?|=|:)[ \t]{0,8})
  | (?P<listed>[ \t]?,?[ \t]?\r?\n?[ \t]{0,40}["']?(?i:value)["']?[ \t]{0,4}[:=][ \t]{0,8})
  | (?P<called>[ ]?,[ ]?(?=["']))
  | (?P<element>>(?=[^\s<>]{1,256}</))
  | (?P<said>(?:[ ](?:for|of|on|to|in)(?:[ ][\w.@/'-]{1,40}){1,5}?)?
        [ ](?:is|was|ist|lautet|es|est)(?:[ ]now)?(?:[ ](?:set|reset|changed)[ ]to)?:?[ ])
  | (?P<spaced>[ \t]{1,4})
)
"""
_BARE = r"[^\s\"'`<>;|]"
_JUDGED = 128  #: characters of a value without quotation marks that are looked at
_VALUE = rf"""
(?:
    [bBrRuUfF@]{{0,2}}\\{{0,4}}
    (?:"(?P<double>[^"\n]{{1,512}})"|'(?P<single>[^'\n]{{1,512}})'|`(?P<back>[^`\n]{{1,512}})`)
  | \\{{0,4}}["'`]?(?P<bare>{_BARE}{{1,{_JUDGED}}})
)
"""
#: The commands that take a password by a short option, and how; a text that names none of them is passed over.
_COMMANDS = (
    (
        ("curl", "wget"),
        r"\b(?:curl|wget)\b[^\n|;]{0,200}?[ ](?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:(?P<secret>[^\s\"'`]{3,128})",
    ),
    (
        ("mysql",),
        r"\bmysql(?:dump|admin|import)?\b[^\n|;]{0,200}?[ ]-p[\"']?(?P<secret>[^\s\"'`-][^\s\"'`]{3,128})",
    ),
    (("sshpass",), r"\bsshpass[ ]+-p[ ]?[\"']?(?P<secret>[^\s\"'`]{3,128})"),
    (("redis-cli",), r"\bredis-cli\b[^\n|;]{0,200}?[ ]-a[ ][\"']?(?P<secret>[^\s\"'`]{3,128})"),
    (("login",), r"\blogin\b[^\n|;]{0,200}?[ ]-p[ ][\"']?(?P<secret>[^\s\"'`]{3,128})"),
    (("login",), r"\blogin\s+[^\s]{1,80}\s+password\s+(?P<secret>[^\s\"'`]{3,128})"),
)
_OPENERS = {")": "(", "]": "[", "}": "{"}
_NEXT_PAIR = r"[,&](?:amp;)?[\w.-]{1,40}[=:]|&&|&$"


@cache
def _assignment() -> re.Pattern[str]:
    return re.compile(_NAME + _BETWEEN + _VALUE, re.ASCII | re.VERBOSE)


@cache
def _ending() -> re.Pattern[str]:
    return re.compile(
        _NAME.replace("(?![A-Za-z])", "(?:[sS](?![A-Za-z]))?", 1) + r"\Z", re.ASCII | re.VERBOSE
    )


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


def assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a value stands beside a name that says it is a secret."""
    done = 0
    for place in _name_places(text):
        match = _assignment().match(text, place) if place >= done else None
        if match is None:
            continue
        group = match.lastgroup or "bare"
        start, value = _literal(match, group)
        form = _form(text, match, quoted=group != "bare")
        if form is not None and is_secret(without_markers(value), _family(match["name"]), form):
            done = _end(text, start, value, match.start(group))
            yield start, done, _family(match["name"])


def field_family(name: str) -> str | None:
    """The family of what a field of this name holds; None when the name promises no secret."""
    name = name[-_NAME_LENGTH:]
    for place in _name_places(name):
        match = _ending().match(name, place)
        if match and _opens(name[:place], match["name"]):
            return _family(match["name"])
    return "secret" if _pattern(r"(?i:credentials?)\Z").search(name) else None


def _name_places(text: str) -> list[int]:
    """Where a name may begin; looking for letters is far cheaper than a pattern."""
    lowered = text.replace("İ", "I").lower()  # the one letter that changes the length
    places = []
    for anchor in NAME_ANCHORS:
        place = lowered.find(anchor)
        while place >= 0:
            places.append(place)
            place = lowered.find(anchor, place + 1)
    return sorted(places)


def in_urls(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a URL or DSN carries a password beside its user."""
    for source in (
        r"://(?P<user>[^\s/:@?#\[\"'<>`]*+):(?P<secret>[^\s/\"'<>`]+)@(?=[\w\[({$%])",
        r"(?<![\w.\[-])(?P<user>[\w.-]{1,64}):(?P<secret>[^\s:/\"'<>`]{1,128})@(?:tcp|unix)\(",
    ):
        for match in _pattern(source).finditer(text):
            value = without_markers(match["secret"])
            if value and value != match["user"] and not stands_for_password(value):
                yield *match.span("secret"), "url-password"


def in_commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a well-known command is given a password by a short option."""
    for commands, source in _COMMANDS:
        if not any(command in text for command in commands):
            continue
        for match in _pattern(source).finditer(text):
            if is_secret(without_markers(match["secret"]), "password", Form.TIGHT):
                yield *match.span("secret"), "command-password"


def _family(name: str) -> str:
    return _FAMILIES.get(name[:4].lower(), "key")


def _opens(owner: str, name: str) -> bool:
    """Whether the name is a credential's: an API key, not a foreign one; an auth token, not the next one."""
    if name.lower() == "key":
        owner = owner[:-1] if owner.endswith(("_", "-", ".", " ")) else owner
        return owner.lower().endswith(_KEY_OWNERS)
    near = _pattern(r"[\w .-]*\Z").search(owner[-30:])  # in `/page?token=` the page does not own the token
    words = _pattern(r"[A-Z]?[a-z]+|[A-Z]+").findall(near[0] if near else "")
    return not (name.lower() == "token" and words and words[-1].lower() in _HARMLESS_OWNERS)


def _literal(match: re.Match[str], group: str) -> tuple[int, str]:
    """Where the value begins behind what was redacted before, and the value."""
    value = match[group]
    known = _pattern(rf"(?:{KNOWN_MARKER})*").match(value)
    begin = known.end() if known else 0
    return match.start(group) + begin, _trimmed(value[begin:], quoted=group != "bare")


def _trimmed(value: str, *, quoted: bool) -> str:
    """The value without what belongs to the text around it."""
    if quoted:
        return value.rstrip("\\")
    next_pair = _pattern(_NEXT_PAIR).search(value)
    if next_pair:
        value = value[: next_pair.start()]
    value = value.rstrip(",.:?\\")
    while value.endswith(tuple(_OPENERS)) and value.count(value[-1]) > value.count(_OPENERS[value[-1]]):
        value = value[:-1].rstrip(",.:?\\")
    return value


def _end(text: str, start: int, value: str, begin: int) -> int:
    """Where the value ends; one that is too long to be judged as a whole goes on to its last character."""
    end = start + len(value)
    rest = _pattern(rf"{_BARE}*").match(text, end) if end - begin == _JUDGED else None
    return rest.end() if rest else end


def _form(text: str, match: re.Match[str], *, quoted: bool) -> Form | None:
    """How surely the match assigns a literal; None when it assigns nothing."""
    start = match.start("name")
    head = text[max(0, start - _NAME_LENGTH) : start]
    before = head.rstrip(_LETTERS + "0123456789_-.")
    name = head[len(before) :] + match["name"]
    if not _opens(head, match["name"]):
        return None
    if match["said"] is not None:
        return Form.LOOSE
    if match["spaced"] is not None:
        return (Form.QUOTED if quoted else Form.LOOSE) if name.startswith("-") else None
    if match["called"] is not None:
        return Form.QUOTED if quoted and match["closed"] and before.endswith(('("', "('")) else None
    if match["element"] is not None:
        return Form.TIGHT if before.endswith("<") else None
    if quoted:
        return Form.QUOTED
    if name.isupper() and (match["assigned"] == "=" or "_" in name):
        return Form.SETTING
    return _bare_form(match, before)


def _bare_form(match: re.Match[str], before: str) -> Form | None:
    if match["assigned"] == "=":
        return Form.SETTING if before.endswith(";") else Form.TIGHT
    if match["closed"]:
        return Form.TIGHT
    # `PASS: something` is the result of a test, not a password.
    return None if match["name"].lower() == "pass" else Form.LOOSE
