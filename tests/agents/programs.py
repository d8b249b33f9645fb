"""The programs of agents: their packages, and how each is run against a model on loopback without a person.

In a text `{url}` stands for the address of the model, `{prompt}` for what a person typed and `{command}` for a shell
command. No program asks for more than a key, which is made up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from tests.agents.model_server import Call

NOBODY = "http://127.0.0.1:1"  #: stands in a configuration until a model is there
QUESTION = {"query": "how do I run the unit tests"}
RECALL = Call("memory_recall", QUESTION)
USUAL, MORE = "agents", "more-agents"


class Program(NamedTuple):
    """A program, and what it takes to run it once."""

    packages: str  #: the set of npm packages that holds it
    inside: str  #: its file below `node_modules`; `{}` is the platform. Node runs .js and unpacks .br
    folder: str  #: below the home, present where the agent is used
    command: str  #: its words
    shell: Call  #: runs a shell command
    environ: Mapping[str, str] = {}
    file: str = ""  #: of the configuration that names the model, below the home
    text: str = ""
    login: str = ""  #: the program's own command that writes that file
    recall: tuple[Call, ...] = (RECALL,)  #: asks the memory; some agents hide tools behind a search
    needed: tuple[str, str] = ("", "")  #: replaced in that file before a run


_OPENAI = {"OPENAI_BASE_URL": "{url}/v1", "OPENAI_API_KEY": "x", "OPENAI_MODEL": "scripted"}
_CODEX = f"""\
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "{NOBODY}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
"""
_GROK = f"""\
[models]
default = "scripted"

[model.scripted]
model = "scripted"
base_url = "{NOBODY}/v1"
env_key = "SCRIPTED_KEY"
"""
_CONTINUE = f"""\
name: scripted
version: 1.0.0
schema: v1
models:
  - name: scripted
    provider: openai
    model: scripted
    apiBase: {NOBODY}/v1
    apiKey: x
    roles: [chat]
    capabilities: [tool_use]
"""
_OPENCODE = {
    "model": "scripted/scripted",
    "small_model": "scripted/scripted",
    "autoupdate": False,
    "share": "disabled",
    "provider": {
        "scripted": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {"baseURL": f"{NOBODY}/v1", "apiKey": "x"},
            "models": {
                "scripted": {
                    "name": "Scripted",
                    "tool_call": True,
                    "limit": {"context": 100_000, "output": 8_000},
                }
            },
        }
    },
}
_DROID = {
    "customModels": [
        {
            "model": "scripted",
            "displayName": "Scripted",
            "baseUrl": f"{NOBODY}/v1",
            "apiKey": "x",
            "provider": "generic-chat-completion-api",
            "maxOutputTokens": 8_000,
        }
    ]
}


def _like_opencode(name: str, inside: str) -> Program:
    """OpenCode and Kilo, which is made from it."""
    folder = f".config/{name}"
    quiet = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD")
    return Program(
        MORE,
        inside,
        folder,
        "run --format json --auto {prompt}",
        Call("bash", {"command": "{command}", "description": "run it"}),
        {f"{name.upper()}_DISABLE_{what}": "1" for what in quiet}
        | {f"{name.upper()}_TELEMETRY_LEVEL": "off"},
        f"{folder}/{name}.jsonc",
        json.dumps(_OPENCODE, indent=2) + "\n",
    )


PROGRAMS: Mapping[str, Program] = {
    "claude-code": Program(
        USUAL,
        "@anthropic-ai/claude-code-{}/claude",
        ".claude",
        "-p {prompt} --output-format stream-json --verbose --include-hook-events --allowedTools Bash",
        Call("Bash", {"command": "{command}"}),
        {
            "ANTHROPIC_BASE_URL": "{url}",
            "ANTHROPIC_API_KEY": "x",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    ),
    "codex": Program(
        USUAL,
        "@openai/codex-{}/vendor/*/bin/codex",
        ".codex",
        "exec --json --skip-git-repo-check --dangerously-bypass-hook-trust --disable remote_plugin"
        " --dangerously-bypass-approvals-and-sandbox {prompt}",
        Call("exec_command", {"cmd": "{command}"}),
        {"SCRIPTED_KEY": "x"},
        ".codex/config.toml",
        _CODEX,
        needed=("[mcp_servers.memory]\ncommand", "[mcp_servers.memory]\nrequired = true\ncommand"),
    ),
    "gemini": Program(
        MORE,
        "@google/gemini-cli/bundle/gemini.js",
        ".gemini",
        "-p {prompt} --skip-trust --approval-mode yolo -m gemini-2.5-pro",
        Call("run_shell_command", {"command": "{command}"}),
        {"GOOGLE_GEMINI_BASE_URL": "{url}", "GEMINI_API_KEY": "x"},
        ".gemini/settings.json",
        '{"security": {"auth": {"selectedType": "gemini-api-key"}}}\n',
    ),
    "qwen": Program(
        MORE,
        "@qwen-code/qwen-code/cli.js",
        ".qwen",
        "-p {prompt} --approval-mode yolo",
        Call("run_shell_command", {"command": "{command}", "is_background": False}),
        _OPENAI,
        ".qwen/settings.json",
        '{"security": {"auth": {"selectedType": "openai"}}}\n',
    ),
    "copilot": Program(
        MORE,
        "@github/copilot-{}/copilot",
        ".copilot",
        "-p {prompt} --allow-all-tools --output-format json",
        Call("bash", {"command": "{command}", "description": "run it"}),
        {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": "{url}/v1",
            "COPILOT_PROVIDER_API_KEY": "x",
            "COPILOT_MODEL": "scripted",
            "COPILOT_AUTO_UPDATE": "false",
        },
    ),
    "grok": Program(
        MORE,
        "@xai-official/grok-{}/bin/grok.br",
        ".grok",
        "-p {prompt} -m scripted --always-approve",
        Call("run_terminal_command", {"command": "{command}", "description": "run it"}),
        {"GROK_DISABLE_AUTOUPDATER": "1", "SCRIPTED_KEY": "x"},
        ".grok/config.toml",
        _GROK,
        recall=(
            Call("search_tool", {"query": "memory recall"}),
            Call("use_tool", {"tool_name": "memory__memory_recall", "tool_input": QUESTION}),
        ),
    ),
    "droid": Program(
        MORE,
        "@factory/cli-{}/bin/droid",
        ".factory",
        "exec -m custom:scripted --auto high {prompt}",
        Call(
            "Execute",
            {
                "command": "{command}",
                "timeout": 30,
                "summary": "Run it for me",
                "riskLevel": "low",
                "riskLevelReason": "safe",
            },
        ),
        {"FACTORY_API_KEY": "x", "FACTORY_AIRGAP_ENABLED": "1"},
        ".factory/settings.json",
        json.dumps(_DROID, indent=2) + "\n",
        recall=(Call("ToolSearch", {"query": "memory recall"}), RECALL),
    ),
    "cline": Program(
        MORE,
        "@cline/cli-{}/bin/cline",
        ".cline",
        "--json {prompt}",
        Call("run_commands", {"commands": ["{command}"]}),
        file=".cline/data/settings/providers.json",
        login=f"auth -p openai-compatible -k x -m scripted -b {NOBODY}/v1",
    ),
    "opencode": _like_opencode("opencode", "opencode-{}/bin/opencode"),
    "kilo": _like_opencode("kilo", "@kilocode/cli-{}/bin/kilo"),
    "continue": Program(
        MORE,
        "@continuedev/cli/dist/cn.js",
        ".continue",
        "-p {prompt} --config {home}/.continue/config.yaml --auto",
        Call("Bash", {"command": "{command}"}),
        file=".continue/config.yaml",
        text=_CONTINUE,
    ),
}
