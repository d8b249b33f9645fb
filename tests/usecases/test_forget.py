"""Forgetting: nothing of what was said is left, and the chain still holds."""

from __future__ import annotations

import pytest

from memory_layer.errors import ChangedMeanwhile, InvalidInput, NotAllowed, StoreBusy
from memory_layer.model.changes import Changes
from memory_layer.model.memory import Citation, Draft
from memory_layer.model.query import Filters, Query, Reach
from memory_layer.model.vocabulary import LinkKind, MergeText, OnDuplicate, Outcome, Reason, Status
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.look_up.browse import list_memories, show, stats
from memory_layer.usecases.recall.related import related
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import approve, archive, restore
from memory_layer.usecases.remember.edit import edit, tag
from memory_layer.usecases.remember.forget import forget, preview
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.who.lookup import read_memory
from tests.passages import passages_of

#: One word for each place in which a memory says something.
PLACES = {
    "content": "Zanzibarquokka",
    "old_content": "Yellowstoneibex",
    "tag": "Xylophonemarmot",
    "metadata": "Wolverhamptonlynx",
    "metadata_key": "Vladivostokotter",
    "excerpt": "Ulaanbaatarfox",
    "path": "Timbuktubadger",
    "scope": "Samarkandstoat",
    "run": "Reykjavikpuffin",
    "session": "Quitocondor",
    "evidence": "Patagoniapuma",
}


@pytest.fixture
def told(engine, agent):
    """A memory with something in every place, changed, found, judged and linked."""
    draft = Draft(
        content=f"The {PLACES['old_content']} pays in cash",
        tags=(PLACES["tag"],),
        metadata={PLACES["metadata_key"]: [PLACES["metadata"]]},
        scope=(f"{PLACES['scope']}/**",),
        citations=(Citation(path=f"{PLACES['path']}.md", excerpt=PLACES["excerpt"]),),
        source_run_id=PLACES["run"],
        session=PLACES["session"],
    )
    memory_id = add(engine, draft, agent).id
    edit(engine, memory_id, Changes(content=f"The {PLACES['content']} pays in cash"), agent)
    search(engine, Query(text="who pays in cash"), agent)
    record_outcome(engine, [memory_id], OutcomeReport(Outcome.WORKED, evidence=PLACES["evidence"]), agent)
    other = add(engine, Draft(content="Ferries leave at noon"), agent).id
    link(engine, memory_id, LinkKind.RELATES_TO, other, agent)
    return memory_id


def on_disk(settings) -> bytes:
    """Every byte of the store's folder."""
    return b"".join(path.read_bytes() for path in settings.database_path.parent.rglob("*") if path.is_file())


def traces_of(settings) -> set[str]:
    stored = on_disk(settings).lower()
    return {name for name, word in PLACES.items() if word.lower().encode() in stored}


def test_a_preview_says_what_there_is_and_changes_nothing(engine, person, told):
    (traces,) = preview(engine, [told[:9]], person)

    assert (traces.memory.id, traces.memory.version) == (told, 2)
    assert (traces.links, traces.outcomes, traces.recalls, traces.copies) == (1, 1, 1, ())
    assert read_memory(engine.store, told).status is Status.ACTIVE


@pytest.mark.parametrize("verb", [preview, forget])
def test_only_a_person_may_forget(engine, agent, person, told, verb):
    with pytest.raises(NotAllowed, match="only a person"):
        verb(engine, [told], agent)
    with pytest.raises(InvalidInput, match="at least one"):
        verb(engine, [], person)


def test_nothing_that_was_said_is_left_in_any_byte_of_the_folder(engine, person, told, settings):
    before = traces_of(settings)
    done = forget(engine, [told], person)

    assert before == set(PLACES)
    assert done.swept
    assert traces_of(settings) == set()
    engine.store.close()
    assert traces_of(settings) == set()


def test_the_vector_is_gone_from_the_bytes_as_well(engine, person, told, settings):
    vector = passages_of(engine.store, told, engine.embedder().fingerprint)
    numbers = vector[0].astype("<f2").tobytes()[:64]
    before = numbers in on_disk(settings)
    forget(engine, [told], person)

    assert before
    assert numbers not in on_disk(settings)


def test_the_place_is_kept_and_the_chain_holds(engine, person, told):
    forget(engine, [told], person)
    details = show(engine, told, person)

    assert (details.memory.status, details.memory.reason) == (Status.ARCHIVED, Reason.FORGOTTEN)
    assert details.memory.content == "[forgotten]"
    assert details.links == ()
    assert (details.memory.worked, details.outcomes[0].result) == (1, Outcome.WORKED)
    assert [change.action for change in chain.changes(engine.store, told)] == ["add", "edit", "forget"]
    assert list(chain.chain_flaws(engine.store)) == []


def test_what_is_left_is_never_found(engine, agent, person, told):
    other = engine.store.links.of([told])[0].target
    forget(engine, [told], person)
    everywhere = Filters(statuses=tuple(Status), expired=True, superseded=True)

    for text in ("pays in cash", "[forgotten]", PLACES["content"], PLACES["tag"]):
        found = search(engine, Query(text=text, filters=everywhere), agent)
        assert told not in [hit.memory.id for hit in found.hits]
    assert [memory.id for memory in list_memories(engine, everywhere).items] == [other]
    assert [hit.memory.id for hit in related(engine, other, everywhere).hits] == []
    assert stats(engine, Filters(reach=Reach.ALL)).total == 1
    assert engine.store.vectors.count_lacking(engine.embedder().fingerprint) == 0


def test_it_cannot_be_brought_back(engine, agent, person, told):
    forget(engine, [told], person)

    for verb in (restore, approve):
        with pytest.raises(InvalidInput, match="nothing of it is left"):
            verb(engine, [told], person)
    for attempt in (
        lambda: edit(engine, told, Changes(content="again"), person),
        lambda: tag(engine, told, ["again"], person),
        lambda: related(engine, told, Filters()),
    ):
        with pytest.raises(InvalidInput, match="nothing of it is left"):
            attempt()
    assert archive(engine, [told], person)[0].reason is Reason.FORGOTTEN


def test_the_same_text_said_again_is_a_new_memory(engine, agent, person, told):
    text = read_memory(engine.store, told).content
    forget(engine, [told], person)
    again = add(engine, Draft(content=text), agent)

    assert again.status == "created"
    assert again.id != told


def test_several_are_forgotten_at_once_and_a_second_time_only_sweeps(engine, agent, person, told):
    other = engine.store.links.of([told])[0].target
    first = forget(engine, [told, other], person)
    count, _ = engine.store.chain.head()
    second = forget(engine, [told, other], person)

    assert [memory.id for memory in first.memories] == [told, other]
    assert second.memories == first.memories
    assert engine.store.chain.head()[0] == count


def test_the_archived_copies_of_a_text_go_with_it(engine, agent, person, settings):
    known = add(engine, Draft(content="Run the test suite with make check before every push."), agent).id
    merged = add(
        engine,
        Draft(
            content="Always run the test suite with make check before every push.",
            on_duplicate=OnDuplicate.MERGE,
            merge_text=MergeText.NEW,
        ),
        agent,
    )
    (copy,) = preview(engine, [known], person)[0].copies
    lives_on = preview(engine, [copy], person)[0].lives_on
    forgotten = forget(engine, [known], person)

    assert (merged.status, lives_on) == ("merged", known)
    assert {memory.id for memory in forgotten.memories} == {known, copy}
    assert b"always run the test" not in on_disk(settings).lower()


def test_the_preview_names_a_memory_whose_history_holds_the_text(engine, agent, person, settings):
    known = add(engine, Draft(content="Run the test suite with make check before every push."), agent).id
    repeated = Draft(
        content="Always run the test suite with make check before every push.",
        on_duplicate=OnDuplicate.MERGE,
        merge_text=MergeText.NEW,
    )
    add(engine, repeated, agent)
    new = next(memory.id for memory in undo(engine, agent).memories if memory.id != known)

    assert preview(engine, [new], person)[0].lives_on == known
    assert preview(engine, [known], person)[0].lives_on is None
    forget(engine, [known], person)
    assert b"always run the test" not in on_disk(settings).lower()


class Replacing:
    """Something with a few of its attributes replaced."""

    def __init__(self, whole, **replaced):
        self._whole = whole
        vars(self).update(replaced)

    def __getattr__(self, name):
        return getattr(self._whole, name)


def interrupted(store, meanwhile):
    """A store in which something happens right after the neighbours of a new text were read."""
    waiting = [meanwhile]

    def neighbours(*arguments):
        found = store.search.neighbours(*arguments)
        while waiting:
            waiting.pop()()
        return found

    def sweep():
        raise StoreBusy("somebody else is at it")

    search, memories = Replacing(store.search, neighbours=neighbours), Replacing(store.memories, sweep=sweep)
    return Replacing(store, search=search, memories=memories)


def test_a_merge_that_read_the_text_before_does_not_bring_it_back(engine, agent, person, settings):
    known = add(engine, Draft(content="Run the test suite with make check before every push."), agent).id
    store = interrupted(engine.store, lambda: forget(engine, [known], person))
    repeated = Draft(
        content="Always run the test suite with make check before each push.", on_duplicate=OnDuplicate.MERGE
    )
    added = add(engine._replace(store=store), repeated, agent)

    assert added.status == "created"
    assert read_memory(engine.store, known).content == "[forgotten]"
    assert b"before every push" not in on_disk(settings).lower()


def test_what_was_erased_stays_erased_when_the_file_is_in_use(engine, person, told):
    busy = engine._replace(store=interrupted(engine.store, lambda: None))
    done = forget(busy, [told], person)

    assert not done.swept
    assert read_memory(engine.store, told).content == "[forgotten]"


def test_others_keep_what_they_say(engine, agent, person, told):
    other = engine.store.links.of([told])[0].target
    before = read_memory(engine.store, other)
    forget(engine, [told], person)

    (hit,) = search(engine, Query(text="when do the ferries leave"), person).hits
    assert hit.memory == before


def test_what_is_still_being_written_is_not_forgotten(engine, person, told):
    with engine.store.writing():
        engine.store.connection.run(
            "update memory set status = 'staged', reason = 'writing' where id = ?", [told]
        )

    with pytest.raises(InvalidInput, match="still being written"):
        forget(engine, [told], person)


def test_questions_stay_in_their_own_log(engine, agent, person, told, settings):
    search(engine, Query(text="where is the Zanzibarquokka"), agent)
    forget(engine, [told], person)

    assert traces_of(settings) == {"content"}


def test_only_the_version_that_was_seen_is_erased(engine, told, person, agent):
    seen = read_memory(engine.store, told).version
    tag(engine, told, ["meanwhile"], agent)

    with pytest.raises(ChangedMeanwhile):
        forget(engine, [told], person, seen)
    assert "meanwhile" in read_memory(engine.store, told).tags
    assert forget(engine, [told], person, seen + 1).memories[0].reason is Reason.FORGOTTEN
