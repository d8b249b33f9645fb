"""Standard input and output: the opening is answered at once, and the SDK is loaded meanwhile for all that follows."""

from __future__ import annotations

import os
import signal
import threading
from io import BufferedReader, FileIO, TextIOWrapper
from typing import TYPE_CHECKING

from memory_layer.doors.mcp.opening import Opening

if TYPE_CHECKING:
    from memory_layer.doors.mcp.serving import Serving

LONGEST_LINE = 8 * 1024 * 1024  #: characters; what follows in a longer line is not read
CUT = "\0 (the rest of this line was not read)"  #: ends such a line, and keeps it from being a message
PATIENCE_SECONDS = 2.0  #: for a client to ask for the tools, before loading the SDK competes with the answer


class InputLines(TextIOWrapper):
    """The lines of standard input, up to a length; some of them can be read again."""

    def __init__(self) -> None:
        # What we start must not read what is meant for us: for others, standard input is empty from here on.
        ours, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        # A thread may wait for the next line until the end, so the file is never closed under it.
        super().__init__(BufferedReader(FileIO(ours, closefd=False)), encoding="utf-8", errors="replace")
        self._again: list[str] = []
        self._is_cut = False  #: the rest of the last line has to be passed over

    def repeat(self, lines: list[str]) -> None:
        self._again = lines

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as in the type of the standard library
        """Return the next line; one that is too long is cut at once, before anybody knows its end."""
        if self._again:
            return self._again.pop(0)
        while self._is_cut:
            rest = super().readline(LONGEST_LINE)
            self._is_cut = bool(rest) and not rest.endswith("\n")
        line = super().readline(LONGEST_LINE)
        self._is_cut = len(line) == LONGEST_LINE and not line.endswith("\n")
        return line + CUT if self._is_cut else line


def serve_stdio(serving: Serving) -> None:
    """Serve on standard input and output until the client closes it."""
    # A thread waits for the next line, and Python would wait for it on Ctrl-C. What was acknowledged is committed.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    lines, listed = InputLines(), threading.Event()
    loading = threading.Thread(target=_load, args=(listed,), daemon=True)
    loading.start()
    try:
        rest = _open(Opening(serving), lines, listed)
    except BrokenPipeError:  # the client is gone, and nobody is left to tell
        return
    if not rest:
        return
    lines.repeat(rest)
    listed.set()
    loading.join()
    from memory_layer.doors.mcp.sdk.server import serve

    serve(serving, lines)


def _open(opening: Opening, lines: InputLines, listed: threading.Event) -> list[str]:
    """Answer the opening; return the lines to go on with, none if the input was closed."""
    with open(1, "wb", closefd=False) as output:
        while line := lines.readline():
            answer = opening.answer(line)
            if answer is None:
                return [*opening.kept, line]
            output.write(answer.encode())
            output.flush()
            if opening.has_tools:
                listed.set()
    return []


def _load(listed: threading.Event) -> None:
    """Load the SDK once the client has the list of tools, or does not want it."""
    listed.wait(PATIENCE_SECONDS)
    import memory_layer.doors.mcp.sdk.server  # noqa: F401
