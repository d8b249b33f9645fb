"""A line of an export as a record again; whatever does not fit is named in a sentence."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Callable
from enum import StrEnum
from typing import NoReturn, TypeVar

from memory_layer.errors import InvalidInput
from memory_layer.model.context import KeptLine, SavedContext
from memory_layer.model.export import (
    Carried,
    CarriedChange,
    CarriedContext,
    CarriedEpisode,
    CarriedItem,
    CarriedLink,
    CarriedMemory,
    CarriedProject,
    CarriedQuery,
    CarriedQueryVector,
    CarriedRecall,
    CarriedRun,
    CarriedVector,
    Head,
    Kind,
)
from memory_layer.model.memory import Change, Citation, Link, Memory
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Mode
from memory_layer.model.runs import Ending, RunResult
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
from memory_layer.rules.transfer import fields as field
from memory_layer.rules.transfer.lines import END, FORMAT, FORMAT_VERSION, HEAD, Line

LONGEST_LINE = 8 * 1024 * 1024  #: bytes; the longest that an export writes stays far below
LONGEST_VECTOR = 16 * 1024  #: bytes
MOST_PASSAGES = 2_000
MOST_ITEMS = 10_000  #: of one recall

_OUTSIDE_TEXT = re.compile("[\x00\ud800-\udfff]")
_CITATION = frozenset(Citation._fields)
_HEX = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")  #: what names a commit, and what a hash of lines looks like
Word = TypeVar("Word", bound=StrEnum)


HEAD_FIELDS = frozenset("audit counts format partial program schema_version space type vectors".split())
END_FIELDS = frozenset("lines sha256 type".split())


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
        field.wrong("schema_version")
    if version > FORMAT_VERSION:
        raise InvalidInput(
            f"it was written by a newer version of Memory Layer (export format {version}, this program"
            f" knows {FORMAT_VERSION}); upgrade the program to read it"
        )
    field.check(line, HEAD_FIELDS)
    counts = field.mapping(line, "counts")
    if set(counts) != {kind.value for kind in Kind} or not all(map(field.is_count, counts.values())):
        field.wrong("counts")
    return Head(
        program=field.text(line, "program", field.LONGEST_NAME),
        space=field.text_or_none(line, "space", field.LONGEST_NAME),
        partial=field.flag(line, "partial"),
        vectors=field.flag(line, "vectors"),
        counts=counts,
        audit=_audit_head(line["audit"]),
    )


def _audit_head(given: object) -> tuple[int, str] | None:
    if given is None:
        return None
    if not isinstance(given, dict) or set(given) != {"count", "hash"}:
        field.wrong("audit")
    return field.count(given, "count"), field.digest(given, "hash")


def end_from(line: Line) -> tuple[int, str]:
    """How many lines the last line counts, and their hash."""
    field.check(line, END_FIELDS)
    return field.count(line, "lines"), field.digest(line, "sha256")


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
    field.check(line, fields)
    return read(line)


def _project(line: Line) -> CarriedProject:
    return CarriedProject(
        id=field.name(line, "id"),
        key=field.path(line, "key"),
        name=field.path(line, "name"),
        aliases=field.texts(line, "aliases", field.MOST_LABELS, field.LONGEST_PATH),
        created_at=field.moment(line, "created_at"),
    )


def _memory(line: Line) -> CarriedMemory:
    memory = Memory(
        id=field.own_identifier(line, "id", "mem"),
        content=field.text(line, "content", field.LONGEST_CONTENT),
        content_hash=field.digest(line, "content_hash"),
        created_at=field.moment(line, "created_at"),
        updated_at=field.moment(line, "updated_at"),
        category=field.word(line, "category", Category),
        tier=field.word(line, "tier", Tier),
        scope=field.texts(line, "scope", field.MOST_LABELS, field.LONGEST_NAME),
        tags=field.texts(line, "tags", field.MOST_LABELS, field.LONGEST_NAME),
        metadata=field.mapping(line, "metadata"),
        priority=field.word(line, "priority", Priority),
        source=field.word(line, "source", Source),
        source_run_id=field.text_or_none(line, "source_run_id", field.LONGEST_NAME),
        writer=field.name(line, "writer"),
        writer_kind=field.word(line, "writer_kind", WriterKind),
        confidence=field.number(line, "confidence", 0.0, 1.0),
        relevance=field.number(line, "relevance", 0.0, 1.0),
        outcome_score=field.number(line, "outcome_score", -1.0, 1.0),
        worked=field.count(line, "worked"),
        failed=field.count(line, "failed"),
        partial=field.count(line, "partial"),
        recall_count=field.count(line, "recall_count"),
        last_recalled_at=field.moment_or_none(line, "last_recalled_at"),
        use_count=field.count(line, "use_count"),
        last_used_at=field.moment_or_none(line, "last_used_at"),
        reinforcement_count=field.count(line, "reinforcement_count"),
        reinforced_at=field.moment_or_none(line, "reinforced_at"),
        session=field.text_or_none(line, "session", field.LONGEST_NAME),
        position=None if line["position"] is None else field.whole(line, "position"),
        status=field.word(line, "status", Status),
        reason=None if line["reason"] is None else field.word(line, "reason", Reason),
        reason_detail=field.text_or_none(line, "reason_detail", field.LONGEST_EVIDENCE),
        expires_at=field.moment_or_none(line, "expires_at"),
        approved_by=field.text_or_none(line, "approved_by", field.LONGEST_NAME),
        approved_at=field.moment_or_none(line, "approved_at"),
        citations=tuple(map(_citation, field.listed(line, "citations", field.MOST_LABELS))),
        version=field.count(line, "version"),
    )
    return CarriedMemory(
        memory=memory,
        project=field.text_or_none(line, "project", field.LONGEST_NAME),
        tokens=field.count(line, "tokens", field.LONGEST_CONTENT),
        lease_until=field.moment_or_none(line, "lease_until"),
    )


def _citation(given: object) -> Citation:
    if not isinstance(given, dict) or not given or not given.keys() <= _CITATION:
        field.wrong("citations")
    for name, value in given.items():
        wanted = int if name in ("first_line", "last_line") else str
        if not isinstance(value, wanted) or isinstance(value, bool):
            field.wrong("citations")
        if isinstance(value, int) and not 0 < value < field.LARGEST_COUNT:
            field.wrong("citations")
        if isinstance(value, str) and len(value) > field.LONGEST_EVIDENCE:
            field.wrong("citations")
    citation = Citation(**given)
    if not all(_HEX.fullmatch(each) for each in (citation.commit, citation.lines_hash) if each is not None):
        field.wrong("citations")
    return citation


def _episode(line: Line) -> CarriedEpisode:
    return CarriedEpisode(
        session=field.path(line, "session"),
        number=field.count(line, "number"),
        memory=field.identifier(line, "memory"),
        digest=field.digest(line, "digest"),
        hash=field.digest(line, "hash"),
    )


def _link(line: Line) -> CarriedLink:
    link = Link(
        source=field.identifier(line, "source"),
        target=field.identifier(line, "target"),
        kind=field.word(line, "kind", LinkKind),
        created_at=field.moment(line, "created_at"),
    )
    if link.source == link.target:
        raise InvalidInput("it links a memory with itself")
    return CarriedLink(link, field.attention(line, "attention"))


def _audit(line: Line) -> CarriedChange:
    change = Change(
        number=field.count(line, "number"),
        at=field.moment(line, "at"),
        operation=field.name(line, "operation"),
        action=field.name(line, "action"),
        memory=None if line["memory"] is None else field.identifier(line, "memory"),
        writer=field.name(line, "writer"),
        door=field.name(line, "door"),
        before=None if line["before"] is None else field.digest(line, "before"),
        after=None if line["after"] is None else field.digest(line, "after"),
        hash=field.digest(line, "hash"),
    )
    return CarriedChange(change, None if line["payload"] is None else field.mapping(line, "payload"))


def _query(line: Line) -> CarriedQuery:
    return CarriedQuery(field.sized(line, "text", field.LONGEST_QUERY), field.moment(line, "created_at"))


def _recall(line: Line) -> CarriedRecall:
    items = tuple(_item(item) for item in field.listed(line, "items", MOST_ITEMS))
    ranks = [item.rank for item in items]
    if ranks != sorted(set(ranks)):
        field.wrong("items")
    return CarriedRecall(
        id=field.own_identifier(line, "id", "rec"),
        at=field.moment(line, "at"),
        query=field.sized(line, "query", field.LONGEST_QUERY),
        kind=field.name(line, "kind"),
        mode=field.word(line, "mode", Mode),
        ranker=field.name(line, "ranker"),
        writer=field.name(line, "writer"),
        session=field.path(line, "session"),
        project=field.text_or_none(line, "project", field.LONGEST_NAME),
        items=items,
    )


def _item(given: object) -> CarriedItem:
    if not isinstance(given, dict) or set(given) != {"memory", "rank", "score", "signals"}:
        field.wrong("items")
    signals = field.mapping(given, "signals")
    if len(signals) > 100 or not all(map(field.is_number, signals.values())):
        field.wrong("items")
    return CarriedItem(
        rank=field.count(given, "rank"),
        memory=field.identifier(given, "memory"),
        score=field.number(given, "score"),
        signals=signals,
    )


def _outcome(line: Line) -> OutcomeEvent:
    return OutcomeEvent(
        id=field.name(line, "id"),
        memory=field.identifier(line, "memory"),
        result=field.word(line, "result", Outcome),
        counted=field.flag(line, "counted"),
        at=field.moment(line, "at"),
        session=field.path(line, "session"),
        writer=field.name(line, "writer"),
        query=field.text_or_none(line, "query", field.LONGEST_QUERY),
        recall=None if line["recall"] is None else field.identifier(line, "recall"),
        evidence=None if line["evidence"] is None else field.sized(line, "evidence", field.LONGEST_EVIDENCE),
    )


def _run(line: Line) -> CarriedRun:
    return CarriedRun(
        id=field.own_identifier(line, "id", "run"),
        recall=field.identifier(line, "recall"),
        write_scope=field.texts(line, "write_scope", field.MOST_LABELS, field.LONGEST_NAME),
        included=field.texts(line, "included", MOST_ITEMS, field.LONGEST_NAME),
        excluded=field.texts(line, "excluded", MOST_ITEMS, field.LONGEST_NAME),
        ending=_ending(line),
    )


def _context(line: Line) -> CarriedContext:
    asked = field.mapping(line, "asked")
    if not all(isinstance(each, str | int | list) for each in asked.values()):
        field.wrong("asked")
    lines = tuple(_context_line(each) for each in field.listed(line, "lines", MOST_ITEMS))
    kept = SavedContext(
        form=field.name(line, "form"),
        asked=asked,
        lines=lines,
        tokens=field.count(line, "tokens"),
        digest=field.digest(line, "digest"),
    )
    return CarriedContext(field.identifier(line, "recall"), kept)


def _context_line(given: object) -> KeptLine:
    if not isinstance(given, list) or len(given) != len(KeptLine._fields):
        field.wrong("lines")
    line = dict(zip(KeptLine._fields, given, strict=True))
    return KeptLine(
        memory=field.identifier(line, "memory"),
        version=field.count(line, "version"),
        layer=field.name(line, "layer"),
        note=_note(line),
        characters=field.count(line, "characters"),
    )


def _note(line: Line) -> str:
    """What is said beside a memory: words of this program, which end neither a line nor a block of memories."""
    note = field.sized(line, "note", field.LONGEST_PATH)
    if not note.isprintable() or "<" in note:
        field.wrong("lines")
    return note


def _ending(line: Line) -> Ending | None:
    """How a run ended; one that is under way was ended by nobody, and says of no memory that it used it."""
    used = field.texts(line, "used", MOST_ITEMS, field.LONGEST_NAME)
    if line["result"] is not None:
        result = field.word(line, "result", RunResult)
        return Ending(result, field.moment(line, "finished_at"), field.name(line, "finished_by"), used)
    if line["finished_at"] is not None or line["finished_by"] is not None or used:
        field.wrong("result")
    return None


def _vector(line: Line) -> CarriedVector:
    given = field.listed(line, "passages", MOST_PASSAGES)
    if not given:
        field.wrong("passages")
    return CarriedVector(
        memory=field.identifier(line, "memory"),
        fingerprint=field.name(line, "fingerprint"),
        passages=tuple(_numbers(passage, "passages") for passage in given),
    )


def _query_vector(line: Line) -> CarriedQueryVector:
    return CarriedQueryVector(
        query=field.text(line, "query", field.LONGEST_QUERY),
        fingerprint=field.name(line, "fingerprint"),
        numbers=_numbers(line["numbers"], "numbers"),
    )


def _numbers(given: object, name: str) -> bytes:
    if not isinstance(given, str):
        field.wrong(name)
    try:
        numbers = base64.b64decode(given, validate=True)
    except (ValueError, binascii.Error):
        field.wrong(name)
    if not 0 < len(numbers) <= LONGEST_VECTOR or len(numbers) % 2:
        field.wrong(name)
    return numbers


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    """A number that can be written again: `1e400` is read as infinity, which JSON has no word for."""
    value = float(text)
    return value if math.isfinite(value) else _refuse_constant(text)


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


_decode = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite).decode

#: The fields of each kind of line, and what reads them.
READERS: dict[Kind, tuple[frozenset[str], Callable[[Line], Carried]]] = {
    kind: (frozenset(f"{fields} type".split()), read)
    for kind, fields, read in (
        (Kind.PROJECT, "aliases created_at id key name", _project),
        (
            Kind.MEMORY,
            " ".join({*Memory._fields} - {"owner"}) + " lease_until tokens",
            _memory,
        ),
        (Kind.EPISODE, "digest hash memory number session", _episode),
        (Kind.LINK, "attention created_at kind source target", _link),
        (Kind.AUDIT, "action after at before door hash memory number operation payload writer", _audit),
        (Kind.QUERY, "created_at text", _query),
        (Kind.RECALL, "at id items kind mode project query ranker session writer", _recall),
        (Kind.OUTCOME, "at counted evidence id memory query recall result session writer", _outcome),
        (
            Kind.RUN,
            "excluded finished_at finished_by id included recall result used write_scope",
            _run,
        ),
        (Kind.CONTEXT, "asked digest form lines recall tokens", _context),
        (Kind.VECTOR, "fingerprint memory passages", _vector),
        (Kind.QUERY_VECTOR, "fingerprint numbers query", _query_vector),
    )
}
