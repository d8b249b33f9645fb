"""Requests, tastes and house rules as people type them to an agent: "stop adding …", "use X, not Y", "we don't …".

The patterns read a sentence like those of `capture_phrases`. What they match is kept only if it stands alone and is
about things in general: `is_general` judges the words after the match.
"""

from __future__ import annotations

import re

#: Points at something outside the sentence; "in this project" is clear to every reader.
_POINTS = re.compile(
    r"\b(?:it(?! when)|it's|its(?! own\b)|them|they|these|those|above|below|the same|this(?! (?:repo|repository"
    r"|project|code ?base|team|company"
    r"|organi[sz]ation|package|library|monorepo|app|is an?)\b)|that(?= (?:one|way|too|instead|again)\b|[,.;!]|$)"
    r"|(?:use|in|to|with|for|of|do|like|on|from|at|about|add|fix|remove|change|update) that)\b|^(?:that|such)\b"
)
#: Ends the first clause; after it a pronoun usually means something before it in the sentence.
_CLAUSE = re.compile(r"[,;:(\u2013\u2014]| - | (?:because|since|so|if|when|as|unless|but|and then)\b")
#: Only for now, or only the thing at hand.
NOW = re.compile(
    r"\b(?:yet|for now|right now|(?<!from )now|at the moment|today|this time|next|here|first one|until (?!i\b)"
    r"|anything(?! (?:under|in|outside|below)\b)|any code|for a (?:moment|minute)"
    r"|the (?:first|second|third|other|last|latest|above|current|changes?|errors?|issue|bug|fix|diff|plan|task))\b"
)
_DEFINITE = (
    r"(?:the|this|that|these|those|it|them|your|my|me|us|a|an|any|both|his|her|their|anything|everything)\b"
)
_PLURAL = re.compile(r"(?:\S+ ){0,4}?[a-z\u25aa-]{2,}(?<![su'])s\b")

#: Verbs of habits: what an agent does in every session, so that forbidding it once forbids it for good.
_AGENT_DOES = (
    r"(?:ask|assume|guess|apologi[sz]e|commit|push|force[- ]push|mock|rebase|hard-?code|abbreviate|summari[sz]e"
    r"|explain"
    r"|invent)"
)
_NO_HABIT = (
    r"(?:worry|forget|bother|be|do|need|have|know|think|see|get|want|care|mind|understand|seem|let|miss|panic|stop"
    r"|waste|give|quit|hesitate)\b"
)
_USUALLY = (
    r"(?:also |really |just |all |both |currently |still |usually |normally |generally |actually |ever )*"
)

FORBIDS = re.compile(
    rf"(?:please |pls |plz |and |so )*(?:(?:you )?(?:don't|do not)(?: you)?(?: ever)?|avoid|you (?:must not|may not"
    rf"|mustn't|shouldn't|should not|can't|are not allowed to)) (?!{_NO_HABIT})"
)
STOPS = re.compile(
    r"(?:please |pls |plz |can you |could you )*(?:stop|quit|no more|avoid) (?=\w+ing\b)\w+ (?:up |in |with |to )?"
)
NO_MORE = re.compile(r"no more (?!errors?|warnings?|issues?|problems?|questions?|changes?|time)(?=\w)")
#: A request in the form of a question.
POLITE = re.compile(r"(?:can|could|would|will) you (?:please |pls )?(?=(?:stop \w+ing|always|never)\b)")
ASK_FIRST = re.compile(
    r"(?:please |pls |always )*(?:ask|check with|tell|warn) (?:me |us )?(?:first )?before (?!(?:the|this|that)\b)\S"
)
KEEP = re.compile(r"(?:please |pls )*keep (?!\w+ing\b|up\b)(?=\S)")
PLURAL_SHOULD = re.compile(
    r"(?!(?:the|this|that|these|those|some|other|its|there|is|was|as|what|which|who|my"
    r"|your)\b)(?:[\w-]+ ){0,3}?[a-z-]{3,}(?<![sui])s"
    r" (?:should|must|may|need to|have to)(?:n't| not)? (?:only |never |always )?(?!be able|have been|show|display"
    r"|work|now)\w"
)
MOVED = re.compile(
    r"we(?:'ve| have)?(?: just| recently| now)? (?:moved|migrated|switched|upgraded) (?:over )?(?:from|to"
    r"|away from) (?!(?:the|a|an|this|that|it|next|step)\b)\S"
)
REACHED_AT = re.compile(
    r"(?!(?:it|this|that|they|these|those|there|i|you)\b)(?!.*\b(?:error|bug|issue|problem"
    r"|stuck)\b)(?:\S+ ){1,5}?(?:is|are|runs?|listens?|(?:is|are) (?:hosted|deployed|available|reachable|running))"
    r" (?:at|on|under|to) (?:port \d|(?:the )?\u25aa{8})"
)
TASTE = re.compile(
    rf"i {_USUALLY}(?:don't (?:really |particularly )?like|dislike|hate|like(?! (?:to|how)\b)|can't stand"
    rf"|am not a fan of"
    rf"|'m not a fan of)"
    r" (?:it when you )?|i'm not a (?:big )?fan of "
)
RATHER = re.compile(
    r"i(?:'d| would) (?:always )?(?:take|choose|pick) (?!the\b|that\b|this\b|it\b)[^,;]{3,60} over \S"
)
_NAME = r"(?!(?:it|this|that|the|a|an|your|my|these|those|them|same|option)\b)[^\s,;]+"
USE_NOT = re.compile(
    rf"(?:please |pls |plz |just )*(?:use|prefer|run|pick|choose|write|name|call) (?:the (?=existing|shared|common"
    rf"|central|provided|built-in))?{_NAME}(?: [^\s,;]+){{0,4}}?,? (?:and |but )?"
    rf"(?:not(?! found)|instead of|rather than|over) {_NAME}"
)
INSTEAD_OF = re.compile(
    rf"(?:instead of|rather than) (?:using |running )?{_NAME}(?: [^\s,;]+){{0,3}},? (?:please |always )?(?:use|run"
    rf"|prefer) {_NAME}"
)

_DONE_HERE = (
    r"(?:use|run|deploy|ship|support|host|log|bill|store|keep|build|follow|call|name|write|test|pin|target|release"
    r"|merge|squash"
    r"|commit|push|format|version|document|mock|abbreviate|allow|accept|do|put|rely|expose|review|translate|round"
    r"|track|import|add|check|touch|edit)"
)
OUR_WAY = re.compile(
    rf"(?:here |in this \w+,? )?we {_USUALLY}(?:(?:don't|do not) {_USUALLY}(?:{_DONE_HERE}|have an?)"
    rf"|(?:can't|cannot|may not|must not) {_DONE_HERE}|only (?:ever )?(?:{_DONE_HERE}|have)|(?:all "
    rf"|currently )?{_DONE_HERE} (?=[^,;]*(?:,? (?:and )?not |, never | instead of "
    r"| rather than | only\b| everywhere| for (?:all|every|everything)| in (?:all|every|prod\w*|ci)\b| per )))\b"
)
NOT_ALLOWED = re.compile(r"(?:we|you)(?:'re| are)(?: not|n't) allowed to (?=\S)|we aren't allowed to (?=\S)")
WE_ARE_ON = re.compile(r"we(?:'re| are) (?:all |still |already )?on (?:\S+ ){1,3}?v?\d[\w.]*")
OURS = re.compile(
    r"our (?:\S+ ){1,4}?(?:only|never|always|runs? (?:on|in|under|with|as)|uses?|lives?|live|listens?|supports?"
    r"|expects?|requires?"
    r"|(?:is|are) (?:only|hosted|deployed|generated|called|named|written|built|stored|kept|managed|on|in|at"
    r"|behind))\b"
)
SHOULD_ALWAYS = re.compile(
    r"(?!(?:it|this|that|they|these|those|he|she|there|i)\b)[^,;:?]{2,60}?\b(?:should|must|has to|have to"
    r"|needs? to) (?:always|never|only ever)\b"
)
GENERATED = re.compile(
    r"(?!(?:it|this|that|they|these|those|i|you|we)\b)[^,;:?]{2,60}? (?:is"
    r"|are) (?:an? )?(?:auto(?:matically)?[- ]?)?generated\b"
    r"(?=.*\b(?:don't|do not|never|can't|cannot|not|by hand|manually)\b)"
)
EVERY_ONE = re.compile(
    r"(?:please )?(?:make sure|ensure|be sure)(?: to| that| you| we)* (?!(?:the|it|this|that|your"
    r"|my)\b)(?=[^,;]{0,60}\b(?:always|never|every|each|anywhere|everywhere)\b)"
)
HOUSE_RULE = re.compile(
    r"(?:my|our|the|house|team|one|simple|general|another)? ?(?:house )?rules?(?: (?:for|in"
    r"|of) [^,:;]{3,40})?: (?=\S)"
)
#: A rule that the agent is to write down; the rest of the sentence is the rule.
WRITE_RULE = re.compile(
    r"(?:please |pls |also |and |can you |could you )*(?:add|create|make|write|record|update|extend|put|document"
    r"|mention|note)\b[^.?:;]{0,60}?"
    r"(?:\b(?:rules?|conventions?|guidelines?|claude\.md|agents\.md|readme|docs)\b[^.?:;]{0,40}?"
    r"(?:: |\b(?:that|to|which) (?:specif(?:y|ies)|sa(?:y|ys)|states?|ensures?|requires?|makes? sure|tells? you"
    r"|mentions?)(?: that| to| you to)? )"
    r")(?=\S)"
)
#: What to do whenever something comes up.
_DO = (
    r"(?:please |pls |you (?:should|must|need to|have to|can) |make sure (?:to |you |that )?|always |never |first "
    r"|just |then )*"
    r"(?:run|use|check|ask|update|add|write|create|commit|push|test|read|rebase|format|lint|restart|delete|remove"
    r"|keep|do|don't|tell|mention|include|bump|regenerate|verify|prefer|avoid|follow|start|stop|put|wait|open)"
)
WHENEVER = re.compile(
    rf"(?:when(?:ever)?|before|after|every time|each time|once|while|for|in|on) (?:you (?!did|were|have|just|had)"
    rf"|each |every |any |all |new |(?!(?:the|this|that|it|doing|a|an|your|my|everything"
    rf"|something)\b)\w+ing (?!to\b))"
    rf"[^,;:?]{{2,70}}[,:] {_DO}\b"
)
BEFORE_YOU = re.compile(
    rf"{_DO} (?!(?:the|this|that|it|them)\b)[^,;:?]{{2,70}} (?:before|after|whenever|every time"
    rf"|each time) (?:you (?!did|have|just|finish|are|start)|each |every |any |(?!doing)\w+ing\b)"
)
ONLY_USE = re.compile(rf"(?:please |pls )*(?:only use|use only|stick to(?: using)?|only ever use) {_NAME}")
THIS_PROJECT = re.compile(
    r"this (?:project|repo|repository|code ?base|package|library|monorepo)(?:'s)? (?:\w+ )?(?:is (?:written|built"
    r"|hosted|deployed|licensed|published|based|private|public|open|on)|uses|runs|targets|only|must|should|supports"
    r"|follows|doesn't (?:use|support|have))\b"
    r"|this is (?:an? )?(?:\S+ ){0,3}?(?:project|repo|repository|monorepo|library|package|plugin|framework"
    r"|code ?base)\b"
)
MY_MACHINE = re.compile(
    r"(?:i|we)(?:'m| am|'re| are) (?:all |still |usually )?(?:on|using|running|developing on"
    r"|working on) (?:a )?(?:windows|mac\w*|linux|ubuntu|debian|fedora|arch|wsl\w*|nixos|docker|podman|(?!into|in"
    r"|through|out|the|this|that|it|these|a|an|my|our|your)[\w.-]+ v?\d)"
    r"|my (?:\w+ ){0,2}(?:machine|laptop|shell|editor|terminal|os|timezone|name|default \w+) (?:is|runs|uses|has) "
)
NO_NEED = re.compile(
    r"(?:you (?:don't|do not) (?:need|have) to \w+ )|(?:there(?:'s| is) |we have )?no need (?:to \w+ |for )(?=\S)"
)
RETIRED = re.compile(
    r"(?!(?:it|this|that|they|these|those|there|i|you)\b)(?:we no longer (?:use|support) |(?:\S+ ){1,5}?(?:is"
    r"|are) (?:now )?(?:deprecated|legacy|obsolete|dead code|abandoned|retired|no longer (?:used|supported"
    r"|maintained)))"
)
LIVES_IN = re.compile(
    r"(?!(?:it|this|that|they|these|those|there|i|you)\b)(?:\S+ ){1,8}?(?:lives?|belongs?|goes?|(?:is"
    r"|are) (?:stored|kept|defined|located|documented)|(?:should|must) (?:go|live|be)) (?:in|under|into"
    r"|at) (?:the )?\u25aa"
)
CHOICE = re.compile(
    rf"(?:let's|lets|we'll|we will|we should|we can|i want to|i'd like to|we want to) (?:just |only "
    rf"|always )?(?:use|switch to|move to|stick with|stick to|stay with|standardi[sz]e on|prefer) {_NAME}"
    r"(?=.*(?:\binstead of\b|\brather than\b|\bover\b|,? not |\beverywhere\b|\bfor (?:all|every|everything)\b"
    r"|\bacross\b|\bin (?:all|every)\b))"
)
RUN_WITH = re.compile(
    r"(?:to (?:run|test|build|start|deploy|lint|format|release|seed|install)\b[^,;:?]{0,50}[,:]? (?:you (?:can "
    r"|should |need to |must |have to )?)?(?:just )?(?:use|run|do|call|type)"
    r"|(?:the )?(?:tests?|suite|app|server|linter|builds?|docs|migrations?) (?:is|are|can be|must be"
    r"|should be) (?:run|started|built|executed|deployed|generated) (?:with|using|via|by)"
    r"|(?:you (?:can|should) )?(?:run|start|build|deploy|execute) (?:the |all |our |your )?(?:\w+ )?(?:tests?|suite"
    r"|app|server|linter|docs|migrations?|checks?) (?:with|using|via|through)) \u25aa"
)
GENERAL_WHEN = re.compile(r"\b(?:always|every|each|whenever|before \w+ing|after \w+ing)\b")
REMEMBER_TO = re.compile(
    r"(?:please |and |also )*(?:remember|don't forget|do not forget|be sure|make sure)(?: always)? to (?=\w)"
)
KEEP_IN_MIND_TO = re.compile(r"(?:please |and |also )*(?:keep|bear) in mind to (?=\w)")
#: Announces a fact in passing.
IN_PASSING = re.compile(
    r"(?:(?:just )?fyi|btw|by the way|heads up|before i forget|just so you know|so you know|for the record"
    r"|side note|small note"
    r"|quick note|reminder|good to know|for context|for reference)\b[,:!]*(?: that| -)? (?=\S)"
)
FOR_GOOD = re.compile(
    r",?\s*(?:from now on|going forward|any ?more|ever again|every time|(?<!as )always)[.! ]*$"
)
_IMPERATIVE = re.compile(
    r"(?:please |pls |just |also |and )*(?!\w+'|(?:i|you|but|great|good|we|it|this|that|the|they|there|he|she|my"
    r"|your|not|still"
    r"|works?)\b)[a-z]+\b(?! (?:is|are|was|has|always|never))"
)
#: Begins a request in the middle of a sentence.
NEXT_REQUEST = re.compile(
    r"[,;] (?:and |but |so |then |also )*(?=(?:please |pls )?(?:don't|do not|stop \w+ing|no more|avoid \w+ing"
    r"|use \S+,? not|we (?:don't|never|only|always))\b)"
    r"|[,;] (?:and |but |so |then |also )+(?=(?:never|always)\b)"
    r"| (?:and|but|so) (?:also )?(?=(?:please |pls )(?:don't|never|always|stop)|stop \w+ing)"
)


#: Tells what happened, or what was elsewhere.
TOLD = re.compile(
    r"\b(?:was|were|did|had|went|came|got|broke|previous|used to|never \w+ed|always \w+ed|yesterday|last (?:week"
    r"|month|year))\b"
    r"|^(?:always|never|must|having|you|whenever)\b|\bshould (?:be able to|have|show|display|allow|contain"
    r"|support)\b"
)


def stands_alone(own: str) -> bool:
    """Is the first clause clear without what was said before?"""
    end = _CLAUSE.search(own)
    return _POINTS.search(own, 0, end.start() if end else len(own)) is None


def is_general(rest: str) -> bool:
    """Are the words after a request about things of a kind, rather than the one at hand?"""
    return not re.match(_DEFINITE, rest) and _PLURAL.match(rest) is not None


def forbids_habit(own: str) -> bool:
    """Does it forbid what an agent might do in any session?"""
    if found := STOPS.match(own):
        return not re.match(rf"(?!me\b){_DEFINITE}", own[found.end() :])
    if (found := FORBIDS.match(own)) is None:
        return False
    verb, _, rest = own[found.end() :].partition(" ")
    limited = re.search(r"\b(?:unless|until i|without (?:asking|\w+ing)|ever|again)\b", rest) is not None
    return (
        is_general(rest)
        or limited
        or (re.match(_AGENT_DOES, verb) is not None and re.match(r"(?:the|this|that|it)\b", rest) is None)
    )


def asks_for_good(own: str) -> bool:
    """Is it a request that ends with "from now on" or the like?"""
    return FOR_GOOD.search(own) is not None and _IMPERATIVE.match(own) is not None


def spares(own: str) -> bool:
    """Does it say that something of a kind is not needed?"""
    found = NO_NEED.match(own)
    rest = own[found.end() :] if found else ""
    return found is not None and (is_general(rest) or rest.startswith(("every ", "each ")))


def keeps_general(own: str) -> bool:
    """Does it ask to keep things of a kind in some form?"""
    found = KEEP.match(own)
    return found is not None and is_general(own[found.end() :])


def has_taste(own: str) -> bool:
    """Does it say what its writer likes or dislikes in general?"""
    found = TASTE.match(own)
    habit = found is not None and found[0].endswith("you ")
    return RATHER.match(own) is not None or habit or (found is not None and is_general(own[found.end() :]))
