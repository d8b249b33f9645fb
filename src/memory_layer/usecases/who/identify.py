"""Identify the caller."""

from __future__ import annotations

from datetime import datetime

from memory_layer.model.agents import Terminal
from memory_layer.model.memory import Project, Writer
from memory_layer.model.passkeys import Means
from memory_layer.rules.identity import CallerClues, usable_name, writer_of
from memory_layer.settings import Settings
from memory_layer.text.secrets.redact import redact


def identify(
    settings: Settings,
    now: datetime,
    *,
    door: str,
    project: Project | None = None,
    as_name: str | None = None,
    session: str | None = None,
    terminal: Terminal | None = None,
    confirmed: bool = False,
    means: Means | None = None,
) -> Writer:
    """Return the writer of a call: the door's knowledge, completed by the settings."""
    caller = CallerClues(
        door=door,
        stdin_is_terminal=terminal is not None and terminal.is_own and terminal.is_traced,
        confirmed=confirmed,
        means=means,
        agent=settings.agent or (terminal.agent if terminal else None),
        login=settings.login,
        as_name=as_name,
        env_name=settings.writer,
        session=session,
        env_session=settings.session,
        agent_session=settings.agent_session,
        terminal_session=terminal.session if terminal else None,
    )
    writer = writer_of(caller, project=project.id if project else None, now=now)
    return writer._replace(name=redact(writer.name).text, session=redact(writer.session).text)


def client_name(name: str | None) -> str | None:
    """Return the name a program introduces itself by; None if it is unusable."""
    return usable_name(name or "")
