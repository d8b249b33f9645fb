"""Tell a rule that reaches beyond the task at hand from a description of what is being built.

"Always send the mail" and "never push to main" have one form. The second is about the work of an agent, the first about
a product, whose code will hold it. All patterns read sentences in lower case with their quotations blanked out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from memory_layer.text.statements import SHORTEST

_SENTENCES_OF_A_PLAN = 7  #: who says more at once describes what is to be built


class RequestKind(Enum):
    """Tell what the requests of a message are about."""

    TASK = 1
    RULES = 2
    OPEN = 3


#: What a team does by habit; what it wants, needs or could do is the task at hand.
_HABIT = (
    r"(?:we(?:'re| are)?|our team|the team) (?:(?:all|both|currently|still|usually|normally|generally|just|do|also) )*"
    r"(?:only|never|always|(?:should|must) (?:only|never|always)|(?:don't|do not|can't|cannot|must not|may not)"
    r" (?!want|need|know|see|think|care|have|get|expect|generate|seem|understand)\w+|aren't allowed|not allowed"
    r"|use|log|bill|host|deploy|ship|release|support|follow|name|call|write|pin|target|on|in)\b"
)
#: Says that more is meant than this task: for good, for a team, for a repository, or against a habit.
_BEYOND = re.compile(
    r"\b(?:from (?:now|here) on|going forward|in general|generally|as a rule|usually|normally|every time|each time"
    r"|whenever|any ?more|ever|ever again|at all times|without exception|under no circumstances|by law"
    r"|(?:this|the (?:whole|entire)) (?:repo|repository|project|code ?base|monorepo|package|library|team|company)"
    r"|i(?:'ve)? (?:already )?(?:said|told)|you (?:keep|always|never)|stop \w+ing|no more|unless i|without asking"
    r"|until i (?:say|tell|ask)|you (?:don't|do not) (?!need|have|want|see|seem|know|understand|get|mean)\w+"
    r"|(?:when|while|before|after) \w+ing\b.*\b(?:always|never)|we have an? [^,;]{2,40}(?:rule|policy|convention)"
    r"|(?:ask|tell|warn|explain|remind)(?:ing)? (?:to )?(?:me|us)|i (?:\S+ )?(?:hate|like|dislike"
    r"|prefer)(?! (?:that|this|it|how)\b)"
    r"|i (?:don't|do not|never) want\b.*\b(?:anywhere|ever|at all)"
    rf"|my prefer\w+|i(?:'d| would) (?:much )?rather|{_HABIT})\b"
)
#: A message that writes down rules means what it says as one.
_RULES = re.compile(
    r"\b(?:(?:add|make|create|write|update|record|extend|document|follow\w*)\b[^.?]{0,60}\b(?:rules?|conventions?"
    r"|guidelines?)|(?:claude|agents|conventions|contributing)\.md|from now on|cursor ?rules?)\b"
)
#: The work of an agent and of a team, in contrast to what a program does.
_WORK = re.compile(
    r"(?:^|[,.;:] )(?:please |pls |and )?(?:always|never) |\buse \S+(?: \S+)?,? (?:not|instead of|rather than) "
    r"|\b(?:commit\w*|push\w*|pull requests?|prs?|branch\w*|merg\w+|rebas\w+|squash\w*|tests?|testing|lint\w*"
    r"|format(?:t\w+)?|type hints?|typed|types|comments?|docstrings?|docs?|documentation|readme|imports?"
    r"|dependenc\w+|librar\w+|packages?|modules?|code|functions?|methods?|class(?:es)?|variables?|identifiers?"
    r"|names?|naming|snake|camel|log(?:s|ging)|mock\w*|stubs?|fixtures?|ask\w*|explain\w*|explanations?|answers?"
    r"|repl(?:y|ies)|summar\w+|emojis?|apolog\w+|assum\w+|guess\w*|install\w*|deploy\w*|releas\w+|build|ci"
    r"|pipelines?|migrations?|scripts?|commands?|shell|terminal|files?|folders?|director(?:y|ies)|changelog"
    r"|version\w*|secrets?|credentials|hard-?cod\w+|refactor\w*|review\w*|plans?|abbreviat\w+|tabs|indent\w*"
    r"|api keys?|production|prod|staging|main|todos?|issues?|tickets?|schema|queries|sql|exceptions?)\b"
)
#: What a program shows or does to those who use it.
_PRODUCT = re.compile(
    r"\b(?:users?|visitors?|players?|dialogs?|modals?|pop-?ups?|tooltips?|badges?|checkbox\w*|dropdowns?"
    r"|drop-downs?|toggles?|sidebar|buttons?|pages?|screens?|icons?|menus?|charts?|footers?|spinner"
    r"|e?-?mails?|appears?|disappears?|click\w*|shows?|shown|showing|displays?|displayed|renders?|rendered|visible"
    r"|hidden|hover\w*|decimals?|pixels?|px)\b"
)
#: A demand on all things of a kind.
_ALL = re.compile(
    r"(?:all|every|each|any|no|nobody|nothing|everything|anything)\b[^,;:]{2,80}\b(?:must|may|shall)\b"
)
#: Asks for something to be built or changed.
_BUILDS = re.compile(
    r"(?:(?:ok(?:ay)?|please|pls|now|then|also|and|so|yes|great|next|can you|could you|let's|lets|i want you to"
    r"|i need you to|i'd like you to|we need to|i want to|i'd like to)[,.:]? )*"
    r"(?:(?:add|create|build|implement|generate|make|design|develop|extend|set|introduce|insert|convert|draw)"
    r" (?!sure\b|it clear\b)\S|(?:i|we) (?:need|want|would like|'d like) (?:an?|some|the|to (?:add|have|see|create"
    r"|build|display|show)|\d)\b)"
)
#: Ends with this task, or this absence.
_MOMENT = re.compile(
    r"\buntil (?:i'm|i am|i get|i come|every|all|you|they|the|it|we're|then|tomorrow|done)\b"
    r"|\b(?:i've|i have|i) (?:already )?(?:did|done)\b|\balready (?:did|done)\b|\bthis once\b|\bfor now\b"
    r"|\bfor the moment\b|\bwhile i'm\b|\ball of them\b|\bthe rest of\b"
)


#: Typed by hardly anybody: a long dash, a line of a file. Announces what follows elsewhere: a colon at the end.
_COPIED = re.compile(r"\u2014|\w\.\w{1,5}:\d+\b|\w\.\w{1,5} ?\(line|:\s*$")
#: Proposes, rather than reports, a choice.
_PROPOSES = re.compile(r"\b(?:let's|lets|let us|i want|i'd like|we can|we should|we'll just|for \d)\b")
#: A correction of the work at hand, not of what is known.
_OF_THE_WORK = re.compile(
    r"\b(?:fix|issues?|problems?|bugs?|reason|errors?|difference|line|was|were|you|i|(?<!it )should|test|plan"
    r"|step|one)\b"
)


def is_copied(own: str) -> bool:
    """Does a sentence look copied, or does it end before what it announces?"""
    return _COPIED.search(own) is not None


def scope(sentences: Sequence[str]) -> RequestKind:
    """Tell by all sentences of a message what its requests are about."""
    if any(map(_RULES.search, sentences)):
        return RequestKind.RULES
    whole = sum(len(each) >= SHORTEST for each in sentences)
    builds = whole >= _SENTENCES_OF_A_PLAN or any(map(_BUILDS.match, sentences))
    return RequestKind.TASK if builds else RequestKind.OPEN


def is_standing(own: str) -> bool:
    """Does a sentence say itself that it means more than the task at hand, and more than a product?"""
    return _BEYOND.search(own) is not None and not (_MOMENT.search(own) or _PRODUCT.search(own))


def reaches_beyond(own: str, around: RequestKind) -> bool:
    """Is a request in this sentence meant for more than the task at hand?"""
    if is_standing(own) or _MOMENT.search(own) or _PRODUCT.search(own):
        return is_standing(own)
    return around is RequestKind.RULES or (
        around is RequestKind.OPEN and bool(_ALL.match(own) or _WORK.search(own))
    )


def settles(own: str, around: RequestKind) -> bool:
    """Is a choice about more than the next step?"""
    proposed = around is RequestKind.TASK or _PROPOSES.search(own) or _PRODUCT.search(own)
    return is_standing(own) or not (proposed or _MOMENT.search(own))


def corrects_knowledge(own: str, around: RequestKind) -> bool:
    """Is a correction about how things are, rather than about the work at hand?"""
    at_hand = (
        around is RequestKind.TASK or _OF_THE_WORK.search(own) or _PRODUCT.search(own) or _MOMENT.search(own)
    )
    return is_standing(own) or not at_hand
