"""A tiny project is stored by its own writers at their own times, and what an agent is given is scored."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench import agent
from bench.agent_arms import Answer
from bench.agent_measures import abstention_row, auroc
from bench.agent_sets import projects_in, read_project
from bench.project_store import inactive, load, open_desk, procedure_parts

TODAY = datetime(2026, 6, 1, 12, tzinfo=UTC)


def memory(name: str, content: str, day: str, **more: object) -> dict[str, object]:
    plain = {
        "id": name,
        "content": content,
        "category": "fact",
        "created_at": f"{day}T10:00:00Z",
        "by": "agent",
        "global": False,
        "priority": None,
        "tags": [],
        "scope": [],
        "tier": "semantic",
        "superseded_by": None,
    }
    return plain | more


MEMORIES = [
    memory(
        "oven",
        "The stone oven bakes rye at 240 degrees.",
        "2026-05-02",
        superseded_by="oven-now",
        by="person",
    ),
    memory("oven-now", "The stone oven bakes rye at 225 degrees.", "2026-05-20", by="person"),
    memory(
        "never", "Never open the proofing cabinet before noon.", "2026-05-03", category="policy", by="agent"
    ),
    memory("feed", "feed-starter: 1) weigh the flour 2) add water", "2026-05-04", tier="procedural"),
    memory("left", "Done: the croissants. Next: the glaze.", "2026-05-30", tier="episodic", tags=["handoff"]),
    memory("sugar", "Sugar is delivered on Thursdays.", "2026-05-05", **{"global": True}, by="person"),
]
QUESTIONS: list[dict[str, object]] = [
    {"id": "q1", "text": "stone oven rye degrees", "kind": "identifier", "relevant": ["oven-now"]},
    {"id": "q2", "text": "quarterly dividend", "kind": "unanswerable", "relevant": []},
]
TASKS: list[dict[str, object]] = [
    {"id": "t00", "task": "", "paths": [], "must": ["left", "never"], "good": [], "bad": ["oven"]},
    {"id": "t01", "task": "bake rye", "paths": [], "must": ["oven-now"], "good": ["feed"], "bad": ["oven"]},
]
ACTIONS: list[dict[str, object]] = [
    {"id": "a1", "tool": "bash", "command": "ls", "expect": []},
    {"id": "a2", "tool": "bash", "command": "bake --rye", "expect": ["oven-now"]},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "bakery"
    made.mkdir()
    files: dict[str, list[dict[str, object]]] = {
        "memories": MEMORIES,
        "questions": QUESTIONS,
        "tasks": TASKS,
        "actions": ACTIONS,
    }
    for name, lines in files.items():
        text = "\n".join(json.dumps(line) for line in lines)
        made.joinpath(f"{name}.jsonl").write_text(text, encoding="utf-8")
    return made


def test_every_memory_is_stored_by_its_writer_at_its_time_and_only_superseded_ones_are_not_given_out(
    folder, tmp_path
):
    project = read_project(folder)
    with open_desk(tmp_path / "store", TODAY, None) as desk:
        stored = load(desk, project)
        desk.clock.time = TODAY
        found = {name: desk.memories().get(memory_id, peek=True) for name, memory_id in stored.ids.items()}
        listed = {each.id for each in desk.memories().list(limit=100).items}
        assert inactive(desk, project, stored.ids) == {}
        last = desk.memories().last_handoff()
        assert last
        assert last.id == stored.ids["left"]

    assert {name: each.created_at.day for name, each in found.items()} == {
        "oven": 2,
        "oven-now": 20,
        "never": 3,
        "feed": 4,
        "left": 30,
        "sugar": 5,
    }
    assert {name for name, each in found.items() if each.writer_kind == "person"} == {
        "oven",
        "oven-now",
        "sugar",
    }
    assert list(stored.approved) == ["never"]
    assert found["never"].approved_by
    assert found["sugar"].project is None
    assert found["feed"].tier == "procedural"
    assert stored.ids["oven"] not in listed
    assert stored.unlinked == ()


def test_a_memory_past_its_term_is_named_as_not_given_out(folder, tmp_path):
    project = read_project(folder)
    with open_desk(tmp_path / "store", TODAY, None) as desk:
        stored = load(desk, project)
        desk.clock.time = TODAY.replace(year=2030)

        hidden = inactive(desk, project, stored.ids)

    assert "oven" not in hidden
    assert all("expired" in why for why in hidden.values())


def test_the_report_has_a_row_for_each_arm_and_each_question(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(agent, "installed", lambda scratch, cache: None)
    kept, drawn = tmp_path / "figures.json", tmp_path / "curve.svg"

    code = agent.main([str(folder), "--today", "2026-06-01", "--json", str(kept), "--plot", str(drawn)])

    assert code == 0
    said = capsys.readouterr().out
    figures = json.loads(kept.read_text(encoding="utf-8"))
    search = {row["arm"]: row for row in figures["search"]}
    assert search.keys() == {"Memory Layer", "nothing", "newest first", "grep"}
    assert search["Memory Layer"]["hit@1"] == search["grep"]["hit@1"] == 1.0
    assert search["nothing"]["hit@1"] == 0.0
    silent = {row["arm"]: row["silent_own"] for row in figures["abstention"]}
    assert silent["grep"] == silent["nothing"] == 1.0
    contexts = {(row["arm"], row["task"]): row for row in figures["tasks"]}
    assert set(contexts["Memory Layer", "t00"]["must"]) == {"left", "never"}
    assert contexts["nothing", "t01"]["unused"] == 800
    assert [row["action"] for row in figures["actions"]] == ["a1", "a2"]
    assert len(figures["questions"]) == 4 * len(QUESTIONS)
    assert "approved by the person" in said
    assert drawn.read_text(encoding="utf-8").startswith("<svg")


def test_other_projects_questions_are_asked_where_nothing_answers_them(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(agent, "installed", lambda scratch, cache: None)
    other = tmp_path / "garden"
    other.mkdir()
    planted = memory("rose", "Roses are cut in March.", "2026-05-01")
    other.joinpath("memories.jsonl").write_text(json.dumps(planted), encoding="utf-8")
    asked = {"id": "q1", "text": "roses cut", "kind": "identifier", "relevant": ["rose"]}
    other.joinpath("questions.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    kept = tmp_path / "figures.json"

    agent.main([str(tmp_path), "--today", "2026-06-01", "--json", str(kept)])

    rows = json.loads(kept.read_text(encoding="utf-8"))["questions"]
    foreign = [row for row in rows if row["set"] == "bakery" and row["of"] == "garden"]
    assert foreign
    assert not any(row["right"] for row in foreign)


def test_a_right_hit_that_is_cut_off_or_called_weak_is_lost(folder):
    project = read_project(folder)
    question = project.questions[0]
    answers = [
        Answer(("oven-now",), ("oven-now",), 0.9),
        Answer(("oven-now",), (), 0.2),
        Answer(("oven-now",), ("oven-now",), 0.3, is_weak=True),
        Answer(("sugar",), (), 0.1),
    ]
    asked = [agent.Asked(question, project.name, answer) for answer in answers]

    row = abstention_row(agent.Measured(project, "made up", asked, [], [], 800, None))

    assert row["right"] == 3
    assert row["right_lost"] == pytest.approx(2 / 3)
    assert row["silent_answerable"] == 0.75


def test_a_folder_without_a_project_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="holds no project"):
        projects_in(tmp_path)


def test_the_area_under_the_curve_counts_pairs_in_the_right_order():
    assert auroc([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert auroc([0.5], [0.5, 0.1]) == 0.75
    assert auroc([0.5], []) == "n/a"


def test_a_numbered_text_becomes_steps_and_any_other_text_is_one_step():
    assert procedure_parts("feed: 1) weigh 2) stir it") == ("feed", ["weigh", "stir it"])
    assert procedure_parts("just stir")[1] == ["just stir"]
