"""What may stand in an entry that makes no version: taking such a note back writes its old values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_layer.errors import InvalidInput
from memory_layer.model.vocabulary import Attention, LinkKind
from memory_layer.policy.export_fields import is_count, is_number

_LINK = {"source", "target", "kind", "before", "after"}
_OUTCOME = {"outcome", "before", "after"}
_COUNTERS = {"memory", "before", "after"}
_COUNTS = ("worked", "failed", "partial", "recall_count", "use_count", "reinforcement_count")
_MOMENTS = ("last_recalled_at", "last_used_at", "reinforced_at")
#: Microseconds from 1970 to the first and the last moment that can be told.
_FIRST, _LAST = -62_135_596_800_000_000, 253_402_300_800_000_000


def check_note(told: Mapping[str, Any]) -> None:
    """Refuse a note that tells of anything but a link, a report or counters, or tells it wrongly."""
    checks = {
        frozenset(_LINK): _is_link,
        frozenset(_OUTCOME): _is_outcome,
        frozenset(_COUNTERS): _is_counting,
    }
    check = checks.get(frozenset(told))
    if check is None or not check(told):
        raise InvalidInput("its field 'payload' is not what it should be")


def _is_link(told: Mapping[str, Any]) -> bool:
    known = told["kind"] in list(LinkKind) and all(isinstance(told[end], str) for end in ("source", "target"))
    return known and all(each is None or _is_state(each) for each in (told["before"], told["after"]))


def _is_state(value: object) -> bool:
    if not isinstance(value, dict) or value.keys() != {"review", "created_at"}:
        return False
    return (
        is_count(value["review"]) and value["review"] in list(Attention) and _is_moment(value["created_at"])
    )


def _is_outcome(told: Mapping[str, Any]) -> bool:
    both = told["before"], told["after"]
    return isinstance(told["outcome"], str) and all(is_count(each) and each in (0, 1) for each in both)


def _is_counting(told: Mapping[str, Any]) -> bool:
    before, after = told["before"], told["after"]
    if not (isinstance(told["memory"], str) and isinstance(before, dict) and isinstance(after, dict)):
        return False
    parts = [*before.items(), *after.items()]
    return before.keys() == after.keys() and all(_is_counter(name, value) for name, value in parts)


def _is_counter(name: str, value: object) -> bool:
    if name in _COUNTS:
        return is_count(value)
    if name in _MOMENTS:
        return value is None or _is_moment(value)
    return name == "outcome_score" and is_number(value) and -1.0 <= float(str(value)) <= 1.0


def _is_moment(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and _FIRST <= value < _LAST
