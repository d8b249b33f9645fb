"""Select the memories an agent needs for its task, within a token budget."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.errors import InvalidInput
from memory_layer.model.context import Context, ContextLine, ContextQuery, KeptLine, SavedContext
from memory_layer.model.memory import Writer
from memory_layer.model.query import Given, Mode, Query
from memory_layer.ports import Engine
from memory_layer.rules import limits
from memory_layer.rules.context import TokenBudget
from memory_layer.rules.context_text import FRAMES, digest_of, line_of, printed, text_of
from memory_layer.text.secrets.redact import redact
from memory_layer.text.tokens import estimate
from memory_layer.usecases.govern.visibility import given as given_out
from memory_layer.usecases.recall.layers import ContextScope, Layers, layers_of
from memory_layer.usecases.recall.pool import PreparedQuery
from memory_layer.usecases.recall.search import Answer, keep_recall, prepare
from memory_layer.usecases.recall.vectors import SeenTexts

#: The ranker that a context's recall records.
RULE = "layers"
MOST_PATHS = 32
LONGEST_PATH = 4_096  #: characters
ENOUGH_REFUSED = 12  #: lines of a layer that did not fit; a shorter one behind them is seldom worth the look
HANDOFF_SHARE = 4  #: a handoff takes at most the fourth part of a budget


def context(engine: Engine, wanted: ContextQuery, writer: Writer, around: ContextScope) -> Context:
    """Build the text for an agent, and record it as a recall."""
    wanted, redacted = _checked(wanted)
    prepared = (
        prepare(engine, Query(wanted.question))._replace(place=around.place) if wanted.question else None
    )
    with engine.store.reading():
        found = layers_of(engine, wanted, around, prepared)
        lines, left_out = _written(engine, wanted, found)
    text = text_of(_texts(lines, wanted), FRAMES[wanted.format, wanted.way])
    result = Context(
        recall=None,
        text=text,
        tokens=estimate(text),
        budget=wanted.budget,
        digest=digest_of(text),
        lines=tuple(line._replace(memory=given_out(engine, line.memory)) for line in lines),
        left_out=left_out,
        redacted=redacted,
        notice=prepared.notice if prepared else None,
    )
    if wanted.peek or writer.is_person:
        return result
    return result._replace(recall=_recorded(engine, wanted, result, prepared, writer, around))


def check_paths(paths: Sequence[str]) -> None:
    """Refuse too many paths."""
    if len(paths) > MOST_PATHS:
        raise InvalidInput(f"a context takes at most {MOST_PATHS} paths, not {len(paths)}")


def _checked(wanted: ContextQuery) -> tuple[ContextQuery, tuple[str, ...]]:
    """Validate and redact a query; also return the kinds of secrets found."""
    limits.check_budget(wanted.budget)
    if wanted.characters < 1:
        raise InvalidInput(f"the character limit must be at least 1, not {wanted.characters}")
    check_paths(wanted.paths)
    kinds: list[str] = []

    def clean(text: str, what: str, most: int = limits.QUERY_CHARACTERS // 2) -> str:
        limits.check_text(text, what, most)
        redacted = redact(text)
        kinds.extend(redacted.kinds)
        return redacted.text

    wanted = wanted._replace(
        task=None if wanted.task is None else clean(wanted.task, "the task"),
        query=None if wanted.query is None else clean(wanted.query, "the query"),
        paths=tuple(clean(path, "a path", LONGEST_PATH) for path in wanted.paths),
    )
    return wanted, tuple(dict.fromkeys(kinds))


def _written(engine: Engine, wanted: ContextQuery, found: Layers) -> tuple[list[ContextLine], int]:
    """Fill the budget: the baseline in order, then whatever else fits."""
    frame = FRAMES[wanted.format, wanted.way]
    budget = TokenBudget(frame, wanted.budget, wanted.characters)
    reserved = _reserve(found.handoff, wanted, budget)
    seen = SeenTexts(engine)
    lines: list[ContextLine] = []
    left_out = 0
    fresh = (line for line in found.baseline if not seen.repeats(line.memory))
    for line in fresh:
        if not budget.take(_texts([line], wanted)[0], *reserved):
            left_out += 1 + sum(1 for _ in fresh)
            break
        seen.add(line.memory)
        lines.append(line)
    if found.handoff and (short := _shortened(found.handoff, wanted, budget, reserved)):
        lines.insert(0, short)
    for layer in (found.contextual, found.procedures):
        left_out += _filled(layer, wanted, budget, seen, lines)
    return lines, left_out


def _filled(
    layer: Sequence[ContextLine],
    wanted: ContextQuery,
    budget: TokenBudget,
    seen: SeenTexts,
    lines: list[ContextLine],
) -> int:
    """Add the lines of a layer that fit; return how many did not."""
    refused = 0
    for place, line in enumerate(layer):
        text = _texts([line], wanted)[0]
        if not budget.has_for(text):
            refused += 1
            if refused >= ENOUGH_REFUSED:
                return refused + len(layer) - place - 1
        elif not seen.repeats(line.memory):
            budget.put(text)
            seen.add(line.memory)
            lines.append(line)
    return refused


def _reserve(handoff: ContextLine | None, wanted: ContextQuery, budget: TokenBudget) -> tuple[int, int]:
    """Return the tokens and characters reserved for a handoff: what it needs, at most its share."""
    if handoff is None:
        return 0, 0
    needs = budget.cost(_texts([handoff], wanted)[0])
    return min(needs[0], wanted.budget // HANDOFF_SHARE), min(needs[1], wanted.characters // HANDOFF_SHARE)


def _shortened(
    handoff: ContextLine, wanted: ContextQuery, budget: TokenBudget, reserved: tuple[int, int]
) -> ContextLine | None:
    """Return the handoff, cut to its share; None if nothing of it fits."""
    for characters in range(handoff.characters, 0, -20):
        short = handoff._replace(characters=characters)
        text = _texts([short], wanted)[0]
        needs = budget.cost(text)
        if needs[0] <= reserved[0] and needs[1] <= reserved[1]:
            return short if budget.take(text) else None
    return None


def _texts(lines: Sequence[ContextLine], wanted: ContextQuery) -> list[str]:
    return [
        line_of(printed(line.memory, line.layer, line.note, line.characters, wanted.way), wanted.format)
        for line in lines
    ]


def _recorded(
    engine: Engine,
    wanted: ContextQuery,
    result: Context,
    prepared: PreparedQuery | None,
    writer: Writer,
    around: ContextScope,
) -> str | None:
    """Record the exact list and the inputs of the text; None if the store cannot be written."""
    answer = Answer(
        kind="context",
        query=prepared.text if prepared else "",
        ranker=RULE,
        hits=tuple(Given(line.memory, line.score, line.signals) for line in result.lines),
        project=around.project.key if around.project else None,
        mode=prepared.mode if prepared else Mode.KEYWORD,
        embedder=prepared.embedder if prepared else None,
        vector=prepared.vector if prepared else None,
        context=_saved_context(wanted, result),
        standings={line.memory.id: line.standing for line in result.lines if line.standing},
    )
    return keep_recall(engine, answer, writer)


def _saved_context(wanted: ContextQuery, result: Context) -> SavedContext:
    options: dict[str, object] = {
        "budget": wanted.budget,
        "characters": wanted.characters,
        "paths": list(wanted.paths),
        "way": wanted.way.value,
    }
    lines = tuple(
        KeptLine(line.memory.id, line.memory.version, line.layer.value, line.note, line.characters)
        for line in result.lines
    )
    return SavedContext(wanted.format.value, options, lines, result.tokens, result.digest)
