"""The balanced order: what a task, its files and every family of categories get of the budget."""

from __future__ import annotations

import pytest

from memory_layer.model.context import ContextLayer, ContextQuery
from memory_layer.model.episodes import HandoffParts
from memory_layer.model.export import LineKind
from memory_layer.model.memory import Draft
from memory_layer.model.query import Reach
from memory_layer.model.runs import RunTask
from memory_layer.model.vocabulary import FAMILIES, FAMILY_OF, Category, Family, OnDuplicate, Priority
from memory_layer.rules.transfer.line_codec import line_from, parsed, record_from
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.learn.episodes import hand_off
from memory_layer.usecases.learn.run import start
from memory_layer.usecases.look_up.recalls import text_given
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.lookup import read_memory
from tests.places import HERE

AROUND = ContextScope(Reach.PROJECT, HERE)
TASK = "cut large uploads into parts"


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def kept(engine, person):
    def kept_(text, category=Category.FACT, writer=person, project=HERE, **fields):
        draft = Draft(text, category, on_duplicate=OnDuplicate.KEEP, **fields)
        return add(engine, draft, writer, project).id

    return kept_


@pytest.fixture
def given(engine, agent):
    def given_(**wanted):
        return context(engine, ContextQuery(**wanted), agent, AROUND)

    return given_


def ids(found):
    return [line.memory.id for line in found.lines]


def test_every_category_belongs_to_one_family():
    assert sorted(FAMILY_OF) == sorted(Category)
    assert sum(map(len, FAMILIES.values())) == len(Category)
    assert sorted(FAMILIES) == sorted(Family)


def test_important_architecture_leaves_most_of_the_budget_to_the_task(kept, given):
    for number in range(40):
        kept(
            f"Layer {number} knows only layer {number + 1} and nothing of {number + 2}", Category.ARCHITECTURE
        )
    needed = [kept(f"Uploads above {number} MB are cut into {number} parts") for number in range(8)]

    found = given(task=TASK)

    assert set(needed) <= set(ids(found))
    assert ids(found)[0] not in needed  # some of the baseline still comes first


def test_rules_come_first_and_those_that_the_task_needs_before_the_others(kept, given):
    rules = [
        kept(text, Category.POLICY)
        for text in (
            "Cranes rest on Sundays",
            "Uploads are cut into parts of 1 MB",
            "Ferries moor in the north",
        )
    ]
    design = kept("Large uploads are cut into parts by the gateway", Category.ARCHITECTURE)

    found = given(task=TASK)

    assert [line.layer for line in found.lines] == [ContextLayer.BASELINE] * 4
    assert ids(found)[0] == rules[1]
    assert ids(found)[-1] == design


def test_what_applies_to_a_file_of_the_task_comes_before_what_only_shares_words(kept, given):
    words = [kept(f"Large uploads number {number} are cut into parts") for number in range(3)]
    scoped = kept("Hold the lock while writing", Category.GOTCHA, scope=("src/upload/**",))
    elsewhere = kept("Paint it blue", Category.GOTCHA, scope=("docs/**",))

    found = ids(given(task=TASK, paths=("src/upload/parts.py",)))

    assert scoped in found[:2]
    assert set(words) <= set(found)
    assert elsewhere not in found


def test_the_words_of_the_files_count(kept, given):
    about = kept("The ledger is closed at midnight")
    kept("Cranes rest on Sundays")

    assert ids(given(task="fix it", paths=("src/ledger/close.py",))) == [about]


@pytest.mark.parametrize("budget", [120, 160, 800])
def test_what_is_scoped_to_the_very_file_is_given_in_the_smallest_budget(kept, given, budget):
    for number in range(6):
        kept(f"Rule {number}: every upload of {number} parts is logged and checked twice", Category.POLICY)
        kept(f"Uploads above {number} MB are cut into {number} parts", scope=("src/**",))
    needed = kept("The offset is counted from one", scope=("src/upload.py",))

    assert needed in ids(given(task=TASK, paths=("src/upload.py",), budget=budget))


@pytest.mark.parametrize("named", ["parts.toml", "conf/parts.toml", "`conf/*.toml`", "./conf/parts.toml"])
def test_what_names_a_file_of_the_task_in_its_text_is_given(kept, given, named):
    needed = kept(f"Run `make stubs` after a change of {named}", Category.COMMAND)
    other = kept("Run `make cranes` after a change of cranes.toml", Category.COMMAND)
    for number in range(70):
        kept(f"Uploads above {number} MB are cut into {number} parts")

    found = ids(given(task=TASK, paths=("conf/parts.toml",)))

    assert needed in found
    assert other not in found


def test_a_rule_for_other_files_takes_nothing_of_the_baseline(kept, given):
    elsewhere = kept("Uploads of ferries are never cut", Category.POLICY, scope=("ferry/**",))

    found = given(task=TASK, paths=("src/upload.py",))

    layers = {line.memory.id: line.layer for line in found.lines}
    assert layers.get(elsewhere) is not ContextLayer.BASELINE


def test_an_important_preference_about_usual_work_comes_before_rules_about_something_else(kept, given):
    for number in range(12):
        kept(
            f"Crane {number} is moved by harbour pilots of class {number} alone",
            Category.POLICY,
            priority=Priority.HIGH,
        )
    usual = kept("never push, I do that myself", Category.PREFERENCE, priority=Priority.HIGH)

    assert usual in ids(given(task=TASK, budget=300))


def test_what_belongs_to_another_project_by_its_own_words_comes_last(kept, given):
    own = kept("The uploader cuts large uploads into parts of 1 MB")
    foreign = kept("The ferry uploader (separate repo) cuts large uploads into parts of 9 MB")

    found = ids(given(task=TASK))

    assert own in found
    assert foreign not in found or found.index(own) < found.index(foreign)


def test_each_family_that_the_store_has_gets_a_line_whatever_the_task_is(kept, given):
    for number in range(60):
        kept(f"Large uploads of kind {number} are cut into {number} parts")
    others = {
        kept("Short answers, please", Category.PREFERENCE),
        kept("`make check` runs everything", Category.COMMAND),
        kept("The queue deadlocks when it is full", Category.GOTCHA),
        kept("Chose the queue over polling", Category.DECISION),
    }

    assert others <= set(ids(given(task=TASK)))


def test_a_fact_that_has_nothing_to_do_with_the_task_is_not_given(kept, given):
    kept("Cranes rest on Sundays")

    assert given(task=TASK).text == ""


def test_a_long_memory_is_shortened_to_the_sentence_about_the_task_and_reproduced(engine, kept, given):
    long = kept(
        "The gateway was written in the first year and has been changed by many hands since then. "
        "It cuts large uploads into parts. " + "It also has a long history of other things. " * 12,
        Category.DECISION,
    )
    for number in range(30):
        kept(f"Large uploads of kind {number} are cut into {number} parts, each with a number of its own")

    found = given(task=TASK, budget=300)
    (line,) = [line for line in found.lines if line.memory.id == long]

    assert "[decision] ... It cuts large uploads into parts. It also has" in found.text
    assert line.characters <= 120
    assert text_given(engine, found.recall).same


def test_a_rule_that_the_task_needs_is_never_shortened(kept, given):
    text = (
        "Never cut uploads into parts by hand. "
        + "Ask the gateway team before you do anything of that kind. " * 4
    )
    kept(text, Category.POLICY)

    assert text.strip() in given(task=TASK).text


def test_a_start_has_rules_preferences_commands_state_and_hazards_of_any_age(kept, given, clock):
    old = {
        kept("Never commit secrets", Category.POLICY),
        kept("Ask before adding a dependency", Category.PREFERENCE, project=None),
        kept("`make test` runs all tests", Category.COMMAND),
        kept("We moved to another host in June", Category.DECISION, priority=Priority.HIGH),
        kept("The queue deadlocks when it is full", Category.PITFALL),
        kept("Services only talk through the queue", Category.ARCHITECTURE),
    }
    faded = kept("The port is 8081")
    clock.pass_(days=250)

    found = set(ids(given(start=True)))
    assert old <= found
    assert faded not in found


def test_the_everyday_commands_are_given_before_the_special_ones(kept, given):
    for number in range(20):
        kept(
            f"Restore dump {number}: `make restore DUMP={number}` with the profile of the day",
            Category.COMMAND,
        )
    everyday = {
        kept("`make test` runs all tests", Category.COMMAND),
        kept("Lint with `make lint`", Category.COMMAND),
    }

    commands = [
        line.memory.id for line in given(budget=400).lines if line.memory.category is Category.COMMAND
    ]
    assert set(commands[:2]) == everyday


def test_a_start_has_one_command_for_each_everyday_word_before_a_second_for_one(kept, given):
    special = [
        kept(f"Dock {number}: `make dock-{number}` = lint + test of dock {number}", Category.COMMAND)
        for number in range(9)
    ]
    plain = [kept("Unit tests: `make test`", Category.COMMAND), kept("Lint: `make lint`", Category.COMMAND)]

    found = ids(given(start=True, budget=300))

    assert set(plain) <= set(found)
    assert not set(special) & set(found[: max(found.index(each) for each in plain)])


def test_a_preference_that_a_person_made_critical_comes_before_the_policies(kept, given):
    for number in range(30):
        kept(f"Rule {number}: cranes rest on day {number}", Category.POLICY)
    raised = kept("Leave the changes uncommitted", Category.PREFERENCE, priority=Priority.CRITICAL)

    assert ids(given())[0] == raised


def test_a_trivial_handoff_does_not_replace_the_one_that_leaves_work(engine, agent, given, clock):
    _, real = hand_off(
        engine, HandoffParts("Parts", next=("number the parts", "test on staging")), agent, HERE
    )
    for number, text in enumerate(("All done, nothing open", "done = typo. next = nothing", "ok")):
        clock.pass_(days=1)
        hand_off(engine, HandoffParts(text), agent._replace(session=f"later-{number}"), HERE)

    assert ids(given(start=True)) == [real.id]


def test_several_handoffs_are_given_until_they_are_closed(engine, agent, given, clock):
    def left(text, session):
        clock.pass_(days=1)
        return hand_off(engine, HandoffParts(text), agent._replace(session=session), HERE)[1].id

    left("Parts of uploads are numbered, next is the retry of a part", "one")
    ferries = left("Ferries get a new quay, next is the timetable of the summer", "two")
    parts = left("Parts of uploads are numbered, next is the retry of a lost part", "three")
    first = left("Cranes are half painted, the second coat is next", "four")
    cranes = left("Cranes are painted, next is the big one at the gate", "four")

    assert ids(given(start=True)) == [cranes, parts, ferries]
    assert first not in ids(given(start=True))
    clock.pass_(days=20)
    assert ids(given(start=True)) == [cranes]


def test_a_task_is_given_the_handoff_that_it_continues_and_no_other(engine, agent, given):
    _, parts = hand_off(
        engine, HandoffParts("Uploads: parts are cut, next is to resume them after a break"), agent, HERE
    )
    later = agent._replace(session="later")
    hand_off(engine, HandoffParts("Ferries get a new quay, next is the timetable of the summer"), later, HERE)

    assert ids(given(task="resume uploads after a break")) == [parts.id]


def test_two_that_say_the_same_never_stand_in_one_context_with_a_task(kept, given):
    kept("Large uploads are cut into parts of 1 MB")
    kept("Large uploads are always cut into parts of 1 MB!", Category.CONVENTION)

    assert len(given(task=TASK).lines) == 1


def test_equal_scores_stand_in_the_order_of_their_ids(kept, given):
    twins = sorted(
        kept(f"Large uploads of {name} are cut into parts") for name in ("Rotterdam", "Genoa", "Bergen")
    )

    assert ids(given(task=TASK)) == twins


def test_a_run_is_given_what_its_task_is_about_and_its_caller_keeps_the_last_word(engine, agent, kept):
    about = kept("Large uploads are cut into parts")
    other = kept("Large uploads are cut into parts of 1 MB each by the gateway")
    rumour = kept("Cranes rest on Sundays", confidence=0.1)

    begun = start(engine, RunTask(TASK, include=(rumour,), exclude=(other,)), agent, HERE)

    assert [hit.memory.id for hit in begun.hits] == [rumour, about]
    assert begun.text is not None
    assert read_memory(engine.store, about).recall_count == 1


def test_of_few_memories_the_first_are_about_the_task(engine, agent, kept):
    kept("Services only talk through the queue", Category.ARCHITECTURE)
    kept("Never push to main", Category.POLICY)
    about = kept("Large uploads are cut into parts")

    begun = start(engine, RunTask(TASK, most=1), agent, HERE)

    assert [hit.memory.id for hit in begun.hits] == [about]


def test_a_shortened_line_survives_an_export_and_whole_ones_look_as_before(engine, given, kept):
    kept(
        "Cranes rest on Sundays. " + "They are painted on Mondays, when the harbour is closed to ships. " * 3
    )
    kept("The port is 8081")
    found = given()

    with engine.store.reading():
        saved = engine.store.log.context(found.recall)
        (record,) = engine.store.transfer.records(LineKind.CONTEXT)
    exported = parsed(line_from(LineKind.CONTEXT, record))
    assert sorted(line.start is None for line in saved.lines) == [False, True]
    assert sorted(map(len, exported["lines"])) == [5, 6]
    assert record_from(LineKind.CONTEXT, exported) == record
