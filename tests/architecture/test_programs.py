"""Only one module starts other programs."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.source import PACKAGE, dotted_name, imports_in, modules_under

STARTER = "memory_layer.programs"
#: Modules that exist to start processes.
STARTING = {"subprocess", "_posixsubprocess", "multiprocessing", "pty", "popen2", "webbrowser", "runpy"}
STARTING |= {"concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process"}
#: What starts one as a function of `os`, `asyncio` or `anyio`.
CALLS = {"system", "popen", "fork", "forkpty", "startfile", "posix_spawn", "posix_spawnp", "Popen"}
CALLS |= {"create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "subprocess_shell"}
CALLS |= {"open_process", "run_process", "ProcessPoolExecutor"}
CALLS |= {f"{verb}{form}" for verb in ("exec", "spawn") for form in "l le lp lpe v ve vp vpe".split()}
OWNERS = {"os", "posix", "asyncio", "anyio", "nt"}


def starts(code: str) -> list[str]:
    """What in a module starts, or could start, another program."""
    tree = ast.parse(code)
    imported = [each.module for each in imports_in(tree)]
    modules = [name for name in imported if name in STARTING or name.partition(".")[0] in STARTING]
    named = [
        name for name in imported if name.partition(".")[0] in OWNERS and name.rpartition(".")[2] in CALLS
    ]
    used = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in CALLS]
    return modules + named + used


def test_only_one_module_starts_programs():
    found = {dotted_name(path): starts(path.read_text(encoding="utf-8")) for path in modules_under(PACKAGE)}

    assert {name for name, uses in found.items() if uses} == {STARTER}


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess",
        "def later():\n    from subprocess import run",
        "import multiprocessing.pool",
        "import os\nos.system('ls')",
        "import os\nos.execvp('ls', ['ls'])",
        "import os as o\no.spawnl(0, 'ls')",
        "from os import posix_spawn as start",
        "import asyncio\nasyncio.create_subprocess_exec('ls')",
        "from concurrent.futures import ProcessPoolExecutor",
        "import pty",
    ],
)
def test_the_rule_finds_what_starts_a_program(code):
    assert starts(code)
