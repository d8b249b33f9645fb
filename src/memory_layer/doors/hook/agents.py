"""The agents whose hooks call `mem hook`: how each names its events, and where its answers reach the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import StrEnum

from memory_layer.model.record import NamedTuple


class EventKind(StrEnum):
    """A moment in an agent's session."""

    START = "session-start"
    PROMPT = "prompt"
    BEFORE_TOOL = "before-tool"
    AFTER_TOOL = "after-tool"
    TOOL_FAILED = "tool-failed"
    BEFORE_COMPACTION = "before-compaction"
    SUBAGENT = "subagent"
    STOP = "stop"
    END = "session-end"
    STATUS_LINE = "status-line"  #: a line for the person, below the agent's input


START, PROMPT, BEFORE, AFTER, FAILED = tuple(EventKind)[:5]
SUBAGENT = EventKind.SUBAGENT

#: The events of all agents, by their names in lower case without anything but letters.
EVENT_NAMES: Mapping[str, EventKind] = {
    name: kind
    for kind, names in {
        START: "sessionstart taskstart agentstart sessioncreated",
        PROMPT: "userpromptsubmit userpromptsubmitted beforeagent beforesubmitprompt preuserprompt prompt"
        " chatmessage promptsubmit beforeagentstart",
        BEFORE: "pretooluse beforetool toolcall toolexecutebefore beforeshellexecution preruncommand prewritecode",
        AFTER: "posttooluse aftertool toolresult toolexecuteafter afterfileedit postruncommand postwritecode",
        FAILED: "posttoolusefailure toolfailed erroroccurred",
        EventKind.BEFORE_COMPACTION: "precompact precompress beforecompaction sessioncompacting",
        SUBAGENT: "subagentstart subagent",
        EventKind.STOP: "stop agentstop afteragent subagentstop taskcomplete agentend sessionidle"
        " postcascaderesponse",
        EventKind.END: "sessionend sessionshutdown taskcancel",
        EventKind.STATUS_LINE: "statusline status",
    }.items()
    for name in names.split()
}


def kind_of(name: str) -> EventKind | None:
    """Return the kind of an event by any agent's name for it."""
    return EVENT_NAMES.get("".join(filter(str.isalpha, name)).lower())


def _like_claude(event: str, text: str) -> str:
    return _json({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})


def _at_the_top(key: str) -> Callable[[str, str], str]:
    return lambda event, text: _json({key: text})


def _like_cline(event: str, text: str) -> str:
    return _json({"cancel": False, "contextModification": text})


def _bare(event: str, text: str) -> str:
    return text


def _json(shape: Mapping[str, object]) -> str:
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":"))


class HookAgent(NamedTuple):
    """An agent, the events whose answers reach its model, and the form of an answer."""

    name: str
    reaches: frozenset[EventKind]
    write: Callable[[str, str], str] = _like_claude  #: the event's own name, and the text for the model
    traces: tuple[str, ...] = ()  #: parts of the path of its transcript
    marks: tuple[str, ...] = ()  #: variables it sets for its hooks
    has_tools: bool = True  #: whether the model can call the memory's tools
    records_exit_codes: bool = False  #: in its transcript; its events lack them
    tells_failure: bool = False  #: whether it marks every tool that failed, so that others succeeded


_EVERYWHERE = frozenset({START, PROMPT, BEFORE, AFTER, FAILED, SUBAGENT})
_NOT_BEFORE = frozenset({START, PROMPT, AFTER})
_AT_TOOLS = frozenset({BEFORE, AFTER})

#: Marks are tested in this order: an agent that another one started inherits the other's variables.
AGENTS = (
    HookAgent("grok", _AT_TOOLS, traces=("/.grok/",), marks=("GROK_HOOK_EVENT",)),
    HookAgent("copilot", _NOT_BEFORE, _at_the_top("additionalContext"), ("/.copilot/",), ("COPILOT_CLI",)),
    HookAgent(
        "qwen",
        _NOT_BEFORE | {FAILED},
        traces=("/.qwen/",),
        marks=("QWEN_CODE_SESSION_ID",),
        tells_failure=True,
    ),
    HookAgent(
        "gemini",
        _NOT_BEFORE,
        traces=("/.gemini/",),
        marks=("GEMINI_SESSION_ID",),
        tells_failure=True,
    ),
    HookAgent("droid", frozenset({START, AFTER}), traces=("/.factory/",), marks=("DROID_PROJECT_DIR",)),
    HookAgent(
        "codex", frozenset({START, PROMPT, BEFORE, AFTER}), traces=("/.codex/",), records_exit_codes=True
    ),
    HookAgent(
        "claude-code",
        _EVERYWHERE,
        traces=("/.claude/",),
        marks=("CLAUDECODE",),
        tells_failure=True,
    ),
    HookAgent("cline", _AT_TOOLS, _like_cline, ("/.cline/",)),
    HookAgent("opencode", frozenset({PROMPT, AFTER}), _bare),
    HookAgent("kilo", frozenset({PROMPT, AFTER}), _bare),
    HookAgent("cursor", frozenset({START, AFTER}), _at_the_top("additional_context"), ("/.cursor/",)),
    HookAgent("vscode", frozenset({START, PROMPT, BEFORE, AFTER})),
    HookAgent("continue", frozenset({START, PROMPT, BEFORE, AFTER}), traces=("/.continue/",)),
    HookAgent("windsurf", frozenset()),
    HookAgent("pi", frozenset({PROMPT}), _bare, has_tools=False),
)
BY_NAME: Mapping[str, HookAgent] = {agent.name: agent for agent in AGENTS} | {
    alias: agent for agent in AGENTS for alias in ({"claude-code": ["claude"]}.get(agent.name, []))
}
