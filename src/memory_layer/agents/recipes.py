"""Recipes for wiring the memory into each agent: its files, and the entries in them.

`{mem}` stands for the command of the memory, `{shell}` for the same quoted for a shell. A file begins with `~/`, or
with `./` for one of the project.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from memory_layer.agents.plugin_text import OPENCODE_PLUGIN
from memory_layer.model.record import NamedTuple

SERVER = "memory"  #: the name of the server in every agent's configuration
SECONDS = 10  #: that an agent waits for a hook; stable, because Codex asks again when it changes


class EntryKind(StrEnum):
    VALUE = "value"  #: at a key
    DEFAULT = "default"  #: at a key, if there is none; it stays when the agent is unwired
    OFFER = "offer"  #: at a key, if nobody else has something there
    ITEM = "item"  #: of a list, beside other people's
    FILE = "file"  #: a whole file of our own
    SECTION = "section"  #: a marked part of a text


class Entry(NamedTuple):
    """One change of one file."""

    file: str
    kind: EntryKind
    path: tuple[str, ...] = ()
    value: object = None
    is_executable: bool = False


class AgentRecipe(NamedTuple):
    """An agent, and what is written for it."""

    name: str
    title: str
    folders: tuple[str, ...]  #: of which one exists where the agent is used
    programs: tuple[str, ...] = ()
    user: tuple[Entry, ...] = ()
    project: tuple[Entry, ...] = ()  #: empty where the agent has no file in a project
    trust: tuple[Entry, ...] = ()  #: only with consent: lets the agent call the memory without asking
    trust_question: str = ""
    trusts_hooks: bool = False  #: it runs only hooks that it was told to trust, and can be told
    check: tuple[str, ...] = ()  #: the agent's own command that shows its servers
    shown_by: str = "memory"  #: in the line of that command's output
    remarks: tuple[str, ...] = ()
    is_proven: bool = True  #: whether this was run with the real program
    runs_entries_of: str = ""  #: the agent whose servers and hooks it runs as well


def _server(**more: object) -> dict[str, object]:
    return {"command": "{mem}", "args": ["mcp"], **more}


def _value(file: str, path: str, value: object) -> Entry:
    return Entry(file, EntryKind.VALUE, tuple(path.split("/")), value)


def _nested_hooks(
    agent: str, file: str, events: Mapping[str, str], timeout: int = SECONDS, **more: object
) -> tuple[Entry, ...]:
    """Return hooks in the nesting of Claude Code, which most agents share."""

    def hook(event: str) -> dict[str, object]:
        name, _, matcher = event.partition(" ")
        command = {**more, "type": "command", "command": f"{{shell}} hook {agent} {name}", "timeout": timeout}
        return ({"matcher": matcher} if matcher else {}) | {"hooks": [command]}

    return tuple(Entry(file, EntryKind.ITEM, ("hooks", event), hook(name)) for event, name in events.items())


def _flat_hooks(
    agent: str, file: str, events: Mapping[str, str], version: bool = True, **more: object
) -> tuple[Entry, ...]:
    hooks = tuple(
        Entry(file, EntryKind.ITEM, ("hooks", event), {"command": f"{{shell}} hook {agent} {name}", **more})
        for event, name in events.items()
    )
    return (Entry(file, EntryKind.DEFAULT, ("version",), 1), *hooks) if version else hooks


def _scripts(folder: str, agent: str, events: Sequence[str]) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            f"{folder}/{event}",
            EntryKind.FILE,
            value=f"#!/bin/sh\nexec {{shell}} hook {agent} {event}\n",
            is_executable=True,
        )
        for event in events
    )


_CLAUDE_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before-tool Bash|Edit|MultiEdit|Write|NotebookEdit",
    "PostToolUse": "after-tool Bash|Edit|MultiEdit|Write|NotebookEdit",
    "PostToolUseFailure": "tool-failed",
    "PreCompact": "before-compaction",
    "SubagentStart": "subagent",
    "Stop": "stop",
    "SessionEnd": "session-end",
}
_STATUS_LINE = {"type": "command", "command": "{shell} hook claude-code status-line"}
_CODEX_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before-tool",
    "PostToolUse": "after-tool",
    "Stop": "stop",
    "SessionEnd": "session-end",
}
_DROID_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "after-tool",
    "Stop": "stop",
    "SessionEnd": "session-end",
}
_QWEN_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "after-tool",
    "PostToolUseFailure": "tool-failed",
    "Stop": "stop",
    "SessionEnd": "session-end",
}
_GROK_EVENTS = {**_CODEX_EVENTS}
_GEMINI_EVENTS = {
    "SessionStart": "session-start",
    "BeforeAgent": "prompt",
    "AfterTool": "after-tool",
    "SessionEnd": "session-end",
}
_CURSOR_EVENTS = {
    "sessionStart": "session-start",
    "beforeSubmitPrompt": "prompt",
    "postToolUse": "after-tool",
    "sessionEnd": "session-end",
}
_WINDSURF_EVENTS = {"pre_user_prompt": "prompt"}
_COPILOT_EVENTS = {
    "sessionStart": "session-start",
    "userPromptSubmitted": "prompt",
    "postToolUse": "after-tool",
    "sessionEnd": "session-end",
}


def _copilot_hooks(agent: str) -> dict[str, object]:
    def hook(name: str) -> dict[str, object]:
        return {"type": "command", "bash": f"{{shell}} hook {agent} {name}", "timeoutSec": SECONDS}

    return {"version": 1, "hooks": {event: [hook(name)] for event, name in _COPILOT_EVENTS.items()}}


def _grok_hooks() -> dict[str, object]:
    entries = _nested_hooks("grok", "", _GROK_EVENTS)
    return {"hooks": {entry.path[1]: [entry.value] for entry in entries}}


RECIPES = (
    AgentRecipe(
        "claude-code",
        "Claude Code",
        ("~/.claude", "~/.claude.json"),
        ("claude",),
        user=(
            _value(
                "~/.claude.json",
                f"mcpServers/{SERVER}",
                {"type": "stdio", **_server(env={}), "alwaysLoad": True},
            ),
            *_nested_hooks("claude-code", "~/.claude/settings.json", _CLAUDE_EVENTS),
            Entry("~/.claude/settings.json", EntryKind.OFFER, ("statusLine",), _STATUS_LINE),
        ),
        project=(
            _value(
                "./.mcp.json",
                f"mcpServers/{SERVER}",
                {"type": "stdio", **_server(env={}), "alwaysLoad": True},
            ),
            *_nested_hooks("claude-code", "./.claude/settings.json", _CLAUDE_EVENTS),
        ),
        trust=(Entry("~/.claude/settings.json", EntryKind.ITEM, ("permissions", "allow"), f"mcp__{SERVER}"),),
        trust_question="Let Claude Code use the memory's tools without asking each time?",
        check=("claude", "mcp", "list"),
        remarks=("Grok Build runs Claude Code's hooks and servers too: it needs no entry of its own.",),
    ),
    AgentRecipe(
        "codex",
        "Codex",
        ("~/.codex",),
        ("codex",),
        user=(
            _value("~/.codex/config.toml", f"mcp_servers/{SERVER}", _server(startup_timeout_sec=20)),
            *_nested_hooks("codex", "~/.codex/hooks.json", _CODEX_EVENTS),
        ),
        project=(
            _value("./.codex/config.toml", f"mcp_servers/{SERVER}", _server(startup_timeout_sec=20)),
            *_nested_hooks("codex", "./.codex/hooks.json", _CODEX_EVENTS),
        ),
        trusts_hooks=True,
        trust_question="Trust the memory's hooks in Codex? It runs no others.",
    ),
    AgentRecipe(
        "gemini",
        "Gemini CLI",
        ("~/.gemini",),
        ("gemini",),
        user=(
            _value("~/.gemini/settings.json", f"mcpServers/{SERVER}", _server()),
            *_nested_hooks("gemini", "~/.gemini/settings.json", _GEMINI_EVENTS, 1000 * SECONDS, name=SERVER),
        ),
        project=(
            _value("./.gemini/settings.json", f"mcpServers/{SERVER}", _server()),
            *_nested_hooks("gemini", "./.gemini/settings.json", _GEMINI_EVENTS, 1000 * SECONDS, name=SERVER),
        ),
        trust=(_value("~/.gemini/settings.json", f"mcpServers/{SERVER}/trust", True),),
        trust_question="Let Gemini use the memory's tools without asking each time?",
        check=("gemini", "mcp", "list"),
        remarks=("Gemini starts servers and hooks only in folders that you have trusted.",),
    ),
    AgentRecipe(
        "opencode",
        "OpenCode",
        ("~/.config/opencode",),
        ("opencode",),
        user=(
            _value(
                "~/.config/opencode/opencode.jsonc",
                f"mcp/{SERVER}",
                {"type": "local", "command": ["{mem}", "mcp"], "enabled": True},
            ),
            Entry(
                "~/.config/opencode/plugins/memory-layer.js",
                EntryKind.FILE,
                value=OPENCODE_PLUGIN.replace("{agent}", "opencode"),
            ),
        ),
        project=(
            _value(
                "./opencode.json",
                f"mcp/{SERVER}",
                {"type": "local", "command": ["{mem}", "mcp"], "enabled": True},
            ),
            Entry(
                "./.opencode/plugins/memory-layer.js",
                EntryKind.FILE,
                value=OPENCODE_PLUGIN.replace("{agent}", "opencode"),
            ),
        ),
        check=("opencode", "mcp", "list"),
    ),
    AgentRecipe(
        "cursor",
        "Cursor",
        ("~/.cursor",),
        ("cursor", "cursor-agent"),
        user=(
            _value("~/.cursor/mcp.json", f"mcpServers/{SERVER}", _server()),
            *_flat_hooks("cursor", "~/.cursor/hooks.json", _CURSOR_EVENTS),
        ),
        project=(
            _value("./.cursor/mcp.json", f"mcpServers/{SERVER}", _server()),
            *_flat_hooks("cursor", "./.cursor/hooks.json", _CURSOR_EVENTS),
        ),
        is_proven=False,
    ),
    AgentRecipe(
        "vscode",
        "VS Code",
        ("~/.config/Code/User", "~/Library/Application Support/Code/User"),
        ("code",),
        user=(_value("{vscode}/mcp.json", f"servers/{SERVER}", {"type": "stdio", **_server()}),),
        project=(
            _value("./.vscode/mcp.json", f"servers/{SERVER}", {"type": "stdio", **_server()}),
            Entry("./.github/copilot-instructions.md", EntryKind.SECTION),
        ),
        is_proven=False,
        remarks=("VS Code's hooks are a preview: its agent asks the memory through its tools.",),
    ),
    AgentRecipe(
        "windsurf",
        "Windsurf",
        ("~/.codeium/windsurf",),
        ("windsurf",),
        user=(
            _value("~/.codeium/windsurf/mcp_config.json", f"mcpServers/{SERVER}", _server()),
            *_flat_hooks(
                "windsurf", "~/.codeium/windsurf/hooks.json", _WINDSURF_EVENTS, False, show_output=False
            ),
        ),
        project=(Entry("./.windsurf/rules/memory-layer.md", EntryKind.SECTION),),
        is_proven=False,
    ),
    AgentRecipe(
        "zed",
        "Zed",
        ("~/.config/zed",),
        ("zed", "zeditor"),
        user=(_value("~/.config/zed/settings.json", f"context_servers/{SERVER}", _server(env={})),),
        project=(
            _value("./.zed/settings.json", f"context_servers/{SERVER}", _server(env={})),
            Entry("./AGENTS.md", EntryKind.SECTION),
        ),
        is_proven=False,
        remarks=("Zed has no hooks: its agent asks the memory through its tools.",),
    ),
    AgentRecipe(
        "copilot",
        "Copilot CLI",
        ("~/.copilot",),
        ("copilot",),
        user=(
            _value(
                "~/.copilot/mcp-config.json",
                f"mcpServers/{SERVER}",
                {"type": "local", **_server(tools=["*"])},
            ),
            Entry("~/.copilot/hooks/memory-layer.json", EntryKind.FILE, value=_copilot_hooks("copilot")),
        ),
        remarks=("Copilot CLI also runs the hooks of Claude Code's project settings.",),
    ),
    AgentRecipe(
        "qwen",
        "Qwen Code",
        ("~/.qwen",),
        ("qwen",),
        user=(
            _value("~/.qwen/settings.json", f"mcpServers/{SERVER}", _server(alwaysLoadTools=True)),
            *_nested_hooks("qwen", "~/.qwen/settings.json", _QWEN_EVENTS),
        ),
        project=(
            _value("./.qwen/settings.json", f"mcpServers/{SERVER}", _server(alwaysLoadTools=True)),
            *_nested_hooks("qwen", "./.qwen/settings.json", _QWEN_EVENTS),
        ),
        trust=(_value("~/.qwen/settings.json", f"mcpServers/{SERVER}/trust", True),),
        trust_question="Let Qwen Code use the memory's tools without asking each time?",
        check=("qwen", "mcp", "list"),
    ),
    AgentRecipe(
        "grok",
        "Grok Build",
        ("~/.grok",),
        ("grok",),
        user=(
            _value("~/.grok/config.toml", f"mcp_servers/{SERVER}", _server()),
            Entry("~/.grok/hooks/memory-layer.json", EntryKind.FILE, value=_grok_hooks()),
        ),
        check=("grok", "mcp", "doctor"),
        runs_entries_of="claude-code",
    ),
    AgentRecipe(
        "droid",
        "Droid",
        ("~/.factory",),
        ("droid",),
        user=(
            _value(
                "~/.factory/mcp.json",
                f"mcpServers/{SERVER}",
                {"type": "stdio", **_server(disabled=False)},
            ),
            *_nested_hooks("droid", "~/.factory/settings.json", _DROID_EVENTS),
        ),
        check=("droid", "mcp", "list"),
    ),
    AgentRecipe(
        "cline",
        "Cline",
        ("~/.cline",),
        ("cline",),
        user=(
            _value(
                "~/.cline/data/settings/cline_mcp_settings.json",
                f"mcpServers/{SERVER}",
                {"transport": {"type": "stdio", **_server()}, "timeout": 30},
            ),
            *_scripts("~/.cline/hooks", "cline", ("PreToolUse", "PostToolUse", "UserPromptSubmit")),
        ),
    ),
    AgentRecipe(
        "kilo",
        "Kilo",
        ("~/.config/kilo",),
        ("kilo",),
        user=(
            _value(
                "~/.config/kilo/kilo.jsonc",
                f"mcp/{SERVER}",
                {"type": "local", "command": ["{mem}", "mcp"], "enabled": True},
            ),
            Entry(
                "~/.config/kilo/plugins/memory-layer.js",
                EntryKind.FILE,
                value=OPENCODE_PLUGIN.replace("{agent}", "kilo"),
            ),
        ),
        check=("kilo", "mcp", "list"),
    ),
    AgentRecipe(
        "continue",
        "Continue",
        ("~/.continue",),
        ("cn",),
        user=(
            Entry(
                "~/.continue/config.yaml",
                EntryKind.ITEM,
                ("mcpServers",),
                {"name": SERVER, "command": "{mem}", "args": ["mcp"]},
            ),
        ),
        remarks=("Continue runs no hooks yet: its agent asks the memory through its tools.",),
    ),
)
BY_NAME: Mapping[str, AgentRecipe] = {recipe.name: recipe for recipe in RECIPES}
ALIASES = {"claude": "claude-code", "gemini-cli": "gemini", "copilot-cli": "copilot", "qwen-code": "qwen"}
