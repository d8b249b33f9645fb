"""Run the command with which an agent itself shows whether it reaches the memory."""

from __future__ import annotations

from memory_layer import programs
from memory_layer.agents.recipes import AgentRecipe
from memory_layer.settings import variables


def line_of(recipe: AgentRecipe, seconds: float) -> str | None:
    """Return the agent's own line about the memory; None if it is not installed or says nothing."""
    program = programs.find(recipe.check[0], variables())
    if program is None:
        return None
    try:
        ended = programs.run([program, *recipe.check[1:]], variables(), seconds)
    except OSError:
        return None
    lines = (f"{ended.output}\n{ended.errors}").splitlines()
    return next((line.strip() for line in lines if recipe.shown_by in line), None)
