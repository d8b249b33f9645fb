"""Secrets that only their name gives away: `password = …`, `--token …`, `postgres://user:…@host`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.policy.secret_values import MARKER, Form, is_secret, stands_for_password

#: A text without any of these assigns nothing.
NAME_ANCHORS = ("pass", "pwd", "secret", "token", "key")
URL_ANCHORS = ("://", "@tcp(", "@unix(")
COMMAND_ANCHORS = ("curl", "mysql", "sshpass", "redis-cli", "login", "wget")

KINDS = ("password", "secret", "token", "key", "url-password", "command-password")

_FAMILIES = {"pass": "password", "pwd": "password", "secr": "secret", "toke": "token"}
#: A word before `token` that makes it a part of a text or a page, not a credential.
_HARMLESS_OWNERS = frozenset(
    "bos eos pad unk sep cls mask stop start end next page continuation max min num last first prev per"
    " cancellation cancel special image design color public sync resume".split()
)
_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

_NAME = r"""
(?P<name>
    (?i:pass(?:word|wd|phrase)|pwd|secret[_-]?key|secret|token)
  | (?:(?<![A-Za-z])(?i:pass)|(?<=[a-z0-9])Pass)
  | (?i:api|access|private|signing|encryption|account|auth|master|consumer|app|application|service|deploy
      |session|subscription|client|license|admin|server|shared|bot|jwt|hmac|cipher|storage|webhook)[_\-. ]?(?i:key)
)(?![A-Za-z])(?:[_-]?\d{1,2}(?![\w.-]))?
"""
_BETWEEN = r"""
(?P<closed>\\{0,2}["'`]\]?)?
(?:
    (?P<typed>[ \t]{0,4}:[ \t]{0,4}[A-Za-z][\w.|\[\]]{0,40}(?:[ ]\|[ ]\w{1,20})?[ \t]{1,4}=(?!=)[ \t]{0,8})
  | (?P<assigned>[ \t]{0,8}(?:=>|:=|→|[=!]==?|=|:)[ \t]{0,8})
  | (?P<listed>[ \t]?,?[ \t]?\r?\n?[ \t]{0,40}["']?(?i:value)["']?[ \t]{0,4}[:=][ \t]{0,8})
  | (?P<called>[ ]?,[ ]?(?=["']))
  | (?P<element>>(?=[^\s<>]{1,256}</))
  | (?P<said>(?:[ ](?:for|of|on|to|in)(?:[ ][\w.@/'-]{1,40}){1,5}?)?[ ](?:is|was)(?:[ ]now)?(?:[ ](?:re)?set[ ]to|[ ]changed[ ]to)?:?[ ])
  | (?P<spaced>[ \t]{1,4})
)
"""
_VALUE = r"""
(?:
    [bBrRuUfF@]{0,2}\\{0,2}
    (?:"(?P<double>[^"\n]{1,1024})"|'(?P<single>[^'\n]{1,1024})'|`(?P<back>[^`\n]{1,1024})`)
  | \\{0,2}["'`]?(?P<bare>[^\s"'`<>;|]{1,1024})
)
"""
_NEXT_PAIR = r"[,&](?:amp;)?[\w.-]{1,40}[=:]|&&|&$"


@cache
def _assignment() -> re.Pattern[str]:
    return re.compile(_NAME + _BETWEEN + _VALUE, re.ASCII | re.VERBOSE)


@cache
def _name() -> re.Pattern[str]:
    return re.compile(rf"(?:.*?){_NAME}\Z", re.ASCII | re.VERBOSE | re.DOTALL)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


def assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a value stands beside a name that says it is a secret."""
    place = 0
    while match := _assignment().search(text, place):
        place = match.end("name")
        family = _family(match["name"])
        group = match.lastgroup or "bare"
        start, value = match.start(group), _trimmed(match[group], quoted=group != "bare")
        form = _form(text, match, quoted=group != "bare")
        if form is not None and is_secret(value, family, form):
            yield start, start + len(value), family
            place = start + len(value)


def assigned_to(name: str, value: str) -> str | None:
    """The family of a field that holds a secret, judged by the field's name and its value."""
    match = _name().match(name[-200:])
    if match is None or _is_harmless(name[-200:], match.start("name"), match["name"]):
        return None
    family = _family(match["name"])
    return family if not value.startswith(MARKER) and is_secret(value, family, Form.QUOTED) else None


def in_urls(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a URL or DSN carries a password beside its user."""
    for source in (
        r"://(?P<user>[^\s/:@?#\[\"'<>`]{0,128}):(?P<secret>[^\s/\"'<>`]{1,256})@(?=[\w\[({$%])",
        r"(?<![\w.\[-])(?P<user>[\w.-]{1,64}):(?P<secret>[^\s:/\"'<>`]{1,128})@(?:tcp|unix)\(",
    ):
        for match in _pattern(source).finditer(text):
            value = match["secret"]
            if MARKER not in value and value != match["user"] and not stands_for_password(value):
                yield *match.span("secret"), "url-password"


def in_commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a well-known command is given a password by a short option."""
    for source in (
        r"\b(?:curl|wget)\b[^\n|;]{0,200}?[ ](?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:(?P<secret>[^\s\"'`]{3,128})",
        r"\bmysql(?:dump|admin|import)?\b[^\n|;]{0,200}?[ ]-p[\"']?(?P<secret>[^\s\"'`-][^\s\"'`]{3,128})",
        r"\bsshpass[ ]+-p[ ]?[\"']?(?P<secret>[^\s\"'`]{3,128})",
        r"\bredis-cli\b[^\n|;]{0,200}?[ ]-a[ ][\"']?(?P<secret>[^\s\"'`]{3,128})",
        r"\blogin\b[^\n|;]{0,200}?[ ]-p[ ][\"']?(?P<secret>[^\s\"'`]{3,128})",
        r"\blogin\s+[^\s]{1,80}\s+password\s+(?P<secret>[^\s\"'`]{3,128})",
    ):
        for match in _pattern(source).finditer(text):
            if MARKER not in match["secret"] and is_secret(match["secret"], "password", Form.TIGHT):
                yield *match.span("secret"), "command-password"


def _family(name: str) -> str:
    lowered = name.lower()
    return (
        "key"
        if lowered.endswith("key") and not lowered.startswith("secr")
        else _FAMILIES.get(lowered[:4], "key")
    )


def _trimmed(value: str, *, quoted: bool) -> str:
    """The value without what belongs to the text around it."""
    value = value.partition(MARKER)[0]
    if quoted:
        return value.rstrip("\\")
    next_pair = _pattern(_NEXT_PAIR).search(value)
    if next_pair:
        value = value[: next_pair.start()]
    return value.rstrip(",.)]}:?\\")


def _form(text: str, match: re.Match[str], *, quoted: bool) -> Form | None:
    """How surely the match assigns a literal; None when it assigns nothing."""
    start = match.start("name")
    head = text[max(0, start - 60) : start]
    owner = head[len(head.rstrip(_NAME_CHARACTERS)) :]
    name = owner + match["name"]
    if _is_harmless(name, len(owner), match["name"]):
        return None
    if match["said"] is not None:
        return Form.LOOSE
    if match["spaced"] is not None:
        return (Form.QUOTED if quoted else Form.LOOSE) if name.startswith("-") else None
    if match["called"] is not None:
        before = head[: len(head) - len(owner)]
        return Form.QUOTED if quoted and match["closed"] and before.endswith(('("', "('")) else None
    if match["element"] is not None:
        return Form.TIGHT if head[: len(head) - len(owner)].endswith("<") else None
    if quoted:
        return Form.QUOTED
    if name.isupper() and (match["assigned"] == "=" or "_" in name):
        return Form.SETTING
    return _bare_form(match, before=head[: len(head) - len(owner)])


def _bare_form(match: re.Match[str], *, before: str) -> Form | None:
    if match["assigned"] == "=":
        return Form.SETTING if before.endswith(";") else Form.TIGHT
    if match["closed"]:
        return Form.TIGHT
    # `PASS: something` is the result of a test, not a password.
    return None if match["name"].lower() == "pass" else Form.LOOSE


def _is_harmless(name: str, start: int, matched: str) -> bool:
    if not matched.lower().startswith("token"):
        return False
    owner = _pattern(r"[A-Z]?[a-z]+|[A-Z]+").findall(name[:start])
    return bool(owner) and owner[-1].lower() in _HARMLESS_OWNERS
