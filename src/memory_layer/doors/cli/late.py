"""Modules that libraries name when they are loaded, and that hardly any command uses.

Together they take a tenth of a search to load. Instead something stands in for each that loads it when anything is
asked of it. Only the process of a command does this, for it is ours alone.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

#: What names them: click and numpy, numpy, `urllib`, numpy, and numpy for the docstrings of what is written in C.
LATE = (
    "inspect",
    "ast",
    "ipaddress",
    "pickle",
    "textwrap",
    "numpy._core._add_newdocs",
    "numpy._core._add_newdocs_scalars",
)


class Late(ModuleType):
    """Stands in for a module until it is used."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)  # without one, whoever imports it by now would ask for it

    def __getattr__(self, name: str) -> object:
        return getattr(_real(self), name)


def load_late() -> None:
    """Let the modules that are not loaded yet wait until they are used."""
    for name in LATE:
        if name not in sys.modules:
            sys.modules[name] = Late(name)
    inspect = sys.modules["inspect"]
    if isinstance(inspect, Late):
        # The one thing that click asks for, of the help of every option.
        vars(inspect)["cleandoc"] = lambda text: text if _is_clean(text) else _real(inspect).cleandoc(text)


def _real(late: Late) -> ModuleType:
    """Load the module; from now on it is found under its name, and what stood in for it is as good."""
    if sys.modules.get(late.__name__) is late:
        del sys.modules[late.__name__]
    real = import_module(late.__name__)
    vars(late).update(vars(real))
    return real


def _is_clean(text: str) -> bool:
    """Whether a docstring is a single line, which is left as it is."""
    return text.isprintable() and not text.startswith(" ")
