"""Looking back at a memory, and going back."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput, NotAllowed
from memory_layer.model.memory import Draft
from memory_layer.model.query import Mode, Query
from memory_layer.model.vocabulary import Category, MergeText, OnDuplicate, Outcome, Reason, Status
from memory_layer.ports import Edit
from memory_layer.ports.search import Made
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.govern.audit import verify
from memory_layer.usecases.govern.history import history, revert
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.recall.vectors import embedded
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import approve, archive, restore
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.usecases.who.lookup import read_memory
from tests.usecases.kept import SNAKE, a_project, keep


def reworded(engine, memory_id, content, writer):
    """Another text for a memory, as an edit would write it."""
    vectors = embedded(engine, content)
    with engine.store.writing():
        memory = read_memory(engine.store, memory_id)
        memory = memory._replace(content=content, content_hash=content_hash(None, content))
        ledger.save(
            engine.store, memory, Edit(writer, engine.new_id("op"), "edit", engine.now()), terms_of(memory)
        )
        if vectors:
            engine.store.vectors.put(vectors[0], [Made(memory_id, vectors[1])])


def digests(engine, memory_id):
    return [each.change.after for each in chain.versions(engine.store, memory_id)]


def hits(engine, text, writer, **fields):
    return [hit.memory.id for hit in search(engine, Query(text=text, peek=True, **fields), writer).hits]


def test_every_step_of_a_life_is_in_the_history_with_what_it_changed(engine, agent, person, clock):
    memory = keep(engine, "use snake_case", agent, tags=("style",)).id
    clock.pass_(minutes=1)
    archive(engine, [memory], agent)
    restore(engine, [memory], agent)
    keep(engine, SNAKE, agent, on_duplicate=OnDuplicate.MERGE, tags=("python",))
    for _ in range(2):
        record_outcome(engine, [memory], OutcomeReport(result=Outcome.FAILED), agent)
    restore(engine, [memory], agent)
    approve(engine, [memory], person)
    told = history(engine, memory[:10])

    assert told.memory == read_memory(engine.store, memory)
    assert [(each.number, each.action) for each in told.versions] == [
        (7, "approve"),
        (6, "restore"),
        (5, "outcome"),
        (4, "merge"),
        (3, "restore"),
        (2, "archive"),
        (1, "add"),
    ]
    assert all(each.intact for each in told.versions)
    fields = [{change.field for change in each.changes} for each in told.versions]
    assert fields[0] == {"confidence", "approved_by", "approved_at"}
    assert fields[2] == {"status", "reason"}
    assert fields[3] == {"content", "tags"}
    assert fields[6] == set()
    assert (told.versions[0].writer, told.versions[0].door) == ("ada", "cli")
    assert told.versions[5].at == clock()
    assert told.versions[6].memory.content == "use snake_case"
    assert verify(engine).intact


def test_looking_back_counts_nothing(keyword_engine, agent):
    memory = keep(keyword_engine, "Use tabs", agent).id
    before = read_memory(keyword_engine.store, memory)
    history(keyword_engine, memory)

    assert read_memory(keyword_engine.store, memory) == before


def test_a_revert_is_a_new_version_with_the_digest_of_the_old_one(engine, agent, clock):
    memory = keep(engine, "The harbour opens at seven", agent, tags=("a",)).id
    reworded(engine, memory, "Parrots repeat whatever sailors say", agent)
    record_outcome(engine, [memory], OutcomeReport(result=Outcome.WORKED), agent)
    clock.pass_(days=1)
    after = revert(engine, memory, 1, agent)

    first, second, third = digests(engine, memory)
    assert (after.content, after.version, after.updated_at) == ("The harbour opens at seven", 3, clock())
    assert first == third != second
    assert after.worked == 1
    assert history(engine, memory).versions[0].action == "revert"
    assert verify(engine).intact


@pytest.mark.parametrize("mode", ["semantic", "keyword"])
def test_what_was_reverted_is_found_by_its_old_text_again(engine, agent, mode):
    memory = keep(engine, "The harbour opens at seven", agent).id
    other = keep(engine, "Invoices are archived for ten years", agent).id
    reworded(engine, memory, "Parrots repeat whatever sailors say", agent)
    before = hits(engine, "parrots sailors", agent, mode=Mode(mode))
    revert(engine, memory, 1, agent)

    assert before[0] == memory
    assert hits(engine, "when does the harbour open", agent, mode=Mode(mode))[0] == memory
    vectors = engine.store.search.similarities(
        engine.embedder().embed_query("The harbour opens at seven"),
        engine.embedder().fingerprint,
        [memory, other],
    )
    assert vectors[memory] > 0.99
    assert other not in hits(engine, "when does the harbour open", agent, mode=Mode.KEYWORD)


def test_without_the_model_no_vector_of_another_text_is_left_behind(engine, agent):
    memory = keep(engine, "The harbour opens at seven", agent).id
    reworded(engine, memory, "Parrots repeat whatever sailors say", agent)
    revert(engine._replace(embedder=lambda: None), memory, 1, agent)

    assert engine.store.vectors.count_lacking(engine.embedder().fingerprint) == 1


def test_a_revert_to_what_is_there_already_makes_no_version(keyword_engine, agent):
    memory = keep(keyword_engine, "Use tabs", agent).id

    assert revert(keyword_engine, memory, 1, agent).version == 1


@pytest.mark.parametrize("to", [0, 2, -1])
def test_a_version_that_never_was_is_refused(keyword_engine, agent, to):
    memory = keep(keyword_engine, "Use tabs", agent).id

    with pytest.raises(InvalidInput, match="it has 1 to 1"):
        revert(keyword_engine, memory, to, agent)


def test_a_text_that_another_memory_holds_now_does_not_come_back(keyword_engine, agent):
    memory = keep(keyword_engine, "Use tabs", agent).id
    reworded(keyword_engine, memory, "Use spaces", agent)
    other = keep(keyword_engine, "Use tabs", agent).id

    with pytest.raises(InvalidInput, match=f"{other} says the same"):
        revert(keyword_engine, memory, 1, agent)
    assert read_memory(keyword_engine.store, memory).content == "Use spaces"
    archive(keyword_engine, [other], agent)
    assert revert(keyword_engine, memory, 1, agent).content == "Use tabs"


def test_a_memory_of_a_project_keeps_its_hash_when_it_comes_back(keyword_engine, agent):
    project = a_project(keyword_engine)
    memory = keep(keyword_engine, "Use tabs", agent, project).id
    archive(keyword_engine, [memory], agent)
    revert(keyword_engine, memory, 1, agent)

    assert keep(keyword_engine, "Use tabs", agent, project).status == "exists"
    assert digests(keyword_engine, memory)[0] == digests(keyword_engine, memory)[2]


def test_an_agent_cannot_revert_what_a_person_guards_and_a_person_can(keyword_engine, agent, person):
    memory = keep(keyword_engine, "Use tabs", person).id
    reworded(keyword_engine, memory, "Use spaces", person)

    with pytest.raises(NotAllowed, match="guards its text"):
        revert(keyword_engine, memory, 1, agent)
    assert revert(keyword_engine, memory, 1, person).content == "Use tabs"


def test_an_agent_cannot_bring_back_an_approval(keyword_engine, agent, person):
    rule = keep(keyword_engine, "Never deploy on a Friday", agent, category=Category.POLICY).id
    approve(keyword_engine, [rule], person)
    revert(keyword_engine, rule, 1, person)

    with pytest.raises(NotAllowed, match="approval"):
        revert(keyword_engine, rule, 2, agent)
    held = read_memory(keyword_engine.store, rule)
    assert (held.status, held.reason) == (Status.STAGED, Reason.REVIEW)
    assert revert(keyword_engine, rule, 2, person).approved_by == "ada"


def test_a_version_that_was_never_finished_does_not_come_back(engine, agent):
    keep(engine, SNAKE, agent)
    keep(engine, "use snake_case", agent, on_duplicate=OnDuplicate.SKIP)
    keep(engine, "use snake_case", agent, on_duplicate=OnDuplicate.SKIP)
    skipped = engine.store.connection.row("select id from memory where reason = 'skipped'")["id"]

    assert [each.action for each in history(engine, skipped).versions] == ["add", "reopen", "add"]
    with pytest.raises(InvalidInput, match="never finished"):
        revert(engine, skipped, 2, agent)


def test_a_version_that_was_tampered_with_is_marked_and_does_not_come_back(keyword_engine, agent):
    memory = keep(keyword_engine, "Use tabs", agent).id
    reworded(keyword_engine, memory, "Use spaces", agent)
    with keyword_engine.store.writing():
        keyword_engine.store.connection.run('update audit_payload set payload = \'{"content": "Obey me"}\'')

    assert [each.intact for each in history(keyword_engine, memory).versions] == [True, False]
    with pytest.raises(InvalidInput, match="does not match the audit log"):
        revert(keyword_engine, memory, 1, agent)


def test_who_is_faster_is_noticed_and_the_plan_is_made_anew(engine, agent):
    memory = keep(engine, "The harbour opens at seven", agent).id
    archive(engine, [memory], agent)
    calls: list[str] = []

    class Interrupted:
        """A store in which somebody rewords the memory between reading and writing."""

        def __getattr__(self, name):
            if name == "writing" and not calls:
                calls.append(name)
                reworded(engine, memory, "Parrots repeat whatever sailors say", agent)
            return getattr(engine.store, name)

    after = revert(engine._replace(store=Interrupted()), memory, 1, agent)
    assert (after.content, after.status) == ("The harbour opens at seven", Status.ACTIVE)
    assert engine.store.vectors.count_lacking(engine.embedder().fingerprint) == 0


def test_a_merge_can_be_taken_back_version_by_version(engine, agent):
    known = add(engine, Draft(content=SNAKE), agent).id
    keep(engine, "use snake_case", agent, on_duplicate=OnDuplicate.MERGE, merge_text=MergeText.NEW)

    assert read_memory(engine.store, known).content == "use snake_case"
    assert revert(engine, known, 1, agent).content == SNAKE
