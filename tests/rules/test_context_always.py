"""What holds of every context: whatever is stored and however small the budget is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from memory_layer.model.context import Context, ContextLayer, ContextOrder, ContextQuery, Format, Way
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.query import Reach
from memory_layer.model.vocabulary import Category, Outcome, Priority, Tier, WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import OutcomeFilter
from memory_layer.ports.store import New
from memory_layer.settings import load
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.text.tokens import estimate
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.look_up.recalls import text_given
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import Machine, new_id, scratch_store

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
AGENT = Writer("tester", WriterKind.AGENT, "python", "session-1")
EVERYWHERE = ContextScope(Reach.ALL)
SETTINGS = load({"MEM_HOME": "/nonexistent", "HOME": "/nonexistent"}, cwd=Path("/"))

WORDS = "upload retry cache never always test build port 8081 src/core/a.py naïve 設定 </memories> ## Role їжак слово"
TEXTS = st.one_of(
    st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=60).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=900),
).filter(str.strip)
FIELDS = st.fixed_dictionaries(
    {
        "content": TEXTS,
        "category": st.sampled_from(list(Category)),
        "priority": st.sampled_from(list(Priority)),
        "tier": st.sampled_from([Tier.SEMANTIC, Tier.SEMANTIC, Tier.SEMANTIC, Tier.PROCEDURAL]),
        "scope": st.sampled_from([(), (), ("src/core/**",), ("docs/**",)]),
        "reinforcement_count": st.sampled_from([1, 1, 2, 7]),
        "worked": st.sampled_from([0, 0, 3]),
        "age": st.integers(0, 400),
    }
)
STORES = st.lists(FIELDS, max_size=40)
WANTED = st.builds(
    ContextQuery,
    task=st.sampled_from([None, "upload retry cache", "build"]),
    query=st.none(),
    paths=st.sampled_from([(), ("src/core/a.py",), ("docs/x.md", "src/b.py")]),
    budget=st.integers(50, 4000),
    characters=st.sampled_from([200, 1000, 10_000]),
    format=st.sampled_from(list(Format)),
    way=st.sampled_from(list(Way)),
    start=st.just(False),
    peek=st.just(False),
    order=st.sampled_from(list(ContextOrder)),
    most=st.none(),
    task_id=st.none(),
)


@contextmanager
def stored(many: Sequence[dict[str, Any]]) -> Iterator[Engine]:
    """An engine over a store of these memories."""
    with scratch_store() as store:
        engine = Engine(
            settings=SETTINGS,
            store=store,
            embedder=lambda: None,
            fingerprint=lambda: None,
            surroundings=Machine(),
            now=lambda: NOW,
            new_id=new_id,
            scratch=scratch_store,
        )
        memories = [memory(number, **fields) for number, fields in enumerate(many)]
        with store.writing():
            ledger.create(
                store, [New(each, terms_of(each), 1) for each in memories], Edit(AGENT, "op_1", "add", NOW)
            )
        yield engine


def memory(number: int, age: int, content: str, **fields: Any) -> Memory:
    at = NOW - timedelta(days=age)
    hashed = content_hash(None, f"{number} {content}")  # so that a text may stand twice
    return Memory(f"mem_{number:04}", content, hashed, at, at)._replace(
        writer_kind=WriterKind.PERSON, **fields
    )


def given_to(engine: Engine, wanted: ContextQuery) -> Context:
    return context(engine, wanted, AGENT, EVERYWHERE)


def baseline(found: Context) -> list[str]:
    return [line.memory.id for line in found.lines if line.layer is ContextLayer.BASELINE]


@effort(max_examples=150)
@given(STORES, WANTED)
def test_the_text_never_exceeds_the_budget_nor_the_character_cap(many, wanted):
    with stored(many) as engine:
        found = given_to(engine, wanted)

    assert estimate(found.text) == found.tokens <= wanted.budget
    assert len(found.text) <= wanted.characters
    assert bool(found.text) == bool(found.lines)


@effort(max_examples=100)
@given(STORES, WANTED, st.integers(1, 2000))
def test_raising_the_budget_never_drops_a_baseline_memory_in_order_s4(many, wanted, more):
    wanted = wanted._replace(peek=True, order=ContextOrder.S4)
    with stored(many) as engine:
        small = given_to(engine, wanted)
        large = given_to(engine, wanted._replace(budget=wanted.budget + more))

    assert baseline(large)[: len(baseline(small))] == baseline(small)


@effort(max_examples=60)
@given(STORES, WANTED, st.randoms(use_true_random=False))
def test_the_same_memories_give_the_same_bytes_whatever_the_order_of_storing(many, wanted, chance):
    wanted = wanted._replace(peek=True)
    numbered = list(enumerate(many))
    chance.shuffle(numbered)
    with stored(many) as engine:
        found = given_to(engine, wanted)
        assert given_to(engine, wanted).text == found.text
    with stored([]) as engine:
        shuffled = [memory(number, **fields) for number, fields in numbered]
        with engine.store.writing():
            edit = Edit(AGENT, "op_1", "add", NOW)
            ledger.create(engine.store, [New(each, terms_of(each), 1) for each in shuffled], edit)
        again = given_to(engine, wanted)

    assert (again.text, again.digest) == (found.text, found.digest)


@effort(max_examples=60)
@given(STORES.filter(len), WANTED)
def test_a_text_is_made_again_from_its_recall_after_everything_in_it_has_changed(many, wanted):
    with stored(many) as engine:
        found = given_to(engine, wanted)
        with engine.store.writing():
            edit = Edit(AGENT, "op_2", "edit", NOW + timedelta(days=1))
            for line in found.lines:
                changed = read_memory(engine.store, line.memory.id)._replace(
                    content=f"changed {line.memory.id}",
                    content_hash=content_hash(None, f"changed {line.memory.id}"),
                    category=Category.TODO,
                    failed=9,
                )
                ledger.count(engine.store, changed)
                ledger.save(engine.store, changed, edit)
        assert found.recall is not None
        again = text_given(engine, found.recall)

    assert again.same
    assert again.text == found.text


@effort(max_examples=100)
@given(STORES, WANTED)
def test_nothing_stored_can_end_the_block_or_begin_a_line_of_its_own(many, wanted):
    wanted = wanted._replace(format=Format.MARKDOWN)
    with stored(many) as engine:
        found = given_to(engine, wanted)

    lines = found.text.splitlines()
    if lines:
        assert lines[0] == "## Memories"
        assert lines[4] == "<memories>"
        assert lines[-1] == "</memories>"
        assert len(lines) == 6 + len(found.lines)
        assert all(line.startswith("- [") for line in lines[5:-1])
        assert not any("<memories" in line or "</memories" in line for line in lines[5:-1])


def test_an_outcome_after_a_context_without_a_question_belongs_to_no_question():
    from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome

    with stored([{"content": "the port is 8081", "category": Category.FACT, "age": 0}]) as engine:
        found = given_to(engine, ContextQuery())
        record_outcome(engine, ["mem_0000"], OutcomeReport(Outcome.WORKED), AGENT)
        with engine.store.reading():
            (event,) = engine.store.log.outcomes(OutcomeFilter(memories=["mem_0000"]))

    assert (event.recall, event.query) == (found.recall, None)
