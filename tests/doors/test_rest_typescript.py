"""The TypeScript client of the documentation: current, sound to the compiler, and at work against a server."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from docs import typescript
from npm.packages import node, packages
from tests.doors.served import serve

FOLDER = typescript.FILE.parent


@pytest.fixture(scope="module")
def compiler() -> list[str]:
    """The compiler that the page is built with."""
    web = packages("web")
    web.install()
    return web.command("tsc", "--project")


def test_the_client_has_the_paths_of_the_document():
    assert typescript.text() == typescript.FILE.read_text(encoding="utf-8"), "`make docs` writes it again"


def test_the_client_and_its_example_are_sound_to_the_strict_compiler(compiler):
    settings = json.loads((FOLDER / "tsconfig.json").read_text())

    done = subprocess.run([*compiler, str(FOLDER)], capture_output=True, text=True, check=False)

    assert settings["compilerOptions"]["strict"] is True
    assert (done.returncode, done.stdout) == (0, "")


#: Calls that are wrong, with a word of the compiler's complaint.
WRONG = {
    '"GET /api/search", {}': "query",
    '"GET /api/search", { query: { q: 1 } }': "string",
    '"GET /api/serach", { query: { q: "x" } }': "keyof Paths",
    '"POST /api/outcomes", { body: { memory_ids: [], result: "fine" } }': "worked",
}


def test_wrong_calls_do_not_compile(compiler, tmp_path):
    for name in ("client.ts", "paths.ts", "tsconfig.json"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    lines = [f'await new MemoryClient("x").request({call});\n' for call in WRONG]
    (tmp_path / "wrong.ts").write_text("".join(['import { MemoryClient } from "./client.ts";\n', *lines]))

    done = subprocess.run([*compiler, str(tmp_path)], capture_output=True, text=True, check=False)
    _, *said = re.split(r"^\S*wrong\.ts\((\d+),", done.stdout, flags=re.MULTILINE)

    assert said[::2] == ["2", "3", "4", "5"]
    assert [word in complaint for word, complaint in zip(WRONG.values(), said[1::2], strict=True)] == [
        True
    ] * 4


def test_the_example_runs_against_a_server(machine: Path):
    with serve("--port", "0") as port:
        told = {
            "TOKEN": (machine / "home" / "token").read_text().strip(),
            "ADDRESS": f"http://localhost:{port}",
        }
        command = [str(node()), str(FOLDER / "example.ts")]
        done = subprocess.run(command, env=os.environ | told, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "created",
        "dependency: The till needs Java 21 (strong)",
        "[ 0.2 ]",
        "412 changed_meanwhile",
        "0",
    ]
