"""Files and folders of other programs, made in the shapes that they write."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

CLAUDE_MEM_TABLES = """
create table sdk_sessions (id integer primary key autoincrement, content_session_id text not null,
    memory_session_id text unique, project text not null, status text not null default 'active');
create table observations (id integer primary key autoincrement, memory_session_id text not null, project text not null,
    text text, type text not null, title text, subtitle text, facts text, narrative text, concepts text,
    files_read text, files_modified text, prompt_number integer, discovery_tokens integer default 0, content_hash text,
    created_at text not null, created_at_epoch integer not null);
create table session_summaries (id integer primary key autoincrement, memory_session_id text not null,
    project text not null, request text, investigated text, learned text, completed text, next_steps text,
    files_read text, files_edited text, notes text, created_at text not null, created_at_epoch integer not null);
create table user_prompts (id integer primary key autoincrement, content_session_id text not null,
    prompt_number integer not null, prompt_text text not null, created_at text not null,
    created_at_epoch integer not null);
"""
AT, EPOCH = "2026-01-02T03:04:05.678Z", 1767323045678
OBSERVATIONS: list[dict[str, Any]] = [
    {
        "id": 1,
        "memory_session_id": "s1",
        "project": "shop",
        "type": "bugfix",
        "title": "Refund job ran twice",
        "subtitle": "A missing lock",
        "facts": json.dumps(["The job takes an advisory lock now", "The lock id is 4711"]),
        "narrative": "Two workers picked up one refund because nothing locked the row.",
        "concepts": json.dumps(["problem-solution", "what-changed"]),
        "files_modified": json.dumps(["jobs/refund.py"]),
        "created_at": AT,
        "created_at_epoch": EPOCH,
    },
    {
        "id": 2,
        "memory_session_id": "s1",
        "project": "shop",
        "type": "discovery",
        "title": "Prices are cached for an hour",
        "concepts": json.dumps(["gotcha"]),
        "facts": json.dumps(["The cache is keyed by currency"]),
        "created_at": AT,
        "created_at_epoch": EPOCH,
    },
    {
        "id": 3,
        "memory_session_id": "s1",
        "project": "shop",
        "type": "sensitive",
        "title": "The launch date was mentioned",
        "created_at": AT,
        "created_at_epoch": EPOCH,
    },
]
SUMMARIES: list[dict[str, Any]] = [
    {
        "id": 1,
        "memory_session_id": "s1",
        "project": "shop",
        "request": "fix the refunds",
        "learned": "Workers need a lock per refund, not per queue.",
        "next_steps": "watch the queue",
        "created_at": AT,
        "created_at_epoch": EPOCH,
    },
    {"id": 2, "memory_session_id": "s2", "project": "shop", "created_at": AT, "created_at_epoch": EPOCH},
]
PROMPTS: list[dict[str, Any]] = [
    {
        "id": 1,
        "content_session_id": "c1",
        "prompt_number": 1,
        "prompt_text": "fix the refunds",
        "created_at": AT,
        "created_at_epoch": EPOCH,
    }
]

MEM0_TABLES = """
create table history (id text primary key, memory_id text, old_memory text, new_memory text, event text,
    created_at datetime, updated_at datetime, is_deleted integer, actor_id text, role text);
create table messages (id text primary key, session_scope text, role text, content text, created_at datetime);
"""
MEM0_ROWS = [
    ("h1", "m1", None, "Prefers tea", "ADD", AT, None, 0, None, "user"),
    ("h2", "m1", "Prefers tea", "Prefers green tea in the morning", "UPDATE", AT, AT, 0, None, "user"),
    ("h3", "m2", None, "Lives in Rostock", "ADD", AT, None, 0, None, "user"),
    ("h4", "m3", None, "Owns a red bicycle", "ADD", AT, None, 0, None, None),
    ("h5", "m3", "Owns a red bicycle", None, "DELETE", AT, AT, 1, None, None),
]
MEM0_ENTRIES: list[dict[str, Any]] = [
    {
        "id": "0f1e",
        "memory": "Deploys only happen from the release branch",
        "hash": "abc",
        "metadata": {"category": "convention", "project": "shop"},
        "created_at": "2025-06-01T10:00:00-07:00",
        "updated_at": None,
        "user_id": "ada",
    },
    {"id": "0f2e", "memory": "Is allergic to peanuts", "categories": ["health"], "created_at": AT, "user_id": "ada"},
]  # fmt: skip
GRAPH: list[dict[str, Any]] = [
    {
        "type": "entity",
        "name": "Ada",
        "entityType": "person",
        "observations": ["Speaks fluent Danish", "Ada prefers morning meetings"],
    },
    {"type": "entity", "name": "Harbour", "entityType": "project", "observations": ["Ships in May"]},
    {"type": "entity", "name": "Nobody", "entityType": "person", "observations": []},
    {"type": "relation", "from": "Ada", "to": "Harbour", "relationType": "works_at"},
]
LESSONS: list[dict[str, Any]] = [
    {
        "type": "learning",
        "schema_version": 1,
        "content": "Start Redis before the checkout tests",
        "tags": ["tests"],
        "scope": ["checkout/**"],
        "confidence": 0.9,
        "evidence": {"runs": ["run_a", "run_b"], "reward": 0.8, "baseline": 0.5, "method": "grpo"},
    },
    {"type": "learning", "content": "A claim without any support"},
]
HANDBOOK = """# Task Group: {folder} checkout work

scope: checkout and payments; only order code
applies_to: cwd={folder}; reuse_rule=safe for this checkout

## Task 1: Fix rounding in the basket, success

### rollout_summary_files

- rollout_summaries/2026-basket.md (cwd={folder}, rollout_path=/x.jsonl, updated_at=2026-02-01T00:00:00Z)

### keywords

- rounding, basket, Decimal

## User preferences

- when touching prices, the user asked: "show me the diff first" -> show a diff before editing [Task 1]

## Reusable knowledge

- Totals are computed in cents in `basket/total.py` [Task 1][Task 2]

## Failures and how to do differently

- `make test` hangs without Redis -> start it with `make up` first [Task 1]
"""
NOTE = """---
name: Testing wishes
description: how tests should touch the database
metadata:
  type: feedback
  originSessionId: 1234
---

Tests use a real database, never a mock.

**Why:** a mocked migration test passed while production broke.
"""
INDEX = """# Memory

- [Testing wishes](testing.md) — real database in tests

## Notes

- The linter runs in a pre-commit hook and fails on warnings
"""


def lines(path: Path, entries: list[dict[str, Any]]) -> Path:
    """A file with one JSON object per line."""
    path.write_text("\n".join(json.dumps(entry) for entry in entries))
    return path


def claude_mem_store(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(CLAUDE_MEM_TABLES)
        tables = {"observations": OBSERVATIONS, "session_summaries": SUMMARIES, "user_prompts": PROMPTS}
        for table, rows in tables.items():
            for row in rows:
                marks = ", ".join("?" for _ in row)
                db.execute(f"insert into {table} ({', '.join(row)}) values ({marks})", list(row.values()))
        db.commit()
    return path


def claude_mem_export(path: Path) -> Path:
    counts = {"totalObservations": 3, "totalSessions": 0, "totalSummaries": 2, "totalPrompts": 1}
    document = {"exportedAt": AT, "exportedAtEpoch": EPOCH, "query": "refund", **counts}
    document |= {"observations": OBSERVATIONS, "sessions": [], "summaries": SUMMARIES, "prompts": PROMPTS}
    path.write_text(json.dumps(document, indent=2))
    return path


def mem0_history(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(MEM0_TABLES)
        db.executemany("insert into history values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", MEM0_ROWS)
        db.commit()
    return path


def mem0_export(path: Path) -> Path:
    relations = [{"source": "ada", "relationship": "works_at", "target": "harbour"}]
    path.write_text(json.dumps({"results": MEM0_ENTRIES, "relations": relations}))
    return path


def graph(path: Path) -> Path:
    return lines(path, GRAPH)


def graph_document(path: Path) -> Path:
    entries = [{key: value for key, value in entry.items() if key != "type"} for entry in GRAPH]
    document = {"entities": entries[:3], "relations": entries[3:]}
    path.write_text(json.dumps(document, indent=1))
    return path


def lessons(path: Path) -> Path:
    return lines(path, LESSONS)


def claude_memory(home: Path, project: Path) -> Path:
    """The memory folder of Claude Code for a project, below a user's home."""
    folder = home / ".claude" / "projects" / str(project).replace("/", "-").replace("_", "-") / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(INDEX)
    (folder / "testing.md").write_text(NOTE)
    return folder


def codex_memory(home: Path, project: Path) -> Path:
    folder = home / ".codex" / "memories"
    (folder / "rollout_summaries").mkdir(parents=True)
    (folder / "extensions" / "ad_hoc" / "notes").mkdir(parents=True)
    (folder / "MEMORY.md").write_text(HANDBOOK.format(folder=project))
    (folder / "memory_summary.md").write_text("v1\n- the shop\n")
    (folder / "rollout_summaries" / "2026-basket.md").write_text("thread_id: 1\n- Something raw\n")
    note = folder / "extensions" / "ad_hoc" / "notes" / "2026-02-03T04-05-06-tea.md"
    note.write_text("The release train leaves on Thursdays\n")
    return folder


#: Each kind of file with its name, its maker, and what an import of it counts: added and skipped.
FILES = {
    "claude-mem store": ("claude-mem.db", claude_mem_store, "claude-mem", 3, 3),
    "claude-mem export": ("memories.json", claude_mem_export, "claude-mem", 3, 3),
    "mem0 history": ("history.db", mem0_history, "mem0", 2, 1),
    "mem0 export": ("all.json", mem0_export, "mem0", 3, 0),
    "graph": ("memory.jsonl", graph, "knowledge-graph", 4, 1),
    "graph document": ("graph.json", graph_document, "knowledge-graph", 4, 1),
    "lessons": ("lessons.jsonl", lessons, "learning", 1, 1),
}
