"""Extract lasting statements from a message by rules; in doubt, nothing.

Each sentence is judged by itself: first whether its writer states it at all (see `statements`), then whether it is a
question, a guess, a quotation or an instruction for the task at hand, and only then by its cue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_layer.model.capture import Noticed
from memory_layer.model.vocabulary import Category, Priority
from memory_layer.rules.reminder import WEIGHTS, points
from memory_layer.text import capture_phrases as signs
from memory_layer.text import request_phrases as requests
from memory_layer.text.lasting_cues import LOOK, cues
from memory_layer.text.pasted import typed_part
from memory_layer.text.statements import LONGEST, SHORTEST, Statement, statements

MOST_OF_A_MESSAGE = 12  #: who says more than that at once has pasted a document
_FEWEST_WORDS = 3
STORED_FROM = 2.25  #: points from which a plain statement is stored by itself
_LOOKED_BACK = 2  #: sentences: the one that "remember this" points to, and the "no" before that
_REQUESTS = (
    (requests.CHOICE, Category.DECISION),
    (requests.USE_NOT, Category.PREFERENCE),
    (requests.INSTEAD_OF, Category.PREFERENCE),
    (requests.NO_MORE, Category.PREFERENCE),
    (requests.ONLY_USE, Category.PREFERENCE),
    (requests.NOT_ALLOWED, Category.CONVENTION),
    (requests.RUN_WITH, Category.COMMAND),
    (requests.ASK_FIRST, Category.WORKFLOW),
    (requests.WHENEVER, Category.WORKFLOW),
    (requests.BEFORE_YOU, Category.WORKFLOW),
    (requests.OUR_WAY, Category.CONVENTION),
    (requests.SHOULD_ALWAYS, Category.CONVENTION),
    (requests.EVERY_ONE, Category.CONVENTION),
    (requests.PLURAL_SHOULD, Category.CONVENTION),
    (requests.LIVES_IN, Category.CONVENTION),
    (requests.REACHED_AT, Category.ENVIRONMENT),
    (requests.MY_MACHINE, Category.ENVIRONMENT),
    (requests.WE_ARE_ON, Category.ENVIRONMENT),
    (requests.THIS_PROJECT, Category.FACT),
    (requests.OURS, Category.FACT),
    (requests.GENERATED, Category.FACT),
    (requests.RETIRED, Category.FACT),
    (requests.MOVED, Category.FACT),
)
_HABITS = (
    requests.forbids_habit,
    requests.has_taste,
    requests.asks_for_good,
    requests.spares,
    requests.keeps_general,
)
_CUES = {Category.DECISION: "decision", Category.FACT: "fact", Category.ENVIRONMENT: "fact", Category.COMMAND: "fact"}
_TRIMMED = 100  #: characters that may be cut off a sentence to make it stand alone


def noticed(message: str, before: str = "") -> tuple[Noticed, ...]:
    """Return the statements of a message worth keeping; `before` is the same person's previous message."""
    sentences = statements(typed_part(message))
    found: dict[str, Noticed] = {}
    for place, statement in enumerate(sentences):
        if signs.TEXT_FOLLOWS.match(statement.own):
            break
        earlier = sentences[max(place - _LOOKED_BACK, 0) : place]
        if one := _remember_this(earlier, statement, before) or _of(statement, earlier):
            found.setdefault(one.content.lower(), one)
        if len(found) == MOST_OF_A_MESSAGE:
            break
    return tuple(found.values())


def _of(statement: Statement, earlier: Sequence[Statement]) -> Noticed | None:
    """Classify one sentence, unless something in it speaks against keeping it."""
    if polite := requests.POLITE.match(statement.own):
        statement = Statement(statement.text[polite.end() :].rstrip("?"), statement.own[polite.end() :].rstrip("?"), False)
    if statement.asks or not SHORTEST <= len(statement.text) <= LONGEST + _TRIMMED:
        return None
    for each in _readings(statement):
        if signs.QUESTION.match(each.own) or signs.HYPOTHETICAL.search(each.own):
            return None
        if one := _judged(each, earlier):
            return one if SHORTEST <= len(one.content) <= LONGEST else None
    return None


def _readings(statement: Statement) -> Iterator[Statement]:
    """Yield the sentence, then without its lead-in, then without its heading."""
    yield statement
    bare = _from(statement, signs.LEAD_IN)
    if bare is not statement:
        yield bare
    label = signs.LABEL.match(bare.own)
    reported = label and signs.REPORTED.search(label[0]) and not label[0].startswith(("i ", "i've", "as i"))
    if label and not (reported or signs.TASK.match(label[0])):
        rest = _cut(bare, label.end())
        yield rest
        shorter = _from(rest, signs.LEAD_IN)
        if shorter is not rest:
            yield shorter
    if later := requests.NEXT_REQUEST.search(bare.own):
        yield _cut(bare, later.end())


def _from(statement: Statement, pattern: re.Pattern[str]) -> Statement:
    found = pattern.match(statement.own)
    return _cut(statement, found.end()) if found else statement


def _cut(statement: Statement, place: int) -> Statement:
    return Statement(statement.text[place:], statement.own[place:], statement.asks)


def _judged(each: Statement, earlier: Sequence[Statement]) -> Noticed | None:
    if match := signs.REMEMBER.match(each.own):
        return _remembered(_cut(each, match.end()))
    if match := signs.REMEMBER_LOOSELY.match(each.own):
        rest = _cut(each, match.end())
        one = _by_cue(rest) or _requested(rest)
        return one._replace(cue="remember") if one else None
    if match := signs.FROM_NOW_ON.match(each.own):
        return _one(_cut(each, match.end()), Category.PREFERENCE, "preference")
    return _by_cue(each) or _requested(each) or _correction(each, earlier)


def _remembered(rest: Statement) -> Noticed | None:
    """Classify a statement that is to be remembered by its own cue, or as a fact."""
    if one := _by_cue(rest):
        return one._replace(cue="remember")
    if signs.TASK.match(rest.own) or signs.LEANS.match(rest.own):
        return None
    return _one(rest, Category.FACT, "remember")


def _by_cue(each: Statement) -> Noticed | None:
    own = each.own
    if signs.REPORTED.search(own) or signs.AT_HAND.search(own):
        return None
    if (any(pattern.search(own) for pattern in signs.DECISION) and not requests.NOW.search(own)) or _goes_with(own):
        return _one(each, Category.DECISION, "decision")
    if any(pattern.search(own) for pattern in signs.CONSTRAINT) and not (_is_task(own) or signs.UNKNOWN.match(own)):
        return _one(each, Category.POLICY, "constraint")
    if signs.CUSTOM.search(own):
        return _one(each, Category.CONVENTION, "preference")
    if _is_preferred(own) and not _is_task(own):
        return _one(each, Category.PREFERENCE, "preference")
    return None


def _requested(each: Statement) -> Noticed | None:
    """Classify a request or a house rule that stands alone and is about things in general."""
    for pattern in (requests.WRITE_RULE, requests.KEEP_IN_MIND_TO, requests.HOUSE_RULE):
        if found := pattern.match(each.own):
            rule = _cut(each, found.end())
            return _one(rule, Category.CONVENTION, "preference") if _is_clear(rule.own) else None
    if found := requests.IN_PASSING.match(each.own):
        fact = _cut(each, found.end())
        stated = signs.DECLARES.match(fact.own) and not signs.STATUS.search(fact.own) and _is_clear(fact.own)
        return _one(fact, Category.FACT, "remember") if stated else None
    if (found := requests.REMEMBER_TO.match(each.own)) and requests.GENERAL_WHEN.search(each.own, found.end()):
        duty = _cut(each, found.end())
        return _one(duty, Category.WORKFLOW, "preference") if _is_clear(duty.own) else None
    kind = _kind_of_request(each.own)
    if kind:
        return _one(each, kind, _CUES.get(kind, "preference")) if _is_clear(each.own) else None
    if _is_strong(each):
        return _one(each, Category.PREFERENCE, "preference") if _is_wish(each) else _one(each, Category.FACT, "fact")
    return None


def _is_wish(each: Statement) -> bool:
    return not {"wants", "forbids"}.isdisjoint(cues(each))


def _is_strong(each: Statement) -> bool:
    """Does it state something in general, with several cues that it lasts?"""
    found = cues(each)
    several = len([name for name in found if name not in ("states", "declares") and WEIGHTS[name] > 0]) > 1
    if "declares" not in found or not several or points(found) < STORED_FROM or not _is_clear(each.own):
        return False
    own = _from(each, signs.LEAD_IN).own
    return not (signs.TASK.match(own) or signs.LEANS.match(own) or requests.TOLD.search(own))


def _kind_of_request(own: str) -> Category | None:
    if any(asks(own) for asks in _HABITS):
        return Category.PREFERENCE
    return next((kind for pattern, kind in _REQUESTS if pattern.match(own)), None)


def _is_clear(own: str) -> bool:
    """Does it stand alone, and is it meant for more than this moment?"""
    spoken = signs.REPORTED.search(own) or signs.AT_HAND.search(own)
    if LOOK.search(own):
        return False
    passing = requests.NOW.search(own.removesuffix(" here") if own.startswith("we ") else own)
    return not (spoken or passing) and requests.stands_alone(own)


def _is_preferred(own: str) -> bool:
    """Does it state a preference, rather than choose one of two things at hand?"""
    found = next(filter(None, (pattern.search(own) for pattern in signs.PREFERENCE)), None)
    return found is not None and not signs.ONLY_POINTING.match(own[found.end() :].lstrip())


def _is_task(own: str) -> bool:
    """Is it an instruction for now? "Don't ever" and "stop doing" may be standing instructions."""
    found = signs.TASK.match(own)
    return found is not None and found[0] not in ("don't", "do not", "please", "stop")


def _goes_with(own: str) -> bool:
    found = signs.GO_WITH.search(own)
    return found is not None and not (signs.POINTING.match(own[found.end() :]) or requests.NOW.search(own))


def _correction(each: Statement, earlier: Sequence[Statement]) -> Noticed | None:
    own = each.own
    if signs.REPORTED.search(own) or signs.AT_HAND.search(own):
        return None
    if signs.SHOULD_BE.search(own) or signs.NOT_BUT.search(own) or signs.INSTEAD.match(own):
        return _fact(each)
    if found := signs.CORRECTS.match(own):
        return _stated(_cut(each, found.end()))
    if earlier and signs.ONLY_NO.match(earlier[-1].own):
        return _stated(each)
    return None


def _stated(rest: Statement) -> Noticed | None:
    """Return a correction if the rest is a declarative statement."""
    if signs.TASK.match(rest.own) or signs.STATUS.search(rest.own):
        return None
    return _fact(rest) if signs.DECLARES.match(rest.own) else None


def _fact(each: Statement) -> Noticed | None:
    one = _one(each, Category.FACT, "correction")
    return one._replace(priority=Priority.HIGH) if one else None


def _one(each: Statement, category: Category, cue: str) -> Noticed | None:
    """Rewrite the sentence to stand alone; None if too little of it is left."""
    each = _from(each, signs.JOINT)
    end = signs.TAIL.search(each.own)
    text = (each.text[: end.start()] if end and end.start() else each.text).strip().rstrip(".!,;: ")
    if len(text.split()) < _FEWEST_WORDS:
        return None
    first = text.split(maxsplit=1)[0]
    content = text[0].upper() + text[1:] if first.replace("'", "").isalpha() and first.islower() else text
    return Noticed(content, category, cue)


def _remember_this(earlier: Sequence[Statement], statement: Statement, before: str) -> Noticed | None:
    """Return the statement that "remember this" refers to."""
    if not signs.REMEMBER_THIS.match(statement.own):
        return None
    sentences = earlier or statements(before)
    if (
        not sentences
        or sentences[-1].asks
        or signs.HYPOTHETICAL.search(sentences[-1].own)
        or signs.QUESTION.match(sentences[-1].own)
    ):
        return None
    one = _of(sentences[-1], sentences[:-1]) or (
        _one(sentences[-1], Category.FACT, "remember") if signs.DECLARES.match(sentences[-1].own) else None
    )
    return one if one and SHORTEST <= len(one.content) <= LONGEST else None
