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


class Node(NamedTuple):
    """A value, where it stands in the text, and its parts."""

    start: int
    end: int
    value: object  #: of a scalar; the parts of an object or list count otherwise
    members: tuple[Member, ...] = ()
    is_object: bool = False
    is_list: bool = False
    has_trailing_comma: bool = False


class Member(NamedTuple):
    """An entry of an object or list."""

    key: Key
    start: int  #: of its name, or of its value in a list
    node: Node


def parse(text: str) -> Node:
    """Parse a JSON text, with comments and trailing commas; refuse anything else."""
    start = _skip(text, 0)
    if start == len(text):
        raise InvalidInput("it is empty")
    node = _value(text, start, 0)
    if _skip(text, node.end) != len(text):
        raise _broken(text, _skip(text, node.end))
    return node


def plain(node: Node) -> object:
    """Return a value without its places."""
    if node.is_object:
        return {str(member.key): plain(member.node) for member in node.members}
    if node.is_list:
        return [plain(member.node) for member in node.members]
    return node.value


def find(node: Node, path: Sequence[Key]) -> Node | None:
    """Return the value at a path; None if it is not there."""
    for key in path:
        member = next((each for each in node.members if each.key == key), None)
        if member is None:
            return None
        node = member.node
    return node


def with_value(text: str, path: Sequence[Key], value: object) -> str:
    """Return the text with a value at a path; missing objects around it are made."""
    root = parse(text)
    node, depth = root, 0
    for depth, key in enumerate(path):  # noqa: B007 - the depth is needed behind the loop
        inner = find(node, [key])
        if inner is None:
            break
        node = inner
    else:
        new = _written(value, _indent(text), _level(text, node.start), _line_end(text))
        return text[: node.start] + new + text[node.end :]
    for key in reversed(path[depth + 1 :]):
        value = {str(key): value}
    if not node.is_object:
        raise InvalidInput(f"{_named(path[:depth])} is not an object")
    return _inserted(text, node, str(path[depth]), value)


def with_item(text: str, path: Sequence[Key], value: object) -> str:
    """Return the text with one more item at the end of a list, which is made if it is missing."""
    node = find(parse(text), path)
    if node is None:
        return with_value(text, path, [value])
    if not node.is_list:
        raise InvalidInput(f"{_named(path)} is not a list")
    return _inserted(text, node, None, value)


def without(text: str, path: Sequence[Key]) -> str:
    """Return the text without the entry at a path; the same text if there is none."""
    parent = find(parse(text), path[:-1])
    if parent is None:
        return text
    place = next((number for number, each in enumerate(parent.members) if each.key == path[-1]), None)
    if place is None:
        return text
    members = parent.members
    if len(members) == 1:
        return text[: parent.start + 1] + text[parent.end - 1 :]
    if place:
        return text[: members[place - 1].node.end] + text[members[place].node.end :]
    return text[: members[0].start] + text[members[1].start :]


def _inserted(text: str, node: Node, name: str | None, value: object) -> str:
    """Insert an entry at the end of an object or list, in the style of the text around it."""
    line_end, indent = _line_end(text), _indent(text)
    level = _level(text, node.start)
    inner = level + indent
    key = "" if name is None else f"{json.dumps(name, ensure_ascii=False)}: "
    if not node.members:
        entry = f"{key}{_written(value, indent, inner, line_end)}"
        rest = text[node.start + 1 : node.end - 1]
        kept = rest.rstrip() if rest.strip() else ""  # a comment may stand in an empty object
        opened = text[: node.start + 1] + kept + line_end + inner
        return f"{opened}{entry}{line_end}{level}{text[node.end - 1 :]}"
    last = node.members[-1].node.end
    entry = f"{key}{_written(value, indent, inner, line_end)}"
    if "\n" not in text[node.start : node.end]:
        compact = json.dumps(value, ensure_ascii=False)
        return f"{text[:last]}, {key}{compact}{text[last:]}"
    if node.has_trailing_comma:
        comma = text.index(",", _skip(text, last)) + 1
        return f"{text[:comma]}{line_end}{inner}{entry},{text[comma:]}"
    return f"{text[:last]},{line_end}{inner}{entry}{text[last:]}"


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


def _value(text: str, at: int, depth: int) -> Node:
    if depth > DEEPEST:
        raise InvalidInput(f"it is nested more than {DEEPEST} levels deep")
    if text[at : at + 1] in ("{", "["):
        return _container(text, at, depth)
    found = _STRING.match(text, at) or _SCALAR.match(text, at)
    if found is None:
        raise _broken(text, at)
    try:
        return Node(at, found.end(), json.loads(found[0]))
    except ValueError:
        raise _broken(text, at) from None


def _container(text: str, at: int, depth: int) -> Node:
    start, is_object = at, text[at] == "{"
    members: list[Member] = []
    trailing = False
    at = _skip(text, at + 1)
    while text[at : at + 1] != ("}" if is_object else "]"):
        if members and not trailing:
            raise _broken(text, at)
        begin, key = at, _place(members)
        if is_object:
            key, at = _name(text, at)
            if any(each.key == key for each in members):
                raise InvalidInput(f"the key {str(key)[:40]!r} stands twice in it, on line {_line(text, at)}")
        node = _value(text, at, depth + 1)
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
    return str(json.loads(found[0])), _skip(text, colon + 1)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _broken(text: str, at: int) -> InvalidInput:
    return InvalidInput(f"line {_line(text, at)} is no valid JSON")
