"""The command `mem`, also as `python -m memory_layer`."""

from __future__ import annotations

import gc
import os
import sys
from io import TextIOWrapper

#: Start-up makes tens of thousands of objects that all stay; looking through them for garbage takes a tenth of it.
OBJECTS_BEFORE_COLLECTING = 200_000


def main() -> None:
    """Run the command line; Ctrl-C is quiet even while modules are still loading."""
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
