"""Stores of other programs, made with the tables that their own packages make."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

PY_MEMORI = """
create table memories (id text primary key, content text not null, vector blob, metadata text,
    created_at real not null, updated_at real not null, last_accessed real default 0.0, access_count integer default 0);
create virtual table memories_fts using fts5(content, content=memories, content_rowid=rowid);
create index idx_memories_type on memories(json_extract(metadata, '$.type'));
"""
RUNTIME_MEMORY = """
create table memories (id text primary key, content text not null, category text not null,
    outcome_score real default 0.0, confidence real default 1.0, importance real default 0.5,
    use_count integer default 0, project text, scope text default 'project', source text default 'explicit',
    tags text default '[]', entities text default '[]', supersedes text, archived integer default 0,
    created_at text not null, updated_at text not null, embedding text, metadata text default '{}',
    worked real default 0.0, failed real default 0.0, evidence_at text);
create table memory_relations (source_id text not null, target_id text not null, relation_type text not null,
    strength real default 1.0, created_at text not null, metadata text default '{}',
    primary key (source_id, target_id, relation_type));
create table schema_version (version integer primary key, applied_at text not null);
create table task_memory_links (id integer primary key autoincrement, task_id text not null, memory_id text not null,
    used_at text not null, outcome text, context text, unique(task_id, memory_id));
"""
MCP_MEMORY_SERVICE = """
create table memories (id integer primary key autoincrement, content_hash text unique not null, content text not null,
    tags text, memory_type text, metadata text, created_at real, updated_at real, created_at_iso text,
    updated_at_iso text, deleted_at real default null, store text default 'default', parent_id text,
    version integer default 1, confidence real default 1.0, last_accessed integer, superseded_by text,
    embedding_pending integer not null default 0);
create table memory_graph (source_hash text not null, target_hash text not null, similarity real not null,
    connection_types text not null, metadata text, created_at real not null,
    relationship_type text default 'related', primary key (source_hash, target_hash));
create table beliefs (id integer primary key autoincrement, belief_hash text unique not null, content text not null,
    confidence real not null default 0.5, status text not null default 'candidate', created_at text not null,
    updated_at text not null, derived_from text not null default '[]', contradicted_by text not null default '[]',
    metadata text default '{}');
"""
ISO = "2025-04-05T06:07:08.123456+00:00"

Rows = dict[str, list[dict[str, Any]]]

MEMORI_ROWS: Rows = {
    "memories": [
        {
            "id": "e507139c",
            "content": "The staging port is 8080",
            "vector": b"\1\2",
            "metadata": json.dumps(
                {"type": "fact", "project": "shop", "tags": ["a", "b"], "nested": {"x": 1}}
            ),
            "created_at": 1704793812.25,
            "updated_at": 1704793999.5,
            "last_accessed": 1704794000.5,
            "access_count": 4,
        },
        {"id": "d05e916a", "content": "A plain one", "created_at": 1.5, "updated_at": 1.5},
        {
            "id": "f08cd875",
            "content": "Nobody knows this kind",
            "metadata": json.dumps({"type": "roadmap", "imported": "mine"}),
            "created_at": 1704793812.0,
            "updated_at": 1704793812.0,
        },
        {"id": "odd", "content": "Broken labels", "metadata": "[1, 2]", "created_at": 2.0, "updated_at": 2.0},
    ]
}
RUNTIME_ROWS: Rows = {
    "memories": [
        {
            "id": "one",
            "content": "Refunds are asynchronous",
            "category": "decision",
            "outcome_score": 0.09,
            "confidence": 0.7,
            "importance": 0.3,
            "use_count": 5,
            "project": "shop",
            "tags": '["payments"]',
            "entities": '["Refund"]',
            "supersedes": "two",
            "created_at": ISO,
            "updated_at": ISO,
            "metadata": '{"ticket": 42}',
            "worked": 1.9999,
            "failed": 1.0,
            "evidence_at": ISO,
        },
        {
            "id": "two",
            "content": "Payments go through the old gateway",
            "category": "odd_kind",
            "project": "api",
            "archived": 1,
            "created_at": ISO,
            "updated_at": ISO,
        },
        {
            "id": "three",
            "content": "Totals are never floats",
            "category": "gotcha",
            "scope": "global",
            "project": "shop",
            "created_at": ISO,
            "updated_at": ISO,
        },
    ],
    "memory_relations": [
        {
            "source_id": "three",
            "target_id": "one",
            "relation_type": "extends",
            "strength": 0.5,
            "created_at": ISO,
            "metadata": '{"why": "money"}',
        }
    ],
    "task_memory_links": [
        {"task_id": "bd-7", "memory_id": "one", "used_at": ISO, "outcome": "worked", "context": "refund bug"}
    ],
}
SERVICE_ROWS: Rows = {
    "memories": [
        {
            "content_hash": "h1",
            "content": "Deploys happen on Tuesday",
            "tags": "ops,deploy",
            "memory_type": "decision",
            "metadata": '{"quality_score": 0.8}',
            "created_at": 1704793838.5,
            "updated_at": 1704793840.5,
            "created_at_iso": "2024-01-09T09:50:38.500000Z",
            "updated_at_iso": "2024-01-09T09:50:40.500000Z",
            "confidence": 0.6,
            "last_accessed": 1704793900,
            "version": 3,
        },
        {
            "content_hash": "h2",
            "content": "Deploys happen on Monday morning",
            "tags": "untagged",
            "memory_type": "note",
            "metadata": "{}",
            "created_at": 1704793838.0,
            "updated_at": 1704793838.0,
            "superseded_by": "h1",
            "store": "team",
        },
        {
            "content_hash": "h3",
            "content": "Gone by now",
            "created_at": 1.0,
            "updated_at": 1.0,
            "deleted_at": 2.0,
        },
    ],
    "memory_graph": [
        {
            "source_hash": "h2",
            "target_hash": "h1",
            "similarity": 0.71,
            "connection_types": '["semantic"]',
            "metadata": '{"confidence": 0.4}',
            "created_at": 1704793850.0,
            "relationship_type": "contradicts",
        }
    ],
    "beliefs": [
        {
            "belief_hash": "b1",
            "content": "The team likes early weekdays",
            "confidence": 0.55,
            "status": "active",
            "created_at": ISO,
            "updated_at": ISO,
            "derived_from": '["h1", "h2"]',
            "metadata": '{"support": 2}',
        }
    ],
}
STORES = {
    "py-memori": (PY_MEMORI, MEMORI_ROWS),
    "runtime-memory": (RUNTIME_MEMORY, RUNTIME_ROWS),
    "mcp-memory-service": (MCP_MEMORY_SERVICE, SERVICE_ROWS),
}


def made(path: Path, store: str) -> Path:
    """A store of that program with a few memories that use every field."""
    schema, tables = STORES[store]
    with closing(sqlite3.connect(path)) as db:
        db.executescript(schema)
        for table, rows in tables.items():
            for row in rows:
                marks = ", ".join("?" for _ in row)
                db.execute(f"insert into {table} ({', '.join(row)}) values ({marks})", list(row.values()))
        db.commit()
    return path


def rows_of(path: Path, table: str) -> list[dict[str, Any]]:
    """What a table holds now."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        db.row_factory = sqlite3.Row
        if not db.execute("select 1 from sqlite_master where name = ?", [table]).fetchone():
            return []
        return [dict(row) for row in db.execute(f"select * from {table} order by rowid")]
