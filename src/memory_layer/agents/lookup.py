"""Find entries in the value of a configuration file, and tell what in it is not ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from memory_layer.agents import json_text, ours, toml_text, yaml_text
from memory_layer.agents.recipes import Entry, EntryKind
from memory_layer.errors import InvalidInput

BLANK = "\ufeff \t\r\n"


class _Nothing:
    """The absence of a value, which may be null."""


NOTHING = _Nothing()


def value_of(text: str, entry: Entry) -> object:
    """Parse a text; a list in YAML becomes a list of the fields that can be told."""
    if not text.strip(BLANK):
        return {}
    if is_yaml(entry):
        return {entry.path[0]: [dict(block.fields) for block in yaml_text.blocks(text, entry.path[0])]}
    return toml_text.value(text) if is_toml(entry) else json_text.plain(json_text.parse(text, entry.path))


def at(value: object, path: Iterable[str]) -> object:
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return NOTHING
        value = value[key]
    return value


def found_in(value: object, entry: Entry) -> Any:
    """Return what stands where an entry goes: the value, or the items of ours; refuse another's."""
    found = at(value, entry.path)
    if entry.kind is not EntryKind.ITEM:
        is_theirs = found is not NOTHING and not is_our_value(found, entry)
        if is_theirs and entry.kind is not EntryKind.OFFER:
            raise InvalidInput(f"{'.'.join(entry.path)} in it is another program's")
        return found
    items = found if isinstance(found, list) else []
    if is_yaml(entry):
        names = [each for each in items if each.get("name") == table(entry.value)["name"]]
        if any(not ours.is_server(each) for each in names):
            raise InvalidInput(f"the server {names[0]['name']!r} in it is another program's")
    mine = [each for each in items if _is_our_item(each, entry)]
    shared = [each for each in items if _is_hook_entry(entry) and ours.shared(each)]
    return [*mine, *shared] or NOTHING


def places(text: str, entry: Entry) -> Iterator[tuple[json_text.Key, ...]]:
    """Yield the path of each item that is ours; of a hook shared with others only our command."""
    found = at(value_of(text, entry), entry.path)
    for number, item in enumerate(found if isinstance(found, list) else []):
        place: tuple[json_text.Key, ...] = (*entry.path, number)
        if _is_our_item(item, entry):
            yield place
        elif _is_hook_entry(entry):
            yield from ((*place, "hooks", deeper) for deeper in ours.shared(item))


def swept(text: str, entries: Sequence[Entry]) -> list[Entry]:
    """Return these entries, and those that an older version may have put at other events."""
    hook = next((entry for entry in entries if _is_hook_entry(entry)), None)
    found = at(value_of(text, hook), hook.path[:-1]) if hook else None
    events = [(*hook.path[:-1], event) for event in found] if hook and isinstance(found, dict) else []
    wanted = {entry.path for entry in entries}
    more = [hook._replace(path=path) for path in events if hook and path not in wanted]
    return [*entries, *more]


def others(text: str, entries: Sequence[Entry]) -> object:
    """Return what a text says without our entries."""
    value = value_of(text, entries[0])
    for entry in swept(text, entries):
        value = _dropped(value, entry.path, entry)
    return value


def _dropped(value: Any, path: Sequence[str], entry: Entry) -> Any:
    """Return a value without our entry and the empty objects and lists around it."""
    if path:
        if not isinstance(value, dict) or path[0] not in value:
            return value
        inner = _dropped(value[path[0]], path[1:], entry)
        rest = {key: each for key, each in value.items() if key != path[0]}
        return rest if inner is NOTHING or inner in ({}, []) else {**rest, path[0]: inner}
    if entry.kind is EntryKind.ITEM:
        items = value if isinstance(value, list) else None
        return (
            value
            if items is None
            else [_unshared(each, entry) for each in items if not _is_our_item(each, entry)]
        )
    if entry.kind is EntryKind.DEFAULT:
        return NOTHING if value == entry.value else value
    return NOTHING if is_our_value(value, entry) else value


def _unshared(item: Any, entry: Entry) -> object:
    places = ours.shared(item) if _is_hook_entry(entry) else []
    if not places:
        return item
    return {**item, "hooks": [each for place, each in enumerate(item["hooks"]) if place not in places]}


def _is_our_item(item: object, entry: Entry) -> bool:
    if isinstance(entry.value, str):
        return item == entry.value
    return is_our_block(item, entry) if is_yaml(entry) else ours.is_hook(item)


def is_our_block(fields: Any, entry: Entry) -> bool:
    return fields.get("name") == table(entry.value)["name"] and ours.is_server(fields)


def is_our_value(found: object, entry: Entry) -> bool:
    if entry.kind is EntryKind.OFFER:
        return ours.is_hook(found)
    return entry.kind is EntryKind.DEFAULT or not isinstance(entry.value, dict) or ours.is_server(found)


def _is_hook_entry(entry: Entry) -> bool:
    return entry.kind is EntryKind.ITEM and entry.path[0] == "hooks"


def is_toml(entry: Entry) -> bool:
    return entry.file.endswith(".toml")


def is_yaml(entry: Entry) -> bool:
    return entry.file.endswith((".yaml", ".yml"))


def table(value: object) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value
