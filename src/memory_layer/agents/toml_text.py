"""Add a table to a TOML text and remove it again, and leave every other byte as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memory_layer.errors import InvalidInput

#: What may hold brackets and line ends that mean nothing: strings of all four kinds, and comments.
_OPAQUE = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK_LINE = re.compile(r"(?:\A|(?<=\n))[ \t]*\r?\n\Z")


def value(text: str) -> dict[str, Any]:
    """Parse a TOML text."""
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidInput(f"it is no valid TOML: {error}") from None


def with_table(text: str, path: Sequence[str], table: Mapping[str, object]) -> str:
    """Append a table, so that nothing else in the file is rewritten."""
    end = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text.strip("\ufeff \t\r\n") else end if text.endswith("\n") else end * 2
    result = text + gap + end.join(_lines(path, table)) + end
    try:
        value(result)
    except InvalidInput:  # the key stands there in a form that a table cannot be added to
        raise InvalidInput(f"{'.'.join(path[:-1])} has a form that cannot be edited safely") from None
    return result


def without_table(text: str, path: Sequence[str]) -> str:
    """Remove a table and those below it, each with the blank line before it."""
    for start, end in reversed(list(_tables(text, tuple(path)))):
        blank = _BLANK_LINE.search(text[:start])
        text = text[: blank.start() if blank else start] + text[end:]
    return text


def _lines(path: Sequence[str], table: Mapping[str, object]) -> Iterator[str]:
    yield f"[{'.'.join(map(_key, path))}]"
    below = {key: each for key, each in table.items() if isinstance(each, dict)}
    yield from (f"{_key(key)} = {_written(each)}" for key, each in table.items() if key not in below)
    for key, each in below.items():
        yield ""
        yield from _lines([*path, key], each)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _written(item: object) -> str:
    """Write a value; JSON's scalars and lists of them are TOML too."""
    try:
        return json.dumps(item, ensure_ascii=False).replace("\x7f", "\\u007f")
    except TypeError:
        raise InvalidInput(f"it holds a value that cannot be kept: {str(item)[:40]}") from None


def _tables(text: str, path: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield where the tables at and below a path begin, and where the last line of each ends."""
    open_since: int | None = None
    last = 0
    for start, end, is_header in _statements(text):
        if is_header:
            if open_since is not None:
                yield open_since, last
            open_since = start if _path_of(text[start:end])[: len(path)] == path else None
        last = end
    if open_since is not None:
        yield open_since, last


def _statements(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the lines of a valid text that say something, joined where a value goes on; with the line end of each."""
    masked = _OPAQUE.sub(lambda found: ("#" if found[0][0] == "#" else "s") * len(found[0]), text)
    start, depth = 0, 0
    for at in (found.start() for found in re.finditer(r"[\[\]{}\n]|\Z", masked)):
        mark = masked[at : at + 1]
        depth += (mark in ("[", "{")) - (mark in ("]", "}"))
        if depth or mark not in ("\n", ""):
            continue
        said = masked[start:at].strip("\ufeff \t\r")
        if said and said[0] != "#":
            yield start, min(at + 1, len(text)), said[0] == "["
        start = at + 1


def _path_of(header: str) -> tuple[str, ...]:
    found: object = value(header)
    path = []
    while found and isinstance(found, (dict, list)):
        if isinstance(found, list):
            found = found[0]
            continue
        name, found = next(iter(found.items()))
        path.append(name)
    return tuple(path)
