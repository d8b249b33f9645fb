"""Labelled sessions are read as hooks read them, and suggestions are compared with their labels."""

from __future__ import annotations

import json

import pytest

from bench.lessons import judge, main, measure

_FOLDER = "/srv/code/orchard"


def event(name, **payload):
    return {"event": name, "payload": {"hook_event_name": name, "session_id": "s", "cwd": _FOLDER, **payload}}


def command(text, output, *, fails=False):
    call = {"tool_name": "Bash", "tool_input": {"command": text}}
    if fails:
        return event("PostToolUseFailure", **call, error=f"Exit code 1\n{output}")
    return event("PostToolUse", **call, tool_response={"stdout": output, "stderr": ""})


def session(command_of_label="npm test", fix="npm run build"):
    return {
        "id": "x1",
        "agent": "claude",
        "kind": "build-first",
        "steps": [
            event("UserPromptSubmit", prompt="run the tests"),
            command("npm test", "Error: Cannot find module './dist/index.js'", fails=True),
            command("npm run build", "built"),
            event(
                "PostToolUse",
                tool_name="Edit",
                tool_input={"file_path": f"{_FOLDER}/README.md"},
                tool_response={},
            ),
            command("npm test", "4 passed"),
        ],
        "lessons": [{"command": command_of_label, "error": "Cannot find module", "fix": fix, "why": "order"}],
        "handoff": {"files": ["README.md"], "last_request": "run the tests", "open_failures": []},
    }


def test_a_suggestion_with_the_command_and_the_fix_of_a_label_is_right():
    judged = judge(session())
    assert (list(judged.right), list(judged.met)) == ([True], [True])


@pytest.mark.parametrize(
    "label", [("npm run lint", "npm run build"), ("npm test", "docker compose up -d db")]
)
def test_a_suggestion_about_another_command_or_fix_is_wrong(label):
    judged = judge(session(*label))
    assert (list(judged.right), list(judged.met)) == ([False], [False])


def test_the_second_command_of_a_label_counts_too():
    labelled = session("npm run lint")
    labelled["lessons"][0]["also_command"] = "npm test -- --watch"
    assert list(judge(labelled).met) == [True]


def test_shares_are_given_for_all_for_agents_and_for_kinds():
    rows = list(measure([judge(session()), judge({**session(fix="make db"), "id": "x2", "agent": "codex"})]))
    assert [row["group"] for row in rows] == ["all", "agent claude", "agent codex", "kind build-first"]
    assert (rows[0]["precision"], rows[0]["recall"], rows[1]["precision"]) == (0.5, 0.5, 1.0)


def test_the_table_and_the_mistakes_are_printed(tmp_path, capsys):
    file, kept = tmp_path / "sessions.jsonl", tmp_path / "figures.json"
    file.write_text(
        json.dumps(session()) + "\n" + json.dumps(session(fix="make db")) + "\n", encoding="utf-8"
    )
    assert main([str(file), "--verbose", "--json", str(kept)]) == 0
    shown = capsys.readouterr().out
    assert "right  x1 claude build-first: `npm test` fails with" in shown
    assert "WRONG  x1" in shown
    assert "missed x1 claude build-first: npm test" in shown
    assert {row["group"]: row["share"] for row in json.loads(kept.read_text())["handoff"]}["files"] == 1.0
