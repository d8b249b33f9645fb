"""Transcripts of each agent become the same steps, whatever else stands in them."""

from __future__ import annotations

import json
import os
from datetime import timedelta

import pytest

from memory_layer.model.steps import StepKind
from memory_layer.surroundings.histories import json_lines
from memory_layer.surroundings.histories.find import TranscriptReader, standard_folders, transcript_files
from tests.transcript_files import MONDAY, OURS, WRITERS, claude_code, codex, gemini_header, written

STEPS = [
    ("prompt", "Fix the failing test of the ledger"),
    ("run", "make test", "AssertionError: 3 != 4", 2),
    ("edit", "src/ledger.py"),
    ("run", "make test", "12 passed", 0),
    ("said", "The ledger adds up again."),
    ("prompt", "Thanks"),
]


def read(path, known=()):
    (file,) = transcript_files([path])
    reader = TranscriptReader(file, known)
    return [(line.number, line.step) for line in reader.lines()], reader.place


def told(steps):
    return [
        (step.kind.value, step.text, step.command, step.files, step.passed)
        for _, step in steps
        if step is not None
    ]


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "harbour"
    made.mkdir()
    return made


@pytest.mark.parametrize("agent", WRITERS)
def test_each_agent_tells_prompts_commands_edits_and_last_words(tmp_path, folder, agent):
    path = WRITERS[agent](tmp_path, "abcd-1", folder, STEPS)
    steps, place = read(path, [str(folder)])
    assert told(steps) == [
        ("prompt", "Fix the failing test of the ledger", "", (), None),
        ("command", "AssertionError: 3 != 4", "make test", (), False),
        ("edit", "", "", ("src/ledger.py",), True),
        ("command", "12 passed", "make test", (), True),
        ("said", "The ledger adds up again.", "", (), None),
        ("prompt", "Thanks", "", (), None),
    ]
    assert (place.session, place.folder) == ("abcd-1", str(folder))
    assert [step.at for _, step in steps] == sorted(step.at for _, step in steps)
    assert not any(OURS in step.text for _, step in steps)


@pytest.mark.parametrize("agent", WRITERS)
def test_all_transcripts_of_a_home_directory_are_found(tmp_path, folder, agent):
    path = WRITERS[agent](tmp_path, "abcd-1", folder, STEPS)
    (found,) = transcript_files(standard_folders(str(tmp_path), {}))
    assert found.path == str(path)
    assert found.agent == agent.removeprefix("old ")


def test_a_step_names_the_line_that_tells_it(tmp_path, folder):
    path = claude_code(tmp_path, "abcd-1", folder, STEPS)
    lines = path.read_text().splitlines()
    for number, step in read(path)[0]:
        if step.kind is StepKind.COMMAND:
            assert step.text in json.loads(lines[number - 1])["message"]["content"][0]["content"]


def test_what_cannot_be_read_is_counted_and_the_rest_is_read(tmp_path, folder, monkeypatch):
    monkeypatch.setattr(json_lines, "LONGEST_LINE", 2_000)
    path = claude_code(tmp_path, "abcd-1", folder, STEPS)
    whole = path.read_text()
    picture = json.dumps({"type": "user", "message": {"role": "user", "content": "x" * 9_000}})
    rubbish = ["{broken", "[]", "\x00\xff", picture, "7", '{"type": "user", "message": 3}']
    path.write_text("\n".join([*rubbish[:3], whole.strip(), *rubbish[3:]]) + '\n{"type": "us')
    steps, _ = read(path)
    assert len([number for number, step in steps if step is None]) == 6
    assert len(told(steps)) == 6


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": 7}]}},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "tool_use", "id": None}]},
        },
        {"type": "assistant", "message": {"role": "assistant", "content": ["text", None, 3]}},
        {"type": "user", "message": {"role": "user", "content": {"text": "no list"}}},
        {"payload": {"type": "function_call", "name": "shell", "arguments": "[1]", "call_id": "c"}},
        {"payload": {"type": "function_call_output", "call_id": ["c"], "output": {"content": 3}}},
        {"type": "response_item", "payload": 5},
        {"$set": {"messages": [3, {"type": "gemini", "toolCalls": [3, {"status": "success", "args": 5}]}]}},
        {"type": "gemini", "toolCalls": {"a": 1}, "content": 3},
        {"type": "user", "timestamp": 17, "content": [[], {"text": 5}]},
    ],
)
@pytest.mark.parametrize("agent", WRITERS)
def test_a_line_of_an_unknown_shape_is_passed_over(tmp_path, folder, agent, entry):
    path = WRITERS[agent](tmp_path, "abcd-1", folder, STEPS)
    if path.suffix == ".jsonl":
        with path.open("a") as file:
            file.write(json.dumps(entry) + "\n")
    assert len(told(read(path, [str(folder)])[0])) == 6


def test_a_sub_agents_transcript_is_no_session(tmp_path, folder):
    main = claude_code(tmp_path, "abcd-1", folder, STEPS)
    for name in ("agent-17.jsonl", "abcd-1/subagents/agent-18.jsonl"):
        written(main.parent / name, [json.loads(main.read_text().splitlines()[2])], MONDAY)
    assert [file.path for file in transcript_files([tmp_path])] == [str(main)]


def test_helpers_of_codex_and_gemini_tell_nothing(tmp_path, folder):
    path = codex(tmp_path, "abcd-1", folder, STEPS)
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    entries[0]["payload"]["thread_source"] = "subagent"
    assert read(written(path, entries, MONDAY))[0] == []
    head = gemini_header("abcd-2", folder, MONDAY) | {"kind": "subagent"}
    message = {"id": "1", "type": "user", "content": "Explore", "timestamp": entries[0]["timestamp"]}
    assert read(written(tmp_path / "session-2.jsonl", [head, message], MONDAY))[0] == []


def test_links_inside_a_folder_are_not_followed(tmp_path, folder):
    outside = claude_code(tmp_path / "elsewhere", "abcd-1", folder, STEPS)
    inside = tmp_path / "inside"
    inside.mkdir()
    os.symlink(outside, inside / "link.jsonl")
    os.symlink(outside.parent, inside / "folder")
    os.mkfifo(inside / "pipe.jsonl")
    assert list(transcript_files([inside])) == []


def test_an_interrupted_a_refused_and_a_background_command_did_not_fail(tmp_path, folder):
    def lines(number, given, content, details, is_error):
        use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": given}
        result = {
            "type": "tool_result",
            "tool_use_id": f"t{number}",
            "content": content,
            "is_error": is_error,
        }
        yield {"type": "assistant", "message": {"role": "assistant", "content": [use]}, "cwd": str(folder)}
        yield {"type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": details}

    entries = [
        *lines(1, {"command": "sleep 99"}, "", {"interrupted": True}, True),
        *lines(2, {"command": "rm x"}, "The user doesn't want to proceed", "User rejected tool use", True),
        *lines(3, {"command": "serve", "run_in_background": True}, "Command running", {}, False),
    ]
    steps, _ = read(written(tmp_path / "s.jsonl", entries, MONDAY))
    assert [(step.command, step.passed) for _, step in steps] == [("sleep 99", None), ("serve", None)]


def test_commands_of_older_codex_versions_are_read(tmp_path, folder):
    def call(name, arguments, output, key):
        yield {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": key}
        yield {"type": "function_call_output", "call_id": key, "output": output}

    answer = json.dumps({"output": "boom\n", "metadata": {"exit_code": 1}})
    entries = [
        {"id": "old-1", "timestamp": "2025-05-01T10:00:00Z", "instructions": None},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": f"<cwd>{folder}</cwd>"}],
        },
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Run it"}]},
        *call("shell", {"command": ["bash", "-lc", "make test"]}, answer, "a"),
        *call("shell", {"command": ["ls", "my file"]}, "Exit code: 0\nOutput:\nmy file", "b"),
        *call("exec_command", {"cmd": "serve"}, "Process running with session ID 4\nOutput:\n", "c"),
    ]
    steps, place = read(written(tmp_path / "rollout-old.jsonl", entries, MONDAY))
    assert (place.session, place.folder) == ("old-1", str(folder))
    assert [(step.command, step.text.strip(), step.passed) for _, step in steps] == [
        ("", "Run it", None),
        ("make test", "boom", False),
        ("ls 'my file'", "my file", True),
        ("serve", "", None),
    ]


def test_nothing_in_a_file_is_newer_than_the_file(tmp_path, folder):
    path = claude_code(tmp_path, "abcd-1", folder, STEPS)
    at = (MONDAY - timedelta(days=9)).timestamp()
    os.utime(path, (at, at))
    assert {step.at for _, step in read(path)[0]} == {MONDAY - timedelta(days=9)}
