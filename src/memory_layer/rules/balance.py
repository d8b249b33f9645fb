"""Weigh memories for a context: how much the task, its files, or any work in the project needs them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from fnmatch import fnmatchcase as fnmatch

from memory_layer.model.context import Present
from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import CATEGORIES, FAMILIES, FAMILY_OF, Category, Family, Priority, Tier
from memory_layer.rules.context import BASELINE, PRESENT_FROM, STALE, presence
from memory_layer.rules.excerpts import first_sentence
from memory_layer.rules.permissions import is_rule
from memory_layer.text.advice import speaks_of_elsewhere
from memory_layer.text.words import content_words, query_terms

#: Shares of the budget with a task. What they leave goes to the families, to procedures, then to whatever is best.
BASELINE_SHARE, TASK_SHARE = 0.25, 0.3
#: Families of which the best memory is given whatever the task is.
SURE_FAMILIES = (Family.RULES, Family.OPS, Family.HAZARDS, Family.DESIGN)
#: What is added to the relevance of a memory, which is about 1 for the best. The choice hardly depends on the numbers.
SCOPED = 0.5  #: it applies to a file of the task
NAMING, NAMING_FOLDER = 0.5, 0.2  #: its text names a file of the task, or the folder of one
ELSEWHERE = -0.2  #: it applies to other files or another project only
RULE = 0.2  #: a person made it a rule
IMPORTANT = 0.1  #: of priority high
RAISED = 0.1  #: of a priority that somebody raised above that of its category
GENERAL = 0.1  #: rules, preferences and commands hold for many tasks
PROVEN = 0.1  #: a procedure that worked
USUAL = 0.2  #: an important rule about what nearly every task does: commit, push, ask
#: Commands that nearly every task needs.
_EVERYDAY = frozenset(query_terms("test lint format build check start install setup"))
#: Things that an agent does in nearly every task.
_USUAL_WORK = frozenset(query_terms("commit push merge pr dependency module package ask answer"))
_PATH_NAME = re.compile(r"[\w.@*-]*/[\w./@*-]+|[\w@*-]+\.[A-Za-z]\w{0,6}\b")
_LONGEST_WORD = 2  #: shorter parts of a path say nothing


def value(memory: Memory, relevance: float, fits: bool | None, paths: Sequence[str] = ()) -> float:
    """Return how much a task needs a memory; `fits` is None unless the memory has a scope and the task has files.

    `paths` are the files of the task, which its text may name.
    """
    worth = relevance + (0.0 if fits is None else SCOPED if fits else ELSEWHERE)
    worth += 0.0 if fits else naming(memory, paths)
    worth += ELSEWHERE * speaks_of_elsewhere(memory.content)
    worth += USUAL * is_usual(memory)
    worth += RULE * is_rule(memory.category, memory.priority)
    worth += IMPORTANT * (memory.priority.rank >= Priority.HIGH.rank)
    worth += RAISED * (
        memory.priority.rank > max(CATEGORIES[memory.category].priority.rank, Priority.NORMAL.rank)
    )
    worth += GENERAL * (FAMILY_OF[memory.category] is Family.RULES or memory.category is Category.COMMAND)
    return worth + PROVEN * (memory.tier is Tier.PROCEDURAL and memory.worked > 0)


def naming(memory: Memory, paths: Sequence[str]) -> float:
    """Return what it adds that the text of a memory names a file of the task, or only the folder of one."""
    names = {found[0].strip("./") for found in _PATH_NAME.finditer(memory.content)} if paths else ()
    best = 0.0
    for name in names:
        for path in paths:
            if fnmatch(path, name) or fnmatch(path, f"*/{name}"):
                return NAMING
            if "/" in name and path.startswith(f"{name}/"):
                best = NAMING_FOLDER
    return best


def is_usual(memory: Memory) -> bool:
    """Is a memory an important rule or preference about what an agent does in nearly every task?"""
    important = memory.priority.rank >= Priority.HIGH.rank and FAMILY_OF[memory.category] is Family.RULES
    return (
        important
        and not memory.scope
        and not _USUAL_WORK.isdisjoint(content_words(first_sentence(memory.content)))
    )


def in_baseline(category: Category, priority: Priority) -> bool:
    """Does a memory that may be given unasked have a place in the baseline?"""
    return is_rule(category, priority) or (category in BASELINE and priority.rank >= Priority.HIGH.rank)


def words_of_paths(paths: Iterable[str]) -> list[str]:
    """Return the terms of the folders and names of files, without their endings."""
    terms = dict.fromkeys(term for path in paths for term in query_terms(path.rpartition(".")[0] or path))
    return [term for term in terms if len(term) > _LONGEST_WORD and not term.isdigit()]


class Group(NamedTuple):
    """Memories that a session hears about without a task, and their share of the budget."""

    share: float
    categories: Collection[Category] = ()  #: empty for all
    fades: bool = False  #: left out once its activation is low
    more: int = 8  #: memories that are read beyond those that may fit


#: Rules are the first group; any other memory belongs to the first group that has its category.
START_GROUPS = (
    Group(0.35),
    Group(0.22, FAMILIES[Family.RULES]),
    Group(
        0.15, (Category.COMMAND, Category.WORKFLOW), more=32
    ),  # the words decide which are needed every day
    Group(0.12, (Category.DECISION, Category.ENVIRONMENT, Category.DEPENDENCY)),
    Group(0.08, FAMILIES[Family.HAZARDS], fades=True),
    Group(0.08, FAMILIES[Family.DESIGN]),
    Group(0.0, tuple(Category), fades=True),
)
_GROUP_OF = {
    category: next(at for at, group in enumerate(START_GROUPS) if category in group.categories)
    for category in Category
}


def grouped(
    present: Iterable[Present],
    now: datetime,
    fits: Callable[[tuple[str, ...]], bool],
    stale: Collection[str] = (),
) -> list[list[tuple[Present, float]]]:
    """Sort memories into the groups of a start, the best of each first, each with its activation."""
    groups: list[list[tuple[Present, float]]] = [[] for _ in START_GROUPS]
    for each in present:
        number = 0 if is_rule(each.category, each.priority) else _GROUP_OF[each.category]
        group = START_GROUPS[number]
        activation = presence(each, now) * (STALE if each.project in stale else 1.0)
        important = each.priority.rank >= Priority.HIGH.rank
        if not group.fades or activation >= PRESENT_FROM or (important and group.share > 0):
            groups[number].append((each, activation))
    for found in groups:
        found.sort(key=lambda pair: _start_order(pair[0], pair[1], fits(pair[0].scope)))
    return groups


def _start_order(each: Present, activation: float, fits: bool) -> tuple[object, ...]:
    """Sort by files and priority; of equals first what was raised, a person's, global ones, then by activation."""
    usual = CATEGORIES[each.category].priority
    return (
        not fits,
        bool(each.scope) and not fits,
        -each.priority.rank,
        each.priority.rank <= usual.rank,
        not each.warrant.vouched,
        each.project is not None,
        -activation,
        -each.created.timestamp(),
        each.id,
    )


def everyday_first(commands: Sequence[Memory]) -> list[Memory]:
    """Sort commands: for each everyday word (test, lint, build ...) the one that says least else, then the others."""
    words = {each.id: content_words(first_sentence(each.content)) for each in commands}
    plain = sorted(
        commands, key=lambda each: (_EVERYDAY.isdisjoint(words[each.id]), len(words[each.id] - _EVERYDAY))
    )
    first: dict[str, str] = {}
    for each in plain:
        for word in words[each.id] & _EVERYDAY:
            first.setdefault(word, each.id)
    return sorted(plain, key=lambda each: each.id not in first.values())
