"""The shapes of what is noted in the chain about links, counters, outcomes and runs; undoing one writes its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memory_layer.model.memory import COUNTED
from memory_layer.model.runs import RunResult
from memory_layer.model.vocabulary import Attention, LinkKind, WriterKind

#: Microseconds from 1970 to the first and to behind the last moment that can be told.
FIRST_MOMENT, LAST_MOMENT = -62_135_596_800_000_000, 253_402_300_800_000_000


def is_note(told: Mapping[str, object]) -> bool:
    """Whether this is what the program writes when a link, a counter, an outcome's weight or a run's end moves."""
    if told.get("writer_kind", WriterKind.PERSON) != WriterKind.PERSON:
        return False
    fits = _SHAPES.get(frozenset(told) - {"writer_kind"})
    return fits is not None and fits(told)


def _link(told: Mapping[str, object]) -> bool:
    known = told["kind"] in [kind.value for kind in LinkKind]
    return known and _is_link(told["before"]) and _is_link(told["after"])


def _is_link(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, dict) or value.keys() != {"review", "created_at"}:
        return False
    return _whole(value["review"]) and value["review"] in list(Attention) and _is_moment(value["created_at"])


def _outcome(told: Mapping[str, object]) -> bool:
    return isinstance(told["outcome"], str) and (told["before"], told["after"]) in ((0, 1), (1, 0))


def _counters(told: Mapping[str, object]) -> bool:
    before, after = told["before"], told["after"]
    if not isinstance(before, dict) or not isinstance(after, dict) or before.keys() != after.keys():
        return False
    return before.keys() <= set(COUNTED) and all(
        _counter(name, value) for each in (before, after) for name, value in each.items()
    )


def _counter(name: str, value: object) -> bool:
    if name == "outcome_score":
        return isinstance(value, int | float) and -1 <= value <= 1
    if name.endswith("_at"):
        return value is None or _is_moment(value)
    return _whole(value)


def _run(told: Mapping[str, object]) -> bool:
    return isinstance(told["run"], str) and _is_ending(told["before"]) and _is_ending(told["after"])


def _is_ending(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, dict) or value.keys() != {"result", "at", "by", "used"}:
        return False
    used = value["used"]
    named = isinstance(used, list) and all(isinstance(each, str) for each in used)
    known = isinstance(value["by"], str) and value["result"] in list(RunResult)
    return named and known and _is_moment(value["at"])


def _is_moment(value: object) -> bool:
    """Microseconds since 1970 of a moment that can be told."""
    return type(value) is int and FIRST_MOMENT <= value < LAST_MOMENT


def _whole(*values: object) -> bool:
    """Whole numbers that a column can hold."""
    return all(type(value) is int and 0 <= value < 2**63 for value in values)


_SHAPES: dict[frozenset[str], Callable[[Mapping[str, object]], bool]] = {
    frozenset(("source", "target", "kind", "before", "after")): _link,
    frozenset(("outcome", "before", "after")): _outcome,
    frozenset(("memory", "before", "after")): _counters,
    frozenset(("run", "before", "after")): _run,
}
