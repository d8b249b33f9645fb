"""A person at a terminal of their own, for tests: what is typed, shown and asked."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Sequence

PATIENCE_SECONDS = 60

#: `mem` as it runs where no agent is above the tests: the look upwards ends at the process that runs them.
MEM = (
    sys.executable,
    "-c",
    "import sys; from functools import partial; from memory_layer.surroundings import terminal as ancestors;"
    f" ancestors.descent = partial(ancestors.descent, top={os.getpid()});"
    " from memory_layer.__main__ import main; sys.argv[0] = 'mem'; sys.exit(main())",
)
CODE = re.compile(r"type ([A-Z0-9]{5}) to go on: $")


def take_over_terminal() -> None:
    """Let standard input be the terminal that controls this process, as at a login."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A command typed at a terminal of its own."""

    def __init__(self, *arguments: str, program: Sequence[str] = MEM, **environ: str) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*program, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=os.environ | {"TERM": "xterm"} | environ,
            start_new_session=True,
            preexec_fn=take_over_terminal,  # noqa: PLW1509  it only calls the kernel
        )
        os.close(slave)
        self.seen = ""
        self.answered = 0  #: characters that were seen when a key was pressed

    def read(self, until: str | None = None) -> str:
        """What was shown so far, up to some words or to the end."""
        while until is None or until not in self.seen:
            if until is None and self.seen[self.answered :].endswith("[Enter] keep both\r\n"):
                self.press("\r")  # a test that is about something else
            if not self.read_some():
                break
        return self.seen

    def read_some(self) -> bool:
        """Wait for more to be shown; False at the end."""
        ready, _, _ = select.select([self.master], [], [], PATIENCE_SECONDS)
        assert ready, f"nothing more came after {self.seen!r}"
        try:
            more = os.read(self.master, 4096)
        except OSError:  # Linux says so when the other side has closed
            more = b""
        self.seen += more.decode(errors="replace")
        self.answer()
        return bool(more)

    def answer(self) -> None:
        """Type the code that is asked for, as a person would."""
        if asked := CODE.search(self.seen):
            self.type(f"{asked[1]}\n")

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def press(self, key: str) -> None:
        """Press a key once one is waited for."""
        self.until_it_listens()
        self.answered = len(self.seen)
        self.type(key)

    def until_it_listens(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while termios.tcgetattr(self.master)[3] & termios.ICANON:
            assert time.monotonic() < deadline, f"no key was waited for after {self.seen!r}"
            time.sleep(0.01)

    def interrupt(self) -> None:
        """Press Ctrl-C, again if it came in the instant before the question began to wait."""
        for _ in range(PATIENCE_SECONDS // 5):
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
                return

    def end(self) -> int:
        self.read()
        code = self.process.wait(PATIENCE_SECONDS)
        os.close(self.master)
        return code


def typed(*arguments: str, **environ: str) -> tuple[int, str]:
    """The exit code and what was shown, without the question for a code and its answer."""
    terminal = Terminal(*arguments, **environ)
    code = terminal.end()
    return code, re.sub(
        r"[^\n]*needs your confirmation\r?\n[^\n]*type [A-Z0-9]{5} to go on: [^\n]*\n", "", terminal.seen
    )


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")


def flat(text: str) -> str:
    """Undo the line breaks of a terminal."""
    return " ".join(plain(text).split())
