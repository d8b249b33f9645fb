"""Match a rule that names no program with a command, by what the command does and what it does it to."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from memory_layer.model.vocabulary import Category
from memory_layer.rules.warnings.kinds import CURES, DEMANDING, HAZARDS, RULES, Rarity
from memory_layer.text.advice import (
    Sentence,
    Stance,
    denied_verb,
    is_directly_denied,
    objects_after,
    refers_back,
    stance,
)
from memory_layer.text.commands.meanings import (
    EVERYDAY,
    EVERYDAY_STEMS,
    GENERIC,
    HERE_STEMS,
    doing_words,
    environments,
    object_stems,
    stems_of,
    step_words,
)
from memory_layer.text.commands.mentions import is_about_another_command, shown_examples
from memory_layer.text.commands.shell import CommandStep, program_name
from memory_layer.text.porter import stem
from memory_layer.text.words import STOP_WORDS

#: From here on a name is rare enough to mean one thing.
RARE = 0.7
#: The least weight of words in one sentence that together mean a forbidden command.
LEAST_FORBIDDEN = 1.0
#: The least weight of words in one sentence that together mean a command.
LEAST_WEIGHT = 1.25
#: The strength from which on a memory names the command itself.
NAMED = 2.0
#: Tokens at the beginning of a sentence that name its topic.
TOPIC = 3
_AGAINST = (Stance.FORBIDS, Stance.RISKS, Stance.REQUIRES)
#: Programs that run a task by its name.
_TASK_RUNNERS = frozenset("make just task npm pnpm yarn bun rake mage nox tox invoke npx playwright".split())
_SHORT = 5  #: letters of a stem that may be the beginning of many words
_PASSIVE = frozenset("is are was were be gets get".split())
_PRONOUNS = frozenset("it them this that one".split())


def by_words(said: Sequence[Sentence], category: Category, step: CommandStep, rarity: Rarity) -> float:
    """Match a rule that names no program: by what the command does and what it does it to."""
    if step.only_reads:
        return 0.0
    words, doing = step_words(step), doing_words(step)
    best = 0.0
    named = {each for sentence in said for token in sentence.tokens for each in stems_of(token)}
    program = {
        each: words[each] * rarity.of(each) for each in stems_of(step.program) if each in named & set(words)
    }
    before: dict[str, float] = {}
    elsewhere = False
    recommended = [_is_recommended(sentence, step) for sentence in said]
    for sentence, is_recommended in zip(said, recommended, strict=True):
        elsewhere = is_about_another_command(sentence, step) or (elsewhere and refers_back(sentence))
        if elsewhere or is_recommended:
            continue
        found = dict(program) | (before if refers_back(sentence) else {})
        least = 9.0
        for at, token in enumerate(sentence.tokens):
            stems = [each for each in stems_of(token) if each in words]
            if not stems:
                continue
            found |= {each: words[each] * rarity.of(each) for each in stems}
            way = stance(sentence, at, at + 1)
            if any(recommended) and way is not Stance.FORBIDS:
                continue
            if is_directly_denied(sentence, at, at + 1) and _is_done(token, step):
                if _is_done_to_others(sentence, at, step):
                    continue
                if _is_about_something_else(sentence, at, step, said[0].tokens[:TOPIC]):
                    least = 9.0
                    break
                best = max(best, 1.5)
            least = min(
                least, _least(way, category, at, bool(doing & set(stems)) or "ask" in sentence.tokens[:at])
            )
            if _is_enough_alone(sentence, stems, way, category, at, step, rarity):
                best = max(best, 1.2)
        before = found
        if len(found) > 1 and doing & set(found) and sum(found.values()) >= least:
            best = max(best, min(1.0 + sum(found.values()) / 4, 1.9))
    return best


def _is_recommended(sentence: Sentence, step: CommandStep) -> bool:
    """Is what the step runs the means that a sentence recommends?"""
    targets = {step.program, *step.words[:1]} - GENERIC - EVERYDAY
    return any(
        {token, program_name(token)} & targets and stance(sentence, at, at + 1) is Stance.ADVISES
        for at, token in enumerate(sentence.tokens)
    )


def _least(way: Stance, category: Category, at: int, does: bool) -> float:
    """Return the weight that words of a sentence need together if it says this about one of them."""
    if way is Stance.FORBIDS:
        return LEAST_FORBIDDEN if does else LEAST_WEIGHT
    speaks = (way is Stance.REQUIRES and category in DEMANDING) or (
        way is Stance.RISKS and category not in CURES
    )
    speaks = speaks or (way is Stance.PLAIN and category in HAZARDS) or (category in RULES and at < TOPIC)
    if category in RULES and does and (at < TOPIC or way is Stance.REQUIRES):
        return LEAST_FORBIDDEN
    return LEAST_WEIGHT if speaks else 9.0


def _is_enough_alone(
    sentence: Sentence,
    stems: Sequence[str],
    way: Stance,
    category: Category,
    at: int,
    step: CommandStep,
    rarity: Rarity,
) -> bool:
    """Is one rare name enough: a compound name, or what is run as the topic of a danger?"""
    if step.program == "git" and step.words[:1] == ("commit",) and "commit" in stems and at < TOPIC:
        return category in RULES
    if category in CURES or way not in _AGAINST or max(map(rarity.of, stems)) < RARE:
        return False
    whole = [each for each in stems if "_" in each and len(each) > 7]
    if whole and (_is_done_by(sentence, at, step) if way is Stance.FORBIDS else category in HAZARDS):
        return True
    target = (
        [word for word in step.words[:2] if word not in EVERYDAY][:1] if step.program in _TASK_RUNNERS else []
    )
    return (
        category in HAZARDS
        and at < TOPIC
        and any(each in stems_of(word) for word in target for each in stems)
    )


def _is_done_by(sentence: Sentence, at: int, step: CommandStep) -> bool:
    """Does the step do what is forbidden to do with a name, unless that is anything at all: "never touch x"?"""
    verb = denied_verb(sentence, at)
    return verb is None or any(each in step_words(step) for each in stems_of(verb))


def _is_done(token: str, step: CommandStep) -> bool:
    """Is a word what the step does or uses, and no everyday word?"""
    if stem(token) in EVERYDAY_STEMS or token in STOP_WORDS or not any(map(str.isalpha, token)):
        return False
    named = {step.program, *step.words, *(piece for word in step.words for piece in word.split("/"))}
    return token in named or stem(token) in {stem(each) for each in named}


def _is_about_something_else(sentence: Sentence, at: int, step: CommandStep, topic: Sequence[str]) -> bool:
    """Do the words behind a denied one narrow it down to something that the step does not name?

    A pronoun stands for what the text begins with, its topic.
    """
    behind = objects_after(sentence, at + 1, listed=True)
    if behind and behind[0] in _PRONOUNS:
        return not _share_stems(topic, object_stems(step))
    telling = [each for each in behind if each not in STOP_WORDS]
    if all(set(stems_of(each)) <= HERE_STEMS for each in telling):
        return False
    if environments((*step.words, *step.values)) & environments(telling):
        return False
    return not _share_stems(telling, object_stems(step))


def _share_stems(words: Sequence[str], known: Collection[str]) -> bool:
    """Is one of the words among the stems, in any spelling of its end: catalog, catalogue?"""
    stems = [each for word in words for each in stems_of(word)]
    return any(
        one == other
        or (min(len(one), len(other)) > _SHORT and (one.startswith(other) or other.startswith(one)))
        for one in stems
        for other in known
    )


def _is_done_to_others(sentence: Sentence, at: int, step: CommandStep) -> bool:
    """Is a word denied of a subject that the step does not name: "a late request is not merged"?"""
    if at < 3 or sentence.tokens[at - 2] not in _PASSIVE:
        return False
    words = step_words(step)
    return not any(each in words for token in sentence.tokens[: at - 2] for each in stems_of(token))


def follows_form(said: Sequence[Sentence], messages: Sequence[str]) -> bool:
    """Do the commit messages have the form that a memory shows or names?"""
    shapes = {_shape(text) for text in shown_examples(said)} - {""}
    if any("conventional" in sentence.tokens for sentence in said):
        shapes |= {"w:", "w(w):", "w!:", "w(w)!:"}
    return bool(messages) and all(_shape(each) in shapes for each in messages)


def _shape(text: str) -> str:
    """Return the marks of the first word of a commit message: `w(w):` for `fix(api): …`; empty without any."""
    first = re.sub(r"[\w/.-]+", "w", text.strip().partition(" ")[0])
    return first if first.strip("w") else ""
