"""Observe a session of a real agent: the answers of its hooks, and the texts that reached its model."""

from __future__ import annotations

import json

from memory_layer.doors.hook.agents import EventKind, kind_of
from tests.agents.arrivals import AFTER_IT, ARRIVES, KEPT, NO, WITH_PROMPT, WITH_TOOL, Arrivals
from tests.agents.model_server import Model
from tests.agents.real_agent import RealAgent

HOW = "Deploy the site with make site-up, never with make deploy"
TESTS = "Run the unit tests with make unit-fast"
LOCKED = "E_LOCKED: the state file is locked. Remove build/state.lock and try again"
STAGING = "The staging server for the shop is stage-7 on port 8443"
MATTER = ((HOW, "pitfall"), (TESTS, "command"), (LOCKED, "troubleshooting"))
FACT = (STAGING, "fact", "--relevance", "0.3")  #: leaves no room for it in a context of this size
PROMPT = "We always use tabs, never spaces. Which port does the staging server for the shop use?"

_CONTEXT = f"[command] {TESTS}"
_NOTE = f"fact: {STAGING}"
_WARNING = f"Note from memory [pitfall]: {HOW}"
_ERROR = f"Note from memory [troubleshooting]: {LOCKED}"


def arrivals(agent: RealAgent, model: Model) -> Arrivals:
    """Tell at which events of the session the memory arrived."""
    return Arrivals(
        start=_by_event(agent, model, _CONTEXT, start=ARRIVES, prompt=WITH_PROMPT, tool=WITH_TOOL),
        prompt=_at_prompt(agent, model),
        before=_by_event(agent, model, _WARNING, before=ARRIVES, tool=AFTER_IT),
        failed=ARRIVES if model.saw(_ERROR) else NO,
        end=ARRIVES if EventKind.END in {kind_of(each["event"]) for each in agent.hooks()} else NO,
        tools=ARRIVES if "search" in recalls(agent) and model.saw(TESTS) else NO,
    )


def captured(agent: RealAgent) -> bool:
    """Did the memory keep what the person said?"""
    return "We always use tabs" in agent.mem("list", "--json").out


def recalls(agent: RealAgent) -> list[str]:
    """The kinds of what was given to somebody, in their order."""
    found = json.loads(agent.mem("recalls", "--json").out)["data"]
    return [each["kind"] for each in (found["items"] if isinstance(found, dict) else found)]


def hook_failures(agent: RealAgent) -> list[dict[str, object]]:
    """The hooks that could have disturbed the agent."""
    return [each for each in agent.hooks() if each["code"] != 0]


def _at_prompt(agent: RealAgent, model: Model) -> str:
    if model.saw(_NOTE):
        return ARRIVES
    return KEPT if captured(agent) else NO


def _by_event(agent: RealAgent, model: Model, text: str, **places: str) -> str:
    """Name the place of a text by the event whose hook said it, if it reached the model."""
    saying = [kind_of(each["event"]) for each in agent.hooks() if text in each["said"]]
    if not saying or not model.saw(text):
        return NO
    place = {EventKind.START: "start", EventKind.PROMPT: "prompt", EventKind.BEFORE_TOOL: "before"}
    return places.get(place.get(saying[0], "tool"), places["tool"])  # type: ignore[arg-type]
