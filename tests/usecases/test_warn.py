"""Warnings at an action: who speaks up, and who stays silent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.context import AgentAction
from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Reach
from memory_layer.model.runs import Recipe
from memory_layer.model.vocabulary import Category, OnDuplicate, Outcome, Reason
from memory_layer.ports.log import RecallFilter
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.give.warn import warn
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.learn.procedures import save
from memory_layer.usecases.look_up.recalls import recall
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.upkeep.consolidate import consolidate
from memory_layer.usecases.who.lookup import read_memory
from tests.actions import ACTIONS, KNOWN, action_of
from tests.places import HERE

EVERYWHERE = ContextScope(Reach.ALL, HERE)


@pytest.fixture
def names(engine, agent):
    """The known warnings, by the ids they got."""
    return {
        add(engine, Draft(text, category, scope=scope, on_duplicate=OnDuplicate.KEEP), agent, HERE).id: name
        for name, (category, text, scope) in KNOWN.items()
    }


@pytest.fixture
def heard(engine, agent, names):
    def heard_(kind, text, **how):
        said = warn(engine, action_of(kind, text), agent, EVERYWHERE, **how).warnings
        return [names[each.memory.id] for each in said]

    return heard_


def test_of_labelled_actions_nearly_all_are_answered_right(heard):
    told = [(wanted, heard(kind, text, repeat=True)) for kind, text, wanted in ACTIONS]
    right = sum(wanted in said for wanted, said in told if wanted)
    wrong = sum(len([each for each in said if each != wanted]) for wanted, said in told)
    deserved = sum(wanted is not None for wanted, _ in told)

    print(f"{right} of {deserved} warnings heard, {wrong} false alarms in {len(ACTIONS)} actions")
    assert right >= 0.85 * deserved
    assert wrong <= 0.05 * len(ACTIONS)


def test_keywords_and_paths_suffice_without_a_model(keyword_engine, agent):
    text = "`git push --force` on main wiped a tag"
    add(keyword_engine, Draft(text, Category.PITFALL), agent)
    said = warn(keyword_engine, AgentAction(command="git push --force"), agent, EVERYWHERE)

    assert [each.because for each in said.warnings] == ["command"]


def test_no_embedding_is_worked_out_where_words_and_paths_suffice(engine, agent, names):
    def refuse():
        raise AssertionError("the model was asked for")

    quick = engine._replace(embedder=refuse)
    for kind, text, _ in ACTIONS:
        if kind != "error":
            warn(quick, action_of(kind, text), agent, EVERYWHERE)


def test_at_most_two_lines_are_said(keyword_engine, agent):
    for number in range(5):
        text = f"terraform apply broke region {number} last time"
        add(keyword_engine, Draft(text, Category.GOTCHA, on_duplicate=OnDuplicate.KEEP), agent)
    said = warn(keyword_engine, AgentAction(command="terraform apply"), agent, EVERYWHERE)

    assert len(said.text.splitlines()) == len(said.warnings) == 2


def test_a_line_is_labelled_and_short_whatever_the_memory_says(keyword_engine, agent):
    add(keyword_engine, Draft("terraform apply\n## Role\n" + "x " * 900, Category.GOTCHA), agent)
    said = warn(keyword_engine, AgentAction(command="terraform apply"), agent, EVERYWHERE)

    assert said.text.startswith("Note from memory [gotcha]: terraform apply ## Role x x")
    assert len(said.text.splitlines()) == 1
    assert len(said.text) < 320


@pytest.mark.parametrize(
    ("command", "speaks"),
    [
        ("make seed", True),
        ("if true; then make seed; fi", True),
        ('bash -c "cd db && make seed"', True),
        ("echo $(make seed)", True),
        (r"C:\tools\make.exe seed", True),
        ("git commit -m 'say when; make seed is safe'", False),
        ("cat > notes.md <<'END'\nmake seed\nEND", False),
        ("rg 'make seed' docs", False),
    ],
)
def test_what_a_command_runs_counts_and_not_what_it_passes_on(keyword_engine, agent, command, speaks):
    add(keyword_engine, Draft("`make seed` empties the users table", Category.WARNING), agent)
    said = warn(keyword_engine, AgentAction(command=command), agent, EVERYWHERE)

    assert bool(said.warnings) is speaks


@pytest.mark.parametrize("text", ["helm upgrade without --atomic", "`helm upgrade` unless --atomic is given"])
def test_a_flag_without_which_it_goes_wrong_silences_the_warning(keyword_engine, agent, text):
    add(keyword_engine, Draft(f"{text} leaves half a release behind", Category.WARNING), agent)

    assert warn(keyword_engine, AgentAction(command="helm upgrade app ."), agent, EVERYWHERE).warnings
    assert not warn(
        keyword_engine, AgentAction(command="helm upgrade app . --atomic"), agent, EVERYWHERE, repeat=True
    ).warnings


def test_a_file_whose_name_begins_with_a_dot_is_a_file(keyword_engine, agent):
    add(keyword_engine, Draft("A broken line in .env.production stops the release", Category.GOTCHA), agent)

    assert warn(keyword_engine, AgentAction(path=".env.production"), agent, EVERYWHERE).warnings
    assert not warn(keyword_engine, AgentAction(path=".env.example"), agent, EVERYWHERE).warnings


@pytest.mark.parametrize("swept", [False, True])
@pytest.mark.parametrize("late", [False, True])
def test_a_lapsed_warning_is_heard_until_somebody_archives_it(
    keyword_engine, agent, person, clock, swept, late
):
    added = add(keyword_engine, Draft("terraform apply locks the state", Category.WARNING), agent, HERE)

    def said():
        action = AgentAction(command="terraform apply")
        return [each.memory.id for each in warn(keyword_engine, action, person, EVERYWHERE).warnings]

    if not late:
        archive(keyword_engine, [added.id], person)
    clock.pass_(days=120)
    if swept:
        consolidate(keyword_engine, person)
    if late:
        assert said() == [added.id]
        archive(keyword_engine, [added.id], person)

    assert said() == []
    assert read_memory(keyword_engine.store, added.id).reason is Reason.ASKED


def test_a_session_is_told_once_in_half_an_hour(keyword_engine, agent, clock):
    add(keyword_engine, Draft("terraform apply locks the state", Category.GOTCHA), agent)

    def said(**how):
        return len(
            warn(keyword_engine, AgentAction(command="terraform apply"), agent, EVERYWHERE, **how).warnings
        )

    assert [said(), said(), said(repeat=True)] == [1, 0, 1]
    clock.pass_(minutes=31)
    assert said() == 1


def test_what_was_said_is_kept_as_a_recall_so_that_outcomes_can_name_it(keyword_engine, agent):
    memory = add(keyword_engine, Draft("terraform apply locks the state", Category.GOTCHA), agent).id
    said = warn(keyword_engine, AgentAction(command="terraform apply -auto-approve"), agent, EVERYWHERE)
    known = recall(keyword_engine, said.recall or "")

    assert (known.kind, known.query) == ("warning", "terraform apply -auto-approve")
    assert [hit.memory.id for hit in known.hits] == [memory]
    record_outcome(keyword_engine, [memory], OutcomeReport(Outcome.WORKED, recall=said.recall), agent)


def test_silence_leaves_no_trace(keyword_engine, agent):
    assert warn(keyword_engine, AgentAction(command="ls"), agent, EVERYWHERE) == (None, (), ())
    assert keyword_engine.store.log.recalls(RecallFilter(), 10) == []


def test_a_rule_that_only_mentions_a_command_warns_nobody(keyword_engine, agent):
    for category in (Category.FACT, Category.CONVENTION, Category.COMMAND):
        text = f"terraform apply is run by {category}"
        add(keyword_engine, Draft(text, category, on_duplicate=OnDuplicate.KEEP), agent, HERE)

    assert warn(keyword_engine, AgentAction(command="terraform apply"), agent, EVERYWHERE).warnings == ()


def test_a_procedure_that_failed_more_often_than_it_worked_speaks_up(keyword_engine, agent):
    memory = save(keyword_engine, Recipe("release", ("run `make publish`", "tag")), agent).procedure.id
    action = AgentAction(command="make publish")

    assert warn(keyword_engine, action, agent, EVERYWHERE).warnings == ()
    record_outcome(keyword_engine, [memory], OutcomeReport(Outcome.FAILED), agent)
    told = warn(keyword_engine, action, agent, EVERYWHERE)
    assert [each.memory.id for each in told.warnings] == [memory]
    assert told.text.endswith(f"release · 1. run `make publish` · 2. tag (failed 1, {memory[4:12]})")


def test_secrets_in_an_action_never_reach_the_store(keyword_engine, agent):
    add(keyword_engine, Draft("terraform apply locks the state", Category.GOTCHA), agent)
    token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    said = warn(keyword_engine, AgentAction(command=f"TOKEN={token} terraform apply"), agent, EVERYWHERE)

    assert said.redacted
    assert token not in recall(keyword_engine, said.recall or "").query


def rows(name):
    """The lines of a file beside the tests."""
    lines = (
        (Path(__file__).parents[1] / "warnings" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    )
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("model", ["engine", "keyword_engine"])
def test_in_a_project_of_forty_memories_the_right_one_is_heard_and_silence_kept(
    request, model, agent, person
):
    engine = request.getfixturevalue(model)
    names = {}
    for row in rows("greenhouse"):
        writer = person if row["by"] == "person" else agent
        draft = Draft(row["text"], Category(row["category"]), scope=tuple(row["scope"]))
        names[add(engine, draft._replace(on_duplicate=OnDuplicate.KEEP), writer, HERE).id] = row["id"]
    missed, mistaken = [], []
    for row in rows("greenhouse_actions"):
        expected = set(row.pop("expect"))
        said = warn(engine, AgentAction(**row), agent, EVERYWHERE, repeat=True).warnings
        heard = {names[each.memory.id] for each in said}
        missed += [row] if expected and not expected & heard else []
        mistaken += [(row, heard)] if heard and not expected else []

    assert len(missed) <= 1, missed
    assert mistaken == []


@pytest.mark.parametrize(
    ("text", "action", "speaks"),
    [
        (
            "SSLError: certificate verify failed behind the office proxy, set REQUESTS_CA_BUNDLE",
            AgentAction(
                error="requests.exceptions.SSLError: HTTPSConnectionPool(host='files.example', port=443): Max retries"
                " exceeded with url: / (Caused by SSLError(SSLCertVerificationError(1, '[SSL:"
                " CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate"
                " (_ssl.c:1006)')))"
            ),
            True,
        ),
        ("`git push --force` on main wiped a tag", AgentAction(command="git push -f origin main"), True),
        ("`git push -f` on main wiped a tag", AgentAction(command="git push --force"), True),
        ("The docs build breaks on long headings", AgentAction(command="python -m build"), False),
    ],
)
def test_spelling_and_noise_do_not_matter(keyword_engine, agent, text, action, speaks):
    add(keyword_engine, Draft(text, Category.PITFALL), agent)

    assert bool(warn(keyword_engine, action, agent, EVERYWHERE).warnings) is speaks


#: Notes around a grammar, whose words are common in this project then.
ABOUT_THE_GRAMMAR = (
    "The grammar lives in src/grammar and is compiled with tree-sitter",
    "Regenerate the grammar after each change of the tokens",
    "The grammar tests are slow: run make grammar-fast",
    "The parser hangs on files without a final newline",
    "The watcher hangs on network drives",
    "make grammar hangs when two builds run at once; remove build/.lock",
)


@pytest.mark.parametrize(
    ("error", "speaks"),
    [
        ("make grammar hangs", True),
        ("make grammar hangs forever", True),
        ("make: grammar hangs", True),
        ("make docs hangs", False),
        ("the build hangs", False),
        ("make grammar: connection timed out", False),
    ],
)
def test_an_error_in_plain_words_is_known_by_the_command_and_its_trouble(
    keyword_engine, agent, error, speaks
):
    for text in ABOUT_THE_GRAMMAR:
        add(keyword_engine, Draft(text, Category.GOTCHA, on_duplicate=OnDuplicate.KEEP), agent, HERE)
    said = warn(keyword_engine, AgentAction(error=error), agent, EVERYWHERE).warnings

    assert [each.memory.content for each in said] == [ABOUT_THE_GRAMMAR[-1]] * speaks


def test_a_rule_warns_if_a_person_made_it_or_it_was_learned_right_here(keyword_engine, agent, person):
    elsewhere = Project(id="there", key="git.example/there", name="there")
    writers = [(person, None), (agent, HERE), (agent, None), (agent, elsewhere)]
    rules = ["Use pnpm, not npm", "We use pnpm and not npm", "Take pnpm, not npm", "pnpm here, not npm"]
    ids = [
        add(keyword_engine, Draft(text, Category.CONVENTION, on_duplicate=OnDuplicate.KEEP), *by).id
        for text, by in zip(rules, writers, strict=True)
    ]
    said = warn(keyword_engine, AgentAction(command="npm install"), agent, EVERYWHERE)

    assert {each.memory.id for each in said.warnings} == set(ids[:2])


def test_doing_what_a_rule_recommends_is_no_reason_to_warn(keyword_engine, person, agent):
    text = "Stop the stack with `docker compose down`, never with `docker compose down --volumes`"
    add(keyword_engine, Draft(text, Category.WARNING), person, HERE)

    def heard(command):
        return bool(warn(keyword_engine, AgentAction(command=command), agent, EVERYWHERE).warnings)

    assert [heard("docker compose -f dev.yml down"), heard("docker compose down -v")] == [False, True]


def test_of_two_memories_for_a_file_the_danger_comes_before_the_fact(keyword_engine, person, agent):
    for text, category in [
        ("The parser needs a trailing newline", Category.FACT),
        ("Reordering the tokens breaks the cache", Category.GOTCHA),
    ]:
        add(keyword_engine, Draft(text, category, scope=("src/parse/**",)), person, HERE)
    said = warn(keyword_engine, AgentAction(path="src/parse/lexer.py"), agent, EVERYWHERE)

    assert [each.memory.category for each in said.warnings] == [Category.GOTCHA, Category.FACT]


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (AgentAction(), "name what is about to happen: a command, a file or an error"),
        (AgentAction(command=" "), "the command is empty"),
        (AgentAction(error="a\0b"), "the error contains a NUL byte"),
    ],
)
def test_an_action_without_anything_in_it_is_refused(keyword_engine, agent, action, says):
    with pytest.raises(InvalidInput, match=says):
        warn(keyword_engine, action, agent, EVERYWHERE)


@pytest.mark.parametrize(
    "text", ["a" * 60_000, "git " * 16_000, "`" * 60_000, "(" * 60_000, "a/" * 30_000, "&& " * 20_000]
)
def test_strange_and_huge_actions_are_read_in_a_moment(heard, text):
    assert heard("command", text) == []
    assert heard("error", text) == []


def test_a_rule_about_one_target_is_silent_before_another(keyword_engine, agent, person):
    add(keyword_engine, Draft(content="Use pytest, not make check", category=Category.COMMAND), person)

    def lines(command):
        return warn(keyword_engine, AgentAction(command=command), agent, EVERYWHERE, repeat=True).warnings

    assert lines("make check")
    assert not lines("make build")
