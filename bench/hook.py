"""Measure the hooks that agents call: what each costs as a new process, and what a session is given in tokens.

The times stand beside `python -c pass`, in turn: on a busy machine the ratio of the processor's time is the fairer
figure. The sessions are scripted and run in one process.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench import hook_sessions, report, sentences, stores
from bench.hook_sessions import AGENT, Session
from bench.processes import Cost, measured
from bench.stopwatch import percentile
from memory_layer.wiring import open_engine

PYTHON = "python -c pass"
RULE = "Never run make deploy-site on a Friday: the partner's gateway is closed until Monday"
SHELL = {"tool_name": "Bash", "tool_input": {"command": "git status --short"}}
#: Each hook: its argument, the agent's own name of the event, and its fields.
HOOKS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "session start": ("session-start", "SessionStart", {"source": "startup"}),
    "prompt": ("prompt", "UserPromptSubmit", {"prompt": "{question}"}),
    "prompt without a known word": (
        "prompt",
        "UserPromptSubmit",
        {"prompt": "qwertz asdfgh yxcvbn poiuz"},
    ),
    "before a tool": ("before-tool", "PreToolUse", SHELL),
    "before a tool, warning": (
        "before-tool",
        "PreToolUse",
        {"tool_name": "Bash", "tool_input": {"command": "make deploy-site"}},
    ),
    "after a tool": ("after-tool", "PostToolUse", {**SHELL, "tool_response": {"stdout": "done"}}),
    "stop": ("stop", "Stop", {}),
}
HEADINGS = {
    "hook": "hook",
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
    "cpu_p50_ms": "CPU p50 ms",
    "cpu_p95_ms": "CPU p95 ms",
    "times_python": "CPU x Python",
    "modules": "modules",
}
COUNT_MODULES = (
    "import os, sys; end = os._exit\n"
    "def count_and_end(code): print(len(sys.modules), file=sys.stderr); end(code)\n"
    "os._exit = count_and_end\n"
    "from memory_layer.__main__ import main; main()"
)


class Hook(NamedTuple):
    """A hook on a store: how it is started, and what it reads in each run."""

    name: str
    command: list[str]
    payloads: list[bytes]


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("hook", __doc__)
    parser.add_argument("--memories", type=int, default=10_000, help="memories in the store")
    parser.add_argument("--runs", type=int, default=15, help="measured runs of each hook")
    parser.add_argument("--sessions", type=int, default=7, help="sessions that are replayed for their tokens")
    options = parser.parse_args(arguments)
    before = report.surroundings()
    model = stores.installed_model()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        rows = speed(folder / "speed", model, options.memories, options.runs)
        sessions, whole = hook_sessions.replayed(folder / "sessions", model, options.sessions)
    figures = tokens(sessions, whole)
    _show(rows, figures, options, before)
    report.keep(options.json, "hook", {"machine": before, "hooks": rows, "sessions": figures})
    return 0


def speed(folder: Path, model: Path, memories: int, runs: int) -> list[dict[str, object]]:
    """Run every hook in turn, forwards and backwards, each in a session of its own."""
    folder.mkdir(parents=True)
    environ = stores.environment(folder, model)
    print(f"filling a store of {memories:,} memories …", file=sys.stderr, flush=True)
    with open_engine(stores.settings_of(environ, folder), "python") as engine:
        stores.fill_in_batches(engine, [RULE, *sentences.memories(memories)])
    hooks = [_hook(name, folder, runs) for name in HOOKS]
    costs: dict[str, list[Cost]] = {PYTHON: [], **{hook.name: [] for hook in hooks}}
    for number in range(runs + 1):  # the first one is not measured: files come into the cache
        works = {PYTHON: ([sys.executable, "-c", "pass"], b"")}
        works |= {hook.name: (hook.command, hook.payloads[number]) for hook in hooks}
        for name in works if number % 2 else reversed(works):
            command, payload = works[name]
            cost = measured(command, environ, folder, payload)
            costs[name] += [cost] if number else []
    counted = {hook.name: _modules(hook, environ, folder) for hook in hooks}
    return [_row(name, each, costs[PYTHON], counted) for name, each in costs.items()]


def _hook(name: str, folder: Path, runs: int) -> Hook:
    argument, event, fields = HOOKS[name]
    questions = sentences.questions(runs + 2)
    payloads = []
    for number, question in enumerate(questions):
        filled = json.dumps(fields).replace("{question}", question)
        place = {"session_id": f"{argument}-{number}", "cwd": str(folder), "hook_event_name": event}
        payloads.append(json.dumps(place | json.loads(filled)).encode())
    return Hook(name, [*stores.mem(), "hook", AGENT, argument], payloads)


def _modules(hook: Hook, environ: Mapping[str, str], folder: Path) -> int:
    """Count the modules that a hook has loaded when it ends."""
    import subprocess

    command = [sys.executable, "-c", COUNT_MODULES, *hook.command[-3:]]
    done = subprocess.run(
        command, input=hook.payloads[-1], env=environ, cwd=folder, capture_output=True, check=True
    )
    return int(done.stderr)


def _row(
    name: str, costs: Sequence[Cost], python: Sequence[Cost], counted: Mapping[str, int]
) -> dict[str, object]:
    wall, cpu = [cost.wall_ms for cost in costs], [cost.cpu_ms for cost in costs]
    pairs = zip(costs, python, strict=True)
    return {
        "hook": name,
        "p50_ms": round(percentile(wall, 0.5), 1),
        "p95_ms": round(percentile(wall, 0.95), 1),
        "cpu_p50_ms": round(percentile(cpu, 0.5), 1),
        "cpu_p95_ms": round(percentile(cpu, 0.95), 1),
        "times_python": round(median(each.cpu_ms / bare.cpu_ms for each, bare in pairs), 1),
        "modules": counted.get(name, 0),
    }


def tokens(sessions: Sequence[Session], whole: int) -> dict[str, object]:
    """Sum up what the sessions were given, beside the whole store."""
    given = [session.tokens for session in sessions]
    prompts = sum(session.prompts for session in sessions)
    return {
        "sessions": len(sessions),
        "tokens_median": int(median(given)),
        "tokens_most": max(given),
        "whole_store": whole,
        "answers_median": int(median(session.answers for session in sessions)),
        "warnings_median": int(median(session.warned for session in sessions)),
        "prompts": prompts,
        "prompts_embedded": sum(session.embedded for session in sessions),
    }


def _show(
    rows: Sequence[Mapping[str, object]],
    figures: Mapping[str, object],
    options: Any,
    before: Mapping[str, object],
) -> None:
    print(f"{options.memories:,} memories, {options.runs} runs each, in turn\n")
    print(report.table(rows, HEADINGS))
    print(
        f"\n{figures['sessions']} sessions of {hook_sessions.PROMPTS} prompts and {hook_sessions.TOOL_CALLS} tool calls"
        f" on {len(hook_sessions.project())} memories:"
        f"\n  given in all: median {figures['tokens_median']:,} tokens, most {figures['tokens_most']:,};"
        f" the whole store pasted: {figures['whole_store']:,}"
        f"\n  answers: median {figures['answers_median']}, of them warnings {figures['warnings_median']}"
        f"\n  prompts that needed an embedding: {figures['prompts_embedded']} of {figures['prompts']}\n"
    )
    report.show_surroundings(before)
