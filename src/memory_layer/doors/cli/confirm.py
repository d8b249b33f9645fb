"""Confirmation by a person at the terminal itself, even if the standard streams are redirected."""

from __future__ import annotations

import os
import sys

from memory_layer.errors import NotAllowed
from memory_layer.model.agents import Terminal, is_editor
from memory_layer.settings import Settings

_WRONG = "wrong code, so nothing was changed; run the command again to get a new one"
_UNTRACED = "this command was not started by the shell of this terminal"


def counted_as_agent(settings: Settings, terminal: Terminal) -> str | None:
    """Explain why a call at a terminal counts as an agent's; None if it does not."""
    if settings.agent is not None:
        return f"{settings.origins['agent']} is set, so {settings.agent} counts as the caller"
    if not terminal.is_own:
        return "standard input is not the terminal in which this command was typed"
    if terminal.agent is None:
        return None if terminal.is_traced else _UNTRACED
    if is_editor(terminal.agent):
        return (
            f"this terminal belongs to {terminal.agent}, whose agent runs commands in it too;"
            " use a terminal outside of it"
        )
    return f"{terminal.agent} runs this command"


def confirm(what: str) -> None:
    """Show a code and wait until it is typed; raise an error if anything else is."""
    from memory_layer.usecases.who.confirm import RANDOM_BYTES, code_from, is_code

    code = code_from(os.urandom(RANDOM_BYTES))
    if not is_code(_typed(f"{what} needs your confirmation\n  type {code} to go on: "), code):
        raise NotAllowed(_WRONG)


def _typed(question: str) -> str:
    """Read one line from the keyboard, ignoring what was typed before the question."""
    if sys.platform == "win32":
        with open("CONOUT$", "w", encoding="utf-8") as screen, open("CONIN$", encoding="utf-8") as keys:
            screen.write(question)
            screen.flush()
            return keys.readline()
    import termios

    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return ""
    try:
        termios.tcflush(terminal, termios.TCIFLUSH)
        os.write(terminal, question.encode())
        typed = os.read(terminal, 1024)
        if not typed.endswith(b"\n"):
            os.write(terminal, b"\n")
        return typed.decode("utf-8", "replace")
    finally:
        os.close(terminal)
