"""The records of an export, one line each, and the table of fields of every kind of line.

The shape of a field decides how a line is written and checked (`rules/transfer/line_codec.py`), its column
(`store/sqlite/transfer.py`), and whether it may contain a secret (`rules/transfer/trust.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import Enum, StrEnum
from types import new_class
from typing import Any, TypeAlias

from memory_layer.model.memory import Link, Memory
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Mode
from memory_layer.model.record import NamedTuple
from memory_layer.model.runs import StoredResult
from memory_layer.model.tasks import TaskLink
from memory_layer.model.vocabulary import (
    Attention,
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

FORMAT = "memory-layer"  #: identifies the files that `mem import` accepts as exports
FORMAT_VERSION = 1  #: of the lines; raised by incompatible changes
HEAD, END = "export", "end"  #: the types of the first and the last line


#: A record of an export: a named tuple with the fields of its kind.
ExportRecord: TypeAlias = Any
#: Enumerations by the name of their shape.
WORDS: dict[str, type[Enum]] = {
    words.__name__: words
    for words in (
        *(Attention, Category, LinkKind, Mode, Outcome, Priority),
        *(Reason, Source, Status, StoredResult, Tier, WriterKind),
    )
}


class LineKind(StrEnum):
    """The kinds of lines, in file order; each refers only to earlier ones."""

    PROJECT = "project"
    MEMORY = "memory"
    EPISODE = "episode"
    LINK = "link"
    AUDIT = "audit"
    QUERY = "query"
    RECALL = "recall"
    OUTCOME = "outcome"
    RUN = "run"
    CONTEXT = "context"
    TASK_LINK = "task_link"
    VECTOR = "vector"
    QUERY_VECTOR = "query_vector"


#: The kinds exported only on request.
VECTORS = (LineKind.VECTOR, LineKind.QUERY_VECTOR)


#: The kinds that exports of earlier versions do not count.
ADDED_KINDS = (LineKind.TASK_LINK,)


class ExportedMemory(NamedTuple):
    """A memory with its project's id in place of the key, and internal values of the store."""

    memory: Memory
    project: str | None
    tokens: int
    lease_until: datetime | None


class Exported(NamedTuple):
    """The report of an export."""

    file: str | None  #: None on standard output
    format: str
    memories: int
    lines: int
    size_bytes: int
    sha256: str
    partial: bool
    flaws: tuple[str, ...] = ()  #: flaws of the history, and memories that do not match it


class ExportField(NamedTuple):
    """One field of a kind of line."""

    name: str
    shape: str  #: its type; `word` for one of `words`
    nullable: bool
    words: type[Enum] | None
    place: int  #: position in the values of its record


class ExportForm:
    """The fields of one kind of line, and its records."""

    def __init__(self, kind: str, table: str, record: Any = None, inner: Any = None) -> None:
        """Parse `name:shape` for each field in record order: `!` marks the key, `?` allows null."""
        declared = [each.partition(":")[::2] for each in table.split()]
        names = [name.rstrip("!") for name, _ in declared]
        made: Any = new_class(
            kind, (NamedTuple,), exec_body=lambda body: body.update(__annotations__=dict.fromkeys(names))
        )
        self.record = record or made
        self.inner, self.inner_size = inner, len(inner._fields) if inner else 0
        # A name that both records have refers to the outer one.
        self.names = (*inner._fields, *self.record._fields[1:]) if inner else self.record._fields
        places = {name: place for place, name in enumerate(self.names)}
        self.fields = tuple(
            ExportField(
                name, "word" if words else shape.rstrip("?"), shape.endswith("?"), words, places[name]
            )
            for name, (_, shape) in zip(names, declared, strict=True)
            for words in [WORDS.get(shape.rstrip("?"))]
        )
        #: Positions of the values that must be unique.
        self.key = [places[name[:-1]] for name, _ in declared if name.endswith("!")]

    def values(self, record: ExportRecord) -> Sequence[Any]:
        """Return the values of a record, those of an inner record first."""
        values: Sequence[Any] = (*record[0], *record[1:]) if self.inner else record
        return values

    def made(self, values: Sequence[Any]) -> ExportRecord:
        """Build the record from these values."""
        if not self.inner:
            return self.record._make(values)
        inner = self.inner._make(values[: self.inner_size])
        return self.record(inner, *values[self.inner_size :])


#: The shapes that refer to an earlier line.
REFERENCES = {
    "project": LineKind.PROJECT,
    "memory": LineKind.MEMORY,
    "query": LineKind.QUERY,
    "recall": LineKind.RECALL,
}
#: The fields of each kind; Python knows some of the records already, and one holds another.
FORMS: dict[str, ExportForm] = {
    kind: ExportForm(kind, *declared)
    for kind, *declared in (
        (
            HEAD,
            "audit:chain_head? counts:counts format:format partial:flag program:name schema_version:version"
            " space:name? vectors:flag",
        ),
        (END, "lines:count sha256:hash"),
        (LineKind.PROJECT, "id!:mark key:path name:path aliases:paths created_at:moment"),
        (
            LineKind.MEMORY,
            "id!:mem content:content content_hash:digest created_at:moment updated_at:moment category:Category"
            " tier:Tier project:project? scope:labels tags:labels metadata:metadata priority:Priority source:Source"
            " source_run_id:name? writer:name writer_kind:WriterKind confidence:share relevance:share"
            " outcome_score:score worked:count failed:count partial:count recall_count:count"
            " last_recalled_at:moment? use_count:count last_used_at:moment? reinforcement_count:count"
            " reinforced_at:moment? session:name? position:whole? status:Status reason:Reason?"
            " reason_detail:evidence? expires_at:moment? approved_by:name? approved_at:moment?"
            " citations:citations version:count tokens:tokens lease_until:moment?",
            ExportedMemory,
            Memory,
        ),
        (LineKind.EPISODE, "session:path number:count memory:id digest:digest hash:digest"),
        (
            LineKind.LINK,
            "source!:memory target!:memory kind!:LinkKind created_at:moment attention:Attention",
            Link,
        ),
        (
            LineKind.AUDIT,
            "number:count at:moment operation:mark action:mark memory:id? writer:name door:mark before:digest?"
            " after:digest? hash:digest payload:payload?",
        ),
        (LineKind.QUERY, "text!:question created_at:moment"),
        (
            LineKind.RECALL,
            "id!:rec at:moment query:query kind:name mode:Mode ranker:name writer:name session:path"
            " project:project? items:items",
        ),
        (
            LineKind.OUTCOME,
            "id!:mark memory:memory result:Outcome counted:flag at:moment session:path writer:name query:query?"
            " recall:recall? evidence:evidence?",
            OutcomeEvent,
        ),
        (
            LineKind.RUN,
            "id!:run recall:recall write_scope:labels included:marks excluded:marks result:StoredResult?"
            " finished_at:moment? finished_by:name? used:marks",
        ),
        (LineKind.CONTEXT, "recall!:recall form:name asked:asked lines:lines tokens:count digest:hash"),
        (
            LineKind.TASK_LINK,
            "task!:name memory!:memory created_at:moment project!:project? automatic:flag",
            TaskLink,
        ),
        (LineKind.VECTOR, "memory!:memory fingerprint!:mark passages:passages"),
        (LineKind.QUERY_VECTOR, "query!:query fingerprint!:mark numbers:numbers"),
    )
}
