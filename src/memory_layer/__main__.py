"""The command `mem`, also as `python -m memory_layer`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl-C is quiet even while modules are still loading."""
    try:
        from memory_layer.doors.cli.main import mem

        mem.main(prog_name="mem")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
