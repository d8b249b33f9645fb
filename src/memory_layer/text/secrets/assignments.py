"""Find secrets by their name or place: `password = …`, `--token …`, URLs and links, table columns, SQL statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from memory_layer.model.record import NamedTuple
from memory_layer.text import ascii_regex, regex
from memory_layer.text.secrets.values import (
    KNOWN_MARKER,
    Form,
    is_example_password,
    is_hex_key,
    is_secret,
    looks_chosen,
    looks_issued,
    looks_random,
    without_markers,
)
from memory_layer.text.secrets.words import (
    LETTERS,
    LONGEST_NAME,
    family,
    field_family,
    has_no_literal,
    is_credential,
    is_lookup_key,
)

_BETWEEN = r"""(?x)
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
#: Words between a name and its value.
_LINKING = frozenset(
    """
    for of on to in from at für von vom auf de del du para pour per is was are ist war lautet es era est este jest has
    wurde been set reset changed updated rotated switched value default Value VALUE
    """.split()
)
_BARE = r"[^\s\"'`<>;|]"
_LONGEST_BARE = 128  #: characters of an unquoted value that are read
_VALUE = rf"""
(?:
    [bBrRuUfFN@]{{0,2}}\\{{0,4}}
    (?:"(?P<double>[^"\n]{{1,512}})"|'(?P<single>[^'\n]{{1,512}})'|`(?P<back>[^`\n]{{1,512}})`)
  | \\{{0,4}}["'`]?(?P<bare>{_BARE}{{1,{_LONGEST_BARE}}})
)
"""
_ASSIGNMENT = _BETWEEN + _VALUE
_OPENERS = {")": "(", "]": "[", "}": "{"}
_NEXT_PAIR = r"[,&](?:amp;)?[\w.-]{1,40}[=:]|&&|&$"

_WITH_USER = (
    r"://(?P<user>[^\s/:@?#\[\"'<>`]*+):(?P<secret>[^\s/\"'<>`]+)@(?=[\w\[({$%])",
    r"(?<![\w.\[-])(?P<user>[\w.-]{1,64}):(?P<secret>[^\s:/\"'<>`]{1,128})@(?:tcp|unix)\(",
)
_TOKEN_ALONE = r"://(?P<secret>[^\s/:@?#\[\"'<>`]{12,512}+)@(?=[\w\[({$%])"
#: Parts of a link that grant access to anyone who has it.
_LINKS = (
    r"/(?i:reset|invite|invitation|magic|magic-link|verify|confirm|activate|share|join|unsubscribe|private|token"
    r"|secret|(?:\w{1,12}_)?hooks?|webhooks?)[/-](?P<secret>[\w-]{20,})(?![\w.-])",
    r"(?:alchemy\.com|infura\.io|quiknode\.pro|ankr\.com)/(?:[\w-]{1,20}/){0,2}(?P<secret>[\w-]{24,})",
    r"[?&](?i:key|code|auth|sig|(?:x-(?:amz|goog)-)?signature|apikey|app_?id|secret|pwd|t|k)=(?P<secret>[\w-]{10,})",
)
_SEPARATORS = ("|", "\t", ";", ",")
_RULE = re.compile(r"[\s|:+=-]+")
_LONGEST_HEADING = 40  #: characters of a column heading
_QUOTED = r"[ ]?N?(?P<quote>[\"'])(?P<secret>[^\"'\n]{3,128})(?P=quote)"
_STATEMENTS = (
    r"(?i:\bidentified(?:[ ]with[ ][\w\"']{1,40})?[ ](?:by|as)(?:[ ]password)?|\bpassword(?:[ ]?=[ ]?password)?)"
    rf"(?:[ ]|[ ]?[(]){_QUOTED}",
    r"(?i:\bcrypt|password|old_password|pgp_sym_encrypt|aes_encrypt|hashbytes)[(][ ]?N?(?:'\w{2,10}'[ ]?,[ ]?)?"
    rf"{_QUOTED}",
)
_INSERT = (
    r"(?i:\binsert[ ]into)[ ][\w.\"`]{1,60}[ ]?[(](?P<columns>[^()]{1,400})[)]\s{0,4}(?i:values)\s{0,4}"
    r"[(](?P<values>[^()]{1,2000})[)]"
)


def in_assignments(text: str, names: Iterable[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    """Find values assigned to a name that announces a secret."""
    handled_until = 0
    for name in names:
        match = (
            regex(_ASSIGNMENT).match(text, name.end())
            if name.start() >= handled_until and _may_lead_to_value(text, name)
            else None
        )
        if match is None:
            continue
        group = match.lastgroup or "bare"
        start, value = _literal(match, group)
        form = _form(text, name, match, value, quoted=group != "bare")
        if form is not None and is_secret(without_markers(value), family(name["name"]), form):
            handled_until = _end(text, start, value, match.start(group))
            yield start, handled_until, family(name["name"])


def _may_lead_to_value(text: str, name: re.Match[str]) -> bool:
    """Return False if the name is followed by an ordinary word, unless the name is an option."""
    follows = ascii_regex(r"[ ]([A-Za-z]+)").match(text, name.end())
    return (
        follows is None
        or follows[1] in _LINKING
        or "-" in text[max(0, name.start() - LONGEST_NAME) : name.start()]
    )


def _literal(match: re.Match[str], group: str) -> tuple[int, str]:
    """Return the value after any earlier marker, and where it begins."""
    value = match[group]
    known = ascii_regex(rf"(?:{KNOWN_MARKER})*").match(value)
    begin = known.end() if known else 0
    return match.start(group) + begin, _strip_context(value[begin:], quoted=group != "bare")


def _strip_context(value: str, *, quoted: bool) -> str:
    """Strip the punctuation that belongs to the surrounding text."""
    if quoted:
        return value.rstrip("\\")
    next_pair = ascii_regex(_NEXT_PAIR).search(value)
    if next_pair:
        value = value[: next_pair.start()]
    value = value.rstrip(",.:?\\")
    while value.endswith(tuple(_OPENERS)) and value.count(value[-1]) > value.count(_OPENERS[value[-1]]):
        value = value[:-1].rstrip(",.:?\\")
    return value


def _end(text: str, start: int, value: str, begin: int) -> int:
    """Return where the value ends; one that was cut at the limit extends to its last character."""
    end = start + len(value)
    rest = ascii_regex(rf"{_BARE}*").match(text, end) if end - begin == _LONGEST_BARE else None
    return rest.end() if rest else end


def _form(text: str, named: re.Match[str], match: re.Match[str], value: str, *, quoted: bool) -> Form | None:
    """Classify how surely the match assigns a literal; None if it assigns nothing."""
    start = named.start()
    head = text[max(0, start - LONGEST_NAME) : start]
    before = head.rstrip(LETTERS + "0123456789_-.")
    name = head[len(before) :] + named["name"]
    if has_no_literal(text, start):
        return None
    if not is_credential(head, named["name"]):
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
    is_test_result = name.lower() == "pass" and (name != "pass" or not looks_chosen(value))
    return None if is_test_result else Form.LOOSE


def _is_called(before: str, match: re.Match[str], value: str) -> bool:
    """Tell whether a function is called with the name and the value, or on the element that the name finds."""
    if "." in match["called"]:
        return looks_chosen(value)
    return bool(match["closed"]) and (before.endswith(('("', "('")) or looks_chosen(value))


def _option_form(before: str, value: str, *, quoted: bool) -> Form:
    """Classify the value of an option: a literal in a command, any word in a sentence about the option."""
    is_mention = ascii_regex(
        r"(?i:\b(?:the|a|an|use|with|of|via|and|or|no|your|instead|both))[ ][\"'`]?\Z"
    ).search(before)
    return Form.QUOTED if quoted else Form.LOOSE if is_mention or value.startswith("-") else Form.SETTING


def _is_generated_key(name: str, before: str, value: str) -> bool:
    """Tell whether a key without a known owner has a random value, as a setting or in a query: FERNET_KEY=, ?key=."""
    if not name.lower().endswith("key"):
        return False
    setting = name.isupper() and "_" in name and not is_lookup_key(name[:-4])
    is_query = name.lower() == "key" and before.endswith(("?", "&", "\n"))
    return (setting or is_query) and (looks_random(value, 16) or is_hex_key(value))


def in_urls(text: str) -> Iterator[tuple[int, int, str]]:
    """Find passwords beside the user of a URL or DSN, and tokens in place of a user."""
    for source in _WITH_USER:
        for match in ascii_regex(source).finditer(text):
            value = without_markers(match["secret"])
            if len(value) > 3 and value != match["user"] and not is_example_password(value):
                yield *match.span("secret"), "url-password"
    for match in ascii_regex(_TOKEN_ALONE).finditer(text):
        value = without_markers(match["secret"])
        if looks_random(value) or (len(value) >= 32 and is_secret(value, "token", Form.TIGHT)):
            yield *match.span("secret"), "url-password"


def in_links(text: str) -> Iterator[tuple[int, int, str]]:
    """Find secrets in links that grant access to anyone who has them."""
    for source in _LINKS:
        for match in ascii_regex(source).finditer(text):
            value = match["secret"]
            if looks_issued(value) or ascii_regex(r"(?=.*[a-f])(?=.*\d)[0-9a-f]{20,}").fullmatch(value):
                yield *match.span("secret"), "url-password"


class Cell(NamedTuple):
    """A table cell without surrounding marks, and where it begins."""

    start: int
    text: str


def in_tables(text: str) -> Iterator[tuple[int, int, str]]:
    """Find secrets in table columns or rows whose name announces one."""
    if "\n" not in text and "|" not in text:
        return
    for separator in _SEPARATORS:
        if separator in text:
            yield from _in_rows(_rows(text, separator), separator)


def _rows(text: str, separator: str) -> Iterator[list[Cell]]:
    place = 0
    for line in text.splitlines(keepends=True):
        yield list(_cells(line, place, separator)) if separator in line else []
        place += len(line)


def _cells(line: str, place: int, separator: str) -> Iterator[Cell]:
    for piece in line.split(separator):
        bare = piece.strip(" \t\r\n\"'`*")
        yield Cell(place + (piece.index(bare) if bare else 0), bare)
        place += len(piece) + 1


def _in_rows(rows: Iterator[list[Cell]], separator: str) -> Iterator[tuple[int, int, str]]:
    columns: dict[int, str] = {}
    width = 0
    for cells in rows:
        if len(cells) != width:
            columns, width = _secret_columns(cells), len(cells)
        else:
            for column, kind in columns.items():
                yield from _secret_cell(cells[column], kind)
        in_row = list(_in_one_row(cells)) if separator == "|" else []
        columns = {} if in_row else columns
        yield from in_row


def _secret_columns(cells: Sequence[Cell]) -> dict[int, str]:
    """Return the columns whose name announces a secret; none unless every cell could be a heading."""
    if sum(bool(cell.text) for cell in cells) < 2:
        return {}
    if any(len(cell.text) > _LONGEST_HEADING or len(cell.text.split()) > 4 for cell in cells):
        return {}
    found = {column: field_family(cell.text) for column, cell in enumerate(cells)}
    return {column: kind for column, kind in found.items() if kind}


def _in_one_row(cells: Sequence[Cell]) -> Iterator[tuple[int, int, str]]:
    for name, value in pairwise(cells):
        kind = field_family(name.text) if len(name.text) <= _LONGEST_HEADING else None
        if kind:
            yield from _secret_cell(value, kind)


def _secret_cell(cell: Cell, kind: str) -> Iterator[tuple[int, int, str]]:
    if " " not in cell.text and not _RULE.fullmatch(cell.text) and is_secret(cell.text, kind, Form.TIGHT):
        yield cell.start, cell.start + len(cell.text), kind


def in_sql(text: str) -> Iterator[tuple[int, int, str]]:
    """Find passwords that an SQL statement sets, by a clause or in a column."""
    if "'" not in text and '"' not in text:
        return
    for source in _STATEMENTS:
        for match in regex(source).finditer(text):
            if is_secret(without_markers(match["secret"]), "password", Form.QUOTED):
                yield *match.span("secret"), "password"
    for match in regex(_INSERT).finditer(text):
        columns = _secret_columns(list(_cells(match["columns"], 0, ",")))
        values = list(_cells(match["values"], match.start("values"), ","))
        for column, kind in columns.items():
            yield from _secret_cell(values[column], kind) if column < len(values) else ()
