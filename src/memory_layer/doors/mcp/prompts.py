"""Three prompts, which clients show as commands: find, look back at a session, and say what helped."""

from __future__ import annotations

from collections.abc import Mapping

import mcp_types as types

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.record import NamedTuple

LONGEST = 2_000  #: characters of an argument


class Prompt(NamedTuple):
    name: str
    description: str
    text: str
    arguments: tuple[tuple[str, str, bool], ...] = ()  #: name, description, whether it must be given
    writes: bool = True  #: what it asks for is of no use on a server that may only read


PROMPTS: tuple[Prompt, ...] = (
    Prompt(
        "recall",
        "Look up what is remembered about a topic.",
        "Call memory_recall with the query below. Answer from what it returns, name the ids you used, and say so"
        " if nothing fits.\n\nQuery: {topic}",
        (("topic", "What to look up", True), ("category", "Only this kind", False)),
        writes=False,
    ),
    Prompt(
        "review-session",
        "Keep what this session taught.",
        "Look back at this conversation. For each lasting fact, preference or decision that a later session would"
        " need, call memory_learn with one sentence. For each memory you used, call memory_outcome with whether it"
        " worked. Then call memory_episode with what was reached and what is open. Keep nothing that is plain from"
        " the code or only true today.",
    ),
    Prompt(
        "record-outcome",
        "Say whether a memory helped.",
        "Call memory_outcome for the memory {id} with the result {result}, and as evidence one sentence on what"
        " happened in this conversation.",
        (("id", "The memory", True), ("result", "worked, partial or failed", True)),
    ),
)


def offered(only_read: bool) -> list[Prompt]:
    return [each for each in PROMPTS if not (only_read and each.writes)]


def listed(only_read: bool = False) -> list[types.Prompt]:
    return [
        types.Prompt(
            name=each.name,
            description=each.description,
            arguments=[
                types.PromptArgument(name=name, description=text, required=needed)
                for name, text, needed in each.arguments
            ],
        )
        for each in offered(only_read)
    ]


def filled(name: str, given: Mapping[str, str], only_read: bool = False) -> types.GetPromptResult:
    """A prompt with its arguments in place."""
    known = {each.name: each for each in offered(only_read)}
    found = known.get(name)
    if found is None:
        raise NotFound(f"there is no prompt {name[:80]!r}; there are {', '.join(known)}")
    for argument, _, needed in found.arguments:
        if needed and not given.get(argument, "").strip():
            raise InvalidInput(f"the prompt {name} needs the argument {argument}")
    said = {argument: given.get(argument, "")[:LONGEST] for argument, _, _ in found.arguments}
    text = found.text
    for argument, value in said.items():
        text = text.replace(f"{{{argument}}}", value)
    if said.get("category"):
        text += f"\nCategories: {said['category']}"
    content = types.TextContent(text=text)
    return types.GetPromptResult(
        description=found.description, messages=[types.PromptMessage(role="user", content=content)]
    )
