"""Convert memories to columns and back, and compute their digests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from operator import itemgetter
from typing import Any, Protocol

from memory_layer.errors import StoreDamaged
from memory_layer.model.memory import COUNTED, SAID, Citation, Memory
from memory_layer.model.vocabulary import Category, Priority, Reason, Source, Status, Tier, WriterKind

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

#: The columns whose change makes a new version, in the order their digest covers them.
VERSIONED = (SAID[0], "content_hash", *SAID[1:])
_versioned = itemgetter(*VERSIONED)


_SPELLING = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=bytes.hex)
#: The source of each column of a memory, in field order; a single-file store has no owners.
_NAMES = tuple("project_key" if name == "project" else name for name in Memory._fields if name != "owner")
_COLUMNS = {"project": "p.key", "owner": "null"}
#: These columns as a select list with memories as `m` and their projects as `p`.
RECORD = ", ".join(_COLUMNS.get(name, f"m.{name}") for name in Memory._fields)
#: The raw columns of a memory and its project's key, for the same statement.
STORED = ", ".join(
    "p.key as project_key" if name == "project_key" else f"m.{name}" for name in (*_NAMES, "tokens")
)
#: The positions of some of them in it.
CITATIONS, CATEGORY, TIER, CREATED_AT = map(
    Memory._fields.index, ("citations", "category", "tier", "created_at")
)


class _Hash(Protocol):
    def digest(self) -> bytes: ...


class Row(Protocol):
    """Columns by name, from any driver."""

    def __getitem__(self, name: str, /) -> Any: ...


def to_micros(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - EPOCH) // _MICROSECOND


def from_micros(value: int | None) -> datetime | None:
    return None if value is None else EPOCH + timedelta(microseconds=value)


def moment(value: int) -> datetime:
    return EPOCH + timedelta(microseconds=value)


def to_json(value: object) -> str:
    """Serialise a value to canonical JSON, so that equal values have equal bytes; hashes become hex."""
    return _SPELLING.encode(value)


def columns(memory: Memory) -> dict[str, Any]:
    """Return every stored column of a memory except its row, project, lease and token count."""
    # `_value_` instead of `value`, whose property call is slow for forty columns.
    return {
        "id": memory.id,
        "content": memory.content,
        "content_hash": bytes.fromhex(memory.content_hash),
        "category": memory.category._value_,
        "tier": memory.tier._value_,
        "priority": memory.priority._value_,
        "status": memory.status._value_,
        "reason": memory.reason._value_ if memory.reason else None,
        "reason_detail": memory.reason_detail,
        "scope": to_json(list(memory.scope)) if memory.scope else "[]",
        "tags": to_json(list(memory.tags)) if memory.tags else "[]",
        "metadata": to_json(dict(memory.metadata)) if memory.metadata else "{}",
        "citations": to_json(list(map(_citation_fields, memory.citations))) if memory.citations else "[]",
        "source": memory.source._value_,
        "source_run_id": memory.source_run_id,
        "writer": memory.writer,
        "writer_kind": memory.writer_kind._value_,
        "confidence": float(memory.confidence),  # as it is read back; digests would differ otherwise
        "relevance": float(memory.relevance),
        "outcome_score": memory.outcome_score,
        "worked": memory.worked,
        "failed": memory.failed,
        "partial": memory.partial,
        "recall_count": memory.recall_count,
        "last_recalled_at": to_micros(memory.last_recalled_at),
        "use_count": memory.use_count,
        "last_used_at": to_micros(memory.last_used_at),
        "reinforcement_count": memory.reinforcement_count,
        "reinforced_at": to_micros(memory.reinforced_at),
        "session": memory.session,
        "position": memory.position,
        "expires_at": to_micros(memory.expires_at),
        "approved_by": memory.approved_by,
        "approved_at": to_micros(memory.approved_at),
        "version": memory.version,
        "created_at": to_micros(memory.created_at),
        "updated_at": to_micros(memory.updated_at),
    }


def memory_from(row: Row) -> Memory:
    """Build a memory from its columns and `project_key`; raise an error naming a row that is invalid."""
    return _made([*(row[name] for name in _NAMES), None])


def memory_of(record: Iterable[Any]) -> Memory:
    """Build a memory from the values of `RECORD`; access by position is three times as fast as by name."""
    return _made(list(record))


def _made(values: list[Any]) -> Memory:
    try:
        for place, made in _MAKING:
            value = values[place]
            if value is not None:
                values[place] = made(value)
    except KeyError as error:
        raise StoreDamaged(f"the record of {values[0]!r} is damaged: unknown value {error}") from error
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise StoreDamaged(f"the record of {values[0]!r} is damaged: {error}") from error
    return Memory._make(values)


class _Lists(dict[str, tuple[Any, ...]]):
    """Lists parsed from JSON and cached; most are empty."""

    def __missing__(self, text: str) -> tuple[Any, ...]:
        return tuple(json.loads(text))


class _Citations(dict[str, tuple[Citation, ...]]):
    def __missing__(self, text: str) -> tuple[Citation, ...]:
        return tuple(Citation(**fields) for fields in json.loads(text))


def _mapped(text: str) -> dict[str, Any]:
    return {} if text == "{}" else dict(json.loads(text))


def _word(words: type[Enum]) -> Callable[[Any], Any]:
    """Return a lookup from stored value to enumeration member, which skips the cost of calling the class."""
    return {word.value: word for word in words}.__getitem__


_MADE: dict[str, Callable[[Any], Any]] = {
    "category": _word(Category),
    "tier": _word(Tier),
    "priority": _word(Priority),
    "source": _word(Source),
    "writer_kind": _word(WriterKind),
    "status": _word(Status),
    "reason": _word(Reason),
    "scope": _Lists({"[]": ()}).__getitem__,
    "tags": _Lists({"[]": ()}).__getitem__,
    "metadata": _mapped,
    "citations": _Citations({"[]": ()}).__getitem__,
    "content_hash": bytes.hex,
    **{name: moment for name in Memory._fields if name.endswith("_at")},
}
_MAKING = tuple((Memory._fields.index(name), made) for name, made in _MADE.items())


def digest(values: Row) -> bytes:
    """Return the SHA-256 of the versioned columns; records with equal digests are equal."""
    return _sha256()(to_json(_versioned(values)).encode()).digest()


@cache
def _sha256() -> Callable[[bytes], _Hash]:
    from hashlib import sha256  # only needed by writes; keeps searches fast to start

    return sha256


def replaced(before: Row, after: Row) -> dict[str, object]:
    """Return the old values of the versioned columns that differ."""
    return {name: _plain(before[name]) for name in VERSIONED if before[name] != after[name]}


def earlier(values: Mapping[str, Any], replaced: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns before a change, from those after it and the saved old values."""
    old = dict(values) | {name: replaced[name] for name in VERSIONED if name in replaced}
    if isinstance(old["content_hash"], str):
        old["content_hash"] = bytes.fromhex(old["content_hash"])
    return old


def counted_back(current: Row, before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Revert one change of the counters; if they moved since, subtract only what it added."""
    moved = [name for name in COUNTED if name in before and name in after]
    return {name: _counted_back(name, current[name], before[name], after[name]) for name in moved}


def _counted_back(name: str, current: Any, before: Any, after: Any) -> Any:
    if current == after:
        return before
    if name.endswith("_at"):
        return current
    least = -1.0 if name == "outcome_score" else 0
    moved = max(least, current + before - after)
    return round(min(1.0, moved), 6) if name == "outcome_score" else moved


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def _citation_fields(citation: Citation) -> dict[str, object]:
    return {name: value for name, value in citation._asdict().items() if value is not None}
