"""Secrets are taken out of every text before anything else sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.policy.hidden import folded
from memory_layer.policy.secret_finding import Span, is_plain, spans
from memory_layer.policy.secret_formats import FORMATS
from memory_layer.policy.secret_values import MARKER, Form, is_secret, without_markers
from memory_layer.policy.secret_words import field_family

_NAMED_KINDS = ("password", "secret", "token", "key", "url-password", "command-password")
#: Every kind that can stand in a `[REDACTED:kind]`, the most telling first.
KINDS: tuple[str, ...] = tuple(
    dict.fromkeys([*(row.kind for row in FORMATS if row.kind not in _NAMED_KINDS), *_NAMED_KINDS])
)
DEEPEST_VALUE = 100  #: levels of nesting in a JSON value

#: Taking one secret out can lay bare another beside it: as many of a chain without gaps are found one by one.
_PASSES = 32
_RANK = {kind: rank for rank, kind in enumerate(KINDS)}
#: Fields that name what the field `value` beside them holds, and ends of fields that only describe a secret.
_LABELS = ("name", "key", "field", "label", "variable")
_DESCRIBING = ("name", "type", "kind", "description", "policy", "length", "date", "_at", "_in", "algorithm")


class Redacted(NamedTuple):
    """A text without its secrets, and the kinds that were in it, each once, in order of appearance."""

    text: str
    kinds: tuple[str, ...] = ()


#: Ids that this program makes: one may end like the name of a secret, and another stand behind it.
_OWN_IDS = re.compile(r"(?:mem|out|op|rec|run)_[a-z2-7]{26}(?::mem_[a-z2-7]{26})?")


def redact(text: str) -> Redacted:
    """Put `[REDACTED:kind]` in place of every secret; what is already redacted stays as it is."""
    return Redacted(text) if is_plain(text) or _OWN_IDS.fullmatch(text) else _looked_through(text)


def _looked_through(text: str) -> Redacted:
    kinds: list[str] = []
    for number in range(_PASSES):
        found = _joined(spans(text))
        if not found:
            break
        if number == _PASSES - 1:
            found = _joined(_whole_runs(text, found))
        kinds.extend(kind for _, _, kind in found)
        text = _without(text, found)
    return Redacted(text, tuple(dict.fromkeys(kinds)))


def _whole_runs(text: str, found: Iterable[Span]) -> Iterable[Span]:
    """Each find with everything that touches it: in a longer chain the rest goes unseen."""
    runs = (run.span() for run in re.finditer(r"\S+", text))
    first, last = next(runs)
    for start, end, kind in found:
        while last <= start:
            first, last = next(runs)
        yield min(first, start), max(last, end), kind


def redact_value(value: object) -> tuple[object, tuple[str, ...]]:
    """A JSON value without its secrets, in keys as in values, and the kinds that were in it."""
    kinds: list[str] = []
    return _clean(value, None, kinds, DEEPEST_VALUE), tuple(dict.fromkeys(kinds))


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


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Overlapping finds made one, under the most telling kind."""
    joined: list[Span] = []
    for start, end, kind in sorted(spans):
        if joined and start < joined[-1][1]:
            first, last, known = joined.pop()
            joined.append((first, max(last, end), min(known, kind, key=_RANK.__getitem__)))
        else:
            joined.append((start, end, kind))
    return joined


def _without(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, kind in spans:
        pieces += [text[place:start], MARKER, kind, "]"]
        place = end
    return "".join([*pieces, text[place:]])
