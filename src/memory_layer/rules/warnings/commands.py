"""Decide how strongly a memory warns about a command that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.model.vocabulary import Category
from memory_layer.rules.warnings.kinds import CURES, DESCRIPTIONS, HAZARDS, REPORTS, RULES, Rarity
from memory_layer.rules.warnings.words import NAMED, TOPIC, by_words
from memory_layer.text.advice import (
    Sentence,
    Stance,
    is_denied_behind,
    is_directly_denied,
    is_refused,
    is_replaced,
    is_risk_near,
    objects_after,
    stance,
    tells,
)
from memory_layer.text.commands.meanings import (
    GENERIC,
    HERE_STEMS,
    environments,
    meanings,
    object_stems,
    stems_of,
    step_words,
    subcommand,
)
from memory_layer.text.commands.mentions import (
    Mention,
    demanded,
    is_call_of,
    is_satisfied,
    named_places,
    names_other_form,
    needed_flags,
)
from memory_layer.text.commands.shell import CommandStep, has_flag, is_flag
from memory_layer.text.words import STOP_WORDS

_LISTED = 2  #: tokens between commands of one list
_COMPOUND = re.compile(r"\w[_./:-]\w")


def strength_of(said: Sequence[Sentence], category: Category, step: CommandStep, rarity: Rarity) -> float:
    """Return how strongly a memory warns about a step; 0 for silence."""
    if category in REPORTS:
        return 0.0
    if _denies_value(said, step):
        return NAMED + 2.0
    if is_satisfied(said, step):
        return 0.0
    if trial := step.trial_flags:
        said = [each for each in said if trial & set(each.tokens)]
    here = environments((*step.words, *step.values))
    apt = [each for each in said if not (here and (there := environments(each.tokens)) and not here & there)]
    named = [(each, stance(each.sentence, each.first, each.last)) for each in named_places(apt, step)]
    advised = max((each.size for each, way in named if _advises(way, category, each)), default=0)
    against = max((each.size for each, way in named if _speaks(way, category, each, step)), default=0)
    if category is Category.DEPENDENCY and _is_topic(apt, step):
        return NAMED + 0.5
    if against and against >= advised + (advised > 1):
        return NAMED + against
    if _denies_flag(apt, step) or (category in CURES and _has_cured_flag(apt, step)):
        return NAMED + 2.0
    if _deviates(apt, category, step):
        return NAMED + 1.0
    if advised > 1:
        return 0.0
    is_named = any(step.program in sentence.tokens for sentence in said)
    if names_other_form(said, step) or (is_named and step.program not in GENERIC):
        apt = [each for each in apt if step.program not in each.tokens and _denies_doing(each, step)]
    return by_words(apt, category, step, rarity)


def _is_topic(said: Sequence[Sentence], step: CommandStep) -> bool:
    """Does a memory begin with the package that a step adds or updates?"""
    if "dependency" not in meanings(step) or not said:
        return False
    packages = {each for word in (*step.words[1:], *step.values) for each in stems_of(word)}
    return any(set(stems_of(token)) & packages for token in said[0].tokens[:TOPIC])


def _advises(way: Stance, category: Category, named: Mention) -> bool:
    """Is the step what a memory recommends? A command that a rule only names is meant to be run."""
    if way is Stance.PLAIN:
        return category not in HAZARDS and named.sentence.in_span(named.first)
    return way is Stance.ADVISES


def _denies_flag(said: Sequence[Sentence], step: CommandStep) -> bool:
    """Is a flag of the step denied in a sentence that names its program or subcommand?"""
    names = {*step.programs, *step.words[:2]}
    for sentence in said:
        for at, word in enumerate(sentence.tokens):
            known = is_flag(word) and len(word) > 3 and has_flag(word, step) and names & set(sentence.tokens)
            if known and is_directly_denied(sentence, at, at + 1):
                return True
    return False


def _denies_doing(sentence: Sentence, step: CommandStep) -> bool:
    """Is what the step does denied itself: "never restart a relay"?"""
    return any(
        word in subcommand(step) and is_directly_denied(sentence, at, at + 1)
        for at, word in enumerate(sentence.tokens)
    )


def _denies_value(said: Sequence[Sentence], step: CommandStep) -> bool:
    """Is a compound name that the step is given denied itself, in a text about its program: "never fct_orders"?"""
    given = {each for each in (*step.words, *step.values) if _COMPOUND.search(each)}
    if not given or not any(step.program in sentence.tokens for sentence in said):
        return False
    return any(
        word in given and is_refused(sentence, at)
        for sentence in said
        for at, word in enumerate(sentence.tokens)
    )


def _has_cured_flag(said: Sequence[Sentence], step: CommandStep) -> bool:
    """Does a cure for this command advise a flag that the step lacks, in the place of one that it has?"""
    if not any(
        step.program in sentence.tokens and set(step.words[:1]) & set(sentence.tokens) for sentence in said
    ):
        return False
    flags = [
        (word, stance(sentence, at, at + 1) is Stance.ADVISES)
        for sentence in said
        for at, word in enumerate(sentence.tokens)
        if is_flag(word) and len(word) > 3
    ]
    advised = {word for word, advises in flags if advises}
    causes = {word for word, advises in flags if not advises and word in step.flags}
    return bool(causes and advised and not advised & (step.flags | causes))


def _speaks(way: Stance, category: Category, named: Mention, step: CommandStep) -> bool:
    """Does a memory of this category warn by saying this about a command?"""
    specific = named.size > 1 or step.program not in GENERIC
    if _is_beside_another(named):
        return False
    if step.reading_words and not step.reading_words & set(named.sentence.tokens[named.first : named.last]):
        return way is Stance.FORBIDS and is_refused(named.sentence, named.first)
    if way is Stance.RISKS and category in DESCRIPTIONS and not _is_told_to_go_wrong(named, step):
        return False
    if named.size == 1 and not named.sentence.in_span(named.first):
        return _speaks_of_all(way, category, named, step)
    if way is Stance.FORBIDS:
        return specific or is_directly_denied(named.sentence, named.first, named.last)
    if not specific or way is Stance.ADVISES or category in CURES:
        return False
    if way is Stance.PLAIN:
        return category in HAZARDS and not step.only_checks
    if way is Stance.REQUIRES and category is Category.COMMAND:
        return False  # it tells what the command does
    return named.size > 1 or category in HAZARDS or named.sentence.in_span(named.first)


def _is_beside_another(named: Mention) -> bool:
    """Is a sentence about another command that it names before, so that it says nothing about this one?"""
    ends = [last for _, last, text in named.sentence.spans if last <= named.first and " " in text]
    if not ends or named.first - ends[-1] <= _LISTED:
        return False
    near = max(named.first - _LISTED, 0)
    behind = Sentence(named.sentence.tokens[near:])
    return stance(behind, named.first - near, named.last - near) is Stance.PLAIN


def _is_told_to_go_wrong(named: Mention, step: CommandStep) -> bool:
    """Does a description say that the command itself goes wrong? A check that rejects something does its work."""
    return not step.only_checks and is_risk_near(named.sentence, named.first, named.last)


def _speaks_of_all(way: Stance, category: Category, named: Mention, step: CommandStep) -> bool:
    """Does a memory warn of every call of a program that it names in its text?"""
    behind = [
        each for each in objects_after(named.sentence, named.last, places=True) if each not in STOP_WORDS
    ]
    replaced = is_replaced(named.sentence, named.first, named.last)
    if step.only_reads and not replaced and not is_refused(named.sentence, named.first):
        return False
    if replaced and not all(_knows((word,), step) for word in _subcommand(named)):
        return False  # "use pytest, not make check" is not about `make build`
    if way is Stance.FORBIDS:
        return replaced or is_denied_behind(named.sentence, named.last) or not behind or _knows(behind, step)
    if named.sentence.tokens[max(0, named.first - 1) : named.first] == ("before",):
        return category not in CURES and not behind
    near = named.sentence.tokens[named.last : named.last + 4]
    return way is not Stance.ADVISES and category in HAZARDS and any(tells(word) for word in near)


def _subcommand(named: Mention) -> list[str]:
    """Return the words right behind a program that narrow it down."""
    found: list[str] = []
    for word in named.sentence.tokens[named.last : named.last + 3]:
        if word in STOP_WORDS or not word[:1].isalnum():
            break
        found.append(word)
    return found


def _knows(words: Sequence[str], step: CommandStep) -> bool:
    """Does a step have one of these words, or one that only says that it is typed by somebody?"""
    given = {each for word in (*step.words[:1], step.program) for each in stems_of(word)}
    given |= object_stems(step) | set(step_words(step)) | HERE_STEMS
    return any(set(stems_of(word)) & given for word in words)


def _deviates(said: Sequence[Sentence], category: Category, step: CommandStep) -> bool:
    """Does a rule demand this command with flags that the step lacks?"""
    if category not in RULES | HAZARDS:
        return False
    calls = [each.flags for each in demanded(said) if each.flags and is_call_of(each, step)]
    calls += [flags for each in named_places(said, step) if (flags := needed_flags(each))]
    return any(not any(has_flag(flag, step) for flag in flags) for flags in calls)
