"""Export ended runs as training data: task, context, memories with their signals, reward."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from memory_layer.model.memory import Memory
from memory_layer.model.query import Given
from memory_layer.model.runs import Run, RunResult
from memory_layer.model.vocabulary import Reason
from memory_layer.ports import Engine
from memory_layer.rules.transfer.fields import moment
from memory_layer.rules.transfer.line_codec import Line, written
from memory_layer.usecases.govern import chain
from memory_layer.usecases.learn import outcome

SCHEMA_VERSION = 1  #: of a line; raised by incompatible changes
REWARDS = {RunResult.SUCCESS: 1.0, RunResult.FAILURE: 0.0}


def training(engine: Engine, runs: Iterable[str]) -> Iterator[bytes]:
    """Yield a line for each of these ended runs."""
    for run_id in runs:
        yield written(_line(engine, outcome.run_of(engine.store, run_id)))


def _line(engine: Engine, run: Run) -> Line:
    assert run.ending is not None
    known = [_as_it_was(engine, hit.memory, run.at) for hit in run.hits]
    memories = [
        _memory(rank, hit, memory, used=hit.memory.id in run.ending.used)
        for rank, (hit, memory) in enumerate(zip(run.hits, known, strict=True))
    ]
    return {
        "context": _context([memory for memory in known if memory]),
        "finished_at": moment(run.ending.at),
        "id": run.id,
        "memories": memories,
        "project": run.project,
        "result": run.ending.result.value,
        "reward": REWARDS[run.ending.result],
        "schema_version": SCHEMA_VERSION,
        "started_at": moment(run.at),
        "task": run.task,
        "type": "run",
        "write_scope": list(run.write_scope),
    }


def _memory(rank: int, hit: Given, memory: Memory | None, *, used: bool) -> Line:
    return {
        "category": (memory or hit.memory).category.value,
        "content": memory.content if memory else None,
        "id": hit.memory.id,
        "rank": rank,
        "score": hit.score,
        "signals": dict(sorted(hit.signals.items())),
        "used": used,
    }


def _as_it_was(engine: Engine, memory: Memory, at: datetime) -> Memory | None:
    """Return a memory as the run received it; None if it was forgotten since."""
    if memory.reason is Reason.FORGOTTEN:
        return None
    then = [version.memory for version in chain.versions(engine.store, memory.id) if version.change.at <= at]
    return then[-1] if then else memory


def _context(memories: list[Memory]) -> str:
    """Return the context of a run as lines of text."""
    return "\n".join(["## Memories", *(f"- [{memory.category}] {memory.content}" for memory in memories)])
