"""Who may stand in a context that asked for nothing: what a person vouches for, and what was learned right there."""

from __future__ import annotations

from typing import Any

import pytest

from memory_layer.errors import NotAllowed
from memory_layer.model.capture import Said, Transcript
from memory_layer.model.changes import Changes
from memory_layer.model.context import AgentAction, ContextLayer, ContextQuery, Warrant
from memory_layer.model.episodes import HandoffParts
from memory_layer.model.memory import WRITTEN_FROM, Draft, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.runs import Composing, Recipe, RunTask
from memory_layer.model.runs import PromptParts as Sections
from memory_layer.model.vocabulary import (
    Category,
    LinkKind,
    MergeText,
    OnDuplicate,
    Outcome,
    Priority,
    Reason,
    Status,
)
from memory_layer.ports import Edit, Workspace
from memory_layer.rules.lifecycle import archived
from memory_layer.rules.permissions import may_be_given
from memory_layer.store.sqlite import SqliteStore
from memory_layer.text import scopes
from memory_layer.usecases.give.compose import compose
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.give.warn import warn
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.learn.episodes import hand_off, last_handoff
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.learn.procedures import save
from memory_layer.usecases.learn.run import start
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.capture import capture
from memory_layer.usecases.remember.curate import approve, archive, reinforce, restore
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.remember.new_memory import Likeness, merge_into, ties
from memory_layer.usecases.transfer.export import export_to_file
from memory_layer.usecases.transfer.import_export import import_export
from memory_layer.usecases.upkeep.consolidate import consolidate
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.usecases.who.projects import project_of
from tests.places import HERE

THERE = Project(id="there", key="git.example/there", name="there")
RULE = "Every service signs its requests with acme-sign"
TASK = RunTask("translate the imprint", write_scope=("src/**",))


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def told(engine, agent):
    def told_(text=RULE, project=None, category=Category.ARCHITECTURE, writer=agent, **fields):
        draft = Draft(text, category, on_duplicate=OnDuplicate.KEEP, **fields)
        return add(engine, draft, writer, project).id

    return told_


@pytest.fixture
def unasked(engine, agent):
    """Every way in which memories are given unasked in the project, by its name, and whether each is given one."""

    def unasked_(memory):
        around = ContextScope(Reach.PROJECT, HERE)
        prompt = compose(engine, Composing(Sections(task="tidy"), TASK, (), peek=True), agent, HERE)
        ways: dict[str, Any] = {
            "presence": context(engine, ContextQuery(peek=True), agent, around).lines,
            "task": context(
                engine, ContextQuery(task="translate the imprint", peek=True), agent, around
            ).lines,
            "path": context(engine, ContextQuery(paths=("src/app.py",), peek=True), agent, around).lines,
            "start": context(engine, ContextQuery(start=True, peek=True), agent, around).lines,
            "run": start(engine, TASK, agent, HERE).hits,
        }
        given = {way for way, lines in ways.items() if memory in [each.memory.id for each in lines]}
        return given | ({"compose"} if memory in [each.id for each in prompt.section.memories] else set())

    return unasked_


EVERY_WAY = {"presence", "task", "path", "start", "run", "compose"}


@pytest.mark.parametrize("category", [Category.ARCHITECTURE, Category.PREFERENCE, Category.GOTCHA])
def test_a_global_memory_of_an_agent_is_given_nowhere_unasked(told, unasked, category):
    told("The port is 8081", HERE)

    assert unasked(told(category=category, priority=Priority.HIGH)) == set()


def test_a_global_memory_of_an_agent_answers_the_task_that_it_is_about(engine, agent, told):
    memory = told()
    found = context(
        engine, ContextQuery(task="sign the requests of a service"), agent, ContextScope(Reach.PROJECT, HERE)
    )

    assert [(line.memory.id, line.layer) for line in found.lines] == [(memory, ContextLayer.CONTEXTUAL)]


def test_what_a_person_wrote_or_approved_is_given_everywhere(engine, person, told, unasked):
    told("The port is 8081", HERE)
    written, approved = told(writer=person), told("Requests are signed by acme-sign alone")
    approve(engine, [approved], person)

    assert unasked(written) == unasked(approved) == EVERY_WAY


def test_what_was_learned_right_here_is_given_here_and_not_there(told, unasked):
    assert unasked(told(project=HERE)) == EVERY_WAY
    assert unasked(told(project=THERE)) == set()


def test_a_disputed_memory_is_given_only_where_it_is_relevant(engine, agent, told, unasked):
    one, two = told(project=HERE), told("No service signs its requests", HERE)
    link(engine, two, LinkKind.CONFLICTS_WITH, one, agent)

    assert unasked(one) == unasked(two) == set()
    found = context(
        engine,
        ContextQuery(task="which service signs its requests"),
        agent,
        ContextScope(Reach.PROJECT, HERE),
    )
    assert {line.memory.id for line in found.lines} == {one, two}


def test_a_memory_that_failed_is_disputed_until_it_works_again(engine, agent, told, unasked, clock):
    memory = told(project=HERE)
    record_outcome(engine, [memory], OutcomeReport(Outcome.FAILED, evidence="exit code 1"), agent)
    assert unasked(memory) == set()
    clock.pass_(hours=1)
    record_outcome(engine, [memory], OutcomeReport(Outcome.WORKED), agent)

    assert unasked(memory) == EVERY_WAY


@pytest.mark.parametrize("scope", ["**", "src/**", "*.py"])
def test_patterns_of_a_global_memory_of_an_agent_make_it_relevant_nowhere(
    engine, agent, told, unasked, scope
):
    told("The port is 8081", HERE)
    memory = told("Pass the flag of acme", category=Category.PITFALL, scope=(scope,))

    assert unasked(memory) == set()
    action = AgentAction(path="src/acme.py")
    assert warn(engine, action, agent, ContextScope(Reach.PROJECT, HERE), repeat=True).warnings == ()


def test_a_global_procedure_of_an_agent_is_given_to_no_run(engine, agent, unasked):
    assert unasked(save(engine, Recipe("release", ("tag it",)), agent).procedure.id) == set()


def test_a_handoff_begins_the_next_session_of_its_own_project_only(engine, agent, told, unasked):
    told("The port is 8081", HERE)
    _, everywhere = hand_off(engine, HandoffParts("Sign with acme"), agent)
    assert unasked(everywhere.id) == set()
    _, here = hand_off(engine, HandoffParts("Sign with acme"), agent, HERE)

    assert unasked(here.id) == {"start"}


@pytest.mark.parametrize(
    ("warrant", "given"),
    [
        (Warrant(), False),
        (Warrant(disputed=True), False),
        (Warrant(here=True), True),
        (Warrant(here=True, disputed=True), False),
        (Warrant(vouched=True), True),
        (Warrant(vouched=True, disputed=True), True),
    ],
)
def test_the_predicate(warrant, given):
    assert may_be_given(warrant) is given


@pytest.fixture
def abroad(engine, tmp_path):
    """A project with a folder on this machine, and an engine whose caller works in another one."""
    project = Project(id="yard", key="git.example/yard", name="yard", root=str(tmp_path))
    return engine._replace(home=lambda: (HERE.key,)), project


def test_what_an_agent_writes_for_another_project_was_not_learned_there(abroad, agent, person):
    engine, yard = abroad
    ids = [
        add(engine, Draft(f"{RULE} {number}", category), agent, yard).id
        for number, category in enumerate((Category.ARCHITECTURE, Category.GOTCHA))
    ]
    _, left = hand_off(engine, HandoffParts("Sign with acme"), agent, yard)
    around = ContextScope(Reach.PROJECT, yard)

    assert {read_memory(engine.store, each).metadata[WRITTEN_FROM] for each in (*ids, left.id)} == {HERE.key}
    assert context(engine, ContextQuery(start=True), agent, around).lines == ()
    assert start(engine, TASK, agent, yard).hits == ()
    found = context(engine, ContextQuery(task="sign the requests of a service"), agent, around)
    assert {line.memory.id for line in found.lines} == set(ids)
    mine = add(engine, Draft("Ships moor at noon", Category.ARCHITECTURE), person, yard).id
    assert [line.memory.id for line in context(engine, ContextQuery(), agent, around).lines] == [mine]


BARE = Project(id="api", key="api-service", name="api-service")


@pytest.mark.parametrize(
    ("home", "bare"), [(("git.example/yard",), False), (("git.example/here",), True), (None, True)]
)
def test_what_is_written_at_home_or_under_a_bare_name_was_learned_there(abroad, agent, home, bare):
    engine, yard = abroad
    engine = engine._replace(home=lambda: home)
    memory = add(engine, Draft(RULE), agent, BARE if bare else yard).id

    assert WRITTEN_FROM not in read_memory(engine.store, memory).metadata


@pytest.mark.parametrize("root", [None, "/gone/yard"])
@pytest.mark.parametrize("key", ["git.example/yard", "/gone/yard/.git"])
@pytest.mark.parametrize("home", [(HERE.key,), None])
def test_a_project_whose_folder_is_gone_is_no_bare_name(abroad, agent, root, key, home):
    engine, yard = abroad
    gone = yard._replace(root=root, key=key)
    memory = add(engine._replace(home=lambda: home), Draft(RULE), agent, gone).id

    assert read_memory(engine.store, memory).metadata[WRITTEN_FROM] == (HERE.key if home else "unknown")


def test_a_worktree_replaces_no_folder_that_is_there(engine, agent, tmp_path):
    main, tree, git = tmp_path / "yard", tmp_path / "tree", tmp_path / "yard" / ".git"
    at_main = Workspace(main, "git.example/yard", (str(git), str(main)), "yard", git)
    known = project_of(engine, at_main)
    add(engine, Draft(RULE), agent, known)

    assert project_of(engine, at_main._replace(root=tree)).root == str(tree)  # the other one is gone
    main.mkdir()
    assert project_of(engine, at_main._replace(root=tree)).root == str(main)


def test_what_an_agent_brings_for_a_project_nobody_met_was_not_learned_there(engine, agent, tmp_path):
    elsewhere = SqliteStore(tmp_path / "forged.db", busy_seconds=5, covers=scopes.matches)
    forger = engine._replace(store=elsewhere, home=lambda: (THERE.key,))
    memory = add(forger, Draft(RULE, Category.ARCHITECTURE), agent, THERE).id
    file = tmp_path / "forged.jsonl"
    export_to_file(forger, file, chosen=Filters(reach=Reach.ALL))
    elsewhere.close()
    import_export(engine, file, agent)

    assert read_memory(engine.store, memory).metadata[WRITTEN_FROM] == HERE.key
    assert context(engine, ContextQuery(), agent, ContextScope(Reach.PROJECT, THERE)).lines == ()


def test_an_import_at_home_keeps_where_a_text_was_written(abroad, agent, tmp_path):
    engine, yard = abroad
    memory = add(engine, Draft(RULE, Category.ARCHITECTURE), agent, yard).id
    file = tmp_path / "part.jsonl"
    export_to_file(engine, file, chosen=Filters(reach=Reach.ALL))
    store = SqliteStore(tmp_path / "other.db", busy_seconds=5, covers=scopes.matches)
    import_export(engine._replace(store=store, home=lambda: (yard.key,)), file, agent)
    written_from = read_memory(store, memory).metadata[WRITTEN_FROM]
    store.close()

    assert written_from == HERE.key


def test_a_merge_keeps_where_the_text_was_written_though_the_rest_does_not_fit(abroad, agent):
    engine, yard = abroad
    at_home = engine._replace(home=lambda: (yard.key,))
    known = add(at_home, Draft(RULE, metadata={"pad": "x" * 16_370}), agent, yard).id
    new = add(
        engine, Draft("Every service of the yard trusts the word of acme", metadata={"a": 1}), agent, yard
    ).id
    one, two = read_memory(engine.store, known), read_memory(engine.store, new)
    edit_ = Edit(agent, engine.new_id("op"), "merge", engine.now())
    with engine.store.writing():
        gone = ledger.save(engine.store, archived(two, Reason.MERGED, engine.now()), edit_)
        merge_into(engine, one, gone, MergeText.NEW, edit_)
    result = read_memory(engine.store, known)

    assert (result.content, result.metadata[WRITTEN_FROM]) == (two.content, HERE.key)
    assert result.metadata["pad"] == one.metadata["pad"]


@pytest.mark.parametrize(
    "changes", [Changes(priority=Priority.HIGH), Changes(category=Category.ARCHITECTURE)]
)
def test_new_labels_do_not_make_a_text_one_that_was_learned_here(abroad, agent, changes):
    engine, yard = abroad
    memory = add(engine, Draft(RULE), agent, yard).id
    edit(engine._replace(home=lambda: (yard.key,)), memory, changes, agent)

    assert read_memory(engine.store, memory).metadata[WRITTEN_FROM] == HERE.key


def test_a_handoff_from_elsewhere_does_not_hide_the_one_of_the_project(abroad, agent, clock):
    engine, yard = abroad
    at_home = engine._replace(home=lambda: (yard.key,))
    _, own = hand_off(at_home, HandoffParts("Sign with the key of the yard"), agent, yard)
    clock.pass_(hours=1)
    hand_off(engine, HandoffParts("Sign with acme"), agent._replace(session="other"), yard)

    found = context(at_home, ContextQuery(start=True), agent, ContextScope(Reach.PROJECT, yard))
    assert [line.memory.id for line in found.lines] == [own.id]
    assert last_handoff(at_home, yard) == own


@pytest.mark.parametrize("kind", [LinkKind.SUPERSEDES, LinkKind.CONFLICTS_WITH])
@pytest.mark.parametrize("where", ["global", "there"])
def test_no_agent_hides_by_a_link_what_was_learned_in_another_project(abroad, agent, person, kind, where):
    engine, yard = abroad
    at_home = engine._replace(home=lambda: (yard.key,))
    known = add(at_home, Draft(RULE, Category.ARCHITECTURE), agent, yard).id
    other = add(engine, Draft("No service signs"), agent, yard if where == "there" else None).id
    with pytest.raises(NotAllowed, match="was learned in another project"):
        link(engine, other, kind, known, agent)

    assert [
        each.memory.id
        for each in context(engine, ContextQuery(), agent, ContextScope(Reach.PROJECT, yard)).lines
    ] == [known]
    assert link(at_home, other, kind, known, agent) == link(engine, other, kind, known, person)


def test_a_denial_from_elsewhere_is_compared_by_a_person_and_disputes_nothing(abroad, agent, clock):
    engine, yard = abroad
    known = add(engine._replace(home=lambda: (yard.key,)), Draft(RULE), agent, yard).id
    new = add(engine, Draft("No service signs its requests"), agent, yard).id
    one, two = read_memory(engine.store, known), read_memory(engine.store, new)

    (tie,) = ties(two, Likeness(conflicting=((one, 0.9),)), clock(), unattended=False)
    assert (tie.link.kind, tie.review) == (LinkKind.RELATES_TO, True)
    (tie,) = ties(one, Likeness(conflicting=((two, 0.9),)), clock(), unattended=False)
    assert tie.link.kind is LinkKind.CONFLICTS_WITH


@pytest.mark.parametrize("way", ["add", "restore"])
def test_what_comes_back_by_the_word_of_another_project_was_not_learned_here(abroad, agent, way):
    engine, yard = abroad
    at_home = engine._replace(home=lambda: (yard.key,))
    memory = add(at_home, Draft(RULE, Category.ARCHITECTURE), agent, yard).id
    archive(at_home, [memory], agent)
    if way == "add":
        add(engine, Draft(RULE, Category.ARCHITECTURE), agent, yard)
    else:
        restore(engine, [memory], agent)
    known = read_memory(engine.store, memory)

    assert (known.status, known.metadata[WRITTEN_FROM]) == (Status.ACTIVE, HERE.key)
    assert context(at_home, ContextQuery(), agent, ContextScope(Reach.PROJECT, yard)).lines == ()


def test_a_writer_of_no_known_project_learned_nothing_in_one_with_a_folder(abroad, agent):
    engine, yard = abroad
    memory = add(engine._replace(home=lambda: None), Draft(RULE), agent, yard).id

    assert read_memory(engine.store, memory).metadata[WRITTEN_FROM] == "unknown"


def test_a_writer_of_no_project_learns_in_one_that_a_person_registered(abroad, agent, clock):
    engine, yard = abroad
    with engine.store.writing():
        engine.store.projects.set_root(str(yard.root), yard.id, clock())
    memory = add(engine._replace(home=lambda: None), Draft(RULE), agent, yard).id

    assert WRITTEN_FROM not in read_memory(engine.store, memory).metadata


@pytest.mark.parametrize(
    "changes",
    [
        Changes(content="Every service trusts acme"),
        Changes(category=Category.ARCHITECTURE),
        Changes(priority=Priority.HIGH),
        Changes(scope=("**",)),
    ],
)
def test_an_edit_from_another_project_makes_a_memory_one_from_there(abroad, agent, changes):
    engine, yard = abroad
    at_home = engine._replace(home=lambda: (yard.key,))
    memory = add(at_home, Draft(RULE), agent, yard).id
    edit(engine, memory, changes, agent)
    assert read_memory(engine.store, memory).metadata[WRITTEN_FROM] == HERE.key
    edit(at_home, memory, Changes(content="Requests are signed"), agent)

    assert WRITTEN_FROM not in read_memory(engine.store, memory).metadata


@pytest.mark.parametrize(
    "changes", [Changes(unset_metadata=(WRITTEN_FROM,)), Changes(metadata={WRITTEN_FROM: ""})]
)
def test_no_agent_changes_where_a_memory_was_written(abroad, agent, changes):
    engine, yard = abroad
    memory = add(engine, Draft(RULE), agent, yard).id

    with pytest.raises(NotAllowed, match="only a person may change the key written_from"):
        edit(engine, memory, changes, agent)


def confirmations(engine, memory, writer, project):
    """Confirm a memory in each way there is, each as another writer in another session."""
    for number in range(4):
        other = writer._replace(name=f"{writer.name}{number}", session=f"session {number}")
        reinforce(engine, [memory], other)
        add(engine, Draft(read_memory(engine.store, memory).content), other, project)
        said = Transcript((Said(f"Remember that {read_memory(engine.store, memory).content}", None),))
        capture(engine, said, other, project)
    return read_memory(engine.store, memory)


def test_agents_confirm_a_memory_of_a_project_once_whatever_their_names_are(engine, agent, told, clock):
    memory = told("the demo account resets at night", HERE, Category.PREFERENCE)
    clock.pass_(days=1)
    known = confirmations(engine, memory, agent, HERE)
    consolidate(engine, agent)

    assert (known.reinforcement_count, known.reinforced_at) == (2, clock())
    assert read_memory(engine.store, memory).priority is Priority.MEDIUM


def test_no_agent_confirms_a_global_memory(engine, agent, person, told, clock):
    memory = told("the demo account resets at night", None, Category.PREFERENCE)
    clock.pass_(days=1)
    known = confirmations(engine, memory, agent, None)
    consolidate(engine, agent)

    assert (known.reinforcement_count, known.reinforced_at) == (1, None)
    assert read_memory(engine.store, memory).priority is Priority.MEDIUM
    assert [each.confirmed for _ in range(2) for each in reinforce(engine, [memory], person)] == [True, True]


def test_a_confirmation_that_is_not_counted_says_so(engine, agent, told):
    memory = told(RULE)

    (again,) = reinforce(engine, [memory], agent)
    assert (again.confirmed, again.notice) == (
        False,
        "an agent's confirmation counts once for a memory of a project and never for a global one",
    )
    assert add(engine, Draft(RULE), agent).hint == again.notice
