"""Modules that libraries name when they are loaded, and that hardly any command uses.

To load them would take a sixth of a search. So they are found as ever, but their code runs when something is asked of
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
#: Where numpy gives its functions docstrings and signatures.
DESCRIBING = ("numpy._core.overrides", "numpy._core.function_base")


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
    """Run the code of a module, once; another thread waits until it is done, and what it runs sees what is there."""
    spec: Any = module.__spec__
    late: LateLoader = spec.loader_state
    with late.loading:
        if late.begun:
            return
        late.begun = True
        spec.loader = module.__loader__ = late.real
        for name in late.functions:
            del vars(module)[name]
        late.real.exec_module(module)
        module.__class__ = ModuleType


def _late(module: ModuleType, name: str) -> Callable[..., Any]:
    """A function of a module, which loads it when it is called and there is no other way to answer."""
    without = ANSWERS.get(name)

    def called(*given: Any, **named: Any) -> Any:
        if without is not None and (answer := without(*given)) is not NotImplemented:
            return answer
        _load(module)
        return getattr(module, name)(*given, **named)

    return called


def _cleandoc(text: str) -> Any:
    """Click asks for the help of every option; a single line stays as it is. Nobody reads numpy's docstrings here."""
    is_clean = text.isprintable() and not text.startswith(" ")
    return text if is_clean or _asked_by_numpy() else NotImplemented


def _signature(function: Callable[..., Any]) -> Any:
    return LateSignature(function) if _asked_by_numpy() else NotImplemented


def _asked_by_numpy() -> bool:
    """Whether it is numpy, describing its functions, that called the late one, which called who asks here."""
    return sys._getframe(3).f_globals.get("__name__") in DESCRIBING


class LateSignature:
    """The signature of a function, worked out when somebody looks at it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @property
    def __class__(self) -> Any:
        """What `isinstance` believes."""
        from inspect import Signature

        return Signature

    @__class__.setter
    def __class__(self, kind: Any) -> None:
        raise TypeError("a signature stays one")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real(), name)

    def __str__(self) -> str:
        return str(self._real())

    def _real(self) -> Any:
        from inspect import signature

        return signature(self._function)


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
    "signature": _signature,
    "system": _system,
    "gettext": _gettext,
    "ngettext": _ngettext,
}
