"""Only one module starts other programs."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.source import PACKAGE, dotted_name, imports_in, modules_under, parsed

STARTER = "memory_layer.programs"
#: Modules that exist to start processes.
STARTING = {"subprocess", "_posixsubprocess", "multiprocessing", "pty", "popen2", "webbrowser", "runpy"}
STARTING |= {"concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process"}
#: What starts one as a function of `os`, `asyncio`, `anyio` or `click`.
CALLS = {"system", "popen", "fork", "forkpty", "startfile", "posix_spawn", "posix_spawnp", "Popen"}
CALLS |= {"create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "subprocess_shell"}
CALLS |= {"open_process", "run_process", "ProcessPoolExecutor"}
CALLS |= {f"{verb}{form}" for verb in ("exec", "spawn") for form in "l le lp lpe v ve vp vpe".split()}
#: These run an editor, a browser or a pager; as names of our own they are common, so only click's count.
CLICKS = {"edit", "launch", "echo_via_pager"}
OWNERS = {"os", "posix", "asyncio", "anyio", "nt", "click"}


def starts(tree: ast.Module) -> list[str]:
    """What in a module starts, or could start, another program."""
    imported = [each.module for each in imports_in(tree)]
    modules = [name for name in imported if name in STARTING or name.partition(".")[0] in STARTING]
    named = [
        name
        for name in imported
        if name.partition(".")[0] in OWNERS and name.rpartition(".")[2] in CALLS | CLICKS
    ]
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    used = [node.attr for node in attributes if node.attr in CALLS]
    return modules + named + used + [node.attr for node in attributes if is_clicks(node, tree)]


def is_clicks(node: ast.Attribute, tree: ast.Module) -> bool:
    """Whether an attribute is a function of click that starts a program, under whatever name click was imported."""
    if node.attr not in CLICKS or not isinstance(node.value, ast.Name):
        return False
    imports = [each for each in ast.walk(tree) if isinstance(each, ast.Import | ast.ImportFrom)]
    aliases = [alias for each in imports for alias in each.names]
    owners = {alias.asname or alias.name for alias in aliases if alias.name in ("click", "termui")}
    return node.value.id in owners


def test_only_one_module_starts_programs():
    found = {dotted_name(path): starts(parsed(path)) for path in modules_under(PACKAGE)}

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
        "import click\nclick.edit('x')",
        "import click as c\nc.launch('x')",
        "from click import echo_via_pager",
        "from click.termui import edit",
    ],
)
def test_the_rule_finds_what_starts_a_program(code):
    assert starts(ast.parse(code))
