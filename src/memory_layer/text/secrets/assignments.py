"""Secrets that only their name gives away: `password = …`, `--token …`, `postgres://user:…@host`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from memory_layer.text.secrets.secret_looks import is_hex_key, looks_chosen, looks_issued, looks_random
from memory_layer.text.secrets.values import KNOWN_MARKER, Form, is_secret, without_markers
from memory_layer.text.secrets.words import LETTERS, LONGEST_NAME, family, is_sealed, looks_things_up, opens

_BETWEEN = r"""
(?P<closed>\\{0,4}["'`]\]?|\*{1,2}|</\w{1,12}>)?
(?:
    (?P<typed>[ \t]{0,4}:[ \t]{0,4}[A-Za-z][\w.|\[\]]{0,40}(?:[ ]\|[ ]\w{1,20})?[ \t]{1,4}=(?!=)[ \t]{0,8})
  | (?P<below>(?:[ ](?:for|of|on|to|in|für|de|du|del)(?:[ ][\w.@/'-]{1,40}){1,5}?|[ ]\([^()\n]{1,40}\))?
        (?:[ \t]{0,8}[:=]|[ ](?:is|was|ist)[ ]?:?)\*{0,2}[ \t]{0,4}(?:[>|][+-]?\d?)?[ \t]{0,4}\r?\n(?:[ \t]{0,40}\r?\n)?
        (?:[ \t]{0,8}```[\w-]{0,12}[ \t]{0,4}\r?\n)?[ \t]{0,40}(?:[-*>][ ])?(?=[^\s]{1,512}[ \t]{0,8}(?:\r?\n|\Z)))
  | (?P<assigned>[ \t]{0,8}(?:=>|:=|→|[=!]==?|=|:)\*{0,2}[ \t]{0,8})
  | (?P<listed>[ \t]?,?[ \t]?[{]?\r?\n?[ \t]{0,40}["']?(?i:value|default)["']?[ \t]{0,4}[:=][ \t]{0,8})
  | (?P<called>["'\])]{0,4}[ ]?(?:,|\.(?:type|fill|send_?[kK]eys|set_?[vV]alue)\()[ ]?(?=["']))
  | (?P<element>>(?=[^\s<>]{1,256}</))
  | (?P<cell>\s{0,40}<\w{1,12}>(?=[^\s<>]{1,256}</))
  | (?P<said>(?:[ ]?[(][^()\n]{1,40}[)])?
        (?:[ ](?:for|of|on|to|in|from|at|für|von|vom|auf|de|del|du|para|pour|per)(?:[ ][\w.@/'-]{1,40}){1,5}?)?
        (?:[ ](?:(?:is|was|are|ist|war|lautet|es|era|est|este|jest|has[ ]been|wurde|been)
             (?:[ ](?:now|still|currently|just|jetzt|nun|again))?
             (?:[ ](?:re)?(?:set|changed|updated|rotated|switched)[ ](?:from[ ][^\s]{1,64}[ ])?to)?
           | (?:re)?(?:set|changed|updated|rotated|switched)[ ](?:from[ ][^\s]{1,64}[ ])?to)
         :?[ ]|[ ](?:->|—|–|-)[ ]|:[ ]{0,4}))
  | (?P<spaced>[ \t]{1,4})
)
"""
#: Words that lead from a name to its value.
_LINKS = frozenset(
    """
    for of on to in from at für von vom auf de del du para pour per is was are ist war lautet es era est este jest has
    wurde been set reset changed updated rotated switched value default Value VALUE
    """.split()
)
_BARE = r"[^\s\"'`<>;|]"
_JUDGED = 128  #: characters of a value without quotation marks that are looked at
_VALUE = rf"""
(?:
    [bBrRuUfFN@]{{0,2}}\\{{0,4}}
    (?:"(?P<double>[^"\n]{{1,512}})"|'(?P<single>[^'\n]{{1,512}})'|`(?P<back>[^`\n]{{1,512}})`)
  | \\{{0,4}}["'`]?(?P<bare>{_BARE}{{1,{_JUDGED}}})
)
"""
_OPENERS = {")": "(", "]": "[", "}": "{"}
_NEXT_PAIR = r"[,&](?:amp;)?[\w.-]{1,40}[=:]|&&|&$"


@cache
def _assignment() -> re.Pattern[str]:
    return re.compile(_BETWEEN + _VALUE, re.VERBOSE)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


def assigned(text: str, names: Iterable[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    """Where a value stands beside a name that says it is a secret."""
    done = 0
    for name in names:
        match = (
            _assignment().match(text, name.end()) if name.start() >= done and _leads_on(text, name) else None
        )
        if match is None:
            continue
        group = match.lastgroup or "bare"
        start, value = _literal(match, group)
        form = _form(text, name, match, value, quoted=group != "bare")
        if form is not None and is_secret(without_markers(value), family(name["name"]), form):
            done = _end(text, start, value, match.start(group))
            yield start, done, family(name["name"])


def _leads_on(text: str, name: re.Match[str]) -> bool:
    """Whether anything but the next word of a sentence follows the name, unless it is an option's."""
    follows = _pattern(r"[ ]([A-Za-z]+)").match(text, name.end())
    return (
        follows is None
        or follows[1] in _LINKS
        or "-" in text[max(0, name.start() - LONGEST_NAME) : name.start()]
    )


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


def _form(text: str, named: re.Match[str], match: re.Match[str], value: str, *, quoted: bool) -> Form | None:
    """How surely the match assigns a literal; None when it assigns nothing."""
    start = named.start()
    head = text[max(0, start - LONGEST_NAME) : start]
    before = head.rstrip(LETTERS + "0123456789_-.")
    name = head[len(before) :] + named["name"]
    if is_sealed(text, start):
        return None
    if not opens(head, named["name"]):
        return Form.SETTING if match["assigned"] and _is_generated_key(name, before, value) else None
    if match["said"] is not None:
        return Form.LOOSE
    if match["spaced"] is not None:
        return _option_form(before, value, quoted=quoted) if name.startswith("-") else None
    if match["called"] is not None:
        return Form.QUOTED if quoted and _is_called(before, match, value) else None
    if match["element"] is not None:
        return Form.TIGHT if before.endswith("<") else None
    if match["cell"] is not None:
        return Form.TIGHT if (match["closed"] or "").startswith("<") else None
    if quoted:
        return Form.QUOTED
    if name.isupper() and (match["assigned"] == "=" or "_" in name) and match["below"] is None:
        return Form.SETTING
    return _bare_form(named["name"], match, before, value)


def _bare_form(name: str, match: re.Match[str], before: str, value: str) -> Form | None:
    if match["assigned"] == "=":
        return Form.SETTING if before.endswith(";") else Form.TIGHT
    if (match["closed"] or "*<")[0] not in "*<":
        return Form.TIGHT
    # `PASS: something` is the result of a test, not a password.
    if name == "PAT" and not looks_issued(value):
        return None
    tested = name.lower() == "pass" and (name != "pass" or not looks_chosen(value))
    return None if tested else Form.LOOSE


def _is_called(before: str, match: re.Match[str], value: str) -> bool:
    """Whether a function is called with the name and the value, or on what the name finds."""
    if "." in match["called"]:
        return looks_chosen(value)
    return bool(match["closed"]) and (before.endswith(('("', "('")) or looks_chosen(value))


def _option_form(before: str, value: str, *, quoted: bool) -> Form:
    """An option of a command takes a literal; one that a sentence talks about is followed by any word."""
    talk = _pattern(r"(?i:\b(?:the|a|an|use|with|of|via|and|or|no|your|instead|both))[ ][\"'`]?\Z").search(
        before
    )
    return Form.QUOTED if quoted else Form.LOOSE if talk or value.startswith("-") else Form.SETTING


def _is_generated_key(name: str, before: str, value: str) -> bool:
    """Whether a key without a telling owner holds a random value, as a setting or in a query: FERNET_KEY=, ?key=."""
    if not name.lower().endswith("key"):
        return False
    setting = name.isupper() and "_" in name and not looks_things_up(name[:-4])
    alone = name.lower() == "key" and before.endswith(("?", "&", "\n"))
    return (setting or alone) and (looks_random(value, 16) or is_hex_key(value))
