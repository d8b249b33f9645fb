"""Extract lasting statements from a message by rules; in doubt, nothing.

Each sentence is judged by itself: first whether its writer states it at all (see `statements`), then whether it is a
question, a guess, a quotation or an instruction for the task at hand, and only then by its cue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_layer.model.capture import Noticed
from memory_layer.model.vocabulary import Category, Priority
from memory_layer.rules.requests import request
from memory_layer.text import capture_phrases as signs
from memory_layer.text import reach
from memory_layer.text import request_phrases as requests
from memory_layer.text.pasted import typed_part
from memory_layer.text.statements import LONGEST, SHORTEST, Statement, statements

MOST_OF_A_MESSAGE = 12  #: who says more than that at once has pasted a document
_FEWEST_WORDS = 3
#: Cues of what may be about the task at hand alone, with what decides it.
_JUDGES = {
    "preference": reach.reaches_beyond,
    "constraint": reach.reaches_beyond,
    "decision": reach.settles,
    "correction": reach.corrects_knowledge,
}
_LOOKED_BACK = 2  #: sentences: the one that "remember this" points to, and the "no" before that
_TRIMMED = 100  #: characters that may be cut off a sentence to make it stand alone


def noticed(message: str, before: str = "") -> tuple[Noticed, ...]:
    """Return the statements of a message worth keeping; `before` is the same person's previous message."""
    sentences = statements(typed_part(message))
    found: dict[str, Noticed] = {}
    around = reach.scope([each.own for each in sentences])
    for place, statement in enumerate(sentences):
        if signs.TEXT_FOLLOWS.match(statement.own):
            break
        earlier = sentences[max(place - _LOOKED_BACK, 0) : place]
        this = _remember_this(earlier, statement, before)
        for one in (this,) if this else _all_of(statement, earlier):
            if _lasts(one, statement.own, around):
                found.setdefault(one.content.lower(), one)
        if len(found) >= MOST_OF_A_MESSAGE:
            break
    return tuple(found.values())[:MOST_OF_A_MESSAGE]


def _lasts(one: Noticed, own: str, around: reach.RequestKind) -> bool:
    """Is a statement meant for more than the task at hand, as far as its sentence and its message tell?"""
    judge = _JUDGES.get(one.cue)
    return judge is None or judge(one.content.lower() if one.cue == "correction" else own, around)


def _all_of(statement: Statement, earlier: Sequence[Statement]) -> list[Noticed]:
    """Classify the requests of one sentence one by one, if each stands alone, else the whole sentence."""
    later = requests.NEXT_REQUEST.search(statement.own)
    if later and len(statement.text) <= LONGEST:
        head = Statement(statement.text[: later.start()], statement.own[: later.start()], False)
        first, rest = _of(head, earlier), _all_of(_cut(statement, later.end()), ())
        if first and rest:
            return [first, *rest]
    one = _of(statement, earlier)
    return [one] if one else []


def _of(statement: Statement, earlier: Sequence[Statement]) -> Noticed | None:
    """Classify one sentence, unless something in it speaks against keeping it."""
    if polite := requests.POLITE.match(statement.own):
        statement = Statement(
            statement.text[polite.end() :].rstrip("?"), statement.own[polite.end() :].rstrip("?"), False
        )
    if (
        statement.asks
        or reach.is_copied(statement.text)
        or not SHORTEST <= len(statement.text) <= LONGEST + _TRIMMED
    ):
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
    return _by_cue(each) or _correction(each, earlier) or _requested(each)


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
    if _decides(own):
        return _one(each, Category.DECISION, "decision")
    if _requires(own):
        return _one(each, Category.POLICY, "constraint")
    if signs.CUSTOM.search(own):
        return _one(each, Category.CONVENTION, "preference")
    if _is_preferred(own) and not _is_task(own):
        return _one(each, Category.PREFERENCE, "preference")
    return None


def _requested(each: Statement) -> Noticed | None:
    found = request(each)
    return _one(_cut(each, found.begin), found.category, found.cue) if found else None


def _is_preferred(own: str) -> bool:
    """Does it state a preference, rather than choose one of two things at hand?"""
    found = next(filter(None, (pattern.search(own) for pattern in signs.PREFERENCE)), None)
    return found is not None and not signs.ONLY_POINTING.match(own[found.end() :].lstrip())


def _is_task(own: str) -> bool:
    """Is it an instruction for now? "Don't ever" and "stop doing" may be standing instructions."""
    found = signs.TASK.match(own)
    return found is not None and found[0] not in ("don't", "do not", "please", "stop")


def _decides(own: str) -> bool:
    """Does it settle a choice, for longer than now and by a name?"""
    if requests.NOW.search(own):
        return False
    found = signs.GO_WITH.search(own)
    named = found is not None and not signs.POINTING.match(own[found.end() :])
    return named or any(pattern.search(own) for pattern in signs.DECISION)


def _requires(own: str) -> bool:
    demands = any(pattern.search(own) for pattern in signs.CONSTRAINT)
    return demands and not _is_task(own) and not signs.UNKNOWN.match(own)


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
