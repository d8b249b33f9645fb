"""Modules that libraries name when they are loaded, and that hardly any command uses.

To load them would take a fifth of a search. So they are found as ever, but their code runs when something is asked of
them that they do not have yet; the standard library's `LazyLoader` runs it when somebody else only names them too.
Where a library asks for more than it does today, that costs time and nothing else. Only the process of a command does
this, for it is ours alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any

#: Each with the functions that are taken from it at once, to be called later or never.
LATE: dict[str, Sequence[str]] = {
    "ast": (),
    "ctypes": (),
    "inspect": ("cleandoc", "signature"),
    "ipaddress": (),
    "pickle": (),
    "platform": ("system",),
    "textwrap": (),
    "urllib.parse": ("quote_from_bytes",),
    "numpy._core._add_newdocs": (),  # the docstrings of what is written in C
    "numpy._core._add_newdocs_scalars": (),
    "numpy.linalg": ("eigvals", "inv", "lstsq", "matrix_power"),
}


def load_late() -> None:
    """Let these modules wait until they are used, wherever they are imported from now on."""
    sys.meta_path.insert(0, LateFinder)


class LateFinder:
    """Finds modules where they are, and has them loaded late."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in LATE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            late: Any = LateLoader(spec.loader, LATE[name])  # no kin of `Loader`, which takes a while to load
            spec.loader = late
        return spec


class LateLoader:
    """Leaves it to the module to run its code."""

    def __init__(self, real: Any, functions: Sequence[str]) -> None:
        self.real = real
        self.functions = functions
        self.loading = RLock()

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to the import system."""

    def exec_module(self, module: ModuleType) -> None:
        module.__class__ = Late
        vars(module).update({name: _late(module, name) for name in self.functions})


class Late(ModuleType):
    """A module whose code has not run yet."""

    def __getattr__(self, name: str) -> object:
        if name == "__path__":  # asked by the import system, and a package has one from the start
            raise AttributeError(name)
        _load(self)
        return ModuleType.__getattribute__(self, name)


def _load(module: ModuleType) -> None:
    """Run the code of a module, once; a thread that comes later waits until it is done."""
    spec: Any = module.__spec__
    late = spec.loader
    if not isinstance(late, LateLoader):
        return
    with late.loading:
        if spec.loader is late:
            spec.loader = module.__loader__ = late.real
            for name in late.functions:
                del vars(module)[name]
            late.real.exec_module(module)
            module.__class__ = ModuleType


def _late(module: ModuleType, name: str) -> Callable[..., Any]:
    """A function of a module, which loads it when it is called."""

    def called(*given: Any, **named: Any) -> Any:
        if name == "cleandoc" and (_is_clean(*given) or _asked_by_numpy()):
            return given[0]  # click asks for every option, and numpy for docstrings that nobody reads here
        if name == "signature" and _asked_by_numpy():
            return None
        if name == "system" and hasattr(os, "uname"):
            return os.uname().sysname  # all that `uuid` wants to know
        _load(module)
        return getattr(module, name)(*given, **named)

    return called


def _is_clean(text: str) -> bool:
    """Whether a docstring is a single line, which stays as it is."""
    return text.isprintable() and not text.startswith(" ")


def _asked_by_numpy() -> bool:
    return str(sys._getframe(2).f_globals.get("__name__")).startswith("numpy.")
