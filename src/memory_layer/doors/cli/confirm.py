"""Asking a person to confirm, at the terminal itself and wherever the standard streams lead."""

from __future__ import annotations

import os
import sys

from memory_layer.errors import NotAllowed
from memory_layer.model.agents import Terminal, is_editor
from memory_layer.settings import Settings

_WRONG = "that was not the code, so nothing was changed; the same command asks again, with another code"
_UNTRACED = "the processes that started this command do not lead to the shell of this terminal"


def counted_as_agent(settings: Settings, terminal: Terminal) -> str | None:
    """Why a call at a terminal counts as an agent's; None if nothing says so."""
    if settings.agent is not None:
        return f"the variable {settings.origins['agent']} says that {settings.agent} runs this command"
    if not terminal.is_own:
        return "standard input is a terminal, but not the one that this command was typed in"
    if terminal.agent is None:
        return None if terminal.is_traced else _UNTRACED
    if is_editor(terminal.agent):
        return (
            f"this terminal is inside {terminal.agent}, whose agent runs its commands in the same terminals;"
            " use one outside of it"
        )
    return f"{terminal.agent} runs this command"


def confirm(what: str) -> None:
    """Show a code and wait until it is typed; an error if anything else is."""
    from memory_layer.usecases.who.confirm import RANDOM_BYTES, code_from, is_code

    code = code_from(os.urandom(RANDOM_BYTES))
    if not is_code(_typed(f"{what} needs a code: type {code} to go on: "), code):
        raise NotAllowed(_WRONG)


def _typed(question: str) -> str:
    """One line from the keys; nothing that was typed before the question counts."""
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
