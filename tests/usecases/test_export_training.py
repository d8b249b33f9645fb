"""Runs as lines to learn from."""

from __future__ import annotations

import io
import json

import pytest

from memory_layer.model.changes import Changes
from memory_layer.model.context import ContextOrder
from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.runs import Finish, RunResult, RunTask
from memory_layer.model.vocabulary import Category
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.learn.run import finish, start
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.transfer.export import TRAINING, export

HARBOUR = Project(id="harbour", key="harbour", name="harbour", aliases=("harbour",))


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def ran(engine, agent, clock):
    """A run in a project that succeeded by its first of two memories; the ids of these."""
    ids = [
        add(engine, Draft(content=text, category=Category.PATTERN, scope=scope), agent, HARBOUR).id
        for text, scope in (("Uses pnpm", ("web/**",)), ("Uses Turborepo", ()))
    ]
    clock.pass_(seconds=1)
    task = RunTask("shorten the build", write_scope=("web/**",), order=ContextOrder.S1)
    begun = start(engine, task, agent, HARBOUR)
    clock.pass_(minutes=1)
    finish(engine, begun.id, Finish(RunResult.WORKED, used=(ids[0],)), agent)
    return begun, ids


def lines(engine, chosen=None):
    out = io.BytesIO()
    export(engine, out, format=TRAINING, chosen=chosen)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_holds_the_task_the_memories_with_their_signals_and_the_reward(engine, ran):
    begun, ids = ran
    (line,) = lines(engine)
    first, second = line["memories"]

    assert (line["id"], line["task"], line["project"]) == (begun.id, "shorten the build", HARBOUR.key)
    assert (line["result"], line["reward"], line["schema_version"]) == ("worked", 1.0, 1)
    assert line["context"] == "## Memories\n- [pattern] Uses pnpm\n- [pattern] Uses Turborepo"
    assert (first["id"], first["rank"], first["score"], first["used"]) == (ids[0], 0, 0.8, True)
    assert first["signals"] == {"confidence": 0.8, "included": 0.0, "relevance": 1.0, "write_scope": 1.0}
    assert (second["id"], second["used"], second["signals"]["write_scope"]) == (ids[1], False, 0.0)
    assert list(line) == sorted(line)


def test_a_failure_has_the_reward_0(engine, agent, ran):
    begun = start(engine, RunTask("another"), agent)
    finish(engine, begun.id, Finish(RunResult.FAILED), agent)

    assert [line["reward"] for line in lines(engine)] == [1.0, 0.0]


def test_memories_are_told_as_they_were_given(engine, agent, clock, ran):
    clock.pass_(minutes=1)
    edit(engine, ran[1][1], Changes(content="Uses Nx", category=Category.FACT), agent)

    assert lines(engine)[0]["memories"][1]["content"] == "Uses Turborepo"
    assert lines(engine)[0]["memories"][1]["category"] == "pattern"


def test_what_was_forgotten_is_told_by_its_id_alone(engine, person, ran):
    forget(engine, [ran[1][0]], person)
    (line,) = lines(engine)

    assert (line["memories"][0]["id"], line["memories"][0]["content"]) == (ran[1][0], None)
    assert "pnpm" not in json.dumps(line)


def test_runs_that_are_under_way_or_undone_are_left_out(engine, agent, ran):
    start(engine, RunTask("still at it"), agent)
    undo(engine, agent)

    assert lines(engine) == []


def test_a_project_narrows_it(engine, agent, ran):
    elsewhere = start(engine, RunTask("another"), agent)
    finish(engine, elsewhere.id, Finish(RunResult.FAILED), agent)

    assert [line["id"] for line in lines(engine, Filters(reach=Reach.PROJECT, project="harbour"))] == [
        ran[0].id
    ]
    assert lines(engine, Filters(reach=Reach.PROJECT, project=None)) == []
