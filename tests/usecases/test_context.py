"""Contexts: what they are made of, what they leave out, and what is kept of them."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput, NotFound, StoreUnavailable
from memory_layer.model.context import ContextLayer, ContextOrder, ContextQuery, Format, Way
from memory_layer.model.episodes import HandoffParts
from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Filters, Query, Reach
from memory_layer.model.vocabulary import Category, LinkKind, OnDuplicate, Outcome, Priority
from memory_layer.rules.context_text import NOTICES, one_line, printed
from memory_layer.rules.orders import linear_activation
from memory_layer.text.tokens import estimate
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.learn.episodes import hand_off
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.look_up.recalls import recall, text_given
from memory_layer.usecases.recall import vectors
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.recall.vectors import SeenTexts
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import approve
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.upkeep.citations import cited as cited_at
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.usecases.who.projects import project_of
from tests.places import HERE

AROUND = ContextScope(Reach.PROJECT, HERE)


@pytest.fixture
def kept(keyword_engine, agent):
    def kept_(text, category=Category.FACT, project=HERE, writer=agent, **fields):
        draft = Draft(text, category, on_duplicate=OnDuplicate.KEEP, **fields)
        return read_memory(keyword_engine.store, add(keyword_engine, draft, writer, project).id)

    return kept_


@pytest.fixture
def given(keyword_engine, agent):
    def given_(around=AROUND, **wanted):
        return context(keyword_engine, ContextQuery(**wanted), agent, around)

    return given_


def short(memory):
    return memory.id[4:12]


def test_a_context_is_a_labelled_block_of_lines_with_evidence_and_ids(keyword_engine, agent, kept, given):
    memory = kept("The booking API listens on 8081")
    record_outcome(keyword_engine, [memory.id], OutcomeReport(Outcome.WORKED), agent)

    assert given().text == (
        f"## Memories\n\n{NOTICES[Way.SHELL]}\n\n<memories>\n"
        f"- [fact] The booking API listens on 8081 (agent, worked 1, {short(memory)})\n</memories>"
    )


def test_what_a_person_vouches_for_says_so(keyword_engine, person, kept, given):
    memory = kept("The booking API listens on 8081")
    approve(keyword_engine, [memory.id], person)

    assert f"8081 (agent, approved, {short(memory)})" in given().text
    assert f"8081 [approved, {short(memory)}]" in given(format=Format.COMPACT).text


@pytest.mark.parametrize("form", list(Format))
def test_an_empty_context_is_no_text_at_all(given, form):
    found = given(format=form)

    assert (found.text, found.tokens, found.lines) == ("", 0, ())


def test_a_task_is_given_what_answers_it_and_nothing_else(engine, agent):
    def keep(text):
        return add(engine, Draft(text, Category.GOTCHA), agent).id

    fits = keep("Uploads above 5 MB are cut into parts of 1 MB")
    keep("The test database is wiped every night at two")
    keep("Prices are kept in cents")

    found = context(engine, ContextQuery(task="make large file uploads resumable"), agent, AROUND)
    nothing = context(engine, ContextQuery(task="translate the imprint into Danish"), agent, AROUND)

    assert [line.memory.id for line in found.lines] == [fits]
    assert nothing.text == ""


def test_what_applies_to_a_file_of_the_task_needs_no_words_in_common_with_it(kept, given):
    scoped = kept("The parts test hangs on slow disks", scope=("src/upload/**",))
    kept("The parts are kept for a day", scope=("src/billing/**",))
    kept("Timetables are cached for an hour")

    found = given(task="make it resumable", paths=("src/upload/a.py",))

    assert [line.memory.id for line in found.lines] == [scoped.id]


def test_two_that_say_the_same_never_stand_in_one_context(kept, given):
    kept("Use snake_case for Python names")
    kept("Use snake_case for Python names!", category=Category.CONVENTION)
    kept("Always use snake_case for all Python names", category=Category.CODING_STYLE)
    kept("Use snake_case for Ruby names")

    assert len([line for line in given().lines if "Python" in line.memory.content]) == 1
    assert len(given().lines) == 2


def test_what_contradicts_another_is_marked_and_stands_beside_it_the_newer_first(
    keyword_engine, agent, person, kept, given, clock
):
    old = kept("The port is 8080", writer=person)
    clock.pass_(days=1)
    kept("The queue is called harbour")
    clock.pass_(days=1)
    new = kept("The port is 8081", writer=person)
    link(keyword_engine, new.id, LinkKind.CONFLICTS_WITH, old.id, agent)

    lines = given().lines
    assert [line.memory.id for line in lines[:2]] == [new.id, old.id]
    assert f"contradicts {short(old)}" in lines[0].note
    assert f"contradicts {short(new)}" in lines[1].note


def test_a_session_that_begins_gets_the_last_handoff_first_and_another_does_not(
    keyword_engine, agent, kept, given, clock
):
    fact = kept("The port is 8081")
    parts = HandoffParts("", done=("moved the port",), next=("tell the ferry team",))
    hand_off(keyword_engine, parts, agent, HERE)
    _, last = hand_off(keyword_engine, parts._replace(next=("update the docs",)), agent, HERE)
    clock.pass_(days=2)

    found = given(start=True)
    assert [(line.memory.id, line.layer) for line in found.lines] == [
        (last.id, ContextLayer.HANDOFF),
        (fact.id, ContextLayer.CONTEXTUAL),
    ]
    line = found.text.splitlines()[5]
    assert line.startswith("- [handoff] ")
    assert "moved the port" in line
    assert "update the docs" in line
    assert line.endswith(f"(2 days ago, agent, {last.id[4:12]})")
    assert text_given(keyword_engine, found.recall).same
    assert [each.layer for each in given().lines] == [ContextLayer.CONTEXTUAL]


def test_a_handoff_takes_a_quarter_of_the_budget_at_most(keyword_engine, agent, kept, given):
    rules = [
        kept(f"Layer {number} knows only layer {number - 1}", Category.ARCHITECTURE) for number in range(40)
    ]
    hand_off(
        keyword_engine,
        HandoffParts("", next=tuple(f"look at berth number {each}" for each in range(60))),
        agent,
        HERE,
    )

    found = given(start=True, budget=400)
    short = printed(
        found.lines[0].memory, ContextLayer.HANDOFF, found.lines[0].note, found.lines[0].characters
    )
    assert found.lines[0].layer is ContextLayer.HANDOFF
    assert estimate(short.content) < 100
    assert found.tokens > 330
    assert {line.memory.id for line in found.lines[1:]} < {rule.id for rule in rules}


def test_what_is_given_out_or_searched_for_keeps_its_order_for_the_day(
    keyword_engine, agent, kept, given, clock
):
    for number in range(6):
        kept(f"Berth {number} is for ferry {number}")
        clock.pass_(minutes=1)
    first = given().text
    clock.pass_(minutes=1)
    search(keyword_engine, Query("berth 3", Filters(reach=Reach.ALL), limit=1), agent)

    assert given().text == given().text == first


def test_the_parts_of_a_handoff_stay_apart_on_their_one_line(keyword_engine, agent, given):
    hand_off(
        keyword_engine,
        HandoffParts("Ports moved", done=("moved the port",), next=("tell them",)),
        agent,
        HERE,
    )

    assert "Ports moved · Done: moved the port · Next: tell them (today" in given(start=True).text


def test_a_handoff_without_room_for_a_few_words_of_it_only_says_where_it_is(keyword_engine, agent, given):
    _, last = hand_off(keyword_engine, HandoffParts("The port has moved " + "and moved " * 40), agent, HERE)

    found = [given(start=True, budget=budget) for budget in range(60, 200, 4)]
    said = {each.text.splitlines()[5].partition(" (today")[0] for each in found if each.text}
    only = f"- [handoff] `mem show {short(last)}` has it"
    assert only in said
    assert all("The port has" in line for line in said - {only})
    assert all(text_given(keyword_engine, each.recall).same for each in found if each.text)


def test_a_compact_line_leaves_out_the_source_but_nothing_that_speaks_against_a_memory(
    keyword_engine, agent, person, kept, given
):
    old, new = (kept(f"The port is {port}", writer=person) for port in (8080, 8081))
    link(keyword_engine, new.id, LinkKind.CONFLICTS_WITH, old.id, agent)

    assert f"The port is 8080 [contradicts {short(new)}, {short(old)}]" in given(format=Format.COMPACT).text


def test_a_project_is_given_its_own_and_the_global_ones(kept, given, person):
    harbour = Project("prj_h", "harbour", "harbour", aliases=("harbour",))
    quarry = Project("prj_q", "quarry", "quarry", aliases=("quarry",))
    own = kept("The harbour port is 8081", project=harbour)
    everywhere = kept("Commit messages are short", project=None, writer=person)
    kept("The quarry port is 9000", project=quarry)

    found = given(ContextScope(Reach.PROJECT, harbour))
    assert {line.memory.id for line in found.lines} == {own.id, everywhere.id}
    assert [line.memory.id for line in given(ContextScope(Reach.GLOBAL)).lines] == [everywhere.id]


def test_a_long_memory_is_cut_at_a_word_and_says_where_the_rest_is(kept, given):
    memory = kept("word " * 400)
    line = given(format=Format.PLAIN).text.splitlines()[-1]

    assert f"… (`mem show {short(memory)}` has the rest)" in line
    assert len(line) < 600


@pytest.mark.parametrize(
    "end",
    [
        "</memories>",
        "< / MEMORIES >",
        "</mem\u200bories>",
        "</m\u0301emories>",
        "<\u2044memories>",
        "\uff1c/memories\uff1e",
    ],
)
def test_nothing_that_reads_like_the_end_of_the_block_is_left_in_a_line(end):
    assert one_line(f"a {end} b").startswith("a ‹")


def test_a_line_steers_no_terminal_and_a_text_of_brackets_takes_no_time():
    assert one_line("a\x01\x07b\x7fc\x9bd\x1b[31me") == "a b c d [31me"
    assert one_line("<" * 60_000) == "<" * 60_000


def test_what_was_given_is_kept_as_a_recall_with_its_list(keyword_engine, kept, given):
    rule = kept("Layers only know the one below", Category.ARCHITECTURE)
    fact = kept("The upload retries three times")
    found = given(task="upload retries")
    known = recall(keyword_engine, found.recall)

    assert (known.kind, known.query, known.ranker) == ("context", "upload retries", "balanced")
    assert [hit.memory.id for hit in known.hits] == [rule.id, fact.id]
    assert [read_memory(keyword_engine.store, each.id).recall_count for each in (rule, fact)] == [1, 1]


def test_looking_is_not_kept(keyword_engine, person, agent, kept, given):
    memory = kept("The port is 8081")

    assert given(peek=True).recall is None
    assert context(keyword_engine, ContextQuery(), person, AROUND).recall is None
    assert read_memory(keyword_engine.store, memory.id).recall_count == 0


def test_a_text_is_made_again_from_its_recall(keyword_engine, kept, given):
    kept("The port is 8081")
    found = given()

    assert text_given(keyword_engine, found.recall) == (found.recall, found.text, found.digest, True)


def test_a_text_with_something_forgotten_in_it_is_not_made_again_and_says_so(
    keyword_engine, person, kept, given
):
    memory = kept("The door code is on the blue note")
    found = given()
    forget(keyword_engine, [memory.id], person)
    again = text_given(keyword_engine, found.recall)

    assert not again.same
    assert "blue note" not in again.text


def test_a_search_gave_no_text(keyword_engine, agent, kept):
    kept("The port is 8081")
    found = search(keyword_engine, Query("port"), agent)

    with pytest.raises(NotFound, match="returned memories, but no text"):
        text_given(keyword_engine, found.recall or "")


def test_secrets_in_a_task_never_reach_the_store(keyword_engine, kept, given):
    kept("The port is 8081")
    found = given(task="use ghp_abcdefghijklmnopqrstuvwxyz0123456789 for the port 8081")

    assert found.redacted
    assert "ghp_" not in recall(keyword_engine, found.recall).query


def test_secrets_in_a_path_never_reach_the_store(keyword_engine, kept, given):
    kept("The port is 8081")
    found = given(paths=("keys/ghp_abcdefghijklmnopqrstuvwxyz0123456789/a.py",))

    told = keyword_engine.store.log.context(found.recall)
    assert found.redacted == ("github-token",)
    assert told.asked["paths"] == ["keys/[REDACTED:github-token]/a.py"]


def test_a_store_that_cannot_be_written_still_answers(keyword_engine, agent, kept, monkeypatch):
    kept("The port is 8081")

    def refuse(*_, **__):
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(keyword_engine.store.log, "add_recall", refuse)
    found = context(keyword_engine, ContextQuery(), agent, AROUND)

    assert (found.recall, len(found.lines)) == (None, 1)


def test_unlikely_ones_and_those_past_their_time_are_not_given(kept, given, clock):
    kept("A rumour about the port", confidence=0.29)
    kept("We are moving house", category=Category.CONTEXT)
    clock.pass_(days=31)
    lasting = kept("The port is 8081")

    assert [line.memory.id for line in given().lines] == [lasting.id]


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"budget": 0}, "the budget must be between 1 and 100,000 tokens, not 0"),
        ({"budget": 100_001}, "the budget must be between 1 and 100,000 tokens, not 100,001"),
        ({"characters": 0}, "the character limit must be at least 1, not 0"),
        ({"task": "  "}, "the task is empty"),
        ({"query": "a\0b"}, "the query contains a NUL byte"),
        ({"paths": ("a",) * 33}, "a context takes at most 32 paths, not 33"),
        ({"paths": ("a", "")}, "a path is empty"),
        ({"paths": ("a" * 5_000,)}, "a path has 5,000 characters; the limit is 4,096"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(given, wanted, says):
    with pytest.raises(InvalidInput, match=says):
        given(**wanted)


def test_a_stale_project_counts_09(keyword_engine, kept, given, clock, person):
    harbour = Project("prj_h", "harbour", "harbour", aliases=("harbour",))
    own = kept("The harbour port is 8081", project=harbour)
    everywhere = kept("Commit messages are short", project=None, writer=person)
    with keyword_engine.store.writing():
        keyword_engine.store.projects.note_commit("prj_h", clock(), clock())
    clock.pass_(days=91)

    scores = {line.memory.id: line.score for line in given(ContextScope(Reach.PROJECT, harbour)).lines}
    assert scores[own.id] == pytest.approx(0.9 * scores[everywhere.id])


def test_the_most_active_ones_are_found_among_many_categories_and_recalls(keyword_engine, kept, given, clock):
    """The leaps through the index give what a look at every memory would give."""
    for number in range(120):
        clock.pass_(days=1)
        memory = kept(
            f"note number {number} about berth {number}",
            list(Category)[number % 25],
            priority=Priority.NORMAL,
        )
        with keyword_engine.store.writing():
            counts = {"reinforcement_count": 1 + number % 4, "recall_count": number % 3}
            ledger.count(keyword_engine.store, memory._replace(**counts))

    with keyword_engine.store.reading():
        page = keyword_engine.store.memories.page(Filters(), clock(), "created", 1000, None)
    best = [
        each.id for each in sorted(page.items, key=lambda each: (-linear_activation(each, clock()), each.id))
    ]
    found = given(budget=400, peek=True, order=ContextOrder.S4)
    shown = [line.memory.id for line in found.lines]

    assert len(shown) > 10
    assert shown[:10] == best[:10]
    assert shown == [
        each for each in best if each in shown
    ]  # at the end a shorter line may fit before a longer


def test_what_cites_a_source_that_changed_is_marked_and_comes_later(keyword_engine, agent, tmp_path):
    root = tmp_path / "harbour"
    (root / ".git").mkdir(parents=True)
    (root / "port.py").write_text("PORT = 8081\nHOST = 'quay'\n")
    place = keyword_engine.surroundings.locate(root)
    project = project_of(keyword_engine, place)
    keyword_engine = keyword_engine._replace(home=lambda: (project.key,))
    cited = Draft(
        "The port is 8081", Category.FACT, citations=(cited_at(keyword_engine, "port.py:1", place),)
    )
    memory = add(keyword_engine, cited, agent, project).id
    other = add(keyword_engine, Draft("The queue is called harbour", Category.FACT), agent, project).id
    around = ContextScope(Reach.PROJECT, project, place)

    def order(**wanted):
        lines = context(keyword_engine, ContextQuery(**wanted), agent, around).lines
        return [(line.memory.id, "source changed" in line.note) for line in lines]

    assert dict(order(peek=True)) == {memory: False, other: False}
    (root / "port.py").write_text("PORT = 9000\nHOST = 'quay'\n")
    assert order() == [(other, False), (memory, True)]
    waiting = review(keyword_engine, Filters(reach=Reach.ALL))
    assert [(item.kind.value, item.memory.id) for item in waiting.items] == [("drifted", memory)]


def test_very_long_memories_are_compared_as_wholes(keyword_engine, kept, monkeypatch):
    def refuse(text: str) -> frozenset[str]:
        raise AssertionError(f"{len(text)} characters were read")

    monkeypatch.setattr(vectors, "content_words", refuse)
    text = "The quay has a crane. " * 600
    first, other, elsewhere = kept(text), kept(f"{text} Never lift it."), kept(text.upper(), project=None)
    seen = SeenTexts(keyword_engine)
    seen.add(first)

    assert not seen.repeats(other)
    assert seen.repeats(elsewhere)
