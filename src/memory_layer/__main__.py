"""The command `mem`, also as `python -m memory_layer`.

Started that way, or with a PYTHONPATH that leads there, Python looks for every module in the working directory
first, which may be an untrusted repository. Before the first line of `main` we import only modules that are built in
or loaded already; `__future__` is not one of them, here and in the package's `__init__`. What Python and the script
`mem` import before that is out of our hands: a PYTHONPATH into an untrusted folder runs its `re.py` in any program.
"""

import gc
import os
import site
import sys
from io import TextIOWrapper

#: Start-up makes tens of thousands of objects that all stay; collecting garbage among them takes a tenth of its time.
OBJECTS_BEFORE_COLLECTING = 200_000


def main() -> None:
    """Run the command line; Ctrl-C stays quiet even while modules are loading."""
    _remove_working_directory()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    # Before numpy is loaded, and only in our own process: threads in a busy loop cost more than a search.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from memory_layer.doors.cli.lazy_imports import load_late

        load_late()
        if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & {*sys.argv}:
            from memory_layer.doors.hook.main import run

            run(*[*sys.argv[2:4], "", ""][:2])  # without click: an agent waits for every hook
        from memory_layer.doors.cli.main import mem

        _escape_unprintable()
        mem.main(prog_name="mem")
    except KeyboardInterrupt:
        _exit(130)
    except SystemExit as end:
        _exit(end.code)


def _remove_working_directory() -> None:
    """Remove the working directory, and what PYTHONPATH names around it, from the module path.

    Python's own modules stay wherever they are, and so do those installed beside this package.
    """
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # deleted, so nothing can be imported from it
        return
    if __name__ == "__main__" and not sys.flags.safe_path:
        del sys.path[0]
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    trusted = (packages, os.path.dirname(os.__file__), site.USER_SITE, *site.getsitepackages())
    untrusted = _entries_around(here)
    sys.path[:] = [
        folder
        for folder in sys.path
        if folder in trusted or (folder not in untrusted and os.path.realpath(folder) != here)
    ]


def _entries_around(here: str) -> set[str]:
    """Return the entries of PYTHONPATH that are relative or inside the repository around a folder."""
    entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    relative = [entry for entry in entries if not os.path.isabs(entry)]
    top = _outermost_repository(here)
    inside = [
        entry
        for entry in entries
        if top and f"{os.path.realpath(entry)}{os.sep}".startswith(f"{top}{os.sep}")
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


def _exit(code: str | int | None) -> None:
    """Exit immediately: everything is committed and closed, and interpreter shutdown only costs time."""
    if not isinstance(code, int | None):
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # closed before we started
                stream.flush()
        except (OSError, ValueError):
            code = code or 1
    os._exit(code or 0)


def _escape_unprintable() -> None:
    """Print `\\u2192` instead of failing on a terminal with an old encoding."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
