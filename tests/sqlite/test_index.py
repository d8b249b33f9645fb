"""The index beside the file answers as the file itself does, whatever happens to the store."""

from __future__ import annotations

import shutil
import tempfile
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from memory_layer.errors import MemoryLayerError
from memory_layer.model.changes import Changes
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import LinkKind, Outcome, Status
from memory_layer.ranking.arrays import covered
from memory_layer.ranking.coverage import QueryTerms, QueryWords
from memory_layer.settings import load
from memory_layer.store.sqlite.memories import changed
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive, restore
from memory_layer.usecases.remember.edit import edit, tag
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.remember.links import link, unlink
from memory_layer.usecases.who.lookup import read_memory
from tests.conftest import Clock, _engine
from tests.indexes import (
    WORDS,
    Dice,
    World,
    answer,
    check,
    files,
    opened,
    other,
    small,
    sought,
    without_the_index,
)
from tests.proof import counted


@pytest.fixture
def world(tmp_path, agent):
    world = World(tmp_path / "memory.db", agent)
    with small():
        yield world
    world.store.close()


# keeping up


def test_an_empty_store_and_a_few_memories_need_no_files(world):
    assert check(world.store) == {}
    world.many(2)

    assert len(check(world.store)) == 2
    assert not world.folder.exists()


def test_what_has_come_together_is_written_and_read_by_the_next(world):
    world.many(30)
    check(world.store)

    assert files(world.store)
    with other(world) as store:
        assert len(check(store)) == 30
        assert {segment.name for segment in store.connection.beside()._last[1].segments} == {
            file.name for file in files(world.store)
        }


def test_what_a_memory_holds_of_a_question_is_the_same_from_the_index_as_by_reading_it(world):
    for number in range(24):
        filling = " ".join(f"filling{at}" for at in range(number))
        world.put(f"apple port {filling} cash {WORDS[number % 8]} {filling} snake apple")
    question = sought("the apple port pays cash for a snake in May")

    with world.store.reading():
        pool = world.store.search.candidates(question)
        total, frequency = world.store.search.frequencies(question.terms)
        facets = {facet.id: facet for facet in world.store.search.facets(pool.ids)}
    query = QueryTerms(tuple(question.terms))
    wanted = QueryWords.expanded(query, total, frequency)

    assert len(pool.ids) == 24
    both = covered(query, len(pool.ids), pool.occurrences)
    for each, *found in zip(pool.ids, *both, strict=True):
        facet = facets[each]
        assert found == pytest.approx(wanted.covering(facet.body.split(), facet.labels.split()), abs=1e-8)


def test_other_spellings_and_related_words_cover_the_same_from_the_index_as_by_reading(world):
    texts = ("kube port", "kubernetes port cash", "apple money", "kube kubernetes money", "snake")
    for text in (*texts, *("filling " + word for word in WORDS)):
        world.put(text)
    query = QueryTerms(
        ("k8s", "port", "cash"), spellings={"kube": "k8s", "kubernet": "k8s"}, related={"monei": "cash"}
    )
    question = sought("")._replace(terms=query.matched, related=tuple(query.related))

    with world.store.reading():
        pool = world.store.search.candidates(question)
        total, frequency = world.store.search.frequencies([*query.matched, *query.related])
        facets = {facet.id: facet for facet in world.store.search.facets(pool.ids)}
    wanted = QueryWords.expanded(query, total, frequency)
    both = covered(query, len(pool.ids), pool.occurrences)

    for each, *found in zip(pool.ids, *both, strict=True):
        facet = facets[each]
        assert found == pytest.approx(wanted.covering(facet.body.split(), facet.labels.split()), abs=1e-8)
    coverage = {facets[each].body: value for each, value in zip(pool.ids, both[0], strict=True)}
    assert coverage["kube kubernet monei"] > coverage["appl monei"] > 0.0


def test_what_only_meaning_brings_has_the_words_it_has_with_the_index_and_without(world):
    world.many(40)
    question = sought("the apple pays port cash", depth=4)

    with world.store.reading():
        indexed = answer(world.store, question)
        plain, _ = without_the_index(world.store, question)

    shared = indexed.keys() & plain.keys()
    assert len([each for each in shared if indexed[each][0] > 0.0]) > question.depth
    for each in shared:
        assert indexed[each] == pytest.approx(plain[each], abs=1e-6)


def test_the_commit_of_another_is_seen_by_the_next_search(world):
    world.many(20)
    with other(world) as store:
        for number in range(20):
            memory = world.put(f"the zebra number {number}")
            assert memory.id in check(store, f"zebra {number}")
            world.change(memory, content=f"the quagga number {number}")
            assert check(store, "quagga")[memory.id][0] > 0
            assert check(store, "zebra")[memory.id][0] == 0


def test_what_is_replaced_comes_back_with_the_link_gone_or_its_successor_archived(world):
    old, new, *_ = world.many(20)
    assert old.id in check(world.store)
    world.supersede(new, old)
    assert old.id not in check(world.store)
    world.unlink(new, old)
    assert old.id in check(world.store)
    world.supersede(new, old)
    assert old.id not in check(world.store)
    world.archive(new)
    assert old.id in check(world.store)
    world.change(new, status=Status.ACTIVE, reason=None)
    assert old.id not in check(world.store)
    world.forget(new)
    assert old.id in check(world.store)


def test_a_write_under_way_is_seen_by_nobody_else_and_by_itself_without_the_index(world):
    world.many(20)
    check(world.store)
    with world.store.writing():
        assert world.store.search.view() is None
    with other(world) as store, world.store.writing():
        changed(world.store.connection, 1)
        assert len(check(store)) == 20


def test_an_older_moment_stays_what_it_was_while_others_write_and_index(world):
    memories = world.many(20)
    with other(world) as old, old.reading():
        before = check(old)
        for number in range(40):
            world.put()
            world.change(memories[number % 10], content=f"the changed apple {number}")
            if number % 4 == 0:
                check(world.store)
        world.supersede(memories[12], memories[13])
        world.archive(memories[14])
        check(world.store)
        assert check(old) == before
        assert check(old) == before
    with other(world) as new:
        assert len(check(new)) == 58


def changed_in_every_way(world, memories):
    for number in range(15):
        world.put()
        world.change(memories[number % 10], content=f"the changed apple {number}")
        check(world.store) if number % 4 == 0 else None
    world.supersede(memories[12], memories[13])
    world.archive(memories[14])
    assert world.forget(memories[15]) in (True, False)
    check(world.store)


def test_an_index_that_is_ahead_is_read_as_it_was(world):
    world.store.connection.busy_seconds = 0.1  # a moment that is kept open is in the way of a sweep
    memories = world.many(20)
    check(world.store)
    with other(world) as old, old.reading():
        old.sequence()
        changed_in_every_way(world, memories)
        assert world.store.connection.beside().folder.listed().sequence > old.sequence()
        assert len(check(old)) == 20
        assert old.connection.beside()._last is None  # what was patched for one moment is not kept for others


def test_threads_of_one_process_each_have_their_own_moment(world):
    world.store.connection.busy_seconds = 0.1
    memories = world.many(20)
    with world.store.reading():
        world.store.sequence()
        thread = threading.Thread(target=changed_in_every_way, args=(world, memories))
        thread.start()
        thread.join()
        assert len(check(world.store)) == 20
    assert len(check(world.store)) == 32


def test_an_older_moment_than_the_index_remembers_is_answered_by_the_file(world):
    memories = world.many(30)
    with other(world) as old, old.reading():
        old.sequence()
        for number in range(70):
            world.change(memories[0], content=f"the changed apple {number}")
        shutil.rmtree(world.folder, ignore_errors=True)
        with other(world) as fresh:
            check(fresh)  # made anew, it knows only the last changes one by one
        assert old.search.view() is None
        assert len(old.search.candidates(sought("the apple pays")).ids) == 30


def test_a_search_keeps_up_with_many_changes_at_once(world):
    world.many(20)
    check(world.store)
    with other(world) as store:
        for _ in range(3):
            world.many(25)
            check(store)
    with other(world) as store:
        assert len(check(store)) == 95


# sizes


def test_segments_stay_few_and_their_files_are_all_there_is(world):
    for _ in range(120):
        world.put()
        check(world.store)
    sizes = [len(segment) for segment in world.store.connection.beside()._last[1].segments]
    saved = [len(segment) for segment in world.store.connection.beside()._last[1].segments if segment.name]

    assert sum(sizes) == 120
    assert max(sizes) <= 16
    assert len(sizes) <= 120 / 8 + 5  # two neighbours that fit into one segment of 16 are joined
    assert len(files(world.store)) == len(saved)


def test_segments_that_are_mostly_outdated_are_written_anew(world):
    memories = world.many(32)
    for turn in range(12):
        for memory in memories[:16]:
            world.change(memory, content=f"turn {turn} of {memory.id}")
        check(world.store)
    view = world.store.connection.beside()._last[1]

    assert sum(len(segment) for segment in view.segments) <= 32 / 0.6 + 12
    assert sum(int(layer.standing.sum()) for layer in view.layers) == 32
    for layer in view.layers:
        segment, standing = layer.segment, layer.standing
        assert standing.any() or segment.name is None


# forgetting


def test_what_is_forgotten_is_in_no_file_of_the_index(world):
    memories = world.many(30)
    check(world.store)
    world.change(memories[4], content="the okapi pays in cash")
    check(world.store)
    assert world.forget(read_memory(world.store, memories[4].id))
    with other(world) as store:
        check(store)
    for file in files(world.store):
        segment = world.store.connection.beside().folder.opened(file.name)
        _, places = segment.places(segment.rows[segment.rows == world.row(memories[4])])
        assert segment.postings.lengths[places].sum() == 0
        for codes in segment.embeddings.values():
            assert not set(places.tolist()) & set(codes.docs.tolist())


def test_a_sweep_also_takes_what_an_earlier_one_left_behind(world):
    memories = world.many(30)
    check(world.store)
    row, sweep = world.row(memories[0]), world.store.memories.forgetting.purged_index
    world.store.memories.forgetting.purged_index = lambda: True
    world.forget(memories[0])
    world.many(14)
    with other(world) as store:
        check(store)  # so much at once that it was written as it came
    assert words_of(world, row) > 0
    assert sweep()
    assert words_of(world, row) == 0


def words_of(world, row):
    """How many words of a memory are in the files of the index."""
    found = [world.store.connection.beside().folder.opened(file.name) for file in files(world.store)]
    return sum(int(segment.postings.lengths[segment.rows == row].sum()) for segment in found)


def test_who_still_sees_what_was_forgotten_does_not_write_it_down_again(world):
    memories = world.many(6)
    check(world.store)
    with other(world) as old, old.reading():
        old.sequence()
        world.forget(memories[2])
        shutil.rmtree(world.folder)
        assert len(check(old)) == 6
        assert files(world.store) == []
    assert len(check(world.store)) == 5


def test_a_forgetting_that_was_cut_short_is_made_good_by_the_next_who_writes(world):
    memories = world.many(30)
    check(world.store)
    world.store.memories.forgetting.purged_index = lambda: True
    world.forget(memories[0])
    world.many(4)
    with other(world) as store:
        check(store)
        for file in files(store):
            segment = store.connection.beside().folder.opened(file.name)
            place = segment.rows == world.row(memories[0])
            assert segment.postings.lengths[place].sum() == 0


# any sequence


def step(engine, verb, ids, words, person):
    """One command of a person, on the first memory or the first two."""
    first, second = ids[0], ids[-1]
    text = " ".join(words)
    match verb:
        case "add":
            add(engine, Draft(content=text, tags=(words[0],)), person)
        case "edit":
            edit(engine, first, Changes(content=f"{text} again"), person)
        case "tag":
            tag(engine, first, [words[0]], person)
        case "untag":
            tag(engine, first, [words[0]], person, remove=True)
        case "archive":
            archive(engine, [first], person)
        case "restore":
            restore(engine, [first], person)
        case "link":
            link(engine, first, LinkKind.SUPERSEDES, second, person)
        case "unlink":
            unlink(engine, first, LinkKind.SUPERSEDES, second, person)
        case "outcome":
            record_outcome(engine, [first], OutcomeReport(Outcome.WORKED), person)
        case "undo":
            undo(engine, person)
        case "forget":
            forget(engine, [first], person)


VERBS = ["add", "edit", "tag", "untag", "archive", "restore", "link", "unlink", "outcome", "undo", "forget"]
some_steps = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", *VERBS]),
        st.lists(st.integers(0, 30), min_size=2, max_size=2),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=9),
    ),
    min_size=5,
    max_size=40,
)


@pytest.mark.prove
@effort(max_examples=counted(10, 25), suppress_health_check=list(HealthCheck))
@given(some_steps)
def test_after_any_commands_in_any_order_the_index_answers_as_the_file(person, steps):
    with tempfile.TemporaryDirectory() as home, small():
        settings = load({"MEM_HOME": home, "HOME": home}, cwd=Path(home))
        engines: Any = _engine(settings, Clock(), Dice())
        with closing(engines):
            engine = next(engines)
            ids = [add(engine, Draft(content=f"the {word} pays"), person).id for word in WORDS]
            with closing(opened(settings.database_path)) as another:
                for number, (verb, chosen, words) in enumerate(steps):
                    with suppress(MemoryLayerError):
                        step(engine, verb, [ids[each % len(ids)] for each in chosen], words, person)
                    ids = [row["id"] for row in engine.store.connection.rows("select id from memory")]
                    check(engine.store, " ".join(words))
                    everything = Filters(statuses=(), superseded=True, expired=True)
                    check(another, " ".join(words), everything) if number % 3 == 0 else None
