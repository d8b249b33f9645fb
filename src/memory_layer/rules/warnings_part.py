"""Whether a memory speaks about what is being done; in doubt it does not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Category
from memory_layer.model.warning import Action
from memory_layer.rules import warnings
from memory_layer.rules.unasked import scope_counts
from memory_layer.rules.warnings import GENERIC, Step
from memory_layer.text import scopes
from memory_layer.text.words import content_words

#: What is known to go wrong.
SPEAKING = (Category.GOTCHA, Category.PITFALL, Category.WARNING, Category.TROUBLESHOOTING)
#: A memory without names in it has to share so many words with an error, and this part of its own.
LEAST_SHARED, LEAST_SHARE = 3, 0.5
#: Beside one name in both, so many words must be.
LEAST_BESIDE = 2
#: From this cosine on, an error means what a memory is about.
MEANT_FROM = 0.6

_SPAN = re.compile(r"`([^`\n]{2,200})`")


def because(memory: Memory, action: Action, project: str | None = None) -> str | None:
    """What of an action in the project with this key a memory speaks about: its command, path, error, or nothing."""
    # A cure names commands too, and nobody needs to be warned of it.
    cures = memory.category is Category.TROUBLESHOOTING
    if action.command and not cures and _speaks_of_command(memory.content, warnings.steps(action.command)):
        return "command"
    if _speaks_of_paths(memory, paths_of(action), scope_counts(memory, project)):
        return "path"
    if action.error and _speaks_of_error(memory.content, warnings.ends(action.error)):
        return "error"
    return None


def paths_of(action: Action) -> tuple[str, ...]:
    """The files an action is about."""
    named = warnings.paths_in(warnings.unquoted(action.command)) if action.command else ()
    return tuple(dict.fromkeys([*([action.path] if action.path else []), *named]))


def gone_wrong(procedure: Memory) -> bool:
    """Whether a procedure failed more often than it worked."""
    return procedure.failed > procedure.worked


def _speaks_of_command(content: str, steps: Sequence[Step]) -> bool:
    spans = [warnings.tokens(span) for span in _SPAN.findall(content)]
    words = warnings.tokens(content)
    return any(_speaks_of_step(spans, words, step) for step in steps)


def _speaks_of_step(spans: Sequence[tuple[str, ...]], words: tuple[str, ...], step: Step) -> bool:
    """A command in backticks must be this one; else the program must be named, with its verb or flag if it has many."""
    missed = _missed(words)
    if missed & step.flags:
        return False
    about = [span for span in spans if span and span[0] in step.programs]
    if any(_is_part(span, step.tokens) and (len(span) > 1 or span[0] not in GENERIC) for span in about):
        return True
    if about or not set(step.programs) & set(words):
        return False
    flags = warnings.flags_of(words) - missed
    if flags and not flags & step.flags:
        return False
    if flags & step.flags:
        return True
    named = set(step.programs) & set(words)
    if named - GENERIC:
        return True
    return any(_follows(words, program, step.verbs) for program in named)


def _missed(words: tuple[str, ...]) -> frozenset[str]:
    """The flags without which it goes wrong."""
    return warnings.flags_of(
        tuple(word for before, word in pairwise(words) if before in ("without", "unless"))
    )


def _follows(words: tuple[str, ...], program: str, verbs: frozenset[str]) -> bool:
    """Whether a verb of the step stands right behind the program."""
    return any(word == program and following in verbs for word, following in pairwise(words))


def _is_part(span: tuple[str, ...], of: tuple[str, ...]) -> bool:
    """Whether the words of a span stand in another, in their order."""
    rest = iter(of)
    return all(any(word == other for other in rest) for word in span)


def _speaks_of_paths(memory: Memory, paths: Sequence[str], by_scope: bool) -> bool:
    """Its scope covers one of them, or it names one of them by more than a bare word."""
    if not paths:
        return False
    if memory.scope and by_scope:
        return any(scopes.matches(memory.scope, path) for path in paths)
    named = warnings.paths_in(memory.content)
    return any(path == name or path.endswith(f"/{name}") for path in paths for name in named)


def _speaks_of_error(content: str, error: str) -> bool:
    """Names that stand in both, or most of what the memory says."""
    ours, theirs = content_words(content), content_words(error)
    shared = ours & theirs
    if names := warnings.technical(content):
        both = [name for low, name in names.items() if low in warnings.technical(error)]
        beside = shared - content_words(" ".join(both))
        return len(both) > 1 or (len(both) == 1 and len(beside) >= LEAST_BESIDE)
    return len(shared) >= LEAST_SHARED and len(shared) >= LEAST_SHARE * len(ours)
