"""Lazy loading of modules that libraries import but hardly any command uses.

Loading them would take a tenth of the time of a search. Their code runs on the first access to an attribute they do
not have yet; the standard library's `LazyLoader` would already run it on an import from elsewhere. If a library
accesses more than it does today, it only costs time. Used only in the process of a command, which is ours alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any

#: Each module with the functions that libraries import from it by name.
LATE: dict[str, Sequence[str]] = {
    "ast": (),
    "ctypes": (),
    "gettext": ("gettext", "ngettext"),
    "inspect": ("cleandoc",),
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
    """Load these modules lazily from now on."""
    sys.meta_path.insert(0, LateFinder)


class LateFinder:
    """Finds the modules, and lets them load lazily."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in LATE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            late: Any = LateLoader(
                spec.loader, LATE[name]
            )  # not a subclass of `Loader`, which is slow to import
            spec.loader = spec.loader_state = late
        return spec


class LateLoader:
    """A loader that lets the module run its code on first access."""

    def __init__(self, real: Any, functions: Sequence[str]) -> None:
        self.real = real
        self.functions = functions
        self.loading = RLock()
        self.begun = False
        self.initial: dict[str, Any] = {}  #: the attributes before loading

    def create_module(self, spec: ModuleSpec) -> None:
        """Use the default of the import system."""

    def exec_module(self, module: ModuleType) -> None:
        module.__class__ = Late
        vars(module).update({name: _late(module, name) for name in self.functions})
        self.initial = dict(vars(module))


class Late(ModuleType):
    """A module whose code has not run yet."""

    def __getattr__(self, name: str) -> object:
        if name == "__path__":  # the import system asks; a package has one already
            raise AttributeError(name)
        _load(self)
        return ModuleType.__getattribute__(self, name)

    def __dir__(self) -> list[str]:
        _load(self)
        return dir(self)


def _load(module: ModuleType) -> None:
    """Run the code of a module once; other threads wait, and imports from within see its current state."""
    spec: Any = module.__spec__
    late: LateLoader = spec.loader_state
    with late.loading:
        if late.begun:
            return
        late.begun = True
        have = dict(vars(module))
        spec.loader = module.__loader__ = late.real
        for name in late.functions:
            del vars(module)[name]
        try:
            late.real.exec_module(module)
        except BaseException:  # the next access tries again
            vars(module).update(have)
            late.begun, spec.loader = False, late
            raise
        # Attributes set from outside in the meantime stay.
        initial = late.initial
        vars(module).update({name: it for name, it in have.items() if initial.get(name, initial) is not it})
        module.__class__ = ModuleType


def _late(module: ModuleType, name: str) -> Callable[..., Any]:
    """Return a stand-in for a function, which loads the module only if it has to."""
    without = ANSWERS.get(name)

    def call(*args: Any, **kwargs: Any) -> Any:
        if without and not kwargs and (answer := without(*args)) is not NotImplemented:
            return answer
        _load(module)
        return getattr(module, name)(*args, **kwargs)

    return call


def _cleandoc(text: str) -> Any:
    """Return a single line unchanged; click cleans the help of every option."""
    return text if text.isprintable() and not text.startswith(" ") else NotImplemented


def _system() -> Any:
    """Answer the only call of `uuid`, which click imports."""
    return os.uname().sysname if hasattr(os, "uname") else NotImplemented


def _gettext(text: str) -> Any:
    """Return the text unchanged unless Python has translations; click translates its own help in every call."""
    return NotImplemented if _are_there_translations() else text


def _ngettext(one: str, many: str, count: int) -> Any:
    return NotImplemented if _are_there_translations() else one if count == 1 else many


def _are_there_translations() -> bool:
    """Does the default folder of `gettext` exist?"""
    return os.path.isdir(os.path.join(sys.base_prefix, "share", "locale"))


#: Functions that can answer without loading the module; `NotImplemented` if they cannot.
ANSWERS: dict[str, Callable[..., Any]] = {
    "cleandoc": _cleandoc,
    "system": _system,
    "gettext": _gettext,
    "ngettext": _ngettext,
}
