"""The command `mem`, also as `python -m memory_layer`.

Started that way, or with a PYTHONPATH that leads there, Python looks for every module in the working directory
first, and that may be a stranger's repository. Up to the first line of `main` only modules are imported that Python
has loaded already or has built in; `from __future__ import annotations` is not among them, here and in the package's
`__init__`. What Python and the script `mem` import before that cannot be helped from here: a PYTHONPATH that leads
into a stranger's folder runs its `re.py` whatever program is started.
"""

import gc
import os
import site
import sys
from io import TextIOWrapper

#: Start-up makes tens of thousands of objects that all stay; looking through them for garbage takes a tenth of it.
OBJECTS_BEFORE_COLLECTING = 200_000


def main() -> None:
    """Run the command line; Ctrl-C stays quiet even while modules are loading."""
    _import_nothing_from_here()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    # Before numpy is loaded, for this process is ours alone: threads that wait in a busy loop cost more than a search.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from memory_layer.doors.cli.lazy_imports import load_late

        load_late()
        from memory_layer.doors.cli.main import mem

        _spell_out_what_cannot_be_written()
        mem.main(prog_name="mem")
    except KeyboardInterrupt:
        _leave(130)
    except SystemExit as end:
        _leave(end.code)


def _import_nothing_from_here() -> None:
    """Remove the working directory, and what PYTHONPATH names around it, from the module path.

    Python's own modules stay wherever they lie, and so do those beside this package.
    """
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # it was removed under us, so nothing can be imported from it
        return
    if __name__ == "__main__" and not sys.flags.safe_path:
        del sys.path[0]
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    own = (beside, os.path.dirname(os.__file__), site.USER_SITE, *site.getsitepackages())
    strange = _named_around(here)
    sys.path[:] = [
        folder
        for folder in sys.path
        if folder in own or (folder not in strange and os.path.realpath(folder) != here)
    ]


def _named_around(here: str) -> set[str]:
    """Return the entries of PYTHONPATH that are relative or inside the repository around a folder."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    relative = [entry for entry in named if not os.path.isabs(entry)]
    top = _outermost_repository(here)
    inside = [
        entry for entry in named if top and f"{os.path.realpath(entry)}{os.sep}".startswith(f"{top}{os.sep}")
    ]
    return {*relative, *map(os.path.abspath, relative), *inside, *map(os.path.abspath, inside)}


def _outermost_repository(folder: str) -> str | None:
    """Return the topmost repository around a folder, below the home directory; None outside git."""
    top, home = None, os.path.realpath(os.path.expanduser("~"))
    while folder not in (home, os.path.dirname(folder)):
        if os.path.lexists(os.path.join(folder, ".git")):
            top = folder
        folder = os.path.dirname(folder)
    return top


def _leave(code: str | int | None) -> None:
    """Exit immediately: everything is committed and closed, and interpreter shutdown only costs time."""
    if not isinstance(code, int | None):
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # somebody closed it before we began
                stream.flush()
        except (OSError, ValueError):
            code = code or 1
    os._exit(code or 0)


def _spell_out_what_cannot_be_written() -> None:
    """Print `\\u2192` instead of failing on a terminal with an old encoding."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
