"""Tell the entries of this program from those of others, also as an older version or a person wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from memory_layer.agents import json_text
from memory_layer.errors import InvalidInput

_HOOK = re.compile(r"""(?:^|[\s/\\'"])mem(?:\.exe)?['"]? hook [\w-]+ """)
_SCRIPT = re.compile(r"#!/bin/sh\nexec [^\n]*mem(?:\.exe)?['\"]? hook [\w-]+ \w+\n")
_COMMANDS = ("mem", "mem.exe", "memory-layer", "memory_layer")


def is_server(value: object) -> bool:
    """Does this entry of a list of servers start `mem mcp`?"""
    if not isinstance(value, dict):
        return False
    nested = value.get("transport")
    words = [*_words(value.get("command")), *_words(value.get("args"))]
    starts = any(_name(word) in _COMMANDS and after == "mcp" for word, after in pairwise(words))
    return starts or (isinstance(nested, dict) and is_server(nested))


def is_hook(item: object) -> bool:
    """Do all commands of this hook call `mem hook`?"""
    commands = list(_commands(item))
    return bool(commands) and all(map(_HOOK.search, commands))


def shared(item: object) -> list[int]:
    """Return the places of our commands in a hook that also holds commands of others."""
    inner = item.get("hooks") if isinstance(item, dict) and not is_hook(item) else None
    return [place for place, each in enumerate(inner if isinstance(inner, list) else []) if is_hook(each)]


def is_file(name: str, text: str) -> bool:
    """Is this whole file one that this program wrote?"""
    if name.endswith(".js"):
        return text.startswith("// Written by `mem install")
    if not name.endswith(".json"):
        return _SCRIPT.fullmatch(text) is not None
    try:
        return is_hook(json_text.plain(json_text.parse(text)))
    except InvalidInput:
        return False


def calls_us(text: str) -> bool:
    """Does a text call `mem hook` anywhere?"""
    return _HOOK.search(text) is not None or "mem install" in text


def _commands(item: object) -> Iterator[str]:
    if isinstance(item, list):
        for each in item:
            yield from _commands(each)
    elif isinstance(item, dict):
        for key, each in item.items():
            if isinstance(each, str) and key in ("command", "bash", "powershell"):
                yield each
            else:
                yield from _commands(each)


def _words(value: object) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [each for each in items if isinstance(each, str)]


def _name(word: str) -> str:
    return PurePosixPath(word.replace("\\", "/")).name
