"""Write transcripts in the shapes of Claude Code, Codex and Gemini, from a few made-up steps."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Made = tuple[Any, ...]  #: ("prompt", text), ("run", command, output, code), ("edit", file) or ("said", text)
MONDAY = datetime(2026, 2, 2, 9, 0, tzinfo=UTC)
OURS = "A memory that a hook gave to the agent"


def moment(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def times(begin: datetime) -> Iterator[str]:
    while True:
        yield moment(begin)
        begin += timedelta(minutes=1)


def written(path: Path, entries: Sequence[object], begin: datetime) -> Path:
    """Write one entry to a line, and date the file a day after its beginning; a text is written as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [each if isinstance(each, str) else json.dumps(each) for each in entries]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    at = (begin + timedelta(days=1)).timestamp()
    os.utime(path, (at, at))
    return path


def claude_code(
    home: Path, session: str, folder: Path, steps: Sequence[Made], begin: datetime = MONDAY
) -> Path:
    """Write a transcript of Claude Code, with what else stands in one: our own answers, and a sub-agent's words."""
    clock, entries = times(begin), list[object]()
    common = {"sessionId": session, "cwd": str(folder), "isSidechain": False, "version": "2.1.326"}
    attached = {"type": "hook_additional_context", "content": [OURS], "hookEvent": "SessionStart"}
    entries.append({"type": "queue-operation", "operation": "enqueue", "sessionId": session})
    entries.append(common | {"type": "attachment", "attachment": attached, "timestamp": moment(begin)})
    for number, step in enumerate(steps):
        entries += [common | each | {"timestamp": next(clock)} for each in _claude_lines(step, number)]
    helper = {"type": "user", "message": {"role": "user", "content": "We always deploy on Fridays"}}
    entries.append(common | helper | {"isSidechain": True, "timestamp": next(clock)})
    name = str(folder).replace("/", "-")
    return written(home / ".claude" / "projects" / name / f"{session}.jsonl", entries, begin)


def _claude_lines(step: Made, number: int) -> Iterator[dict[str, Any]]:
    kind, *rest = step
    if kind == "prompt":
        yield {"type": "user", "message": {"role": "user", "content": rest[0]}}
        return
    if kind == "said":
        blocks = [{"type": "text", "text": rest[0]}]
        yield {"type": "assistant", "message": {"role": "assistant", "content": blocks}}
        return
    key = f"toolu_{number}"
    name, given = ("Bash", {"command": rest[0]}) if kind == "run" else ("Edit", {"file_path": rest[0]})
    use = {"type": "tool_use", "id": key, "name": name, "input": given}
    yield {"type": "assistant", "message": {"role": "assistant", "content": [use]}}
    output, code = (rest[1], rest[2]) if kind == "run" else ("The file has been updated.", 0)
    text = f"Exit code {code}\n{output}" if code else output
    result = {"type": "tool_result", "tool_use_id": key, "content": text, "is_error": bool(code)}
    details: object = f"Error: {text}" if code else {"stdout": output, "stderr": "", "interrupted": False}
    yield {"type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": details}


def codex(home: Path, session: str, folder: Path, steps: Sequence[Made], begin: datetime = MONDAY) -> Path:
    """Write a transcript of Codex, with its own messages in the person's name."""
    clock = times(begin)
    head = {"id": session, "cwd": str(folder), "originator": "codex_cli", "thread_source": "user"}
    entries: list[object] = [{"timestamp": moment(begin), "type": "session_meta", "payload": head}]
    around = f"<environment_context>\n  <cwd>{folder}</cwd>\n</environment_context>"
    items = [_codex_message("user", around), _codex_message("developer", OURS)]
    for number, step in enumerate(steps):
        items += _codex_items(step, number)
    entries += [{"timestamp": next(clock), "type": "response_item", "payload": each} for each in items]
    day = home / ".codex" / "sessions" / f"{begin:%Y}" / f"{begin:%m}" / f"{begin:%d}"
    return written(day / f"rollout-{begin:%Y-%m-%dT%H-%M-%S}-{session}.jsonl", entries, begin)


def _codex_message(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def _codex_items(step: Made, number: int) -> Iterator[dict[str, Any]]:
    kind, *rest = step
    if kind in ("prompt", "said"):
        yield _codex_message("user" if kind == "prompt" else "assistant", rest[0])
        return
    key = f"call_{number}"
    if kind == "edit":
        patch = f"*** Begin Patch\n*** Update File: {rest[0]}\n@@\n-a\n+b\n*** End Patch"
        yield {"type": "custom_tool_call", "name": "apply_patch", "call_id": key, "input": patch}
        done = json.dumps({"output": "Success.", "metadata": {"exit_code": 0, "duration_seconds": 0.1}})
        yield {"type": "custom_tool_call_output", "call_id": key, "output": done}
        return
    arguments = json.dumps({"cmd": rest[0]})
    yield {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": key}
    text = f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {rest[2]}\nOutput:\n{rest[1]}"
    yield {"type": "function_call_output", "call_id": key, "output": text}


def gemini(home: Path, session: str, folder: Path, steps: Sequence[Made], begin: datetime = MONDAY) -> Path:
    """Write a transcript of Gemini; a message is written again when its tools have ended."""
    entries: list[object] = [gemini_header(session, folder, begin)]
    for message in gemini_messages(steps, begin):
        if "toolCalls" in message:
            entries.append({name: value for name, value in message.items() if name != "toolCalls"})
        entries += [message, {"$set": {"lastUpdated": message["timestamp"]}}]
    own = home / ".gemini" / "tmp" / folder.name
    path = written(own / "chats" / f"session-{begin:%Y-%m-%dT%H-%M}-{session[:8]}.jsonl", entries, begin)
    (own / ".project_root").write_text(str(folder))
    return path


def old_gemini(
    home: Path, session: str, folder: Path, steps: Sequence[Made], begin: datetime = MONDAY
) -> Path:
    """Write a transcript of an older Gemini: one object, in a folder named by the digest of the project's."""
    whole = gemini_header(session, folder, begin) | {"messages": gemini_messages(steps, begin)}
    own = home / ".gemini" / "tmp" / str(whole["projectHash"])
    name = f"session-{begin:%Y-%m-%dT%H-%M}-{session[:8]}.json"
    return written(own / "chats" / name, [json.dumps(whole, indent=2)], begin)


def gemini_header(session: str, folder: Path, begin: datetime) -> dict[str, Any]:
    digest = hashlib.sha256(str(folder).encode()).hexdigest()
    return {"sessionId": session, "projectHash": digest, "startTime": moment(begin), "kind": "main"}


def gemini_messages(steps: Sequence[Made], begin: datetime) -> list[dict[str, Any]]:
    clock = times(begin)
    return [
        {"id": f"m{number}", "timestamp": next(clock)} | _gemini_message(step, number)
        for number, step in enumerate(steps)
    ]


def _gemini_message(step: Made, number: int) -> dict[str, Any]:
    kind, *rest = step
    if kind == "prompt":
        text = f"<hook_context>{OURS}</hook_context>\n\n{rest[0]}"
        return {"type": "user", "content": [{"text": text}]}
    if kind == "said":
        return {"type": "gemini", "content": rest[0]}
    if kind == "edit":
        call = {"name": "replace", "args": {"file_path": rest[0]}}
        output = "Successfully modified file."
    else:
        call = {"name": "run_shell_command", "args": {"command": rest[0]}}
        code = f"\nExit Code: {rest[2]}" if rest[2] else ""
        output = f"<untrusted_context>\nOutput: {rest[1]}{code}\nProcess Group PGID: 7\n</untrusted_context>"
    answer = {"functionResponse": {"id": f"c{number}", "response": {"output": output}}}
    done = call | {"id": f"c{number}", "status": "success", "result": [answer]}
    return {"type": "gemini", "content": "", "toolCalls": [done]}


WRITERS = {"claude-code": claude_code, "codex": codex, "gemini": gemini, "old gemini": old_gemini}
