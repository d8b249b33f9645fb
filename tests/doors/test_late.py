"""What a command loads late is the same module, once somebody uses it."""

from __future__ import annotations

import subprocess
import sys

import pytest

LATE = "from memory_layer.doors.cli.lazy_imports import load_late; load_late()\n"

#: What is done with late modules, and that they do it.
USES = {
    "a function": "import inspect; assert str(inspect.signature(lambda a, *b: 0)) == '(a, *b)'",
    "a docstring": "import inspect; assert inspect.cleandoc(' a\\n\\n    b\\n      c') == 'a\\n\\nb\\n  c'",
    "a line": "import inspect; assert [inspect.cleandoc(a) for a in ('a b', '', ' a')] == ['a b', '', 'a']",
    "a class": "from ast import NodeVisitor; assert isinstance(NodeVisitor, type)",
    "everything": "from textwrap import *; assert dedent('  a') == 'a'",
    "a package": "import numpy; assert numpy.linalg.norm([3.0, 4.0]) == 5",
    "a module of a package": "from numpy.linalg import LinAlgError; assert issubclass(LinAlgError, ValueError)",
    "what numpy took": "import numpy; assert sorted(numpy.roots([1, -3, 2]).round(6).tolist()) == [1, 2]",
    "what pathlib took": "import pathlib; assert pathlib.Path('/a b').as_uri() == 'file:///a%20b'",
    "numbers of C": "import numpy; assert numpy.zeros(2).ctypes.data",
    "a translation": "from gettext import gettext, ngettext; assert gettext('a') + ngettext('a', 'b', 2) == 'ab'",
    "a catalogue": "import gettext; assert gettext.translation('none', fallback=True).gettext('a') == 'a'",
    "masked numbers": "import numpy.ma; assert numpy.ma.masked_less([1, 2], 2).sum() == 2",
    "all of numpy": "import numpy.fft, numpy.random, numpy.polynomial, numpy.testing, numpy.typing",
    "a dataclass": "from dataclasses import dataclass; assert dataclass(type('A', (), {})).__doc__ == 'A()'",
    "by keyword": "from gettext import gettext; assert gettext(message='a') == 'a'",
    "what was put into it": "import textwrap; textwrap.wrap = 1; textwrap.dedent(''); assert textwrap.wrap == 1",
    "its names": "import inspect; assert 'signature' in dir(inspect)",
    "a pickle": "import pickle; assert pickle.loads(pickle.dumps([1])) == [1]",
    "the platform": "import platform, os; assert platform.system() and platform.uname().system == platform.system()",
    "another library": "import pydantic; assert pydantic.BaseModel",
    "a look at all modules": "import numpy, inspect; assert inspect.getmodule(inspect.stack) is inspect",
    "the import system": "import ast, importlib.util as u; assert u.find_spec('ast').origin.endswith('ast.py')",
}


def works(use: str) -> bool:
    """Whether a process that loads late does this without a word."""
    done = subprocess.run(
        [sys.executable, "-c", LATE + use], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return True


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_late_module_does_what_it_always_does(use):
    assert works(use)


def test_threads_that_use_a_late_module_at_once_all_get_it():
    use = (
        "import ast, sys, threading\n"
        "found = []\n"
        "sys.setswitchinterval(1e-6)\n"
        "asking = [threading.Thread(target=lambda: found.append(ast.parse('1'))) for _ in range(16)]\n"
        "[each.start() for each in asking], [each.join() for each in asking]\n"
        "assert len(found) == 16"
    )

    assert works(use)


def test_a_late_module_that_could_not_be_loaded_is_loaded_by_whoever_asks_next(tmp_path):
    (tmp_path / "moody.py").write_text("import os\nassert os.environ.get('GOOD')\nvalue = 1\n")
    use = (
        "import os, sys\n"
        "from memory_layer.doors.cli import lazy_imports as late\n"
        "late.LATE['moody'] = ()\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "import moody\n"
        "try:\n    moody.value\nexcept AssertionError:\n    os.environ['GOOD'] = '1'\n"
        "assert moody.value == 1"
    )

    assert works(use)
