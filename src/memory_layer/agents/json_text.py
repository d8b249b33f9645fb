"""Change single values in a JSON text with comments, and leave every other byte as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TypeAlias

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple

DEEPEST = 60  #: levels; a configuration has a few
_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])")
_INDENT = re.compile(r"\n([ \t]+)\S")

Key: TypeAlias = str | int


def _refused(constant: str) -> object:
    raise ValueError(constant)


_PLAIN = json.JSONDecoder(parse_constant=_refused)


class Node(NamedTuple):
    """A value, where it stands in the text, and its parts."""

    start: int
    end: int
    value: object  #: of a scalar, or of an object or list that was read whole; otherwise its members count
    members: tuple[Member, ...] = ()
    is_object: bool = False
    is_list: bool = False
    has_trailing_comma: bool = False


class Member(NamedTuple):
    """An entry of an object or list."""

    key: Key
    start: int  #: of its name, or of its value in a list
    node: Node


def parse(text: str, path: Sequence[Key] = ()) -> Node:
    """Parse a JSON text, with comments and trailing commas; values off the path are taken whole."""
    start = _skip(text, 0)
    if start == len(text):
        raise InvalidInput("it is empty")
    node = _value(text, start, 0, path)
    if _skip(text, node.end) != len(text):
        raise _broken(text, _skip(text, node.end))
    return node


def plain(node: Node) -> object:
    """Return a value without its places."""
    if node.value is not None:
        return node.value
    if node.is_object:
        return {str(member.key): plain(member.node) for member in node.members}
    if node.is_list:
        return [plain(member.node) for member in node.members]
    return None


def find(text: str, path: Sequence[Key]) -> Node | None:
    """Return the value at a path; None if it is not there."""
    return _below(parse(text, path), path)


def _below(node: Node, path: Sequence[Key]) -> Node | None:
    for key in path:
        member = next((each for each in node.members if each.key == key), None)
        if member is None:
            return None
        node = member.node
    return node


def with_value(text: str, path: Sequence[Key], value: object) -> str:
    """Return the text with a value at a path; missing objects around it are made."""
    node, depth = parse(text, path), 0
    for depth, key in enumerate(path):  # noqa: B007 - the depth is needed behind the loop
        inner = _below(node, [key])
        if inner is None:
            break
        node = inner
    else:
        is_compact = node.end - node.start > 2 and "\n" not in text[node.start : node.end]
        lines = _written(value, _indent(text), _level(text, node.start), _line_end(text))
        new = json.dumps(value, ensure_ascii=False) if is_compact else lines
        return text[: node.start] + new + text[node.end :]
    for key in reversed(path[depth + 1 :]):
        value = {str(key): value}
    if not node.is_object:
        raise InvalidInput(f"{_named(path[:depth])} is not an object")
    return _inserted(text, node, str(path[depth]), value)


def with_item(text: str, path: Sequence[Key], value: object) -> str:
    """Return the text with one more item at the end of a list, which is made if it is missing."""
    node = find(text, path)
    if node is None:
        return with_value(text, path, [value])
    if not node.is_list:
        raise InvalidInput(f"{_named(path)} is not a list")
    return _inserted(text, node, None, value)


def without(text: str, path: Sequence[Key]) -> str:
    """Return the text without the entry at a path and its comma; comments around it stay."""
    parent = find(text, path[:-1])
    members = parent.members if parent else ()
    place = next((number for number, each in enumerate(members) if each.key == path[-1]), None)
    if parent is None or place is None:
        return text
    start, end = members[place].start, members[place].node.end
    comma = _skip(text, end)
    if text[comma] == ",":
        before, after = text[parent.start + 1 : start], text[end:comma] + text[comma + 1 : parent.end - 1]
    else:
        last = members[place - 1].node.end if place else start
        comma = _skip(text, last) if place else start
        before = text[parent.start + 1 : comma] + text[comma + bool(place) : start]
        after = text[end : parent.end - 1]
    inside = _closed_up(before, after)
    return text[: parent.start + 1] + (inside if inside.strip() else "") + text[parent.end - 1 :]


def _closed_up(before: str, after: str) -> str:
    """Join what stood around an entry: its line goes, unless something else stands on it."""
    kept = before.rstrip(" \t\r\n")
    has_line = "\n" in before[len(kept) :]
    rest = after.lstrip(" \t")
    if has_line and rest[:1] in ("\r", "\n"):
        return kept + rest
    return before + rest if has_line or not kept else kept + after


def _inserted(text: str, node: Node, name: str | None, value: object) -> str:
    """Insert an entry at the end of an object or list, in the style of the text around it."""
    line_end, indent = _line_end(text), _indent(text)
    level = _level(text, node.start)
    inner = level + indent
    key = "" if name is None else f"{json.dumps(name, ensure_ascii=False)}: "
    entry = f"{key}{_written(value, indent, inner, line_end)}"
    last = node.members[-1].node.end if node.members else node.start + 1
    if node.members and "\n" not in text[node.start : node.end]:
        at = _skip(text, last) + 1 if node.has_trailing_comma else last
        new = f"{key}{json.dumps(value, ensure_ascii=False)}"
        return f"{text[:at]} {new},{text[at:]}" if at > last else f"{text[:at]}, {new}{text[at:]}"
    tail = text[last : node.end - 1]  # white space and comments, and perhaps a comma
    kept = tail.rstrip()
    comma = "," if node.members and not node.has_trailing_comma else ""
    end = "," if node.has_trailing_comma else ""
    closing = tail[len(kept) :] if node.members and "\n" in tail[len(kept) :] else line_end + level
    return f"{text[:last]}{comma}{kept}{line_end}{inner}{entry}{end}{closing}{text[node.end - 1 :]}"


def _written(value: object, indent: str, level: str, line_end: str) -> str:
    lines = json.dumps(value, indent=indent, ensure_ascii=False).split("\n")
    return f"{line_end}{level}".join(lines)


def _indent(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _level(text: str, at: int) -> str:
    """Return the white space at the beginning of the line of a place."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _named(path: Sequence[Key]) -> str:
    return ".".join(map(str, path)) or "the whole file"


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int, path: Sequence[Key] | None) -> Node:
    """Parse a value; without a path nobody asks for its parts, so that the fast parser may read it."""
    if depth > DEEPEST:
        raise InvalidInput(f"it is nested more than {DEEPEST} levels deep")
    if text[at : at + 1] in ("{", "["):
        whole = _whole(text, at) if path is None else None
        return whole or _container(text, at, depth, path)
    found = _STRING.match(text, at) or _SCALAR.match(text, at)
    if found is None:
        raise _broken(text, at)
    try:
        return Node(at, found.end(), json.loads(found[0]))
    except ValueError:
        raise _broken(text, at) from None


def _whole(text: str, at: int) -> Node | None:
    """Read an object or list without comments; None if it is not that plain."""
    try:
        value, end = _PLAIN.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return Node(at, end, value, (), text[at] == "{", text[at] == "[")


def _container(text: str, at: int, depth: int, path: Sequence[Key] | None) -> Node:
    start, is_object = at, text[at] == "{"
    members: list[Member] = []
    known: set[Key] = set()
    trailing = False
    at = _skip(text, at + 1)
    while text[at : at + 1] != ("}" if is_object else "]"):
        if members and not trailing:
            raise _broken(text, at)
        begin, key = at, _place(members)
        if is_object:
            key, at = _name(text, at)
            if key in known:
                raise InvalidInput(f"the key {str(key)[:40]!r} stands twice in it, on line {_line(text, at)}")
            known.add(key)
        node = _value(text, at, depth + 1, path[1:] if path and path[0] == key else None)
        members.append(Member(key, begin, node))
        at = _skip(text, node.end)
        trailing = text[at : at + 1] == ","
        at = _skip(text, at + 1) if trailing else at
    return Node(start, at + 1, None, tuple(members), is_object, not is_object, trailing)


def _place(members: Sequence[Member]) -> Key:
    return len(members)


def _name(text: str, at: int) -> tuple[Key, int]:
    found = _STRING.match(text, at)
    if found is None or text[(colon := _skip(text, found.end())) : colon + 1] != ":":
        raise _broken(text, at)
    try:
        return str(json.loads(found[0])), _skip(text, colon + 1)
    except ValueError:
        raise _broken(text, at) from None


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _broken(text: str, at: int) -> InvalidInput:
    return InvalidInput(f"line {_line(text, at)} is no valid JSON")
