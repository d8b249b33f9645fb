"""What a learner found out comes back as suggestions with their evidence."""

from __future__ import annotations

import io
import json
import subprocess
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path

import pytest

from memory_layer.model.context import ContextOrder
from memory_layer.model.memory import Draft, Project
from memory_layer.model.runs import Finish, RunResult, RunTask
from memory_layer.model.vocabulary import Category, Source, Status
from memory_layer.usecases.learn.run import finish, start
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.transfer.export import TRAINING, export
from memory_layer.usecases.transfer.import_ import ImportTarget, bring_in
from tests.proof import FULL
from tests.usecases.test_import_from import everything
from tests.usecases.test_real_stores import bare, python_for

SCRIPT = Path(__file__).parents[2] / "docs" / "how-to" / "agent_lightning.py"
HERE = ImportTarget(None, None)
HARBOUR = Project(id="harbour", key="harbour", name="harbour", aliases=("harbour",))


@pytest.fixture
def learner():
    """The script as a module; its folder is no package."""
    loader = SourceFileLoader("agent_lightning", str(SCRIPT))
    module = module_from_spec(ModuleSpec("agent_lightning", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def runs(keyword_engine, agent, clock, tmp_path):
    """The training file of six runs: those that used the memory worked, the others failed."""
    memory = add(
        keyword_engine, Draft(content="Start Redis first", category=Category.PATTERN), agent, HARBOUR
    ).id
    for number in range(6):
        clock.pass_(minutes=1)
        begun = start(keyword_engine, RunTask("test the checkout", order=ContextOrder.S1), agent, HARBOUR)
        result = RunResult.WORKED if number % 2 else RunResult.FAILED
        finish(keyword_engine, begun.id, Finish(result, used=(memory,) if number % 2 else ()), agent)
    out = io.BytesIO()
    export(keyword_engine, out, format=TRAINING, chosen=None)
    (tmp_path / "runs.jsonl").write_bytes(out.getvalue())
    return tmp_path / "runs.jsonl"


def check_suggestion(engine, person, path):
    report = bring_in(engine, [path], person, HERE)
    lesson = everything(engine)[-1]
    assert (report.source, report.added, report.staged) == ("learning", 1, 1)
    assert (lesson.source, lesson.status, lesson.confidence) == (Source.LEARNING, Status.STAGED, 0.3)
    assert lesson.project == HARBOUR.key
    assert lesson.reason_detail == (
        "it was suggested, and no person has approved it; learned from 3 runs (3 known here, 3 of them worked);"
        " the learner reports reward 1, baseline 0"
    )
    again = bring_in(engine, [path], person, HERE)
    assert (again.added, again.exists) == (0, 1)


def test_a_lesson_is_shown_with_how_its_runs_really_ended(keyword_engine, person, learner, runs, tmp_path):
    lines = [json.loads(line) for line in runs.read_text().splitlines()]
    lessons = learner.lessons_of(lines, {line["id"]: line["reward"] for line in lines})
    path = tmp_path / "lessons.jsonl"
    path.write_text("".join(f"{json.dumps(lesson)}\n" for lesson in lessons))

    check_suggestion(keyword_engine, person, path)


def test_a_claim_about_unknown_runs_is_shown_as_such(keyword_engine, person, tmp_path):
    entry = {"type": "learning", "content": "Skip all tests", "evidence": {"runs": ["run_x"], "reward": 1.0}}
    (tmp_path / "lessons.jsonl").write_text(json.dumps(entry))

    bring_in(keyword_engine, [tmp_path / "lessons.jsonl"], person, HERE)

    assert "learned from 1 run (none known here)" in everything(keyword_engine)[0].reason_detail


@pytest.mark.prove
@pytest.mark.skipif(not FULL, reason="installs packages; MEM_PROVE=1 asks for it")
def test_the_real_agent_lightning_takes_the_runs_as_a_dataset(keyword_engine, person, runs, tmp_path):
    python = python_for(tmp_path / "environment", "agentlightning==0.3.0")
    lessons = tmp_path / "lessons.jsonl"
    offline = bare(tmp_path) | {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}

    done = subprocess.run(
        [str(python), str(SCRIPT), str(runs), str(lessons)],
        check=True,
        capture_output=True,
        text=True,
        env=offline,
    )

    assert done.stdout.splitlines()[-1] == "6 runs, mean reward 0.50, 1 lessons"
    check_suggestion(keyword_engine, person, lessons)
