"""Stores made by the real packages, each installed into a throw-away environment; only with MEM_PROVE=1."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_layer.usecases.transfer.import_ import ImportTarget, import_from
from tests.foreign_stores import STORES, made, rows_of
from tests.proof import FULL
from tests.usecases.test_import_from import digests, everything, lost

pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(not FULL, reason="installs packages; MEM_PROVE=1 asks for it"),
]

PACKAGES = {
    "py-memori": "py-memori==0.7.1",
    "runtime-memory": "runtime-memory==4.0.1",
    "mcp-memory-service": "mcp-memory-service==12.2.0",
}
PROGRAMS = {
    "py-memori": """
import sys
from memori import PyMemori
store = PyMemori(sys.argv[1])
store.insert("The staging port is 8080", metadata={"type": "fact", "project": "shop", "tags": ["a"]}, no_embed=True)
plain = "0a0a0a0a-0000-4000-8000-000000000001"
store.insert_with_id(plain, "A plain one", [0.05] * 384, created_at=1704793812.25, updated_at=1704793999.5)
store.set_access_stats(plain, last_accessed=1704794000.5, access_count=4)
store.insert("Nobody knows this kind", metadata={"type": "roadmap"}, no_embed=True)
""",
    "runtime-memory": """
import os, subprocess, sys, json
os.environ["RUNTIME_MEMORY_DB"] = sys.argv[1]
mem = os.path.join(os.path.dirname(sys.executable), "mem")
def run(*words):
    return subprocess.run([mem, "--json-output", *words], check=True, capture_output=True, text=True).stdout
run("add", "Refunds are asynchronous", "-c", "decision", "-p", "shop", "--tags", "payments,slow", "--importance", "0.3")
run("add", "Totals are never floats", "-c", "gotcha", "-p", "shop")
run("add", "The old gateway is gone", "-c", "todo", "-p", "api")
ids = [each["id"] for each in json.loads(run("list", "--limit", "10"))]
run("outcome", ids[0], "worked")
run("outcome", ids[0], "failed")
run("delete", ids[1], "--confirm")
""",
    "mcp-memory-service": """
import asyncio, sys
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
from mcp_memory_service.utils.hashing import generate_content_hash
from tests.proof import FULL
async def main():
    storage = SqliteVecMemoryStorage(sys.argv[1])
    await storage.initialize()
    for text, tags, kind, more in (
        ("Deploys happen on Tuesday", ["ops", "deploy"], "decision", {"quality_score": 0.8}),
        ("The cache lives in Redis", [], "architecture", {}),
        ("Gone by now", ["x"], "note", {}),
    ):
        digest = generate_content_hash(text)
        await storage.store(Memory(content=text, content_hash=digest, tags=tags, memory_type=kind, metadata=more))
    await storage.delete(generate_content_hash("Gone by now"))
    await storage.close()
asyncio.run(main())
""",
}


def python_for(folder: Path, package: str) -> Path:
    """A Python with that package and nothing of ours."""
    # mcp-memory-service loads an extension into SQLite, which not every build of Python can do.
    system = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    subprocess.run([system, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", package]
    subprocess.run(pip, check=True, capture_output=True)
    return python


@pytest.mark.parametrize("store", STORES)
def test_every_field_of_a_store_made_by_the_real_package_is_found_again(
    keyword_engine, agent, tmp_path, store
):
    python = python_for(tmp_path / "environment", PACKAGES[store])
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    path = theirs / "real.db"
    subprocess.run(
        [str(python), "-c", PROGRAMS[store], str(path)], check=True, cwd=tmp_path, env=bare(tmp_path)
    )
    before = digests(theirs)

    report = import_from(keyword_engine, [path], agent, ImportTarget(None, None, chosen=True))

    assert digests(theirs) == before
    assert report.source == store
    assert report.added == len([row for row in rows_of(path, "memories") if row.get("deleted_at") is None])
    assert lost(path, everything(keyword_engine)) == []
    assert columns(path) == columns(made(tmp_path / "made.db", store))


MEM0 = """
import json, sys
from mem0.configs.base import MemoryItem
from mem0.memory.storage import SQLiteManager
store, at = SQLiteManager(sys.argv[1] + "/history.db"), "2026-01-01T00:00:00+00:00"
store.add_history("one", None, "Prefers tea", "ADD", created_at=at)
store.add_history("one", "Prefers tea", "Prefers green tea", "UPDATE", created_at=at, updated_at=at)
store.add_history("two", None, "Owns a boat", "ADD", created_at=at)
store.add_history("two", "Owns a boat", None, "DELETE", created_at=at, is_deleted=1)
item = MemoryItem(id="three", memory="Works from Odense", hash="h", created_at=at, updated_at=None)
with open(sys.argv[1] + "/all.json", "w") as file:
    json.dump({"results": [item.model_dump(exclude={"score"}) | {"user_id": "ada"}]}, file)
"""


def test_what_the_real_mem0_writes_is_recognised_and_comes_in_once(keyword_engine, agent, tmp_path):
    python = python_for(tmp_path / "environment", "mem0ai==2.2.1")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    subprocess.run([str(python), "-c", MEM0, str(theirs)], check=True, cwd=tmp_path, env=bare(tmp_path))
    paths = [theirs / "history.db", theirs / "all.json"]

    first, second = (
        import_from(keyword_engine, paths, agent, ImportTarget(None, None, chosen=True)) for _ in range(2)
    )

    assert {memory.content for memory in everything(keyword_engine)} == {
        "Prefers green tea",
        "Works from Odense",
    }
    assert (first.source, first.added, second.added, second.exists) == ("mem0", 2, 0, 2)


def columns(path: Path) -> set[str]:
    return set(rows_of(path, "memories")[0])


def bare(folder: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONUTF8": "1"}
