"""Put entries into the text of a configuration file, find them there, and take them out again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence

from memory_layer.agents import json_text
from memory_layer.agents.plugin_text import INSTRUCTIONS
from memory_layer.agents.recipes import Entry, EntryKind
from memory_layer.errors import InvalidInput

_SECTION = re.compile(r"\n?<!-- BEGIN MEMORY-LAYER[^>]*-->\n.*?<!-- END MEMORY-LAYER -->\n?", re.DOTALL)
_HOOK = re.compile(r"\bmem(?:\.exe)?['\"]? hook [a-z-]+ ")


def with_entries(text: str, entries: Sequence[Entry]) -> str:
    """Return the text of a file with these entries, replacing older forms of them."""
    for entry in entries:
        if state_of(text, entry) == "current":
            continue
        text = _with_entry(without_entry(text, entry), entry)
    return text


def without_entries(text: str, entries: Sequence[Entry]) -> str:
    """Return the text of a file without these entries and the empty lists and objects they leave."""
    for entry in entries:
        text = without_entry(text, entry)
    return text


def state_of(text: str, entry: Entry) -> str:
    """Return whether an entry is `missing`, `stale` or `current` in a text."""
    if entry.kind is EntryKind.FILE:
        return "missing" if not text else "current" if text == own_text(entry) else "stale"
    if entry.kind is EntryKind.SECTION:
        found = _SECTION.search(text)
        return "missing" if not found else "current" if section() in found[0] else "stale"
    found_value = _ours(text, entry)
    if found_value is _NOTHING:
        return "missing"
    is_current = found_value == entry.value or entry.kind is EntryKind.DEFAULT
    return "current" if is_current else "stale"


def own_text(entry: Entry) -> str:
    """Return the content of a file that is all ours."""
    return entry.value if isinstance(entry.value, str) else json.dumps(entry.value, indent=2) + "\n"


def section() -> str:
    """Return the marked section of an instruction file."""
    digest = hashlib.sha256(INSTRUCTIONS.encode()).hexdigest()[:8]
    return f"<!-- BEGIN MEMORY-LAYER {digest} -->\n{INSTRUCTIONS}<!-- END MEMORY-LAYER -->\n"


def _with_entry(text: str, entry: Entry) -> str:
    if entry.kind is EntryKind.FILE:
        return own_text(entry)
    if entry.kind is EntryKind.SECTION:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return text + gap + section()
    if _is_toml(entry):
        return _toml_with(text, entry)
    if _is_yaml(entry):
        return _yaml_with(text, entry)
    text = text if text.strip("\ufeff \t\r\n") else text + "{}\n"
    put = json_text.with_item if entry.kind is EntryKind.ITEM else json_text.with_value
    return put(text, entry.path, entry.value)


def without_entry(text: str, entry: Entry) -> str:
    if entry.kind in (EntryKind.FILE, EntryKind.DEFAULT):
        return text if entry.kind is EntryKind.DEFAULT else ""
    if entry.kind is EntryKind.SECTION:
        return _SECTION.sub("", text, count=1)
    if _is_toml(entry):
        return _toml_without(text, entry)
    if _is_yaml(entry):
        return _yaml_without(text)
    if not text.strip("\ufeff \t\r\n"):
        return text
    return _json_without(text, entry)


def _json_without(text: str, entry: Entry) -> str:
    path: tuple[json_text.Key, ...] = entry.path
    if entry.kind is EntryKind.ITEM:
        found = json_text.find(json_text.parse(text), path)
        places = (
            [each.key for each in found.members if _is_ours(json_text.plain(each.node), entry)]
            if found
            else []
        )
        for place in reversed(places):
            text = json_text.without(text, (*path, place))
        if not places:
            return text
    else:
        text = json_text.without(text, path)
        path = path[:-1]
    while path:  # an object or list that is empty now was made for us, or says as much as none
        node = json_text.find(json_text.parse(text), path)
        if node is None or node.members or not (node.is_object or node.is_list):
            return text
        text, path = json_text.without(text, path), path[:-1]
    return text


class _Nothing:
    """The absence of a value, which may be null."""


_NOTHING = _Nothing()


def _ours(text: str, entry: Entry) -> object:
    """Return the value that stands where an entry goes; `_NOTHING` if none does."""
    if _is_yaml(entry):
        return entry.value if _yaml_block(entry) in text else _old_yaml(text)
    if not text.strip("\ufeff \t\r\n"):
        return _NOTHING
    value: object = _toml(text) if _is_toml(entry) else json_text.plain(json_text.parse(text))
    for key in entry.path:
        if not isinstance(value, dict) or key not in value:
            return _NOTHING
        value = value[key]
    if entry.kind is not EntryKind.ITEM:
        return value
    items = value if isinstance(value, list) else []
    return next((item for item in items if _is_ours(item, entry)), _NOTHING)


def _is_ours(item: object, entry: Entry) -> bool:
    """Is this item of a list the entry, perhaps as an older version wrote it?"""
    if isinstance(entry.value, str):
        return item == entry.value
    return _HOOK.search(json.dumps(item)) is not None


def _is_toml(entry: Entry) -> bool:
    return entry.file.endswith(".toml")


def _is_yaml(entry: Entry) -> bool:
    return entry.file.endswith((".yaml", ".yml"))


def _toml(text: str) -> object:
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"it is no valid TOML: {error}") from None


def _toml_with(text: str, entry: Entry) -> str:
    """Append the table as text, so that nothing else in the file is rewritten."""
    _toml(text)
    value = entry.value
    assert isinstance(value, dict)
    tables = {key: each for key, each in value.items() if isinstance(each, dict)}
    lines = [
        f"[{'.'.join(entry.path)}]",
        *(f"{key} = {json.dumps(each)}" for key, each in value.items() if key not in tables),
    ]
    for key, table in tables.items():
        lines += [
            "",
            f"[{'.'.join(entry.path)}.{key}]",
            *(f"{name} = {json.dumps(each)}" for name, each in table.items()),
        ]
    end = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text.strip() else end if text.endswith("\n") else end * 2
    result = text + gap + end.join(lines) + end
    _toml(result)  # a key that stands there in another form would be there twice
    return result


def _toml_without(text: str, entry: Entry) -> str:
    """Remove our table and those below it, with the blank line before it."""
    name = ".".join(entry.path)
    header = rf"(?:^|(?<=\n))(?:[ \t]*\r?\n)?\[{re.escape(name)}(?:\.[^\]\n]*)?\][^\n]*(?:\n(?!\[)[^\n]*)*\n?"
    found = _toml(text)
    for key in entry.path:
        if not isinstance(found, dict) or key not in found:
            return text
        found = found[key]
    result = re.sub(header, "", text)
    return result


def _yaml_block(entry: Entry) -> str:
    value = entry.value
    assert isinstance(value, dict)
    first, *rest = (f"{key}: {json.dumps(each)}" for key, each in value.items())
    return "\n".join([f"  - {first}", *(f"    {line}" for line in rest)]) + "\n"


def _old_yaml(text: str) -> object:
    return None if _OLD_BLOCK.search(text) else _NOTHING


_OLD_BLOCK = re.compile(r'^  - name: "?memory"?\n(?:    [^\n]*\n?)*', re.MULTILINE)


def _yaml_with(text: str, entry: Entry) -> str:
    """Add our server below `mcpServers:`; other forms of that list are left to their owner."""
    key = entry.path[0]
    found = re.search(rf"^{key}:([^\n]*)\n", text, re.MULTILINE)
    if found is None:
        if re.search(rf"^{key}:", text, re.MULTILINE):
            raise InvalidInput(f"{key} has a form that cannot be edited safely")
        gap = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{gap}{key}:\n{_yaml_block(entry)}"
    items = re.match(r"[ \t]*-", text[found.end() :])
    if found[1].strip() or (items is not None and not text.startswith("  - ", found.end())):
        raise InvalidInput(f"{key} has a form that cannot be edited safely")
    return text[: found.end()] + _yaml_block(entry) + text[found.end() :]


def _yaml_without(text: str) -> str:
    text = _OLD_BLOCK.sub("", text)
    return re.sub(r"^mcpServers:\n(?=\S|\Z)", "", text, flags=re.MULTILINE)
