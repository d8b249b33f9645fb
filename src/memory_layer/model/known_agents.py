"""The agents that can be told from the variables they set for the commands they run.

Variables that also stand in the terminals people use (`TERM_PROGRAM`, `CURSOR_TRACE_ID`, `ZED_TERM`,
`REPL_ID`) or in their own shell profiles (`AIDER_MODEL`, `GOOSE_PROVIDER`, `CODEX_HOME`) prove nothing
and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory_layer.model.record import NamedTuple


class KnownAgent(NamedTuple):
    """One agent and the traces it leaves in its shells."""

    name: str
    marks: tuple[str, ...]  #: variables of which one is enough; `NAME=value` asks for that value
    session: str | None = None  #: the variable that names the conversation
    aliases: tuple[str, ...] = ()


#: The first that fits wins. Claude Code stands last because Amp sets its variable too.
KNOWN_AGENTS = (
    KnownAgent("amp", ("AMP_CURRENT_THREAD_ID", "AGENT=amp"), "AMP_CURRENT_THREAD_ID"),
    KnownAgent("codex", ("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_CI"), "CODEX_THREAD_ID", ("codex-cli",)),
    KnownAgent("gemini", ("GEMINI_CLI",), "GEMINI_SESSION_ID", ("gemini-cli",)),
    KnownAgent(
        "cursor",
        ("CURSOR_AGENT", "CURSOR_EXTENSION_HOST_ROLE=agent-exec"),
        aliases=("cursor-agent", "cursor-cli"),
    ),
    KnownAgent(
        "copilot",
        ("COPILOT_AGENT", "COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"),
        "COPILOT_AGENT_SESSION_ID",
        ("copilot-cli", "github-copilot", "vscode"),
    ),
    KnownAgent("opencode", ("OPENCODE", "OPENCODE_CLIENT", "OPENCODE_SESSION_ID"), "OPENCODE_SESSION_ID"),
    KnownAgent("goose", ("GOOSE_TERMINAL", "AGENT=goose"), "AGENT_SESSION_ID"),
    KnownAgent("antigravity", ("ANTIGRAVITY_AGENT",)),
    KnownAgent("augment", ("AUGMENT_AGENT",), aliases=("auggie",)),
    KnownAgent("cline", ("CLINE_ACTIVE",)),
    KnownAgent("kiro", ("KIRO_AGENT_PATH",)),
    KnownAgent("qwen", ("QWEN_CODE",), aliases=("qwen-code",)),
    KnownAgent(
        "claude-code",
        ("CLAUDECODE", "CLAUDE_CODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"),
        "CLAUDE_CODE_SESSION_ID",
        ("claude", "claudecode"),
    ),
    # These set no variable that would tell them apart from a person's terminal; only their names are known.
    KnownAgent("aider", ()),
    KnownAgent("windsurf", ()),
    KnownAgent("zed", ()),
)

#: Variables by which any agent may name itself; the value is its name, or `1`.
GENERIC_MARKS = ("AI_AGENT", "AGENT")

#: Every name and alias of a known agent.
AGENT_NAMES = frozenset(name for agent in KNOWN_AGENTS for name in (agent.name, *agent.aliases))

_LONGEST_SESSION = 200


def agent_in(environ: Mapping[str, str]) -> tuple[str | None, str]:
    """The agent whose variables are present, and the variable that told; an empty one tells least, but tells."""
    filled = {variable: value for variable, value in environ.items() if value}
    return _told_by(filled) or _told_by(environ) or (None, "default")


def _told_by(environ: Mapping[str, str]) -> tuple[str, str] | None:
    for agent in KNOWN_AGENTS:
        for mark in agent.marks:
            variable, _, value = mark.partition("=")
            if variable in environ and value in ("", environ[variable]):
                return agent.name, variable
    for variable in GENERIC_MARKS:
        if variable in environ:
            name = re.match(r"[a-z][\w-]{1,39}", environ[variable].strip().lower(), re.ASCII)
            return (name[0] if name and name[0] not in ("true", "yes") else "agent"), variable
    return None


def agent_session_in(environ: Mapping[str, str]) -> tuple[str | None, str]:
    """The conversation the present agent names, if it does so usably."""
    name, _ = agent_in(environ)
    for agent in KNOWN_AGENTS:
        if agent.name == name and agent.session:
            session = environ.get(agent.session, "").strip()
            if session.isprintable() and 0 < len(session) <= _LONGEST_SESSION:
                return session, agent.session
    return None, "default"
