"""Configuration files as people and programs leave them, each with what `mem install` does to it."""

from __future__ import annotations

import json
from typing import NamedTuple

OUR_HOOK = {"hooks": [{"type": "command", "command": "/old/bin/mem hook claude-code stop", "timeout": 3}]}
THEIR_HOOK = {"hooks": [{"type": "command", "command": "notify-send done"}]}
OLD_SERVER = {"type": "stdio", "command": "/old/bin/mem", "args": ["mcp"], "env": {}}
THEIR_SERVER = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}


class Awkward(NamedTuple):
    """A file of an agent; a refused one stays as it is."""

    name: str
    agent: str
    file: str
    content: bytes
    is_refused: bool = False
    in_project: bool = False
    left: bytes | None = None  #: after the removal, where that is not the content


def _settings(name: str, text: str, *, is_refused: bool = False, left: str | None = None) -> Awkward:
    after = None if left is None else left.encode()
    return Awkward(name, "claude-code", ".claude/settings.json", text.encode(), is_refused, left=after)


def _servers(name: str, text: str, *, is_refused: bool = False, left: str | None = None) -> Awkward:
    after = None if left is None else left.encode()
    return Awkward(name, "claude-code", ".claude.json", text.encode(), is_refused, left=after)


def _toml(name: str, text: str, *, is_refused: bool = False, left: str | None = None) -> Awkward:
    after = None if left is None else left.encode()
    return Awkward(name, "codex", ".codex/config.toml", text.encode(), is_refused, left=after)


def _yaml(name: str, text: str, *, is_refused: bool = False, left: str | None = None) -> Awkward:
    after = None if left is None else left.encode()
    return Awkward(name, "continue", ".continue/config.yaml", text.encode(), is_refused, left=after)


def _markdown(name: str, text: str, *, is_refused: bool = False, left: str | None = None) -> Awkward:
    after = None if left is None else left.encode()
    return Awkward(name, "zed", "AGENTS.md", text.encode(), is_refused, in_project=True, left=after)


def _script(name: str, text: str, *, is_refused: bool = False, left: str | None = None) -> Awkward:
    after = None if left is None else left.encode()
    return Awkward(name, "cline", ".cline/hooks/PreToolUse", text.encode(), is_refused, left=after)


JSON = [
    _settings("an empty file", ""),
    _settings("white space alone", " \t\r\n\n"),
    _settings("an empty object", "{}"),
    _settings("an empty object with a line in it", "{\n}\n"),
    _settings("one line without a line end", '{"model": "opus", "hooks": {}}'),
    _settings("spaces inside the braces", '{ "model": "opus" }\n'),
    _settings("tabs", '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n'),
    _settings("four spaces", '{\n    "model": "opus"\n}\n'),
    _settings("Windows line ends", '{\r\n  "model": "opus",\r\n  "permissions": {\r\n  }\r\n}\r\n'),
    _settings("a byte order mark", '\ufeff{\n  "model": "opus"\n}\n'),
    _settings("no line end at the end", '{\n  "model": "opus"\n}'),
    _settings("a brace on the last line", '{\n  "model": "opus"}'),
    _settings(
        "comments everywhere", '// top\n{ // open\n  /* a */ "model": "opus" // why\n  // end\n}\n// last\n'
    ),
    _settings("a comment in an empty object", '{\n  "hooks": { /* none, on purpose */ }\n}\n'),
    _settings("a line comment behind the last entry", '{\n  "hooks": {"Stop": []} // {"not": "read"}\n}\n'),
    _settings("a line comment before hooks that are closed on their line", '{"a": 1, // why, {\n"hooks":{}}'),
    _settings("trailing commas", '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [],\n  },\n}\n'),
    _settings("a trailing comma before a comment", '{\n  "model": "opus" /* a, b */ , // c, d\n}\n'),
    _settings("a trailing comma on one line", '{"model": "opus",}'),
    _settings(
        "another tool's hooks before and after",
        json.dumps({"hooks": {"Stop": [THEIR_HOOK], "Notification": [THEIR_HOOK]}, "model": "x"}, indent=2),
    ),
    _settings(
        "an older entry of ours between those of others",
        json.dumps({"hooks": {"Stop": [THEIR_HOOK, OUR_HOOK, THEIR_HOOK]}}),
        left=json.dumps({"hooks": {"Stop": [THEIR_HOOK, THEIR_HOOK]}}),
    ),
    _settings(
        "our command in a group with another's",
        json.dumps({"hooks": {"Stop": [{"hooks": [*THEIR_HOOK["hooks"], *OUR_HOOK["hooks"]]}]}}, indent=2),
        left=json.dumps({"hooks": {"Stop": [THEIR_HOOK]}}, indent=2),
    ),
    _settings(
        "an older hook of ours at an event that is used no more",
        json.dumps({"hooks": {"Notification": [OUR_HOOK]}, "model": "opus"}, indent=2),
        left='{\n  "model": "opus"\n}',
    ),
    _settings("brackets and quotes in strings", '{"a": "\\"}]{[ // no comment /*", "b": "\\\\"}\n'),
    _settings("other letters", '{\n  "name": "Zoë 🚀 \u2028", "emoji": "\\ud83d\\ude80"\n}\n'),
    _settings("numbers of all kinds", '{"a": -0.5e+10, "b": 12345678901234567890, "c": [0, -1], "d": null}'),
    _settings("a key that stands twice where it does not matter", '{"x": {"a": 1, "a": 2}, "model": "opus"}'),
    _settings("hooks that stand twice", '{"hooks": {}, "hooks": {}}', is_refused=True),
    _settings("a list where an object belongs", '{"hooks": []}', is_refused=True),
    _settings("a text where a list belongs", '{"hooks": {"Stop": "notify-send"}}', is_refused=True),
    _settings("a list as the whole file", "[1, 2]\n", is_refused=True),
    _settings("null as the whole file", "null\n", is_refused=True),
    _settings("nothing but a comment", "// later\n", is_refused=True),
    _settings("a brace that is missing", '{"model": "opus"', is_refused=True),
    _settings("two values", '{"model": "opus"} {}', is_refused=True),
    _settings("a merge conflict", '{\n<<<<<<< HEAD\n  "a": 1\n=======\n>>>>>>> b\n}\n', is_refused=True),
    _settings("single quotes", "{'model': 'opus'}", is_refused=True),
    _settings("a number that is none", '{"a": NaN}', is_refused=True),
    _settings("a comment without an end", '{"a": 1 /* }', is_refused=True),
    _settings("a line end in a string", '{"a": "b\nc"}', is_refused=True),
    _settings("thousands of brackets", "[" * 5000, is_refused=True),
    _settings("brackets that go deep", '{"a": ' + "[" * 3000 + "]" * 3000 + "}", is_refused=True),
    _servers("other servers", json.dumps({"mcpServers": {"a": THEIR_SERVER}, "z": 1}, indent=2)),
    _servers(
        "the servers of single projects", '{"projects": {"/a": {"mcpServers": {"memory": {"command": "x"}}}}}'
    ),
    _servers(
        "an older server of ours with a setting of its user",
        json.dumps({"mcpServers": {"memory": {**OLD_SERVER, "timeout": 5}, "b": THEIR_SERVER}}),
        left=json.dumps({"mcpServers": {"b": THEIR_SERVER}}),
    ),
    _servers(
        "another's server called memory",
        json.dumps({"mcpServers": {"memory": THEIR_SERVER}}),
        is_refused=True,
    ),
    _servers("a list of servers", '{"mcpServers": []}', is_refused=True),
    _servers("servers that are null", '{"mcpServers": null}', is_refused=True),
    Awkward("UTF-16", "claude-code", ".claude.json", '{"a": 1}'.encode("utf-16"), is_refused=True),
    Awkward("Latin-1", "claude-code", ".claude.json", '{"a": "é"}'.encode("latin-1"), is_refused=True),
    Awkward("a null byte", "claude-code", ".claude.json", b'{"a": 1}\x00', is_refused=True),
]
TOML = [
    _toml("empty", ""),
    _toml("blank lines alone", "\n\n"),
    _toml("no line end at the end", 'model = "o3"'),
    _toml("Windows line ends", '# mine\r\nmodel = "o3"\r\n\r\n[tui]\r\ntheme = "dark"\r\n'),
    _toml("a byte order mark", '\ufeffmodel = "o3"\n'),
    _toml("comments at the end", 'model = "o3" # fast\n\n# the end\n'),
    _toml(
        "other servers",
        '[mcp_servers.docs]\ncommand = "npx" # [mcp_servers.memory]\n\n[mcp_servers.docs.env]\nA = "1"\n',
    ),
    _toml("an empty table of servers", "[mcp_servers]\n\n[tui]\na = 1\n"),
    _toml("our header in a long string", 'notes = """\n[mcp_servers.memory]\ncommand = "x"\n"""\n'),
    _toml("our header in a literal string", "notes = '''\n[mcp_servers.memory]\n'''\n[tui]\na = 1\n"),
    _toml("brackets at the beginning of a line", "a = [\n[1, 2],\n[3],\n]\n[b]\nc = [\n  [4] # ]\n]\n"),
    _toml(
        "an older table of ours before another's",
        '[mcp_servers.memory]\ncommand = "/old/mem"\nargs = ["mcp"]\n\n# the rest\n[tui]\na = 1\n',
        left="\n# the rest\n[tui]\na = 1\n",
    ),
    _toml(
        "an older table of ours in other words",
        'a = 1\n\n  [ mcp_servers . "memory" ] # mine\ncommand = "mem"\nargs = [\n  "mcp",\n]\n'
        '[mcp_servers.memory.env]\nA = "]"\n[z]\n',
        left="a = 1\n[z]\n",
    ),
    _toml(
        "another's server called memory",
        '[mcp_servers.memory]\ncommand = "npx"\nargs = ["x"]\n',
        is_refused=True,
    ),
    _toml("servers as an inline table", 'mcp_servers = { docs = { command = "d" } }\n', is_refused=True),
    _toml(
        "our server by dotted keys",
        'mcp_servers.memory.command = "mem"\nmcp_servers.memory.args = ["mcp"]\n',
        is_refused=True,
    ),
    _toml(
        "our old server inline",
        '[mcp_servers]\nmemory = { command = "mem", args = ["mcp"] }\n',
        is_refused=True,
    ),
    _toml("a list of tables", '[[mcp_servers]]\nname = "a"\n', is_refused=True),
    _toml("a text where a table belongs", 'mcp_servers = "none"\n', is_refused=True),
    _toml("a key that stands twice", "a = 1\na = 2\n", is_refused=True),
    _toml("no TOML", "model: o3\n", is_refused=True),
    Awkward("Latin-1 in TOML", "codex", ".codex/config.toml", 'a = "é"\n'.encode("latin-1"), is_refused=True),
]
YAML = [
    _yaml("empty", ""),
    _yaml("no servers yet", "name: mine\nmodels:\n  - name: m\n"),
    _yaml("no line end at the end", "name: mine"),
    _yaml("an empty list", "name: mine\nmcpServers: []\nmodels: []\n"),
    _yaml("a key without a value", "mcpServers:\nname: mine\n"),
    _yaml("two spaces", "mcpServers:\n  - name: docs\n    command: npx\n"),
    _yaml("four spaces", "mcpServers:  # all of them\n    # first\n    - name: docs\n      command: npx\n\n# end\n"),
    _yaml("no indentation", "mcpServers:\n- name: docs\n  args:\n  - a\nmodels:\n- name: m\n"),
    _yaml("Windows line ends", "name: mine\r\nmcpServers:\r\n  - name: docs\r\n    command: npx\r\n"),
    _yaml("a text that ends like a comment", "mcpServers:\n  - name: a\n    b: |\n      text\n      # head\nx: 1\n"),
    _yaml("the beginning of a document", "---\n# mine\nname: mine\n"),
    _yaml(
        "an older server of ours",
        "mcpServers:\n  - name: memory\n    command: /old/mem\n    args: [\"mcp\"]\n  - name: docs\n    command: npx\n",
        left="mcpServers:\n  - name: docs\n    command: npx\n",
    ),
    _yaml("another's server called memory", "mcpServers:\n  - name: memory\n    command: npx\n", is_refused=True),
    _yaml("servers on one line", "mcpServers: [{name: a, command: b}]\n", is_refused=True),
    _yaml("servers in an object", "mcpServers:\n  docs:\n    command: npx\n", is_refused=True),
    _yaml("servers by reference", "mcpServers: *servers\n", is_refused=True),
    _yaml("servers that stand twice", "mcpServers: []\nmcpServers: []\n", is_refused=True),
    _yaml("tabs", "models:\n\t- name: a\n", is_refused=True),
    _yaml("several documents", "a: 1\n---\nb: 1\n", is_refused=True),
    _yaml("a list as the whole file", "- a\n- b\n", is_refused=True),
    _yaml("braces", '{"name": "mine"}\n', is_refused=True),
]  # fmt: skip
MARKDOWN = [
    _markdown("empty", ""),
    _markdown("rules", "# Rules\n\nUse tabs.\n"),
    _markdown("no line end at the end", "# Rules\n\nUse tabs."),
    _markdown("Windows line ends", "# Rules\r\n\r\nUse tabs.\r\n"),
    _markdown("other tools' marks", "<!-- BEGIN BEADS INTEGRATION -->\nx\n<!-- END BEADS INTEGRATION -->\n"),
    _markdown(
        "an older section of ours",
        "# Rules\n\n<!-- BEGIN MEMORY-LAYER 0 -->\nold\n<!-- END MEMORY-LAYER -->\n\nMore.\n",
        left="# Rules\n\nMore.\n",
    ),
    _markdown("a section without an end", "<!-- BEGIN MEMORY-LAYER 0 -->\n# Rules\n", is_refused=True),
]
OWN_FILES = [
    _script("empty", ""),
    _script("an older one of ours", "#!/bin/sh\nexec '/old bin/mem' hook cline PreToolUse\n", left=""),
    _script("another's hook", "#!/bin/sh\nexec lint\n", is_refused=True),
    _script(
        "ours, with something added",
        "#!/bin/sh\nlint\nexec /old/mem hook cline PreToolUse\n",
        is_refused=True,
    ),
]
ALL = [*JSON, *TOML, *YAML, *MARKDOWN, *OWN_FILES]
