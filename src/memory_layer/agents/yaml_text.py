"""Add an item to a list at the top of a YAML text and remove it again.

There is no YAML parser here. Only the plainest form is edited: keys at the beginning of their lines, and below the key
a list of blocks. Everything else is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple

_ITEM = re.compile(r"( *)-( +)(?=\S)")
_FIELD = re.compile(r"""(["']?)([\w-]+)\1:(?:[ ]+(.*))?""")
_KEEPS_BLANK_LINES = re.compile(r"[|>]\d?\+")
_TOP = re.compile(r"""[\w"'][^\n]*:(?:[ \t\r\n]|\Z)|#|\r?\n|\Z""")


class YamlBlock(NamedTuple):
    """An item of a list: its place, and its fields of one line."""

    start: int
    end: int
    indent: str
    fields: Mapping[str, object]


class _List(NamedTuple):
    start: int  #: of the line with the key
    first: int  #: behind that line
    is_flow: bool  #: whether it stands there as an empty `[]`
    blocks: tuple[YamlBlock, ...]


def blocks(text: str, key: str) -> tuple[YamlBlock, ...]:
    """Return the items of a list; refuse a text in which they cannot be told for sure."""
    found = _list(text, key)
    return found.blocks if found else ()


def with_block(text: str, key: str, fields: Mapping[str, object]) -> str:
    """Add an item at the end of a list, which is made if it is missing."""
    end = "\r\n" if "\r\n" in text else "\n"
    text += "" if not text or text.endswith("\n") else end
    found = _list(text, key)
    if found is None:
        return f"{text}{key}:{end}{_written(fields, '  ', end)}"
    indent = found.blocks[-1].indent if found.blocks else "  "
    at = found.blocks[-1].end if found.blocks else found.first
    head = text[:at]
    if found.is_flow:
        line = text[found.start : found.first]
        head = text[: found.start] + re.sub(r"[ \t]*\[[ \t]*\]", "", line, count=1)
    return head + _written(fields, indent, end) + text[at:]


def without_block(text: str, key: str, block: YamlBlock) -> str:
    """Remove an item, and the key if its list is empty then."""
    found = _list(text, key)
    if found is not None and len(found.blocks) == 1 and text[found.first : block.start].strip() == "":
        return text[: found.start] + text[block.end :]
    return text[: block.start] + text[block.end :]


def _written(fields: Mapping[str, object], indent: str, end: str) -> str:
    first, *rest = (f"{name}: {json.dumps(each)}" for name, each in fields.items())
    return end.join([f"{indent}- {first}", *(f"{indent}  {line}" for line in rest)]) + end


def _list(text: str, key: str) -> _List | None:
    lines = list(_lines(text))
    if "\r" in text.replace("\r\n", "") or _KEEPS_BLANK_LINES.search(text):
        raise InvalidInput("it has a form that cannot be edited safely")
    for _, line in lines:
        if line[:1] not in ("", " ", "-", "#", "\ufeff") and not _TOP.match(line) and line.strip() != "---":
            raise InvalidInput("it has a form that cannot be edited safely")
        if "\t" in line[: len(line) - len(line.lstrip())]:
            raise InvalidInput("tabs indent it, so it cannot be edited safely")
    said = [
        line for _, line in lines if line.strip("\ufeff \r\n") and not line.lstrip("\ufeff ").startswith("#")
    ]
    heads = [number for number, line in enumerate(said) if line.rstrip() == "---"]
    if heads not in ([], [0]) or (said[len(heads) :] and said[len(heads)][:1] in (" ", "-")):
        raise InvalidInput("it has a form that cannot be edited safely")
    named = re.compile(rf"""\ufeff?(["']?){re.escape(key)}\1[ ]*:(.*)""", re.DOTALL)
    places = [(number, found) for number, (_, line) in enumerate(lines) if (found := named.match(line))]
    if not places:
        return None
    number, head = places[0]
    rest = re.sub(r"(?:^|\s)#.*", "", head[2].strip()).strip()
    if len(places) > 1 or rest.replace(" ", "") not in ("", "[]"):
        raise InvalidInput(f"{key} has a form that cannot be edited safely")
    start, line = lines[number]
    items = () if rest else tuple(_blocks(lines[number + 1 :], key))
    return _List(start, start + len(line), bool(rest), items)


def _blocks(lines: list[tuple[int, str]], key: str) -> Iterator[YamlBlock]:
    start: int | None = None
    indent, end, body = "", 0, list[str]()
    for at, line in lines:
        level = len(line) - len(line.lstrip(" "))
        is_comment = line[level : level + 1] == "#" and (start is None or level <= len(indent))
        if not line.strip() or is_comment:
            continue
        if line[0] not in (" ", "-"):
            break
        item = _ITEM.match(line)
        if start is None or (item and level == len(indent)):
            if item is None:
                raise InvalidInput(f"{key} has a form that cannot be edited safely")
            if start is not None:
                yield YamlBlock(start, end, indent, _fields(body))
            start, indent, body = at, item[1], []
        elif level <= len(indent):
            raise InvalidInput(f"{key} has a form that cannot be edited safely")
        body.append(line)
        end = at + len(line)
    if start is not None:
        yield YamlBlock(start, end, indent, _fields(body))


def _fields(body: list[str]) -> Mapping[str, object]:
    """Read the fields that stand on one line of an item."""
    item = _ITEM.match(body[0])
    width = item.end() if item else 0
    found: dict[str, object] = {}
    for line in [" " * width + body[0][width:], *body[1:]]:
        field = _FIELD.fullmatch(line.strip())
        if field and len(line) - len(line.lstrip(" ")) == width:
            found[field[2]] = _scalar(field[3] or "")
    return found


def _scalar(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return re.sub(r"\s#.*", "", text).strip().strip("'\"")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((found.start(), found[0]) for found in re.finditer(r"[^\n]*\n|[^\n]+", text))
