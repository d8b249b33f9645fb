"""Build procedures from recipes, and refuse changes that would split a procedure's text from its steps."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.errors import InvalidInput
from memory_layer.model import query as in_list
from memory_layer.model.changes import Changes
from memory_layer.model.episodes import text_of, texts_of
from memory_layer.model.memory import Draft, Memory
from memory_layer.model.runs import Procedure, Recipe
from memory_layer.model.vocabulary import Category, Tier
from memory_layer.rules import limits
from memory_layer.rules.drafts import folded
from memory_layer.text.secrets.redact import redact_value

NAME_CHARACTERS = 100
MOST_STEPS = 100
#: The keys under which the metadata of a procedure holds what its text is made of.
PARTS = ("name", "when", "steps")


def check(recipe: Recipe) -> None:
    """Refuse a recipe that cannot be stored."""
    limits.check_text(recipe.name, "the name", NAME_CHARACTERS)
    if not recipe.name.isprintable():
        raise InvalidInput("the name of a procedure must be printable and on one line")
    if recipe.when:
        limits.check_text(recipe.when, "when to use it", limits.CONTENT_CHARACTERS)
    if not 1 <= len(recipe.steps) <= MOST_STEPS:
        raise InvalidInput(f"a procedure has 1 to {MOST_STEPS} steps, not {len(recipe.steps)}")
    for step in recipe.steps:
        limits.check_text(step, "a step", limits.CONTENT_CHARACTERS)


def draft_of(recipe: Recipe) -> tuple[Draft, tuple[str, ...]]:
    """Turn a recipe into a redacted draft; also return the kinds of secrets found."""
    clean, kinds = redact_value({"name": recipe.name, "when": recipe.when or "", "steps": list(recipe.steps)})
    assert isinstance(clean, dict)
    name, when = (
        " ".join(clean[key].split()) for key in ("name", "when")
    )  # a secret may be of several lines
    steps = [step.strip() for step in clean["steps"]]
    draft = Draft(
        content=rendered(name, when, steps),
        category=Category.WORKFLOW,
        tier=Tier.PROCEDURAL,
        scope=recipe.scope,
        tags=recipe.tags,
        metadata={"name": name, "when": when, "steps": steps},
    )
    return draft, kinds


def continued(recipe: Recipe, known: Procedure) -> Recipe:
    """Return the recipe as the next version of a known procedure; omitted fields stay."""
    return recipe._replace(name=known.name, when=known.when if recipe.when is None else recipe.when)


def rendered(name: str, when: str, steps: Sequence[str]) -> str:
    """Render a procedure as one searchable text."""
    lines = [name, *([f"When: {when}"] if when else [])]
    return "\n".join([*lines, *(f"{number}. {step}" for number, step in enumerate(steps, 1))])


def procedure_of(memory: Memory) -> Procedure:
    """Read the procedure in a memory."""
    metadata = memory.metadata
    return Procedure(
        id=memory.id,
        name=text_of(metadata, "name") or "",
        when=text_of(metadata, "when") or "",
        steps=texts_of(metadata, "steps"),
        scope=memory.scope,
        tags=memory.tags,
        worked=memory.worked,
        failed=memory.failed,
        partial=memory.partial,
        project=memory.project,
        status=memory.status.value,
        version=memory.version,
    )


def is_whole(memory: Memory) -> bool:
    """Is the text of a procedure made of its parts?"""
    known = procedure_of(memory)
    return bool(known.name) and memory.content == rendered(known.name, known.when, known.steps)


def renamed(memory: Memory) -> Memory:
    """Return a procedure under a name of its own, because another one has its name; the id tells them apart."""
    known = procedure_of(memory)
    ending = f" ({memory.id.removeprefix('mem_')[:8]})"
    name = known.name[: NAME_CHARACTERS - len(ending)] + ending
    content = rendered(name, known.when, known.steps)
    return memory._replace(content=content, metadata=dict(memory.metadata) | {"name": name})


def in_order(procedure: Procedure) -> tuple[bool, str, str]:
    """Return the sort key of a procedure: proven ones first, then by name."""
    return not procedure.proven, folded(procedure.name), procedure.id


def place(procedure: Procedure) -> str:
    """Encode the position of a procedure in the list as a cursor."""
    unproven, name, memory_id = in_order(procedure)
    return in_list.place([int(unproven), name, memory_id])


def placed(text: str) -> tuple[bool, str, str]:
    """Decode such a cursor."""
    unproven, name, memory_id = in_list.values_at(text, int, str, str)
    return bool(unproven), str(name), str(memory_id)


def check_kept_whole(memory: Memory, changes: Changes) -> None:
    """Refuse to change a procedure's text or its parts separately."""
    if memory.tier is not Tier.PROCEDURAL:
        return
    parts = {*changes.metadata, *changes.unset_metadata} & {*PARTS}
    if changes.content is not None or parts:
        raise InvalidInput(f"{memory.id} is a procedure; change it with `mem procedure save` under its name")
