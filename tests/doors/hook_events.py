"""The events of a session in the form in which each agent sends them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

START, PROMPT, BEFORE, AFTER, FAILED = "start", "prompt", "before", "after", "failed"
STOP, END = "stop", "end"


def like_claude(agent: str, folder: str, names: Mapping[str, str], tool: str = "Bash") -> dict[str, Any]:
    """Events with Claude Code's fields, which most agents share."""

    def event(name: str, **fields: Any) -> dict[str, Any]:
        place = {"session_id": "s-1", "transcript_path": f"/home/me/.{folder}/x/s-1.jsonl"}
        return {**place, "hook_event_name": names[name], **fields}

    shell = {"tool_name": tool, "tool_input": {"command": "make deploy"}}
    output = {"llmContent": "Output: E_LOCKED: the state file is locked\nExit Code: 1"}
    events = {
        START: event(START, source="startup") if START in names else None,
        PROMPT: event(PROMPT, prompt="how do we deploy the site?") if PROMPT in names else None,
        BEFORE: event(BEFORE, **shell) if BEFORE in names else None,
        AFTER: event(AFTER, **shell, tool_response=output) if AFTER in names else None,
        FAILED: event(FAILED, **shell, error="E_LOCKED: the state file is locked")
        if FAILED in names
        else None,
        STOP: event(STOP, stop_hook_active=False) if STOP in names else None,
        END: event(END, reason="other") if END in names else None,
    }
    return {name: each for name, each in events.items() if each is not None}


_CLAUDE = {START: "SessionStart", PROMPT: "UserPromptSubmit", BEFORE: "PreToolUse", AFTER: "PostToolUse"}
_ENDS = {STOP: "Stop", END: "SessionEnd"}
_CAMEL = {"sessionId": "s-1", "timestamp": 1794917028925}
_CLINE = {"taskId": "t-1", "sessionContext": {"rootSessionId": "s-1"}}
_SHELL = {"command": "make deploy"}
_LOCKED = "E_LOCKED: the state file is locked"

EVENTS: dict[str, dict[str, dict[str, Any]]] = {
    "claude-code": like_claude("claude-code", "claude", {**_CLAUDE, **_ENDS, FAILED: "PostToolUseFailure"}),
    "codex": like_claude("codex", "codex", {**_CLAUDE, **_ENDS}),
    "gemini": like_claude(
        "gemini",
        "gemini",
        {
            START: "SessionStart",
            PROMPT: "BeforeAgent",
            AFTER: "AfterTool",
            STOP: "AfterAgent",
            END: "SessionEnd",
        },
        "run_shell_command",
    ),
    "qwen": like_claude(
        "qwen", "qwen", {**_CLAUDE, **_ENDS, FAILED: "PostToolUseFailure"}, "run_shell_command"
    ),
    "droid": like_claude(
        "droid", "factory", {START: "SessionStart", AFTER: "PostToolUse", **_ENDS}, "Execute"
    ),
    "grok": {
        START: {"hookEventName": "session_start", "sessionId": "s-1", "hook_event_name": "SessionStart"},
        BEFORE: {
            "hookEventName": "pre_tool_use",
            "sessionId": "s-1",
            "transcriptPath": "/home/me/.grok/sessions/x/updates.jsonl",
            "toolName": "run_terminal_command",
            "toolInput": _SHELL,
            "hook_event_name": "PreToolUse",
        },
        STOP: {"hookEventName": "stop", "sessionId": "s-1", "hook_event_name": "Stop"},
    },
    "copilot": {
        START: {**_CAMEL, "source": "new"},
        PROMPT: {**_CAMEL, "prompt": "how do we deploy the site?"},
        AFTER: {
            **_CAMEL,
            "toolName": "bash",
            "toolArgs": _SHELL,
            "toolResult": {"resultType": "failure", "textResultForLlm": _LOCKED},
        },
        END: {**_CAMEL, "reason": "complete"},
    },
    "cline": {
        BEFORE: {
            **_CLINE,
            "hookName": "tool_call",
            "tool_call": {"name": "run_commands", "input": {"commands": ["make deploy"]}},
        },
        AFTER: {
            **_CLINE,
            "hookName": "tool_result",
            "tool_result": {
                "name": "run_commands",
                "input": {"commands": ["make deploy"]},
                "output": [_LOCKED, "exit code 1"],
            },
        },
        STOP: {**_CLINE, "hookName": "agent_end"},
    },
    "opencode": {
        PROMPT: {"session_id": "s-1", "parts": [{"type": "text", "text": '"how do we deploy the site?"'}]},
        AFTER: {
            "session_id": "s-1",
            "tool": "bash",
            "args": _SHELL,
            "metadata": {"exit": 1},
            "output": _LOCKED,
        },
        STOP: {"session_id": "s-1"},
    },
    "cursor": {
        START: {"conversation_id": "s-1", "hook_event_name": "sessionStart"},
        PROMPT: {
            "conversation_id": "s-1",
            "hook_event_name": "beforeSubmitPrompt",
            "prompt": "how do we deploy?",
        },
        AFTER: {
            "conversation_id": "s-1",
            "hook_event_name": "postToolUse",
            "tool_name": "Shell",
            "tool_input": _SHELL,
        },
        END: {"conversation_id": "s-1", "hook_event_name": "sessionEnd", "reason": "completed"},
    },
    "windsurf": {
        PROMPT: {
            "trajectory_id": "s-1",
            "agent_action_name": "pre_user_prompt",
            "tool_info": {"user_prompt": "hi"},
        }
    },
}
EVENTS["kilo"] = EVENTS["opencode"]
#: The argument that `mem install` writes for each of these events.
ARGUMENTS = {
    START: "session-start",
    PROMPT: "prompt",
    BEFORE: "before-tool",
    AFTER: "after-tool",
    FAILED: "tool-failed",
    STOP: "stop",
    END: "session-end",
}
