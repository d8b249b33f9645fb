"""Recognise requests, tastes, house rules and facts that people type to an agent in passing."""

from __future__ import annotations

from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.rules.reminder import WEIGHTS, points
from memory_layer.text import capture_phrases as signs
from memory_layer.text import reach
from memory_layer.text import request_phrases as phrases
from memory_layer.text.lasting_cues import LOOK, cues
from memory_layer.text.statements import Statement

STORED_FROM = 2.25  #: points from which a plain statement is stored by itself
_REQUESTS = (
    (phrases.CHOICE, Category.DECISION),
    (phrases.USE_NOT, Category.PREFERENCE),
    (phrases.INSTEAD_OF, Category.PREFERENCE),
    (phrases.NO_MORE, Category.PREFERENCE),
    (phrases.ONLY_USE, Category.PREFERENCE),
    (phrases.NOT_ALLOWED, Category.CONVENTION),
    (phrases.RUN_WITH, Category.COMMAND),
    (phrases.ASK_FIRST, Category.WORKFLOW),
    (phrases.WHENEVER, Category.WORKFLOW),
    (phrases.BEFORE_YOU, Category.WORKFLOW),
    (phrases.OUR_WAY, Category.CONVENTION),
    (phrases.SHOULD_ALWAYS, Category.CONVENTION),
    (phrases.EVERY_ONE, Category.CONVENTION),
    (phrases.PLURAL_SHOULD, Category.CONVENTION),
    (phrases.LIVES_IN, Category.CONVENTION),
    (phrases.REACHED_AT, Category.ENVIRONMENT),
    (phrases.MY_MACHINE, Category.ENVIRONMENT),
    (phrases.WE_ARE_ON, Category.ENVIRONMENT),
    (phrases.THIS_PROJECT, Category.FACT),
    (phrases.OURS, Category.FACT),
    (phrases.GENERATED, Category.FACT),
    (phrases.RETIRED, Category.FACT),
    (phrases.MOVED, Category.FACT),
)
_HABITS = (
    phrases.forbids_habit,
    phrases.has_taste,
    phrases.asks_for_good,
    phrases.spares,
    phrases.keeps_general,
)
_CUES = {
    Category.DECISION: "decision",
    Category.FACT: "fact",
    Category.ENVIRONMENT: "fact",
    Category.COMMAND: "fact",
}
_RULES = (phrases.WRITE_RULE, phrases.KEEP_IN_MIND_TO, phrases.HOUSE_RULE)
_UNCOUNTED = frozenset(("states", "declares"))  #: say that it is a statement, not that it lasts


class Request(NamedTuple):
    """The part of a sentence that asks for or states something, by where it begins."""

    begin: int
    category: Category
    cue: str


def request(sentence: Statement) -> Request | None:
    """Classify a sentence that stands alone and is about things in general; None for any other."""
    found = _introduced(sentence.own) or _plain(sentence.own)
    if found is None:
        return _strong(sentence)
    return found if is_clear(sentence.own[found.begin :]) else None


def _introduced(own: str) -> Request | None:
    """Find what follows "make a rule that", "fyi" or "remember to"."""
    for pattern in _RULES:
        if found := pattern.match(own):
            return Request(found.end(), Category.CONVENTION, "preference")
    if found := phrases.IN_PASSING.match(own):
        fact = own[found.end() :]
        stated = signs.DECLARES.match(fact) and not signs.STATUS.search(fact)
        return Request(found.end(), Category.FACT, "remember") if stated else None
    found = phrases.REMEMBER_TO.match(own)
    if found and phrases.GENERAL_WHEN.search(own, found.end()):
        return Request(found.end(), Category.WORKFLOW, "preference")
    return None


def _plain(own: str) -> Request | None:
    if any(asks(own) for asks in _HABITS):
        return Request(0, Category.PREFERENCE, "preference")
    kind = next((kind for pattern, kind in _REQUESTS if pattern.match(own)), None)
    return Request(0, kind, _CUES.get(kind, "preference")) if kind else None


def _strong(sentence: Statement) -> Request | None:
    """Take a statement in general with several cues that it lasts."""
    found = cues(sentence)
    several = sum(WEIGHTS[name] > 0 for name in found if name not in _UNCOUNTED) > 1
    if "declares" not in found or not several or points(found) < STORED_FROM or not is_clear(sentence.own):
        return None
    lead = signs.LEAD_IN.match(sentence.own)
    begin = lead.end() if lead else 0
    own = sentence.own[begin:]
    if (
        not reach.is_standing(own)
        or signs.TASK.match(own)
        or signs.LEANS.match(own)
        or phrases.TOLD.search(own)
    ):
        return None
    wish = not {"wants", "forbids"}.isdisjoint(found)
    return Request(begin, *((Category.PREFERENCE, "preference") if wish else (Category.FACT, "fact")))


def is_clear(own: str) -> bool:
    """Does it stand alone, and is it meant for more than this moment and this screen?"""
    if signs.REPORTED.search(own) or signs.AT_HAND.search(own) or LOOK.search(own):
        return False
    placed = own.replace(" here", "") if own.startswith("we ") else own
    return not phrases.NOW.search(placed) and phrases.stands_alone(own)
