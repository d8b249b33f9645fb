"""The command `mem`, also as `python -m memory_layer`.

Started that way, Python looks for every module in the working directory first, and that may be a stranger's
repository. Up to the first line of `main` only modules are imported that Python has loaded already or has built in;
`from __future__ import annotations` is not among them, here and in the package's `__init__`.
"""

import gc
import os
import site
import sys
from io import TextIOWrapper

#: Start-up makes tens of thousands of objects that all stay; looking through them for garbage takes a tenth of it.
OBJECTS_BEFORE_COLLECTING = 200_000


def main() -> None:
    """Run the command line; Ctrl-C is quiet even while modules are still loading."""
    _import_nothing_from_here()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    # Before numpy is loaded, for this process is ours alone: threads that wait in a busy loop cost more than a search.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from memory_layer.doors.cli.late import load_late

        load_late()
        from memory_layer.doors.cli.main import mem

        _spell_out_what_cannot_be_written()
        mem.main(prog_name="mem")
    except KeyboardInterrupt:
        _leave(130)
    except SystemExit as end:
        _leave(end.code)


def _import_nothing_from_here() -> None:
    """Take the working directory off the module path, however it got there, unless Python's own modules lie in it."""
    try:
        here = os.stat(os.curdir)
    except OSError:  # it was removed under us, so nothing can be imported from it
        return
    if __name__ == "__main__" and not sys.flags.safe_path:
        del sys.path[0]
    own = (os.path.dirname(os.__file__), site.USER_SITE, *site.getsitepackages())
    sys.path[:] = [folder for folder in sys.path if folder in own or not _is_same(folder, here)]


def _is_same(folder: str, here: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(folder or os.curdir), here)
    except (OSError, ValueError):
        return False


def _leave(code: str | int | None) -> None:
    """End at once: everything is committed and closed, so taking the interpreter apart only costs time."""
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
    """Let a terminal with an old encoding show `\\u2192` instead of failing."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
