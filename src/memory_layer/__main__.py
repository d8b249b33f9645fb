"""The command `mem`, also as `python -m memory_layer`."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command line; Ctrl-C is quiet even while modules are still loading."""
    try:
        from memory_layer.doors.cli.main import mem

        _spell_out_what_cannot_be_written()
        mem.main(prog_name="mem")
    except KeyboardInterrupt:
        sys.exit(130)


def _spell_out_what_cannot_be_written() -> None:
    """Let a terminal with an old encoding show `\\u2192` instead of failing."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
