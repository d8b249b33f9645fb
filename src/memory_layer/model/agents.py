"""Agents that can be recognised by the variables they set for their commands, or by their own processes.

Variables that also stand in the terminals people use (`TERM_PROGRAM`, `CURSOR_TRACE_ID`, `ZED_TERM`,
`REPL_ID`) or in their own shell profiles (`AIDER_MODEL`, `GOOSE_PROVIDER`, `CODEX_HOME`) prove nothing
and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memory_layer.model.record import NamedTuple

#: Variables by which any agent may name itself; the value is its name, or `1`.
GENERIC_MARKS = ("AI_AGENT", "AGENT")
TERMINAL_PREFIX = "terminal-"  #: of the name of a terminal's session
_LONGEST_SESSION = 200
_INTERPRETERS = ("node", "bun", "deno", "python", "pypy", "ruby", "electron")
#: Options of interpreters that are followed by a value of their own.
_TAKING_A_VALUE = (
    "-r",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "-W",
    "-X",
    "--env-file",
)
_GIVING_CODE = ("-c", "-e", "--eval", "-p", "--print")  #: of interpreters that then run no script
#: Python's `-m`, perhaps behind flags that take no value, and with the module's name attached.
_PYTHON_MODULE = r"-[bBdEiIOPqRsSuvx]*m(.*)"
_ENDINGS = ("js", "mjs", "cjs", "py", "exe")
_FIRST_ARGUMENTS = 5  #: among which the path of an interpreter's script stands


class KnownAgent(NamedTuple):
    """An agent, and how to recognise its shells and its own process."""

    name: str
    marks: tuple[str, ...] = ()  #: variables of which one is enough; `NAME=value` asks for that value
    session: str | None = None  #: the variable that names the conversation
    aliases: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()  #: what its executable or script is called
    places: tuple[str, ...] = ()  #: part of the path of its executable or script
    is_editor: bool = False  #: whether people use its terminals, too, and nothing tells them from its agent's


#: The first that fits wins. Claude Code stands last of those with variables because Amp sets its variable too.
KNOWN_AGENTS = (
    KnownAgent(
        "amp",
        ("AMP_CURRENT_THREAD_ID", "AGENT=amp"),
        "AMP_CURRENT_THREAD_ID",
        programs=("amp",),
        places=("/@sourcegraph/amp/", "/@ampcode/cli/"),
    ),
    KnownAgent(
        "codex",
        ("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_CI"),
        "CODEX_THREAD_ID",
        ("codex-cli",),
        programs=("codex",),
        places=("/@openai/codex/",),
    ),
    KnownAgent(
        "gemini",
        ("GEMINI_CLI",),
        "GEMINI_SESSION_ID",
        ("gemini-cli",),
        programs=("gemini",),
        places=("/@google/gemini-cli/",),
    ),
    KnownAgent(
        "cursor",
        ("CURSOR_AGENT", "CURSOR_EXTENSION_HOST_ROLE=agent-exec"),
        aliases=("cursor-agent", "cursor-cli"),
        programs=("cursor-agent",),
        places=("/share/cursor-agent/",),
    ),
    KnownAgent(
        "copilot",
        ("COPILOT_AGENT", "COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"),
        "COPILOT_AGENT_SESSION_ID",
        ("copilot-cli", "github-copilot", "vscode"),
        programs=("copilot",),
        places=("/@github/copilot/",),
    ),
    KnownAgent(
        "opencode",
        ("OPENCODE", "OPENCODE_CLIENT", "OPENCODE_SESSION_ID"),
        "OPENCODE_SESSION_ID",
        programs=("opencode",),
        places=("/opencode-ai/",),
    ),
    KnownAgent("goose", ("GOOSE_TERMINAL", "AGENT=goose"), "AGENT_SESSION_ID", programs=("goose", "goosed")),
    KnownAgent("antigravity", ("ANTIGRAVITY_AGENT",)),
    KnownAgent(
        "augment",
        ("AUGMENT_AGENT",),
        aliases=("auggie",),
        programs=("auggie",),
        places=("/@augmentcode/auggie/",),
    ),
    KnownAgent("cline", ("CLINE_ACTIVE",), programs=("cline",), places=("/node_modules/cline/",)),
    KnownAgent("kiro", ("KIRO_AGENT_PATH",), programs=("kiro-cli", "kiro-cli-chat", "qchat")),
    KnownAgent(
        "qwen",
        ("QWEN_CODE",),
        aliases=("qwen-code",),
        programs=("qwen",),
        places=("/@qwen-code/qwen-code/",),
    ),
    KnownAgent(
        "claude-code",
        ("CLAUDECODE", "CLAUDE_CODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"),
        "CLAUDE_CODE_SESSION_ID",
        ("claude", "claudecode"),
        programs=("claude",),
        places=("/@anthropic-ai/claude-code/", "/share/claude/versions/"),
    ),
    # These set no variable that would tell them apart from a person's terminal.
    KnownAgent("aider", programs=("aider",)),
    KnownAgent("droid", programs=("droid",), places=("/node_modules/droid/",)),
    KnownAgent("grok", programs=("grok",), places=("/@xai-official/grok/",)),
    KnownAgent("pi-coding-agent", programs=("pi",), places=("/pi-coding-agent/",)),
    KnownAgent("kilo", programs=("kilo",), places=("/@kilocode/cli/",)),
    KnownAgent("continue", programs=("cn",), places=("/@continuedev/cli/",)),
    KnownAgent("crush", programs=("crush",), places=("/@charmland/crush/",)),
    KnownAgent("codebuff", programs=("codebuff",), places=("/node_modules/codebuff/",)),
    KnownAgent("openhands", programs=("openhands",)),
    KnownAgent("gptme", programs=("gptme",)),
    KnownAgent("kimi", aliases=("kimi-cli",), programs=("kimi",)),
    KnownAgent("letta", aliases=("letta-code",), programs=("letta",), places=("/@letta-ai/letta-code/",)),
    KnownAgent("vibe", aliases=("mistral-vibe",), programs=("vibe",)),
    KnownAgent("windsurf", programs=("windsurf",), places=("/Windsurf.app/",), is_editor=True),
    KnownAgent("zed", programs=("zed", "zeditor", "zed-editor"), places=("/Zed.app/",), is_editor=True),
)


#: Every name and alias of a known agent.
AGENT_NAMES = frozenset(name for agent in KNOWN_AGENTS for name in (agent.name, *agent.aliases))


def agent_in(environ: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the agent whose variables are set, and the variable; one with a value wins over an empty one."""
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


def agent_running(name: str, executable: str, arguments: Sequence[str] = ()) -> str | None:
    """Return the agent that a process belongs to, judged by its name, executable and script.

    A folder or an argument of that name proves nothing: only the program itself does.
    """
    script = _script(arguments)
    names = {name, _stem(executable), _stem(script)}
    paths = (executable, *arguments[1:_FIRST_ARGUMENTS])
    for agent in KNOWN_AGENTS:
        if not names.isdisjoint(agent.programs):
            return agent.name
        if any(place in path for place in agent.places for path in paths):
            return agent.name
    return None


def is_interpreter(executable: str) -> bool:
    """Return whether a program is an interpreter, so that only its script identifies it."""
    return _stem(executable).startswith(_INTERPRETERS)


def is_editor(agent: str) -> bool:
    """Return whether an agent is an editor, whose terminals people use as well."""
    return any(known.is_editor for known in KNOWN_AGENTS if known.name == agent)


def _script(arguments: Sequence[str]) -> str:
    """Return the script or module that an interpreter runs."""
    rest = iter(arguments[1:])
    for argument in rest:
        if argument in _GIVING_CODE:
            return ""
        if module := re.fullmatch(_PYTHON_MODULE, argument):
            return (module[1] or next(rest, "")).partition(".")[0]
        if argument in _TAKING_A_VALUE:
            next(rest, None)
        elif not argument.startswith("-"):
            return argument
    return ""


def _stem(path: str) -> str:
    """Return a program's name without folder and suffix; a package run as a module is named after its folder."""
    name = path.removesuffix("/__main__.py").rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return stem if dot and ending in _ENDINGS else name


def agent_session_in(environ: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the conversation id that the present agent exports, if it is usable."""
    name, _ = agent_in(environ)
    for agent in KNOWN_AGENTS:
        if agent.name == name and agent.session:
            session = environ.get(agent.session, "").strip()
            if session.isprintable() and 0 < len(session) <= _LONGEST_SESSION:
                return session, agent.session
    return None, "default"


class Terminal(NamedTuple):
    """The terminal on standard input, and whether a person may be typing there."""

    session: str | None  #: what every command typed there shares
    is_own: bool = False  #: whether it controls this process, and listens to it at this moment
    agent: str | None = (
        None  #: the known agent among the processes above; looked for only where a person may type
    )
    is_traced: bool = False  #: whether the processes above lead to the shell of this terminal
