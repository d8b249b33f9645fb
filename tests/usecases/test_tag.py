"""Tagging: words, pairs, and a vector that stays where it is."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput, NotAllowed
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.recall.vectors import matching
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.edit import tag, tag_many
from tests.passages import passages_of


@pytest.fixture
def known(engine, agent):
    return add(engine, Draft(content="Consumers commit after the write"), agent).id


def test_pairs_become_metadata_and_words_become_tags(engine, agent, known):
    memory = tag(
        engine, known[:9], ["topic=kafka", "retries=3", "safe=true", "load=0.5", "backend"], agent
    ).memory

    assert memory.metadata == {"topic": "kafka", "retries": 3, "safe": True, "load": 0.5}
    assert memory.tags == ("backend",)
    assert [change.action for change in chain.changes(engine.store, known)] == ["add", "tag"]


def test_labels_are_found_by_words(engine, agent, known):
    tag(engine, known, ["topic=kafka", "backend"], agent)

    for word in ("kafka", "backend"):
        assert len(matching(engine.store, [word], Filters(), engine.now(), 5)) == 1


def test_tagging_never_moves_the_vector(engine, agent, known):
    fingerprint = engine.embedder().fingerprint
    before = passages_of(engine.store, known, fingerprint).tobytes()
    tag(engine, known, ["topic=kafka", "backend"], agent)

    assert passages_of(engine.store, known, fingerprint).tobytes() == before
    assert add(engine, Draft(content="Consumers commit after the write"), agent).status == "exists"


def test_tags_and_keys_are_taken_away_again(engine, agent, known):
    tag(engine, known, ["topic=kafka", "backend", "urgent", "both", "both=1"], agent)
    memory = tag(engine, known, ["backend", "topic", "both"], agent, remove=True).memory

    assert (memory.tags, memory.metadata) == (("urgent",), {})


def test_taking_away_what_is_not_there_is_a_mistake(engine, agent, known):
    with pytest.raises(InvalidInput, match="neither a tag nor a key 'backend'"):
        tag(engine, known, ["backend"], agent, remove=True)


def test_a_secret_in_a_pair_is_redacted_before_it_looks_like_a_number(engine, agent, known):
    edited = tag(engine, known, ["password=8361940275", "db_password=correct-horse-7"], agent)

    assert edited.redacted
    assert all(str(value).startswith("[REDACTED:") for value in edited.memory.metadata.values())


def test_no_words_are_refused(engine, agent, known):
    with pytest.raises(InvalidInput, match="at least one"):
        tag(engine, known, [], agent)


def test_an_agent_takes_no_label_from_what_a_person_guards(engine, agent, person):
    guarded = add(engine, Draft(content="Deploy on Mondays", tags=("rule",)), person).id

    with pytest.raises(NotAllowed):
        tag(engine, guarded, ["rule"], agent, remove=True)
    assert tag(engine, guarded, ["calm"], agent).memory.tags == ("rule", "calm")


def test_several_memories_are_tagged_as_one_operation_that_one_undo_takes_back(engine, agent, known):
    other = add(engine, Draft(content="The port of the booking API is 8081"), agent).id
    done = tag_many(engine, [known, other[:9]], ["kiosk", "topic=feed"], agent)

    assert [each.memory.tags for each in done] == [("kiosk",)] * 2
    assert len({chain.changes(engine.store, each)[-1].operation for each in (known, other)}) == 1
    undo(engine, agent)
    assert [each.tags for each in engine.store.memories.get([known, other])] == [(), ()]


def test_several_memories_are_tagged_all_or_none(engine, agent, known):
    other = add(engine, Draft(content="The port of the booking API is 8081", tags=("kiosk",)), agent).id

    with pytest.raises(InvalidInput, match="neither a tag nor a key 'kiosk'"):
        tag_many(engine, [other, known], ["kiosk"], agent, remove=True)
    assert engine.store.memories.get([other])[0].tags == ("kiosk",)
