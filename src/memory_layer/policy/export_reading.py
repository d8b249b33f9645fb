"""A line of an export as a record again; whatever does not fit is named in a sentence."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from memory_layer.errors import InvalidInput
from memory_layer.model.carried import (
    Carried,
    CarriedChange,
    CarriedLink,
    CarriedMemory,
    CarriedProject,
    CarriedQuery,
    CarriedQueryVector,
    CarriedRecall,
    CarriedVector,
    Head,
    Kind,
)
from memory_layer.model.memory import Change, Citation, Link, Memory
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Mode, Recall
from memory_layer.model.vocabulary import (
    Category,
    LinkKind,
    Outcome,
    Priority,
    Reason,
    Source,
    Status,
    Tier,
    WriterKind,
)
from memory_layer.policy import limits
from memory_layer.policy.export_lines import END, FORMAT, FORMAT_VERSION, HEAD, Line

LONGEST_LINE = 8 * 1024 * 1024  #: bytes; the longest that an export writes stays far below
LONGEST_VECTOR = 16 * 1024  #: bytes
MOST_PASSAGES = 2_000
MOST_ITEMS = 10_000  #: of one recall
LARGEST_COUNT = 2**53
#: Redaction and merging make texts longer than a caller may give them.
ROOM = 4
LONGEST_CONTENT = ROOM * limits.CONTENT_CHARACTERS
LONGEST_QUERY = ROOM * limits.QUERY_CHARACTERS
LONGEST_EVIDENCE = ROOM * limits.EVIDENCE_CHARACTERS
LONGEST_NAME = ROOM * limits.NAME_CHARACTERS
LONGEST_PATH = ROOM * 4_096
MOST_LABELS = 10_000

_HASH = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[a-z]{1,8}_[a-z2-7]{4,64}")
_OUTSIDE_TEXT = re.compile("[\x00\ud800-\udfff]")
_CITATION = frozenset(Citation._fields)
Word = TypeVar("Word", bound=StrEnum)


def parsed(raw: bytes) -> Line:
    """The object that a line holds; nothing in it can be refused by a store as text."""
    try:
        line = _decode(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidInput("it is not valid UTF-8") from None
    except RecursionError:
        raise InvalidInput("it is nested too deeply") from None
    except ValueError:
        raise InvalidInput("it is not JSON") from None
    if not isinstance(line, dict):
        raise InvalidInput("it is not a JSON object")
    if b"\\u" in raw:
        _check_texts(line)
    return line


def head_from(line: Line) -> Head:
    """What the first line says, if this program can read what follows."""
    if line.get("type") != HEAD or line.get("format") != FORMAT:
        raise InvalidInput("it is not the first line of a Memory Layer export")
    version = line.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        _wrong("schema_version")
    if version > FORMAT_VERSION:
        raise InvalidInput(
            f"it was written by a newer version of Memory Layer (export format {version}, this program"
            f" knows {FORMAT_VERSION}); upgrade the program to read it"
        )
    _check_fields(line, HEAD_FIELDS)
    counts = _object(line, "counts")
    if set(counts) != {kind.value for kind in Kind} or not all(map(_is_count, counts.values())):
        _wrong("counts")
    return Head(
        program=_text(line, "program", LONGEST_NAME),
        space=_text_or_none(line, "space", LONGEST_NAME),
        partial=_flag(line, "partial"),
        vectors=_flag(line, "vectors"),
        counts=counts,
        audit=_audit_head(line["audit"]),
    )


def _audit_head(given: object) -> tuple[int, str] | None:
    if given is None:
        return None
    if not isinstance(given, dict) or set(given) != {"count", "hash"}:
        _wrong("audit")
    return _count(given, "count"), _hash(given, "hash")


def end_from(line: Line) -> tuple[int, str]:
    """How many lines the last line counts, and their hash."""
    _check_fields(line, END_FIELDS)
    return _count(line, "lines"), _hash(line, "sha256")


def kind_of(line: Line) -> Kind | None:
    """What a line is about; None for the last one."""
    kind = line.get("type")
    if kind == END:
        return None
    try:
        return Kind(str(kind))
    except ValueError:
        raise InvalidInput("its type is unknown") from None


def record_from(kind: Kind, line: Line) -> Carried:
    """The record of a line, with every field of the right type and within its limits."""
    fields, read = READERS[kind]
    _check_fields(line, fields)
    return read(line)


def _project(line: Line) -> CarriedProject:
    return CarriedProject(
        id=_name(line, "id"),
        key=_long(line, "key"),
        name=_long(line, "name"),
        aliases=_texts(line, "aliases", MOST_LABELS, LONGEST_PATH),
        created_at=_moment(line, "created_at"),
    )


def _memory(line: Line) -> CarriedMemory:
    memory = Memory(
        id=_id(line, "id"),
        content=_text(line, "content", LONGEST_CONTENT),
        content_hash=_hash(line, "content_hash"),
        created_at=_moment(line, "created_at"),
        updated_at=_moment(line, "updated_at"),
        category=_word(line, "category", Category),
        tier=_word(line, "tier", Tier),
        scope=_texts(line, "scope", MOST_LABELS, ROOM * limits.SCOPE_CHARACTERS),
        tags=_texts(line, "tags", MOST_LABELS, ROOM * limits.TAG_CHARACTERS),
        metadata=_object(line, "metadata"),
        priority=_word(line, "priority", Priority),
        source=_word(line, "source", Source),
        source_run_id=_text_or_none(line, "source_run_id", LONGEST_NAME),
        writer=_name(line, "writer"),
        writer_kind=_word(line, "writer_kind", WriterKind),
        confidence=_number(line, "confidence", 0.0, 1.0),
        relevance=_number(line, "relevance", 0.0, 1.0),
        outcome_score=_number(line, "outcome_score", -1.0, 1.0),
        worked=_count(line, "worked"),
        failed=_count(line, "failed"),
        partial=_count(line, "partial"),
        recall_count=_count(line, "recall_count"),
        last_recalled_at=_moment_or_none(line, "last_recalled_at"),
        use_count=_count(line, "use_count"),
        last_used_at=_moment_or_none(line, "last_used_at"),
        reinforcement_count=_count(line, "reinforcement_count"),
        reinforced_at=_moment_or_none(line, "reinforced_at"),
        session=_text_or_none(line, "session", LONGEST_NAME),
        position=None if line["position"] is None else _whole(line, "position"),
        status=_word(line, "status", Status),
        reason=None if line["reason"] is None else _word(line, "reason", Reason),
        reason_detail=_text_or_none(line, "reason_detail", LONGEST_EVIDENCE),
        expires_at=_moment_or_none(line, "expires_at"),
        approved_by=_text_or_none(line, "approved_by", LONGEST_NAME),
        approved_at=_moment_or_none(line, "approved_at"),
        citations=tuple(map(_citation, _list(line, "citations", MOST_LABELS))),
        version=_count(line, "version"),
    )
    return CarriedMemory(
        memory=memory,
        project=_text_or_none(line, "project", LONGEST_NAME),
        tokens=_count(line, "tokens"),
        lease_until=_moment_or_none(line, "lease_until"),
    )


def _citation(given: object) -> Citation:
    if not isinstance(given, dict) or not given or not given.keys() <= _CITATION:
        _wrong("citations")
    for name, value in given.items():
        wanted = int if name in ("first_line", "last_line") else str
        if not isinstance(value, wanted) or isinstance(value, bool):
            _wrong("citations")
        if isinstance(value, int) and not 0 < value < LARGEST_COUNT:
            _wrong("citations")
        if isinstance(value, str) and len(value) > LONGEST_EVIDENCE:
            _wrong("citations")
    return Citation(**given)


def _link(line: Line) -> CarriedLink:
    link = Link(
        source=_id(line, "source"),
        target=_id(line, "target"),
        kind=_word(line, "kind", LinkKind),
        created_at=_moment(line, "created_at"),
    )
    if link.source == link.target:
        raise InvalidInput("it links a memory with itself")
    return CarriedLink(link, _flag(line, "review"))


def _audit(line: Line) -> CarriedChange:
    change = Change(
        number=_count(line, "number"),
        at=_moment(line, "at"),
        operation=_name(line, "operation"),
        action=_name(line, "action"),
        memory=None if line["memory"] is None else _id(line, "memory"),
        writer=_name(line, "writer"),
        door=_name(line, "door"),
        before=None if line["before"] is None else _hash(line, "before"),
        after=None if line["after"] is None else _hash(line, "after"),
        hash=_hash(line, "hash"),
    )
    return CarriedChange(change, None if line["payload"] is None else _object(line, "payload"))


def _query(line: Line) -> CarriedQuery:
    return CarriedQuery(_text(line, "text", LONGEST_QUERY), _moment(line, "created_at"))


def _recall(line: Line) -> CarriedRecall:
    items = [_item(item) for item in _list(line, "items", MOST_ITEMS)]
    ranks = tuple(rank for rank, _, _, _ in items)
    if list(ranks) != sorted(set(ranks)):
        _wrong("items")
    recall = Recall(
        id=_id(line, "id"),
        at=_moment(line, "at"),
        query=_text(line, "query", LONGEST_QUERY),
        kind=_name(line, "kind"),
        mode=_word(line, "mode", Mode),
        ranker=_name(line, "ranker"),
        writer=_name(line, "writer"),
        session=_long(line, "session"),
        project=_text_or_none(line, "project", LONGEST_NAME),
        hits=tuple((memory, score) for _, memory, score, _ in items),
    )
    return CarriedRecall(recall, ranks, tuple(signals for _, _, _, signals in items))


def _item(given: object) -> tuple[int, str, float, Mapping[str, object]]:
    if not isinstance(given, dict) or set(given) != {"memory", "rank", "score", "signals"}:
        _wrong("items")
    signals = _object(given, "signals")
    if len(signals) > 100 or not all(map(_is_number, signals.values())):
        _wrong("items")
    return _count(given, "rank"), _id(given, "memory"), _number(given, "score"), signals


def _outcome(line: Line) -> OutcomeEvent:
    return OutcomeEvent(
        id=_name(line, "id"),
        memory=_id(line, "memory"),
        result=_word(line, "result", Outcome),
        counted=_flag(line, "counted"),
        at=_moment(line, "at"),
        session=_long(line, "session"),
        writer=_name(line, "writer"),
        query=_text_or_none(line, "query", LONGEST_QUERY),
        recall=None if line["recall"] is None else _id(line, "recall"),
        evidence=None if line["evidence"] is None else _sized(line, "evidence", LONGEST_EVIDENCE),
    )


def _vector(line: Line) -> CarriedVector:
    given = _list(line, "passages", MOST_PASSAGES)
    if not given:
        _wrong("passages")
    return CarriedVector(
        memory=_id(line, "memory"),
        fingerprint=_name(line, "fingerprint"),
        passages=tuple(_numbers(passage, "passages") for passage in given),
    )


def _query_vector(line: Line) -> CarriedQueryVector:
    return CarriedQueryVector(
        query=_text(line, "query", LONGEST_QUERY),
        fingerprint=_name(line, "fingerprint"),
        numbers=_numbers(line["numbers"], "numbers"),
    )


def _numbers(given: object, name: str) -> bytes:
    if not isinstance(given, str):
        _wrong(name)
    try:
        numbers = base64.b64decode(given, validate=True)
    except (ValueError, binascii.Error):
        _wrong(name)
    if not 0 < len(numbers) <= LONGEST_VECTOR or len(numbers) % 2:
        _wrong(name)
    return numbers


def _wrong(name: str) -> NoReturn:
    raise InvalidInput(f"its field {name!r} is not what it should be")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _check_fields(line: Line, fields: frozenset[str]) -> None:
    if line.keys() == fields:
        return
    if missing := sorted(fields - line.keys()):
        raise InvalidInput(f"its field {missing[0]!r} is missing")
    unknown = min(line.keys() - fields)
    raise InvalidInput(f"its field {unknown[:40]!r} is unknown")


def _check_texts(value: object) -> None:
    """Escapes can spell what no store keeps: NUL, and halves of characters."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            if _OUTSIDE_TEXT.search(each):
                raise InvalidInput("a text in it holds a NUL or half a character")
        elif isinstance(each, dict):
            waiting += [*each, *each.values()]
        elif isinstance(each, list):
            waiting += each


def _string(line: Line, name: str) -> str:
    value = line[name]
    if not isinstance(value, str):
        _wrong(name)
    return value


def _sized(line: Line, name: str, most: int) -> str:
    value = _string(line, name)
    if len(value) > most:
        raise InvalidInput(f"its field {name!r} has {len(value):,} characters; the limit is {most:,}")
    return value


def _text(line: Line, name: str, most: int) -> str:
    value = _sized(line, name, most)
    if not value:
        _wrong(name)
    return value


def _text_or_none(line: Line, name: str, most: int) -> str | None:
    return None if line[name] is None else _sized(line, name, most)


def _name(line: Line, name: str) -> str:
    return _text(line, name, LONGEST_NAME)


def _long(line: Line, name: str) -> str:
    """A path, an address, or the name of a session that was made of one."""
    return _text(line, name, LONGEST_PATH)


def _id(line: Line, name: str) -> str:
    value = _string(line, name)
    if not _ID.fullmatch(value):
        _wrong(name)
    return value


def _hash(line: Line, name: str) -> str:
    value = _string(line, name)
    if not _HASH.fullmatch(value):
        _wrong(name)
    return value


def _flag(line: Line, name: str) -> bool:
    value = line[name]
    if not isinstance(value, bool):
        _wrong(name)
    return value


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST_COUNT


def _is_number(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) < LARGEST_COUNT if isinstance(value, int) else math.isfinite(value)


def _count(line: Line, name: str) -> int:
    value: int = line[name]
    if not _is_count(value):
        _wrong(name)
    return value


def _whole(line: Line, name: str) -> int:
    value = line[name]
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= LARGEST_COUNT:
        _wrong(name)
    return value


def _number(line: Line, name: str, low: float = -math.inf, high: float = math.inf) -> float:
    value = line[name]
    if not _is_number(value) or not low <= value <= high:
        _wrong(name)
    return float(value)


def _object(line: Line, name: str) -> dict[str, Any]:
    value = line[name]
    if not isinstance(value, dict):
        _wrong(name)
    return value


def _list(line: Line, name: str, most: int) -> list[Any]:
    value = line[name]
    if not isinstance(value, list):
        _wrong(name)
    if len(value) > most:
        raise InvalidInput(f"its field {name!r} has {len(value):,} parts; the limit is {most:,}")
    return value


def _texts(line: Line, name: str, most: int, characters: int) -> tuple[str, ...]:
    values = _list(line, name, most)
    if not all(isinstance(value, str) and 0 < len(value) <= characters for value in values):
        _wrong(name)
    return tuple(values)


def _word(line: Line, name: str, words: type[Word]) -> Word:
    try:
        return words(line[name])
    except ValueError:
        _wrong(name)


def _moment(line: Line, name: str) -> datetime:
    value = line[name]
    if not isinstance(value, str) or len(value) != 27 or value[-1] != "Z":
        _wrong(name)
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        _wrong(name)


def _moment_or_none(line: Line, name: str) -> datetime | None:
    return None if line[name] is None else _moment(line, name)


_decode = json.JSONDecoder(parse_constant=_refuse_constant).decode
HEAD_FIELDS = frozenset("audit counts format partial program schema_version space type vectors".split())
END_FIELDS = frozenset("lines sha256 type".split())

#: The fields of each kind of line, and what reads them.
READERS: dict[Kind, tuple[frozenset[str], Callable[[Line], Carried]]] = {
    kind: (frozenset(f"{fields} type".split()), read)
    for kind, fields, read in (
        (Kind.PROJECT, "aliases created_at id key name", _project),
        (
            Kind.MEMORY,
            " ".join(set(Memory._fields)) + " lease_until tokens",
            _memory,
        ),
        (Kind.LINK, "created_at kind review source target", _link),
        (Kind.AUDIT, "action after at before door hash memory number operation payload writer", _audit),
        (Kind.QUERY, "created_at text", _query),
        (Kind.RECALL, "at id items kind mode project query ranker session writer", _recall),
        (Kind.OUTCOME, "at counted evidence id memory query recall result session writer", _outcome),
        (Kind.VECTOR, "fingerprint memory passages", _vector),
        (Kind.QUERY_VECTOR, "fingerprint numbers query", _query_vector),
    )
}
