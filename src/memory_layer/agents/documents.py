"""Put entries into the text of a configuration file, find them there, and take them out again.

A text is edited in small steps. At the end it is parsed again, and refused if anything but our entries differs.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from memory_layer.agents import json_text, lookup, ours, toml_text, yaml_text
from memory_layer.agents.plugin_text import INSTRUCTIONS
from memory_layer.agents.recipes import Entry, EntryKind
from memory_layer.errors import InvalidInput

_SECTION = re.compile(
    r"(?:\r?\n)?<!-- BEGIN MEMORY-LAYER[^>]*-->\r?\n.*?<!-- END MEMORY-LAYER -->(?:\r?\n)?", re.DOTALL
)
_MARK = re.compile(r"<!-- (?:BEGIN|END) MEMORY-LAYER")


def with_entries(text: str, entries: Sequence[Entry]) -> list[str]:
    """Return the text of a file after each step of adding these entries, the text itself first."""
    steps = [text, *_without_old(text, entries)]
    for entry in entries:
        if state_of(steps[-1], entry) != "current":
            steps.append(_with_entry(steps[-1], entry))
    _check(text, steps[-1], entries)
    if any(state_of(steps[-1], entry) != "current" for entry in entries):
        raise InvalidInput("it has a form that cannot be edited safely")
    return steps


def without_entries(text: str, entries: Sequence[Entry]) -> list[str]:
    """Return the text of a file after each step of removing these entries, the text itself first."""
    steps = [text]
    for entry in lookup.swept(text, entries):
        steps.append(_without_entry(steps[-1], entry))
    _check(text, steps[-1], entries)
    return steps


def state_of(text: str, entry: Entry) -> str:
    """Return whether an entry is `missing`, `stale` or `current` in a text; refuse if another's stands there."""
    if entry.kind is EntryKind.FILE:
        if text.strip() and text != own_text(entry) and not ours.is_file(entry.file, text):
            raise InvalidInput("it is not as this program wrote it; move it away first")
        return "missing" if not text.strip() else "current" if text == own_text(entry) else "stale"
    if entry.kind is EntryKind.SECTION:
        found = _section_in(text)
        return "missing" if not found else "current" if section() in found.replace("\r\n", "\n") else "stale"
    found_value = lookup.found_in(lookup.value_of(text, entry), entry)
    if found_value is lookup.NOTHING:
        return "missing"
    if entry.kind is EntryKind.OFFER and not lookup.is_our_value(found_value, entry):
        return "current"
    if entry.kind is EntryKind.ITEM:
        return "current" if found_value == [entry.value] else "stale"
    is_current = entry.kind is EntryKind.DEFAULT or _covers(found_value, entry.value)
    return "current" if is_current else "stale"


def own_text(entry: Entry) -> str:
    """Return the content of a file that is all ours."""
    return entry.value if isinstance(entry.value, str) else json.dumps(entry.value, indent=2) + "\n"


def section() -> str:
    """Return the marked section of an instruction file."""
    digest = hashlib.sha256(INSTRUCTIONS.encode()).hexdigest()[:8]
    return f"<!-- BEGIN MEMORY-LAYER {digest} -->\n{INSTRUCTIONS}<!-- END MEMORY-LAYER -->\n"


def _with_entry(text: str, entry: Entry) -> str:
    """Add an entry; an older form of it is replaced where it stands, with what others added to it."""
    if entry.kind is EntryKind.FILE:
        return own_text(entry)
    if entry.kind is EntryKind.SECTION:
        return _with_section(_SECTION.sub("", text))
    if lookup.is_yaml(entry):
        return yaml_text.with_block(_without_entry(text, entry), entry.path[0], lookup.table(entry.value))
    found = lookup.found_in(lookup.value_of(text, entry), entry)
    if lookup.is_toml(entry):
        kept = {} if found is lookup.NOTHING else found
        return toml_text.with_table(_without_entry(text, entry), entry.path, _merged(kept, entry.value))
    text = text if text.strip(lookup.BLANK) else text + "{}\n"
    if entry.kind is EntryKind.ITEM:
        return _with_item(text, entry)
    value = entry.value if found is lookup.NOTHING else _merged(found, entry.value)
    return json_text.with_value(text, entry.path, value)


def _with_item(text: str, entry: Entry) -> str:
    """Add an item to a list; its older form keeps its place, because Codex trusts hooks by their places."""
    places = list(lookup.places(text, entry))
    own = next((place for place in places if len(place) == len(entry.path) + 1), None)
    for place in reversed(places):
        text = text if place == own else json_text.without(text, place)
    if own is None:
        return json_text.with_item(text, entry.path, entry.value)
    return json_text.with_value(text, next(lookup.places(text, entry)), entry.value)


def _with_section(text: str) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else end if text.endswith("\n") else end * 2
    return text + gap + section().replace("\n", end)


def _without_entry(text: str, entry: Entry) -> str:
    if entry.kind is EntryKind.DEFAULT or not text.strip(lookup.BLANK):
        return text
    if entry.kind is EntryKind.FILE:
        is_ours = state_of(text, entry) != "missing" if ours.calls_us(text) else text == own_text(entry)
        return "" if is_ours else text
    if entry.kind is EntryKind.SECTION:
        return _SECTION.sub("", text) if _section_in(text) else text
    if lookup.is_yaml(entry):
        for block in reversed(yaml_text.blocks(text, entry.path[0])):
            if lookup.is_our_block(block.fields, entry):
                text = yaml_text.without_block(text, entry.path[0], block)
        return text
    if entry.kind is EntryKind.ITEM:
        places = list(lookup.places(text, entry))
        for place in reversed(places):
            text = json_text.without(text, place)
        return _pruned(text, entry.path) if places else text
    found = lookup.at(lookup.value_of(text, entry), entry.path)
    if found is lookup.NOTHING or not lookup.is_our_value(found, entry):
        return text
    if lookup.is_toml(entry):
        return toml_text.without_table(text, entry.path)
    return _pruned(json_text.without(text, entry.path), entry.path[:-1])


def _without_old(text: str, entries: Sequence[Entry]) -> Iterator[str]:
    """Remove our hooks at events that are used no more."""
    wanted = {entry.path for entry in entries}
    for entry in lookup.swept(text, entries):
        if entry.path not in wanted and list(lookup.places(text, entry)):
            text = _without_entry(text, entry)
            yield text


def _pruned(text: str, path: Sequence[json_text.Key]) -> str:
    """Remove the objects and lists along a path that are empty now, unless a comment stands in them."""
    while path:
        node = json_text.find(text, path)
        if node is None or node.members or text[node.start + 1 : node.end - 1].strip():
            return text
        text, path = json_text.without(text, path), path[:-1]
    return text


def _covers(found: object, wanted: object) -> bool:
    """Does a value hold everything that is wanted? Somebody may have added to it."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return all(key in found and _covers(found[key], each) for key, each in wanted.items())
    if isinstance(found, list) and isinstance(wanted, list):
        return found[: len(wanted)] == wanted
    return found == wanted


def _merged(found: Any, wanted: Any) -> Any:
    """Return what is wanted, with what somebody added: fields, and options behind the words of a command."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return {**found, **{key: _merged(found.get(key), each) for key, each in wanted.items()}}
    if (
        isinstance(found, list)
        and isinstance(wanted, list)
        and found[len(wanted) - 1 : len(wanted)] == wanted[-1:]
    ):
        return [*wanted, *found[len(wanted) :]]
    return wanted


def _section_in(text: str) -> str | None:
    found = _SECTION.findall(text)
    if len(_MARK.findall(text)) != 2 * len(found):
        raise InvalidInput("the marks of the section in it are not in pairs")
    return found[0] if len(found) == 1 else "".join(found) or None


def _check(before: str, after: str, entries: Sequence[Entry]) -> None:
    """Refuse a change after which anything but our entries would say something else."""
    if entries[0].kind in (EntryKind.FILE, EntryKind.SECTION):
        return
    if lookup.others(before, entries) != lookup.others(after, entries):
        raise InvalidInput("it has a form that cannot be edited safely")
