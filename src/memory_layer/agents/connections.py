"""List the agents of this machine with the state of their connection, and the command that repairs it."""

from __future__ import annotations

import os
from pathlib import Path

from memory_layer.agents.install import AgentMachine, AgentState, states
from memory_layer.agents.own_command import own_command
from memory_layer.model.record import NamedTuple
from memory_layer.settings import Settings, variables


class Connection(NamedTuple):
    """An agent that is here or connected."""

    agent: str
    title: str
    present: bool
    state: str  #: missing, stale, current, untrusted or broken
    through: str | None
    problem: str | None
    fix: str | None  #: the command that connects it or brings it up to date


def machine_of(settings: Settings, here: Path) -> AgentMachine:
    """Return this machine as a command in a folder sees it."""
    return AgentMachine(
        Path(os.path.expanduser("~")), here, own_command(), variables(), settings.state_folder
    )


def connections(settings: Settings, here: Path) -> list[Connection]:
    """List the agents that are on this machine or connected."""
    return [_connection(each) for each in states(machine_of(settings, here)) if _concerns(each)]


def _concerns(agent: AgentState) -> bool:
    return agent.is_present or (agent.state != "missing" and not agent.through)


def _connection(agent: AgentState) -> Connection:
    name = agent.recipe.name
    repairs = agent.state in ("missing", "stale") and not agent.problem
    return Connection(
        agent=name,
        title=agent.recipe.title,
        present=agent.is_present,
        state=agent.state,
        through=agent.through,
        problem=agent.problem,
        fix=f"mem install {name}" if repairs else None,
    )
