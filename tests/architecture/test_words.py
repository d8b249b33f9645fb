"""Docstrings open with what a function does, and modules have names that a reader can guess."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE, ROOT, modules_under, parsed

#: A docstring that opens like this describes the question instead of the thing.
ODD_OPENING = re.compile(r"(?:What|Which|Whether|Where|How|The same)\b")
#: Names that readers who did not know the code could not guess.
ODD_NAMES = frozenset(
    "alike answers beside bring_in carried carry_in chosen chronicle closest deciding examined filing given hidden"
    " import_from intake late layer layering lines marks mishap moments noted pairs past ready recite retold rivals"
    " room settle standing take_in texts told unrepeated waiting walk wishes withhold".split()
)

MODULES = modules_under(PACKAGE)


def odd_openings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the beginning of every docstring with an odd opening."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = ast.get_docstring(node)
        if text and ODD_OPENING.match(text):
            yield node.body[0].lineno, text.partition("\n")[0]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_docstring_has_an_odd_opening():
    modules = [*MODULES, *(each for name in ("bench", "docs", "npm") for each in modules_under(ROOT / name))]
    found = [f"{named(path)}:{line}: {text}" for path in modules for line, text in odd_openings(parsed(path))]

    assert not found, f"{len(found)} docstrings:\n" + "\n".join(found)


def test_no_module_or_folder_has_an_odd_name():
    folders = {parent for path in MODULES for parent in path.parents if PACKAGE in parent.parents}

    assert [f"{named(path)}:1" for path in sorted({*MODULES, *folders}) if path.stem in ODD_NAMES] == []


@pytest.mark.parametrize(
    "source",
    [
        '"""What this is for."""',
        'def f():\n    """Whether it is so."""',
        'class A:\n    """The same, but older."""',
        'async def f():\n    """How many there are."""',
    ],
)
def test_an_odd_opening_is_found(source):
    assert list(odd_openings(ast.parse(source)))


def test_other_openings_pass():
    source = '"""Whatever."""\ndef f():\n    """Return the same value."""\nclass A:\n    """A memory."""'

    assert not list(odd_openings(ast.parse(source)))
