"""Vectors of several models: made, completed, never mixed, and put away when asked."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import numpy as np
import pytest

from memory_layer.errors import ModelUnavailable
from memory_layer.model.changes import Changes
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Mode, Query
from memory_layer.model.vocabulary import OnDuplicate, Outcome
from memory_layer.ports.search import Made
from memory_layer.store.sqlite import vectors as sqlite_vectors
from memory_layer.usecases.govern.history import revert
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.look_up.browse import stats
from memory_layer.usecases.recall.evidence import compared
from memory_layer.usecases.recall.related import related
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.recall.vectors import likenesses
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.upkeep import embed
from memory_layer.usecases.who.lookup import read_memory
from tests.hashed import Hashed
from tests.passages import passages_of

OLD, NEW = Hashed("old", 48), Hashed("new", 64)
TEXTS = ("ferries leave at noon", "refunds are booked by a worker", "the lighthouse is painted in spring")


def under(engine, model):
    """The same store with another model installed."""
    return engine._replace(
        embedder=lambda: model, fingerprint=lambda: model.fingerprint if model is not None else None
    )


@pytest.fixture
def old(keyword_engine):
    return under(keyword_engine, OLD)


@pytest.fixture
def new(keyword_engine):
    return under(keyword_engine, NEW)


def keep(engine, agent, *texts):
    drafts = [Draft(content=text, on_duplicate=OnDuplicate.KEEP) for text in texts]
    return [add(engine, draft, agent).id for draft in drafts]


def held(engine, memory_id):
    """Which models' vectors a memory has."""
    return [
        m.fingerprint for m in (OLD, NEW) if passages_of(engine.store, memory_id, m.fingerprint) is not None
    ]


def by_meaning(engine, text, agent, **fields):
    return search(engine, Query(text=text, mode=Mode.SEMANTIC, **fields), agent)


def test_a_run_gives_vectors_to_what_has_none_and_a_second_one_finds_nothing_to_do(
    keyword_engine, new, agent
):
    ids = keep(keyword_engine, agent, *TEXTS)

    assert embed.to_do(new) == 3
    assert embed.embed_missing(new) == embed.Embedded(3, NEW.fingerprint, questions=0)
    assert [held(new, each) for each in ids] == [[NEW.fingerprint]] * 3
    assert embed.embed_missing(new).done == embed.to_do(new) == 0


def test_another_models_vectors_stay_until_they_are_asked_away(old, new, agent):
    ids = keep(old, agent, *TEXTS)

    embed.embed_missing(new)
    both = [held(new, each) for each in ids]
    pruned = embed.prune(new)

    assert both == [[OLD.fingerprint, NEW.fingerprint]] * 3
    assert pruned == (3, 3 * 48 * 2)
    assert [held(new, each) for each in ids] == [[NEW.fingerprint]] * 3
    assert embed.prune(new) == (0, 0)


def test_a_memory_without_the_new_vectors_keeps_the_old_ones(old, new, agent, monkeypatch):
    monkeypatch.setattr(embed, "PRUNED_AT_ONCE", 2)
    ids = keep(old, agent, *TEXTS)
    with new.store.writing():
        new.store.vectors.put(NEW.fingerprint, [Made(ids[1], NEW.embed_memories([TEXTS[1]])[0])])

    assert embed.prune(new).vectors == 1
    assert [held(new, each) for each in ids] == [[OLD.fingerprint], [NEW.fingerprint], [OLD.fingerprint]]


def test_the_standing_names_every_model_and_what_it_takes(old, new, agent):
    ids = keep(old, agent, *TEXTS)
    keep(new, agent, "a text of\ntwo passages")
    found = embed.standing(new)

    assert found == (NEW.fingerprint, 1, 2 * 64 * 2, 3, 0, ((OLD.fingerprint, 3, 3, 3 * 48 * 2),))
    assert held(new, ids[0]) == [OLD.fingerprint]


@pytest.mark.parametrize("verb", [embed.embed_missing, embed.standing, embed.prune])
def test_without_a_model_there_is_nothing_to_embed_with(keyword_engine, verb):
    with pytest.raises(ModelUnavailable, match="mem model install"):
        verb(keyword_engine)


def test_archived_memories_are_embedded_and_forgotten_ones_are_not(keyword_engine, new, agent, person):
    aside, gone, _ = keep(keyword_engine, agent, *TEXTS)
    archive(keyword_engine, [aside], agent)
    forget(keyword_engine, [gone], person)

    assert embed.embed_missing(new).done == 2
    assert held(new, gone) == []


def test_a_long_text_ends_a_batch_early_and_nothing_is_left_out(keyword_engine, new, agent, monkeypatch):
    monkeypatch.setattr(embed, "BATCH_CHARACTERS", 40)
    keep(keyword_engine, agent, *TEXTS)
    batches: list[int] = []

    assert embed.embed_missing(new, batches.append).done == 3
    assert batches == [1, 1, 1]


# while the run is unfinished


def test_a_search_compares_vectors_of_the_installed_model_only_and_finds_the_rest_by_words(old, new, agent):
    stale, *_ = keep(old, agent, *TEXTS)
    (fresh,) = keep(new, agent, "ferries leave at dawn")

    semantic = by_meaning(new, "ferries leave at noon", agent)
    hybrid = search(new, Query(text="ferries leave at noon"), agent)
    before = by_meaning(old, "ferries leave at noon", agent)

    assert [hit.memory.id for hit in semantic.hits] == [fresh]
    assert [hit.memory.id for hit in hybrid.hits][:2] == [stale, fresh]
    assert before.hits[0].memory.id == stale
    assert fresh not in [hit.memory.id for hit in before.hits]


def test_a_search_says_how_many_wait_and_what_to_do(old, new, agent):
    keep(old, agent, *TEXTS)

    notice = by_meaning(new, "ferries", agent).notice
    assert notice == "3 memories are found by keywords only until `mem embed` has run"
    assert search(new, Query(text="ferries", mode=Mode.KEYWORD), agent).notice is None
    assert by_meaning(old, "ferries", agent).notice is None
    embed.embed_missing(new)
    assert by_meaning(new, "ferries", agent).notice is None


def test_one_that_waits_is_one_memory_and_an_archived_one_is_not_missed(keyword_engine, new, agent):
    aside, _ = keep(keyword_engine, agent, *TEXTS[:2])
    archive(keyword_engine, [aside], agent)

    notice = by_meaning(new, "ferries", agent).notice
    assert notice == "1 memory is found by keywords only until `mem embed` has run"


def test_of_a_large_store_the_total_is_an_estimate_but_a_search_knows(
    keyword_engine, new, agent, monkeypatch
):
    monkeypatch.setattr(sqlite_vectors, "COUNTED_MOST", 20)
    monkeypatch.setattr(sqlite_vectors, "LOOKED_AT", 10)
    keep(new, agent, *(f"ferry number {number} leaves at noon" for number in range(50)))
    none = embed.waiting(new)
    keep(keyword_engine, agent, *(f"bus number {number} leaves at dawn" for number in range(50)))

    assert none == 0
    assert 30 <= embed.waiting(new) <= 70
    assert "50 memories are" in (by_meaning(new, "ferry", agent).notice or "")
    assert stats(new, Filters()).waiting == embed.waiting(new)
    assert stats(keyword_engine, Filters()).waiting == 0


def test_neighbours_are_looked_for_among_vectors_of_one_model(old, new, agent):
    stale, *_ = keep(old, agent, *TEXTS)
    first, second = keep(new, agent, "ferries leave at dawn", "ferries leave at dusk")

    assert [hit.memory.id for hit in related(new, first, Filters()).hits] == [second]
    assert [hit.memory.id for hit in related(new, stale, Filters()).hits] == [first, second]


def test_a_near_duplicate_is_only_seen_through_vectors_of_the_same_model(old, new, agent):
    keep(old, agent, "ferries leave at noon on weekdays from the east pier")
    unseen = add(new, Draft(content="from the east pier ferries leave at noon on weekdays"), agent)
    embed.embed_missing(new)
    asked = add(new, Draft(content="on weekdays ferries leave from the east pier at noon"), agent)

    assert unseen.status == "created"
    assert asked.status != "created"


def test_a_likeness_is_of_two_vectors_of_one_model(old, new, agent):
    (one,), (two,) = keep(old, agent, TEXTS[0]), keep(new, agent, TEXTS[1])

    assert likenesses(old.store, [(one, two)]) == {}
    embed.embed_missing(new)
    assert list(likenesses(old.store, [(one, two)])) == [(one, two)]


# what changes meanwhile


class Interrupted(Hashed):
    """A model that lets something happen while it works on a batch."""

    def __init__(self, *happening) -> None:
        super().__init__("new", 64)
        self.happening = list(happening)
        self.embedded: list[str] = []

    def embed_memories(self, texts, progress=None):
        made = super().embed_memories(texts, progress)
        self.embedded += texts
        if self.happening:
            self.happening.pop(0)()
        return made


def vectors_fit(engine, memory_id):
    memory = read_memory(engine.store, memory_id)
    stored = passages_of(engine.store, memory_id, NEW.fingerprint)
    return np.allclose(stored, NEW.embed_memories([memory.content])[0], atol=1e-3)


@pytest.mark.parametrize("editor", ["keyword", "old", "new"])
def test_a_memory_edited_meanwhile_gets_no_vector_of_its_old_text(keyword_engine, old, new, agent, editor):
    engine = {"keyword": keyword_engine, "old": old, "new": new}[editor]
    _, second, _ = ids = keep(keyword_engine, agent, *TEXTS)
    model = Interrupted(lambda: edit(engine, second, Changes(content="refunds take a week"), agent))

    embed.embed_missing(under(new, model))

    assert all(vectors_fit(new, each) for each in ids)
    assert embed.to_do(new) == 0


def test_a_memory_forgotten_meanwhile_gets_no_vector(keyword_engine, new, agent, person):
    first, *_ = keep(keyword_engine, agent, *TEXTS)
    model = Interrupted(lambda: forget(keyword_engine, [first], person))

    assert embed.embed_missing(under(new, model)).done == 2
    assert held(new, first) == []


def test_what_is_added_meanwhile_is_embedded_too(keyword_engine, new, agent):
    keep(keyword_engine, agent, *TEXTS)
    model = Interrupted(lambda: keep(keyword_engine, agent, "dogs bark"))

    assert embed.embed_missing(under(new, model)).done == 4


@pytest.mark.parametrize("way", ["edit", "revert"])
def test_a_new_text_takes_the_vectors_of_every_model_away(old, new, agent, way):
    (memory,) = keep(old, agent, TEXTS[0])
    if way == "revert":
        edit(old, memory, Changes(content="ferries leave at dusk"), agent)
        revert(new, memory, 1, agent)
    else:
        edit(new, memory, Changes(content="ferries leave at dusk"), agent)

    assert held(new, memory) == [NEW.fingerprint]
    assert vectors_fit(new, memory)


def test_two_runs_at_once_share_the_work(keyword_engine, new, agent, monkeypatch):
    monkeypatch.setattr(embed, "BATCH", 4)
    keep(keyword_engine, agent, *(f"ferry number {number} leaves at noon" for number in range(40)))
    other = Interrupted()
    helper = under(new, other)

    def step():
        """The other run embeds the batch that this one has just begun."""
        batch = embed._next(helper, other, None, 0)
        embed._embed(helper, other, batch, None)

    model = Interrupted(*[step] * 3)
    done = embed.embed_missing(under(new, model))

    assert done.done == 40 - len(other.embedded)
    assert (
        len(set(model.embedded)) == 40 - len(other.embedded) + 4
    )  # one batch was made twice, then they parted
    assert len(model.embedded) == len(set(model.embedded))
    assert embed.to_do(new) == 0


# questions


ASKED, OTHER = "when do ferries leave", "who books refunds"


def alike(engine, model):
    """How alike the questions are that are known to a model, by their vectors."""
    vector = model.embed_query(ASKED)
    return compared(engine, ASKED, model.fingerprint, vector, {ASKED, OTHER})[0]


def told(engine, agent, memory):
    report = OutcomeReport(result=Outcome.WORKED, query=ASKED, evidence="seen at the pier")
    record_outcome(engine, [memory], report, agent)


def test_questions_with_an_outcome_are_embedded_anew_so_that_what_was_learned_still_counts(old, new, agent):
    memory, *_ = keep(old, agent, *TEXTS)
    told(old, agent, memory)
    search(old, Query(text="who books refunds"), agent)  # nobody reported on this one

    assert embed.standing(new).questions == 1
    assert alike(new, NEW) == {}
    assert embed.embed_missing(new) == embed.Embedded(3, NEW.fingerprint, questions=1)
    assert alike(new, NEW) == pytest.approx({ASKED: 1.0}, abs=1e-3)
    assert ASKED not in alike(old, OLD)


def test_pruning_leaves_no_number_of_another_model(old, new, agent, settings):
    memory, *_ = keep(old, agent, *TEXTS)
    told(old, agent, memory)
    search(old, Query(text="who books refunds"), agent)
    embed.embed_missing(new)
    embed.prune(new)

    with closing(sqlite3.connect(settings.database_path)) as db:
        used = "select embedding from vector union select embedding from query where numbers is not null"
        (left,) = db.execute(f"select fingerprint from embedding where row in ({used})").fetchall()
    assert left == (NEW.fingerprint,)
