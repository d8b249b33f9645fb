"""Find what other programs remember on this machine, by the places where they keep it; nothing is opened."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_layer.model.imports import FoundSource, Origin
from memory_layer.surroundings import careful_read
from memory_layer.surroundings.rules_files import NAMES, RULES_FOLDERS

MOST_FILES = 5_000  #: counted in one folder
_LARGEST_CONFIG = 8 * 1024 * 1024  #: bytes

#: The stores of programs below the home directory.
_STORES = {
    ".claude/memori.db": Origin.PY_MEMORI,
    ".runtime-memory/memories.db": Origin.RUNTIME_MEMORY,
    ".local/share/mcp-memory/sqlite_vec.db": Origin.MCP_MEMORY_SERVICE,
    "Library/Application Support/mcp-memory/sqlite_vec.db": Origin.MCP_MEMORY_SERVICE,
    "AppData/Local/mcp-memory/sqlite_vec.db": Origin.MCP_MEMORY_SERVICE,
}
#: Configuration files of agents that may name the file of the MCP reference memory server.
_MCP_CONFIGS = (
    ".claude.json",
    ".cursor/mcp.json",
    ".codeium/windsurf/mcp_config.json",
    ".gemini/settings.json",
    ".config/Claude/claude_desktop_config.json",
    "Library/Application Support/Claude/claude_desktop_config.json",
)
_NPX_GRAPHS = ".npm/_npx/*/node_modules/@modelcontextprotocol/server-memory/dist/memory.json*"


def found(home: Path, root: Path | None, variables: Mapping[str, str]) -> list[FoundSource]:
    """List everything that could be imported: of the user, and of the project at `root`."""
    pairs = [*_of_agents(home, variables), *_of_programs(home, root, variables)]
    if root is not None:
        pairs += [(Origin.RULES, each) for each in _rules_in(root)]
    unique = {os.path.realpath(path): (origin, path) for origin, path in pairs}
    return [source for origin, path in unique.values() if (source := _source(origin, path))]


def _of_agents(home: Path, variables: Mapping[str, str]) -> Iterator[tuple[Origin, Path]]:
    claude = _moved(variables, "CLAUDE_CONFIG_DIR", home / ".claude")
    codex = _moved(variables, "CODEX_HOME", home / ".codex")
    rules = (claude / "CLAUDE.md", claude / "rules", codex / "AGENTS.md", home / ".gemini" / "GEMINI.md")
    yield from ((Origin.RULES, each) for each in rules)
    with suppress(OSError):
        for name in sorted(os.listdir(claude / "projects")):
            yield Origin.CLAUDE_CODE, claude / "projects" / name / "memory"
    yield Origin.CODEX, codex / "memories"


def _of_programs(
    home: Path, root: Path | None, variables: Mapping[str, str]
) -> Iterator[tuple[Origin, Path]]:
    yield from ((origin, home / name) for name, origin in _STORES.items())
    claude_mem = _moved(variables, "CLAUDE_MEM_DATA_DIR", home / ".claude-mem")
    yield Origin.CLAUDE_MEM, claude_mem / "claude-mem.db"
    yield Origin.MEM0, _moved(variables, "MEM0_DIR", home / ".mem0") / "history.db"
    if named := variables.get("MEMORY_FILE_PATH"):
        yield Origin.KNOWLEDGE_GRAPH, Path(named)
    with suppress(OSError):
        yield from ((Origin.KNOWLEDGE_GRAPH, each) for each in sorted(home.glob(_NPX_GRAPHS)))
    configs = [home / name for name in _MCP_CONFIGS] + ([root / ".mcp.json"] if root else [])
    for config in configs:
        yield from ((Origin.KNOWLEDGE_GRAPH, Path(each)) for each in _graphs_named_in(config))


def _graphs_named_in(config: Path) -> Iterator[str]:
    """Yield the absolute paths that the servers of a configuration file keep their graph in."""
    content = careful_read.regular(config, _LARGEST_CONFIG)
    with suppress(ValueError, RecursionError):
        parsed = json.loads(content) if content else None
        servers = parsed.get("mcpServers") if isinstance(parsed, dict) else None
        for server in servers.values() if isinstance(servers, dict) else ():
            path = _variable(server, "MEMORY_FILE_PATH")
            if path and os.path.isabs(path):
                yield path


def _variable(server: Any, name: str) -> str | None:
    variables = server.get("env") if isinstance(server, dict) else None
    value = variables.get(name) if isinstance(variables, dict) else None
    return value if isinstance(value, str) else None


def _rules_in(root: Path) -> Iterator[Path]:
    names = sorted(NAMES - {"copilot-instructions.md", ".clinerules"})
    yield from (root / name for name in (*names, ".clinerules", ".github/copilot-instructions.md"))
    yield from (root / name for name in (*sorted(RULES_FOLDERS), ".github/instructions"))


def _moved(variables: Mapping[str, str], name: str, usual: Path) -> Path:
    value = variables.get(name, "")
    return Path(value) if os.path.isabs(value) else usual


def _source(origin: Origin, path: Path) -> FoundSource | None:
    """Measure what is at a place; None if nothing is there."""
    files = sizes = 0
    newest = 0.0
    for file in _files(path):
        with suppress(OSError):
            status = os.stat(file)
            files, sizes, newest = files + 1, sizes + status.st_size, max(newest, status.st_mtime)
    if not (files and sizes):
        return None
    return FoundSource(
        origin, careful_read.printable(str(path)), files, sizes, datetime.fromtimestamp(newest, UTC)
    )


def _files(path: Path) -> Iterator[str]:
    """Yield the file itself, or the first Markdown files of a folder."""
    if path.is_file():
        yield str(path)
        return
    counted = 0
    for where, below, names in os.walk(path):
        below[:] = sorted(name for name in below if name != ".git")
        for name in names:
            if name.endswith((".md", ".mdc")) and counted < MOST_FILES:
                counted += 1
                yield os.path.join(where, name)
