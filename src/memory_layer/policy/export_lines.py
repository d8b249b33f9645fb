"""A record as a line of an export, with its fields in alphabetical order."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from memory_layer.model.carried import (
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
from memory_layer.model.memory import Citation
from memory_layer.model.outcome import OutcomeEvent

FORMAT = "memory-layer"  #: the name by which `mem import` knows its own files
FORMAT_VERSION = 1  #: of the lines; a change that an older program would misread raises it
HEAD, END = "export", "end"  #: the types of the first and the last line

Line = dict[str, Any]

#: What a terminal may take for a command or an editor for the end of a line.
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def written(line: Line) -> bytes:
    """A line in its one spelling, so that equal stores give equal bytes."""
    text = _encode(line)
    if not text.isascii():
        text = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return f"{text}\n".encode()


def moment(at: datetime) -> str:
    """ISO 8601 in UTC, always with microseconds."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def _moment(at: datetime | None) -> str | None:
    return None if at is None else moment(at)


def head_line(head: Head) -> Line:
    return {
        "audit": {"count": head.audit[0], "hash": head.audit[1]} if head.audit else None,
        "counts": dict(head.counts),
        "format": FORMAT,
        "partial": head.partial,
        "program": head.program,
        "schema_version": FORMAT_VERSION,
        "space": head.space,
        "type": HEAD,
        "vectors": head.vectors,
    }


def end_line(lines: int, sha256: str) -> Line:
    """The last line: how many lines stand before it, and the hash of their bytes."""
    return {"lines": lines, "sha256": sha256, "type": END}


def _project(record: CarriedProject) -> Line:
    return {
        "aliases": list(record.aliases),
        "created_at": moment(record.created_at),
        "id": record.id,
        "key": record.key,
        "name": record.name,
        "type": "project",
    }


def _memory(record: CarriedMemory) -> Line:
    memory = record.memory
    return {
        "approved_at": _moment(memory.approved_at),
        "approved_by": memory.approved_by,
        "category": memory.category.value,
        "citations": [_citation(citation) for citation in memory.citations],
        "confidence": memory.confidence,
        "content": memory.content,
        "content_hash": memory.content_hash,
        "created_at": moment(memory.created_at),
        "expires_at": _moment(memory.expires_at),
        "failed": memory.failed,
        "id": memory.id,
        "last_recalled_at": _moment(memory.last_recalled_at),
        "last_used_at": _moment(memory.last_used_at),
        "lease_until": _moment(record.lease_until),
        "metadata": dict(memory.metadata),
        "outcome_score": memory.outcome_score,
        "partial": memory.partial,
        "position": memory.position,
        "priority": memory.priority.value,
        "project": record.project,
        "reason": memory.reason.value if memory.reason else None,
        "reason_detail": memory.reason_detail,
        "recall_count": memory.recall_count,
        "reinforced_at": _moment(memory.reinforced_at),
        "reinforcement_count": memory.reinforcement_count,
        "relevance": memory.relevance,
        "scope": memory.scope,
        "session": memory.session,
        "source": memory.source.value,
        "source_run_id": memory.source_run_id,
        "status": memory.status.value,
        "tags": memory.tags,
        "tier": memory.tier.value,
        "tokens": record.tokens,
        "type": "memory",
        "updated_at": moment(memory.updated_at),
        "use_count": memory.use_count,
        "version": memory.version,
        "worked": memory.worked,
        "writer": memory.writer,
        "writer_kind": memory.writer_kind.value,
    }


def _citation(citation: Citation) -> Line:
    return {name: value for name, value in sorted(citation._asdict().items()) if value is not None}


def _episode(record: CarriedEpisode) -> Line:
    return {
        "digest": record.digest,
        "hash": record.hash,
        "memory": record.memory,
        "number": record.number,
        "session": record.session,
        "type": "episode",
    }


def _link(record: CarriedLink) -> Line:
    return {
        "attention": record.attention.name.lower(),
        "created_at": moment(record.link.created_at),
        "kind": record.link.kind.value,
        "source": record.link.source,
        "target": record.link.target,
        "type": "link",
    }


def _audit(record: CarriedChange) -> Line:
    change = record.change
    return {
        "action": change.action,
        "after": change.after,
        "at": moment(change.at),
        "before": change.before,
        "door": change.door,
        "hash": change.hash,
        "memory": change.memory,
        "number": change.number,
        "operation": change.operation,
        "payload": record.payload,
        "type": "audit",
        "writer": change.writer,
    }


def _query(record: CarriedQuery) -> Line:
    return {"created_at": moment(record.created_at), "text": record.text, "type": "query"}


def _recall(recall: CarriedRecall) -> Line:
    return {
        "at": moment(recall.at),
        "id": recall.id,
        "items": [_item(item) for item in recall.items],
        "kind": recall.kind,
        "mode": recall.mode.value,
        "project": recall.project,
        "query": recall.query,
        "ranker": recall.ranker,
        "session": recall.session,
        "type": "recall",
        "writer": recall.writer,
    }


def _item(item: CarriedItem) -> Line:
    return {"memory": item.memory, "rank": item.rank, "score": item.score, "signals": item.signals}


def _outcome(event: OutcomeEvent) -> Line:
    return {
        "at": moment(event.at),
        "counted": event.counted,
        "evidence": event.evidence,
        "id": event.id,
        "memory": event.memory,
        "query": event.query,
        "recall": event.recall,
        "result": event.result.value,
        "session": event.session,
        "type": "outcome",
        "writer": event.writer,
    }


def _run(run: CarriedRun) -> Line:
    ending = run.ending
    return {
        "excluded": list(run.excluded),
        "finished_at": _moment(ending.at if ending else None),
        "finished_by": ending.by if ending else None,
        "id": run.id,
        "included": list(run.included),
        "recall": run.recall,
        "result": ending.result.value if ending else None,
        "type": "run",
        "used": list(ending.used) if ending else [],
        "write_scope": list(run.write_scope),
    }


def _context(context: CarriedContext) -> Line:
    kept = context.kept
    return {
        "asked": kept.asked,
        "digest": kept.digest,
        "form": kept.form,
        "lines": [list(line) for line in kept.lines],
        "recall": context.recall,
        "tokens": kept.tokens,
        "type": "context",
    }


def _vector(record: CarriedVector) -> Line:
    return {
        "fingerprint": record.fingerprint,
        "memory": record.memory,
        "passages": [_numbers(passage) for passage in record.passages],
        "type": "vector",
    }


def _query_vector(record: CarriedQueryVector) -> Line:
    return {
        "fingerprint": record.fingerprint,
        "numbers": _numbers(record.numbers),
        "query": record.query,
        "type": "query_vector",
    }


def _numbers(stored: bytes) -> str:
    return base64.b64encode(stored).decode()


#: How each kind of record is written.
WRITERS: dict[Kind, Callable[[Any], Line]] = {
    Kind.PROJECT: _project,
    Kind.MEMORY: _memory,
    Kind.EPISODE: _episode,
    Kind.LINK: _link,
    Kind.AUDIT: _audit,
    Kind.QUERY: _query,
    Kind.RECALL: _recall,
    Kind.OUTCOME: _outcome,
    Kind.RUN: _run,
    Kind.CONTEXT: _context,
    Kind.VECTOR: _vector,
    Kind.QUERY_VECTOR: _query_vector,
}
