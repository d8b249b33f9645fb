"""`python -m bench seen` reads labelled sessions as the hook would, and counts what is concluded rightly."""

from __future__ import annotations

import json

from bench import seen

MEMORY = {"id": "m1", "category": "command", "content": "Tests: `make unit-fast`"}


def _session(agent, steps, result, attributable=True):
    label = {
        "memory": "m1",
        "result": result,
        "evidence": "command_used",
        "attributable": attributable,
        "why": "so",
    }
    return {"id": "s1", "agent": agent, "kind": "k", "memories": [MEMORY], "steps": steps, "labels": [label]}


def _codex(output):
    payload = {
        "session_id": "1",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make unit-fast"},
        "tool_response": output,
    }
    return {"event": "PostToolUse", "payload": payload}


GIVE = {"give": {"how": "context", "memories": ["m1"]}}


def test_precision_and_recall_are_counted_by_evidence_result_and_agent(tmp_path, capsys):
    sessions = [
        _session("codex", [GIVE, _codex("12 passed")], "worked"),
        _session("codex", [GIVE, _codex("2 failed, 10 passed")], "none", attributable=False),
        _session("codex", [GIVE], "worked"),
        _session("codex", [GIVE, _codex("12 passed")], "none", attributable=False),
    ]
    file = tmp_path / "sessions.jsonl"
    file.write_text("\n".join(map(json.dumps, sessions)), "utf-8")
    assert seen.main([str(file), "--verbose", "--json", str(tmp_path / "out.json")]) == 0
    rows = {row["group"]: row for row in json.loads((tmp_path / "out.json").read_text("utf-8"))["rows"]}
    assert (rows["all"]["found"], rows["all"]["right"], rows["all"]["to_find"]) == (2, 1, 2)
    assert (rows["all"]["precision"], rows["all"]["recall"]) == (0.5, 0.5)
    assert {"agent codex", "result worked", "evidence command_used", "concluded by command"} <= rows.keys()
    shown = capsys.readouterr().out
    assert "wrong   s1 codex m1: worked by command" in shown
    assert "missed  s1 codex m1: worked (command_used): so" in shown
