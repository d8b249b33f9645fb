"""The same memory set produces the same prompt: whatever the order of storing, to the byte."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from memory_layer.doors import wire
from memory_layer.doors.cli.commands import run
from memory_layer.model.context import ContextOrder
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.runs import RunTask
from memory_layer.model.vocabulary import Category, Reason, Status, WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.ports.store import New
from memory_layer.settings import load
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.learn.run import start
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.wiring import Machine, new_id, scratch_store

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
AGENT = Writer("tester", WriterKind.AGENT, "python", "session-1")
FITTING, ELSEWHERE = "src/core/**", "docs/**"


def memory(number: int, **fields: Any) -> Memory:
    text = f"memory number {number}"
    at = NOW - timedelta(days=number)
    made = Memory(f"mem_{number:03}", text, content_hash(None, text), at, at)
    return made._replace(writer_kind=WriterKind.PERSON, **fields)


def memories_of(many: Sequence[dict[str, Any]]) -> list[Memory]:
    return [memory(number, **fields) for number, fields in enumerate(many)]


MEMORIES = st.lists(
    st.fixed_dictionaries(
        {
            "category": st.sampled_from([Category.PATTERN, Category.WARNING, Category.LEARNING]),
            "confidence": st.sampled_from([0.0, 0.29, 0.3, 0.5, 0.7, 1.0]),
            "relevance": st.sampled_from([0.1, 0.5, 0.7, 1.0]),
            "scope": st.sampled_from([(), (FITTING,), (ELSEWHERE,)]),
            "tags": st.sampled_from([(), (FITTING,), ("testing",)]),
            "expires_at": st.sampled_from([None, NOW, NOW + timedelta(days=1)]),
            "status": st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.ARCHIVED]),
        }
    ),
    max_size=30,
).map(memories_of)


def given_to_a_run(memories: Sequence[Memory], task: RunTask) -> tuple[list[str], str, str]:
    """What a run is given of memories stored in this order: ids, text for people, digest of the data."""
    with scratch_store() as store:
        engine = Engine(
            settings=load({"MEM_HOME": "/nonexistent", "HOME": "/nonexistent"}, cwd=Path("/")),
            store=store,
            embedder=lambda: None,
            fingerprint=lambda: None,
            surroundings=Machine(),
            now=lambda: NOW,
            new_id=new_id,
            scratch=scratch_store,
        )
        with store.writing():
            stored = [each._replace(reason=_reason(each)) for each in memories]
            ledger.create(
                store, [New(each, terms_of(each), 1) for each in stored], Edit(AGENT, "op_1", "add", NOW)
            )
        begun = start(engine, task, AGENT)
    text = run.one(begun, NOW, None).partition("\n")[2]  # the run has an id of its own
    data = json.dumps(wire.run(begun)["hits"])
    return [hit.memory.id for hit in begun.hits], text, hashlib.sha256(data.encode()).hexdigest()


def _reason(each: Memory) -> Reason | None:
    return Reason.ASKED if each.status is Status.ARCHIVED else None


@effort(max_examples=60)
@given(MEMORIES, st.randoms(use_true_random=False), st.booleans(), st.sampled_from([1, 3, 10]))
def test_the_same_memory_set_produces_the_same_prompt_whatever_the_order_of_storing(
    memories, chance, scoped, most
):
    task = RunTask("make uploads faster", write_scope=("src/core/upload.py",) if scoped else (), most=most)
    shuffled = list(memories)
    chance.shuffle(shuffled)

    assert given_to_a_run(shuffled, task) == given_to_a_run(memories, task)


@effort(max_examples=60)
@given(MEMORIES, st.booleans())
def test_the_order_is_active_not_expired_confident_fitting_first_then_confidence_times_relevance_then_id(
    memories, scoped
):
    task = RunTask(
        "make uploads faster",
        write_scope=("src/core/upload.py",) if scoped else (),
        order=ContextOrder.S1,
    )
    eligible = [
        each
        for each in memories
        if each.status is Status.ACTIVE
        and (each.expires_at is None or each.expires_at > NOW)
        and each.confidence >= 0.3
    ]

    def place(each: Memory) -> tuple[bool, float, str]:
        fits = scoped and FITTING in (*each.scope, *each.tags)
        return not fits, -(each.confidence * each.relevance), each.id

    expected = [each.id for each in sorted(eligible, key=place)][:10]
    assert given_to_a_run(memories, task)[0] == expected
