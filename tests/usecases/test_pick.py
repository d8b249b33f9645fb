"""A search that shows one hit for each group, and none that says the same as a better one."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Draft
from memory_layer.model.query import Mode, Query
from memory_layer.model.vocabulary import OnDuplicate
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.recall.why import why
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.lookup import read_memory

SLOW = "The nightly import is slow because the price index is updated row by row"
SLOW_TOO = "The nightly import is slow since the price index gets updated row by row"
BATCHES = "Import speed: update the price index in batches"
WEEKEND = "The import of prices was moved to the weekend"
QUESTION = "why is the nightly import slow"


def keeping(engine, agent):
    def keep(content, session=None, **fields):
        metadata = {} if session is None else {"session": session}
        draft = Draft(content=content, metadata=metadata, on_duplicate=OnDuplicate.KEEP, **fields)
        return add(engine, draft, agent).id

    return keep


@pytest.fixture
def keep(engine, agent):
    return keeping(engine, agent)


def ids(found):
    return [hit.memory.id for hit in found.hits]


def test_one_hit_stands_for_each_group_best_group_first(engine, agent, keep):
    keep(WEEKEND, "one")
    best = keep(SLOW, "one")
    other = keep(BATCHES, "two")
    found = search(engine, Query(text=QUESTION, group_by="session"), agent)

    assert [(hit.memory.id, hit.group, hit.more) for hit in found.hits] == [
        (best, "one", 1),
        (other, "two", 0),
    ]
    assert found.group_by == "session"


def test_groups_are_filled_from_the_whole_pool_not_from_the_first_hits(engine, agent, keep):
    for number in range(12):
        keep(f"The nightly import is slow on host {number}", "crowd")
    far = keep("Ferries wait at the pier", "pier")
    found = search(engine, Query(text=QUESTION, limit=2, group_by="session", mode=Mode.SEMANTIC), agent)

    assert [(hit.group, hit.more) for hit in found.hits] == [("crowd", 11), ("pier", 0)]
    assert found.hits[1].memory.id == far


def test_memories_without_the_key_stand_for_themselves(engine, agent, keep):
    wanted = {keep(SLOW), keep(BATCHES), keep(WEEKEND)}
    found = search(engine, Query(text=QUESTION, group_by="session"), agent)

    assert set(ids(found)) == wanted
    assert {(hit.group, hit.more) for hit in found.hits} == {(None, 0)}


def test_a_memory_s_own_session_groups_it_too(engine, agent, keep):
    keep(SLOW, position=1, session=None)
    for text in (BATCHES, WEEKEND):
        add(engine, Draft(content=text, session="talk", on_duplicate=OnDuplicate.KEEP), agent)
    found = search(engine, Query(text=QUESTION, group_by="session"), agent)

    assert [(hit.group, hit.more) for hit in found.hits] == [(None, 0), ("talk", 1)]


def test_a_hit_that_says_the_same_as_a_better_one_gives_way(engine, agent, keep):
    keep(SLOW)
    keep(SLOW_TOO)
    batches = keep(BATCHES)
    plain = search(engine, Query(text=QUESTION, limit=2), agent)
    found = search(engine, Query(text=QUESTION, limit=2, diverse=True), agent)

    assert {hit.memory.content for hit in plain.hits} == {SLOW, SLOW_TOO}
    assert ids(found) == [ids(plain)[0], batches]
    assert (plain.duplicates, found.duplicates) == (None, 1)


def test_words_decide_where_there_are_no_vectors(keyword_engine, agent):
    keep = keeping(keyword_engine, agent)
    keep(SLOW)
    keep("The nightly import is slow: the price index is updated row by row")
    keep(BATCHES)
    found = search(keyword_engine, Query(text="nightly import slow price index", diverse=True), agent)

    assert len(found.hits) == 2
    assert found.duplicates == 1


def test_texts_that_differ_in_a_number_or_a_denial_are_both_shown(engine, agent, keep):
    wanted = {
        keep("The booking API listens on port 8080"),
        keep("The booking API listens on port 8081"),
        keep("The booking API does not listen on port 8080"),
    }
    found = search(engine, Query(text="booking API port", diverse=True), agent)

    assert set(ids(found)) == wanted
    assert found.duplicates == 0


@pytest.mark.parametrize("ranker", ["balanced", "five-signal", "rrf", "weighted"])
def test_where_nothing_repeats_the_answer_is_the_same_as_without(engine, agent, keep, ranker):
    for text in (SLOW, BATCHES, WEEKEND, "Redis is the cache", "Ferries wait at the pier"):
        keep(text)
    query = Query(text=QUESTION, limit=3, ranker=ranker, peek=True)
    plain, diverse = (search(engine, each, agent).hits for each in (query, query._replace(diverse=True)))

    assert plain == diverse


def test_a_long_text_is_compared_by_its_words(engine, agent, keep):
    report = " ".join(
        f"Host {n} imports prices slowly because its disk number {n} is worn." for n in range(40)
    )
    first = keep(f"{report} Seen in spring.")
    second = keep(f"{report} Seen in spring, again.")
    found = search(engine, Query(text="which disk makes the import of prices slow", diverse=True), agent)

    assert found.duplicates == 1
    assert ids(found)[0] in (first, second)


def test_in_a_group_the_next_one_takes_the_place_of_a_repetition(engine, agent, keep):
    for text, session in ((SLOW, "one"), (WEEKEND, "one"), (SLOW_TOO, "two"), (BATCHES, "two")):
        keep(text, session)
    found = search(engine, Query(text=QUESTION, group_by="session", diverse=True), agent)

    assert {hit.group for hit in found.hits} == {"one", "two"}
    assert [hit.memory.content in (SLOW, SLOW_TOO) for hit in found.hits] == [True, False]
    assert [hit.more for hit in found.hits] == [1, 0]
    assert found.duplicates == 1


def test_what_is_recorded_is_exactly_what_was_returned(engine, agent, keep):
    hidden = [keep(SLOW, "one"), keep(SLOW_TOO, "two"), keep(BATCHES, "two"), keep(WEEKEND, "one")]
    query = Query(text=QUESTION, group_by="session", diverse=True)
    found = search(engine, query, agent)
    assert found.recall is not None
    recall = outcome.recall_of(engine.store, found.recall)

    given: list[tuple[str, object]] = [(hit.memory.id, hit.score) for hit in recall.hits]
    assert given == [(hit.memory.id, pytest.approx(hit.score)) for hit in found.hits]
    counted = {memory.id for memory in engine.store.memories.get(hidden) if memory.recall_count}
    assert counted == set(ids(found))


def test_why_names_what_stands_for_a_memory_that_was_left_out(engine, keep):
    for text, session in ((SLOW, "one"), (WEEKEND, "one"), (SLOW_TOO, "two"), (BATCHES, "two")):
        keep(text, session)
    found = why(engine, Query(text=QUESTION, group_by="session", diverse=True))
    best = found.hits[0].memory

    assert {(miss.reason, miss.words) for miss in found.near_misses} == {
        ("duplicate", f"duplicate of a better match ({best.id})"),
        ("grouped", f"a better match represents its group ({best.id})"),
    }


def test_an_impossible_key_is_refused_and_nothing_is_recorded(engine, agent, keep):
    memory = keep(SLOW)
    with pytest.raises(InvalidInput, match="the key to group by is empty"):
        search(engine, Query(text=QUESTION, group_by=" "), agent)

    assert read_memory(engine.store, memory).recall_count == 0
