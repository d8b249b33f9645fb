"""Modules that libraries name when they are loaded, and that hardly any command uses.

To load them would take a tenth of a search. So they are found as ever, but their code runs when something is asked of
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
            spec.loader = spec.loader_state = late
        return spec


class LateLoader:
    """Leaves it to the module to run its code."""

    def __init__(self, real: Any, functions: Sequence[str]) -> None:
        self.real = real
        self.functions = functions
        self.loading = RLock()
        self.begun = False
        self.given: dict[str, Any] = {}  #: what the module had from the start

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to the import system."""

    def exec_module(self, module: ModuleType) -> None:
        module.__class__ = Late
        vars(module).update({name: _late(module, name) for name in self.functions})
        self.given = dict(vars(module))


class Late(ModuleType):
    """A module whose code has not run yet."""

    def __getattr__(self, name: str) -> object:
        if name == "__path__":  # asked by the import system, and a package has one from the start
            raise AttributeError(name)
        _load(self)
        return ModuleType.__getattribute__(self, name)

    def __dir__(self) -> list[str]:
        _load(self)
        return dir(self)


def _load(module: ModuleType) -> None:
    """Run the code of a module, once; another thread waits until it is done, and what it runs sees what is there."""
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
        except BaseException:  # whoever asks next tries again
            vars(module).update(have)
            late.begun, spec.loader = False, late
            raise
        # What somebody has put into it in the meantime stays.
        given = late.given
        vars(module).update({name: it for name, it in have.items() if given.get(name, given) is not it})
        module.__class__ = ModuleType


def _late(module: ModuleType, name: str) -> Callable[..., Any]:
    """A function of a module, which loads it when it is called and there is no other way to answer."""
    without = ANSWERS.get(name)

    def called(*given: Any, **named: Any) -> Any:
        if without and not named and (answer := without(*given)) is not NotImplemented:
            return answer
        _load(module)
        return getattr(module, name)(*given, **named)

    return called


def _cleandoc(text: str) -> Any:
    """Click asks for the help of every option; a single line stays as it is."""
    return text if text.isprintable() and not text.startswith(" ") else NotImplemented


def _system() -> Any:
    """All that `uuid` asks, which click names."""
    return os.uname().sysname if hasattr(os, "uname") else NotImplemented


def _gettext(text: str) -> Any:
    """Click asks for the help of its own option, in every call; most installations of Python have no translations."""
    return NotImplemented if _are_there_translations() else text


def _ngettext(one: str, many: str, count: int) -> Any:
    return NotImplemented if _are_there_translations() else one if count == 1 else many


def _are_there_translations() -> bool:
    """Whether the folder is there in which `gettext` looks unless somebody has loaded it and named another."""
    return os.path.isdir(os.path.join(sys.base_prefix, "share", "locale"))


#: What is known without loading a module, by the name of its function; `NotImplemented` if this time it is not.
ANSWERS: dict[str, Callable[..., Any]] = {
    "cleandoc": _cleandoc,
    "system": _system,
    "gettext": _gettext,
    "ngettext": _ngettext,
}
