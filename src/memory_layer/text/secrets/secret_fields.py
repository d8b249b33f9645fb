"""Secrets taken out of JSON values, where the name of a field tells what it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_layer.errors import InvalidInput
from memory_layer.text.secrets.secrets import Redacted, redact
from memory_layer.text.secrets.values import MARKER, Form, is_secret, without_markers
from memory_layer.text.secrets.words import field_family
from memory_layer.text.unicode import folded

DEEPEST_VALUE = 100  #: levels of nesting in a JSON value

#: Fields that name what the field `value` beside them holds, and ends of fields that only describe a secret.
_LABELS = ("name", "key", "field", "label", "variable")
_DESCRIBING = ("name", "type", "kind", "description", "policy", "length", "date", "_at", "_in", "algorithm")


def cleaned(value: object, kinds: list[str]) -> object:
    """Return a value without its secrets, and add their kinds to a list."""
    return _clean(value, None, kinds, DEEPEST_VALUE)


def _clean(value: object, family: str | None, kinds: list[str], levels: int) -> object:
    if levels == 0:
        raise InvalidInput(f"a value is nested deeper than {DEEPEST_VALUE} levels")
    if isinstance(value, Mapping):
        return _clean_pairs(value, family, kinds, levels)
    if isinstance(value, list | tuple):
        return _clean_items(value, family, kinds, levels)
    if isinstance(value, bool) or value is None:
        return value
    result = redact(value) if isinstance(value, str) else Redacted(str(value))
    kinds.extend(result.kinds)
    if family and is_secret(folded(without_markers(result.text)), family, Form.QUOTED):
        kinds.append(family)
        return f"{MARKER}{family}]"
    return result.text if isinstance(value, str) else value


def _clean_items(items: Sequence[object], family: str | None, kinds: list[str], levels: int) -> list[object]:
    cleaned: list[object] = []
    option = None
    for item in items:
        cleaned.append(_clean(item, option or family, kinds, levels - 1))
        option = field_family(folded(item)) if isinstance(item, str) and item.startswith("-") else None
    return cleaned


def _clean_pairs(
    pairs: Mapping[object, object], family: str | None, kinds: list[str], levels: int
) -> dict[object, object]:
    names = {folded(str(key)).lower(): value for key, value in pairs.items()}
    named = next((names[label] for label in _LABELS if isinstance(names.get(label), str)), "")
    cleaned: dict[object, object] = {}
    for key, value in pairs.items():
        name = folded(str(key))
        own = field_family(folded(str(named))) if name.lower() in ("value", "values") else field_family(name)
        inherited = None if name.lower().endswith(_DESCRIBING) else family
        kept = _clean(key, None, kinds, levels) if isinstance(key, str) else key
        while kept in cleaned:
            kept = f"{kept}+"
        cleaned[kept] = _clean(value, own or inherited, kinds, levels - 1)
    return cleaned
