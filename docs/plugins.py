"""The plugins in `plugins/`, written from the same table as `mem install`; `make docs` brings them up to date.

They hold no path of a machine: their hooks and servers call plain `mem`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import memory_layer
from memory_layer.agents.install import AgentMachine, entries_of
from memory_layer.agents.recipes import BY_NAME, RECIPES, SERVER, Entry

FOLDER = Path(__file__).resolve().parents[1] / "plugins"
NAME = "memory-layer"
MARKET = f"{NAME}-plugins"
OWNER = {"name": "The Memory Layer contributors"}
SAYS = (
    "A local memory that learns what works: context at the start, warnings before mistakes, tools to learn."
)
ABOUT = {"name": NAME, "version": memory_layer.__version__, "description": SAYS}

SKILL = """\
---
name: memory
description: >-
  Use the long-term memory of the project. Use it before a task, when an error looks familiar, when the user states a
  preference, rule or decision, and after something worked or failed.
---

# Memory

The memory outlives this session. Hooks give you what is known about the project when a session starts; the tools below
are for the rest.

## Recall before you guess

- `memory_context` with the task: rules, decisions and known problems for it.
- `memory_recall` with a question: before a decision, and with the text of an error that looks familiar.

## Remember what will still matter next week

Call `memory_learn`, one fact for each call, in a sentence that is understood without this conversation:

- what the user prefers, forbids or has decided, with the reason;
- a command that works here and is not obvious, or a trap and the way around it;
- the cause of an error that took time to find.

Do not store what the code, the history or a file of rules already says, what is true only today, guesses, or secrets.

## Say what came of it

Call `memory_outcome` for the memories that you used: `worked`, `partial` or `failed`. Memories that fail are
shown less; those that work come first.
"""

#: Each command: its description, the hint for its argument, the tool it needs, and what the agent is told.
COMMANDS = {
    "remember": (
        "Store something in the memory",
        "WHAT TO REMEMBER",
        "memory_learn",
        "Store this in the memory with `memory_learn`, as one sentence that is understood without this conversation."
        " If nothing follows, choose what of this session will still matter next week.",
    ),
    "recall": (
        "Search the memory",
        "QUESTION",
        "memory_recall",
        "Search the memory with `memory_recall` and answer from what it finds; say so if it finds nothing.",
    ),
    "outcome": (
        "Report whether a memory worked",
        "worked|partial|failed WHAT HAPPENED",
        "memory_outcome",
        "Report with `memory_outcome` what came of the memories that were used in this session.",
    ),
    "context": (
        "Load what the memory knows about a task",
        "TASK",
        "memory_context",
        "Load the context of this task with `memory_context`, and keep to its rules.",
    ),
}


def main() -> list[Path]:
    """Write the files that changed, remove those that are no longer written, and return both."""
    wanted = plugin_files()
    stale = [path for path in written() if path not in wanted]
    changed = [
        path
        for path, text in wanted.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        path.unlink()
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    return [*stale, *changed]


def written() -> list[Path]:
    """Return the files that are there."""
    return sorted(path for path in FOLDER.rglob("*") if path.is_file())


def plugin_files() -> dict[Path, str]:
    """Return the text of every file below `plugins/`."""
    groups = {"": _markets(), "claude-code": _claude_code(), "codex": _codex(), "gemini": _gemini()}
    return {FOLDER / group / name: text for group, files in groups.items() for name, text in files}


def agents() -> str:
    """List the agents that `mem install` knows."""
    head = ["| agent | name | hooks | in a project | |", "|---|---|---|---|---|"]
    return "\n".join([*head, *(_row(recipe.name) for recipe in RECIPES)])


def _row(name: str) -> str:
    recipe = BY_NAME[name]
    has_hooks = any(not _is_server(entry) for entry in recipe.user)
    proven = "" if recipe.is_proven else "written from its documentation, not run with the program"
    marks = ["yes" if each else "no" for each in (has_hooks, recipe.project)]
    return f"| {recipe.title} | `{name}` | {' | '.join(marks)} | {proven} |"


def _claude_code() -> Iterator[tuple[str, str]]:
    servers, hooks = _parts("claude-code")
    manifest = {**ABOUT, "author": OWNER, "license": "Apache-2.0", "keywords": ["memory", "mcp", "hooks"]}
    yield ".claude-plugin/plugin.json", _json(manifest)
    yield ".mcp.json", _json({"mcpServers": servers})
    yield "hooks/hooks.json", _json({"description": "Context, warnings and what you say", "hooks": hooks})
    yield "skills/memory/SKILL.md", SKILL
    for name, (says, hint, tool, told) in COMMANDS.items():
        allowed = f"mcp__plugin_{NAME}_{SERVER}__{tool}"
        head = f"---\ndescription: {says}\nargument-hint: {json.dumps(f'[{hint}]')}\nallowed-tools: {allowed}\n---\n"
        yield f"commands/{name}.md", f"{head}\n{told}\n\n$ARGUMENTS\n"


def _codex() -> Iterator[tuple[str, str]]:
    servers, hooks = _parts("codex")
    places = {"skills": "./skills/", "hooks": "./hooks/hooks.json", "mcpServers": "./.mcp.json"}
    yield ".codex-plugin/plugin.json", _json({**ABOUT, "author": OWNER, **places})
    yield ".mcp.json", _json({"mcpServers": servers})
    yield "hooks/hooks.json", _json({"hooks": hooks})
    yield "skills/memory/SKILL.md", SKILL


def _gemini() -> Iterator[tuple[str, str]]:
    servers, hooks = _parts("gemini")
    yield "gemini-extension.json", _json({**ABOUT, "mcpServers": servers})
    yield "hooks/hooks.json", _json({"hooks": hooks})
    yield "skills/memory/SKILL.md", SKILL
    for name, (says, _, _, told) in COMMANDS.items():
        prompt = json.dumps(f"{told}\n\n{{{{args}}}}")
        yield f"commands/memory/{name}.toml", f"description = {json.dumps(says)}\nprompt = {prompt}\n"


def _markets() -> Iterator[tuple[str, str]]:
    """Yield the lists of plugins, by which an agent installs one from this folder."""
    plugin = {"name": NAME, "source": "./claude-code", "description": SAYS}
    says = {"metadata": {"description": "Plugins of Memory Layer"}}
    yield (
        ".claude-plugin/marketplace.json",
        _json({"name": MARKET, "owner": OWNER, **says, "plugins": [plugin]}),
    )
    policy = {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
    listed = {
        "name": NAME,
        "source": {"source": "local", "path": "./codex"},
        "policy": policy,
        "category": "Coding",
    }
    yield ".agents/plugins/marketplace.json", _json({"name": MARKET, "plugins": [listed]})


def _parts(agent: str) -> tuple[dict[str, object], dict[str, list[object]]]:
    """Return the server and the hooks of an agent, as `mem install` writes them into a project."""
    nowhere = AgentMachine(Path(), Path(), "mem", {}, Path())
    entries = entries_of(BY_NAME[agent], nowhere, in_project=True, trusted=False)
    servers: dict[str, object] = {entry.path[-1]: entry.value for entry in entries if _is_server(entry)}
    hooks = {entry.path[-1]: [entry.value] for entry in entries if entry.path[:1] == ("hooks",)}
    return servers, hooks


def _is_server(entry: Entry) -> bool:
    return entry.path[-1:] == (SERVER,) or entry.path == ("mcpServers",)


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
