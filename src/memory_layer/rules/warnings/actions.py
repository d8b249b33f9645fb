"""Decide which memories warn about a command, a file or an error."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.context import AgentAction
from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, Tier
from memory_layer.rules.permissions import is_learned_in, is_rule, is_vouched, scope_counts
from memory_layer.rules.warnings import errors
from memory_layer.rules.warnings.commands import strength_of
from memory_layer.rules.warnings.kinds import CURES, DEMANDING, HAZARDS, REPORTS, Rarity
from memory_layer.rules.warnings.words import NAMED, follows_form
from memory_layer.text import scopes
from memory_layer.text.advice import (
    Sentence,
    Stance,
    is_instrument,
    is_left_alone,
    sentences,
    speaks_of_elsewhere,
    stance,
)
from memory_layer.text.commands.error_text import ErrorText, read_error
from memory_layer.text.commands.meanings import meanings, step_words
from memory_layer.text.commands.mentions import Mention, named_places, names_path
from memory_layer.text.commands.shell import CommandStep, commit_messages, steps, unquoted
from memory_layer.text.words import query_terms

#: Categories that say nothing about how to change a file.
_NO_ADVICE = REPORTS | {Category.CONTEXT}
#: The value of a path match by category: dangers and rules before plain facts.
_BY_CATEGORY = dict.fromkeys(HAZARDS, 2.0) | {
    Category.POLICY: 2.0,
    Category.CONVENTION: 1.5,
    Category.FACT: 0.5,
}

LONGEST_MEMORY = 1_200  #: characters of a memory that are read: reading grows with the square of a sentence


class ReadAction(NamedTuple):
    """An action taken apart."""

    steps: tuple[CommandStep, ...] = ()
    edited: tuple[str, ...] = ()  #: files it changes
    used: tuple[str, ...] = ()  #: files it names otherwise
    messages: tuple[str, ...] = ()  #: it commits with
    error: ErrorText | None = None
    terms: tuple[str, ...] = ()  #: to search for


class Match(NamedTuple):
    """The part of an action a memory warns about, and how strongly."""

    because: str  #: command, path or error
    strength: float
    sure: bool = True  #: False if only a close meaning makes it a warning


def read_action(action: AgentAction) -> ReadAction:
    """Take an action apart."""
    found = tuple(dict.fromkeys(steps(action.command))) if action.command else ()
    error = read_error(action.error) if action.error else None
    acting = [step for step in found if not step.only_reads]
    texts = [unquoted(action.command)] if action.command else []
    texts += [word for step in acting for word in meanings(step)]
    texts += [action.path or "", error.text if error else ""]
    written = [path for step in acting for path in step.writes]
    return ReadAction(
        steps=found,
        edited=tuple(dict.fromkeys([*([action.path] if action.path else []), *written])),
        used=tuple(dict.fromkeys(path for step in acting for path in step.paths)),
        messages=commit_messages(action.command) if action.command else (),
        error=error,
        terms=tuple(
            dict.fromkeys(
                [*query_terms("\n".join(texts)), *(word for step in acting for word in step_words(step))]
            )
        ),
    )


def matched(memory: Memory, action: ReadAction, rarity: Rarity, project: str | None = None) -> Match | None:
    """Return the part of an action a memory warns about; None for silence."""
    if not _may_warn(memory, project):
        return None
    if memory.tier is Tier.EPISODIC:
        return _about_error(memory, action, rarity)
    if speaks_of_elsewhere(memory.content):
        return None
    said = sentences(memory.content[:LONGEST_MEMORY])
    found = [
        _about_command(memory, said, action, rarity),
        _about_file(memory, said, action, project),
        _about_error(memory, action, rarity),
    ]
    return max((each for each in found if each), key=lambda each: (each.sure, each.strength), default=None)


def _may_warn(memory: Memory, project: str | None) -> bool:
    """May a memory be heard here? What an agent wrote elsewhere warns of dangers only, and makes no rules."""
    danger = memory.category in HAZARDS | CURES or memory.tier is Tier.PROCEDURAL
    return danger or is_vouched(memory) or is_learned_in(memory, project)


def gone_wrong(procedure: Memory) -> bool:
    """Did a procedure fail more often than it worked?"""
    return procedure.failed > procedure.worked


def _about_command(
    memory: Memory, said: Sequence[Sentence], action: ReadAction, rarity: Rarity
) -> Match | None:
    if memory.tier is Tier.PROCEDURAL:
        named = (place.size for step in action.steps for place in named_places(said, step))
        size = max(named, default=0)
        return Match("command", NAMED + size) if size > 1 else None
    best = max((strength_of(said, memory.category, step, rarity) for step in action.steps), default=0.0)
    if not best or (best < NAMED and follows_form(said, action.messages)):
        return None
    return Match("command", best + _importance(memory))


def _about_file(
    memory: Memory, said: Sequence[Sentence], action: ReadAction, project: str | None
) -> Match | None:
    """Match a changed file by the scope of a memory, or by its name in the text."""
    if memory.category in _NO_ADVICE or not (action.edited or action.used):
        return None
    value = _BY_CATEGORY.get(memory.category, 1.0) + _importance(memory)
    if memory.scope and scope_counts(memory, project):
        if not any(scopes.matches(memory.scope, path) for path in action.edited):
            return None
        return Match("path", 1.0 + value) if _tells_what_to_do(memory, said) else None
    for named in names_path(said, (*action.edited, *action.used)):
        if _speaks_of_path(memory.category, named, bool(action.edited)):
            return Match("path", value)
    return None


def _speaks_of_path(category: Category, named: Mention, edited: bool) -> bool:
    """Does a memory say something against changing or using a file that it names?"""
    way = stance(named.sentence, named.first, named.last)
    if is_instrument(named.sentence, named.first):
        return False
    if way is Stance.FORBIDS or (edited and is_left_alone(named.sentence, named.last)):
        return True
    speaks = way in (Stance.RISKS, Stance.REQUIRES) and edited and category in DEMANDING
    return speaks or (category in HAZARDS and (way is Stance.RISKS or (edited and way is not Stance.ADVISES)))


def _tells_what_to_do(memory: Memory, said: Sequence[Sentence]) -> bool:
    """Does a memory contain more than a description?"""
    if memory.category is not Category.FACT:
        return True
    return any(
        stance(each, at, at + 1) is not Stance.PLAIN for each in said for at in range(len(each.tokens))
    )


def _about_error(memory: Memory, action: ReadAction, rarity: Rarity) -> Match | None:
    if action.error is None:
        return None
    weight = errors.weight_of(memory.content[:LONGEST_MEMORY], memory.category, action.error, rarity)
    if weight < errors.PERHAPS:
        return None
    return Match("error", weight, weight >= errors.ENOUGH)


def _importance(memory: Memory) -> float:
    """Return a small bonus that orders equal matches: rules and dangers first."""
    bonus = 0.1 * memory.priority.rank
    return bonus + (0.2 if memory.category in HAZARDS or is_rule(memory.category, memory.priority) else 0.0)
