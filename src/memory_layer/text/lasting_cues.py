"""Cues in a sentence for and against something that lasts: the features of the reminder.

Each cue is a plain pattern over the sentence in lower case, with everything quoted blanked out. Which of them count how
much is decided in `rules/reminder.py`.
"""

from __future__ import annotations

import re

from memory_layer.text import capture_phrases as signs
from memory_layer.text.statements import Statement

_NOT = r"(?:n't|nt| not)"
_FEW_WORDS = 5
_READ = 1_000  #: characters of a sentence; nobody states one thing in more

#: Cues for something that lasts. In a question they count for nothing.
_FOR = {
    "standing": (
        r"\b(?:always|never|ever|every time|each time|whenever|from now on|going forward|in (?:the )?future"
        r"|in general"
        r"|generally|usually|normally|as a rule|by default|any ?more|no longer|at all times|in (?:all|any) cases?"
        r"|(?:any|every|no)where|without exception|from here on|next time|forever|for good)\b"
    ),
    "forbids": (
        rf"(?:^|[,;:.] |\b(?:and|but|so|please|pls|just|you|also) )(?:do{_NOT}|stop|avoid|quit|no more) \w"
        r"|^no (?!need|idea|problem|worries|changes?\b|i\b|it\b|the\b|we\b|don't|that\b|this\b)\w+"
    ),
    "our way": (
        rf"\bwe(?:'re| are)?(?: all| only| currently| still| already| usually| normally| also| just| both| do)*"
        rf" (?:use|using|on|run|have|log|bill|keep|host|deploy|ship|release|support|store|build|follow|call|name"
        rf"|write|test"
        rf"|pin|do{_NOT}(?! (?:need|know|see|think))|never|always|only|can{_NOT}|ca{_NOT})\b"
    ),
    "wants": (
        rf"\b(?:i|we)(?:'d| would)?(?: really| also| always| never| do{_NOT}| basically| just| much| usually"
        rf"| generally)*"
        r" (?:prefer|like|hate|love|dislike|want|expect|rather|take|care)\b"
    ),
    "contrast": (
        r"(?:, | )not (?!sure|yet|working)\S+(?: \S+){0,5}$|\b(?:instead of|rather than|but rather|unlike)\b"
        r"|\bnot \S+(?: \S+){0,3}(?:,| but) "
    ),
    "our": r"\bours?\b",
    "rule": r"\b(?:rules?|conventions?|polic(?:y|ies)|guidelines?|standards?|practices?|principles?|prefer\w*|required"
    r"|mandatory|forbidden)\b",
    "choice": (
        r"\b(?:decided|decision|agreed|settled|final|signed off|going with|stick(?:ing)? (?:to|with)"
        r"|stay(?:ing)? (?:on|with)|archiv\w+|deprecated|legacy|outdated|dropp(?:ed|ing)|moved to|switch(?:ed"
        r"|ing) to"
        r"|replaced (?:by|with)|renamed to|in favou?r of|not (?:planning|going) (?:to|there)|stays?|remains?"
        r"|go(?:es)? with|ruled out|bring it up)\b"
    ),
    "history": (
        r"\bwe (?:tried|measured|found|had|discussed|learned|ripped|removed|lost|got)\b|\b(?:the hard way|back then"
        r"|last (?:year|month|summer|winter)|since (?:the )?(?:january|february|march|april|may|june|july|august"
        r"|september|october|november|december|spring|summer|autumn|fall|winter)|historical\w*|known (?:thing|issue"
        r"|problem|limitation)|on purpose|intentional\w*|by design|cost (?:us|me)|once a|twice a)\b"
    ),
    "trap": (
        r"\b(?:only (?:works?|runs?|right|up|activated|available|has|exists?|reachable)|otherwise|overwrit\w+"
        r"|needs? [^,;.]{3,40} (?:before|first|until|to be|set|running|attached)|chokes?|can't handle|silently"
        r"|expires?|taken by|blocked by|rejects?|doesn't (?:support|know|like|allow|tell)|isn't (?:allowed|documented"
        r"|supported)|gets? (?:overwritten|skipped|wiped|deleted|lost))\b|\bwithout \S+(?: \S+)? it\b"
    ),
    "agent": (
        r"\byou (?:keep|asked|forgot|wrote|mixed|assumed|could have|don't|can|may)\b|\bwhen(?:ever)? you\b"
        r"|\b(?:tell|ask|show|give|write|warn|send) (?:me|us)\b|\b(?:answer|reply|respond|talk)(?: to me"
        r"| me)? in\b|\b(?:smaller|shorter|fewer)\b"
    ),
    "memo": (
        r"\b(?:(?<!i )(?:remember|recall) (?!how|when|what)|(?:keep|bear) in mind|note that|fyi|btw|by the way"
        r"|be aware"
        r"|beware|for the record|reminder|heads up|before i forget|so you know|don't forget|mind that)\b|\bnote:"
    ),
    "place": (
        r"\blocalhost\b|\b(?:on|port) \d{4,5}\b|\bssh\b|\bv?\d+\.\d+(?:\.\d+)?\b|\bport \d|:\d{4,5}\b|\b(?:prod"
        r"|production|staging|deployed|linux"
        r"|mac|macos"
        r"|windows|wsl\w*|docker|kubernetes|k8s|ci|laptop|servers?|cluster|machines?|runners?|postgres\w*"
        r"|python \d\S*|node \d+)\b"
    ),
    "universal": (
        r"\b(?:all|every|each|any|nothing|nobody|no one|everything|anything|everyone|everybody|only|except|both"
        r"|anyone)\b"
    ),
    "corrects": (
        r"^(?:no|nope|nah|actually|wrong|again|ugh|argh)\b[ ,.:!]|\b(?:misspoke|mistaken|backwards|outdated)\b"
        r"|\b(?:is|are|was|that's) (?:wrong|not (?:right|true|correct))[,;:] "
    ),
    "reason": (
        r"[,;] so (?!(?:i|it|can|could|let|what|why|how|that)\b)\S|\b(?:because|since|so that|reason|that's why"
        r"|by law|due to)\b|\bso (?:no|don't|nothing|you)\b"
    ),
    "states": (
        r"^(?!(?:it|this|that|there|these|those|what|why|how|i|you|here|is|are|so|if|they|he|she|we|works?|ok|okay"
        r"|something"
        r"|everything|still)\b)(?:\S+ ){1,6}?(?:is|are|has|have|lives?|runs?|belongs?|means?|gets?|goes?|comes?"
        r"|starts?|takes?"
        rf"|needs?|uses?|must|only|never|always|cannot|ca{_NOT}|do{_NOT}|does{_NOT}|is{_NOT}|are{_NOT}) "
    ),
    "when": r"^(?:when|whenever|before|after|for|in|once|while|until|on|with) [^,:]{3,60}[,:] ",
    "explains code": (
        r"\u25aa+[^?]{0,4} (?:is|are|prints?|starts?|runs?|does|has|means|gives|needs?|takes?)\b|\b(?:is|are|it's|its"
        r"|run|use|via):? \u25aa"
        r"|\b(?:lives?|is|are|stored|kept|goes|belongs?) (?:in|under|at|on) \u25aa"
    ),
}
#: Cues against it.
_AGAINST = {
    "asks for work": r"^(?:\w+[,.!]? ){0,3}(?:can|could|would|will) (?:you|we|i)\b",
    "trouble": (
        r"\b(?:\w*errors?|\w*exception|\w*warnings?|fail\w*|broken|broke|wrong|issues?|bugs?|wo?n'?t work"
        r"|not working"
        r"|did\s?n'?t|still|seems?|looks?|stuck|crash\w*|too (?:\w+)|a (?:little|bit))\b"
    ),
    "hedge": (
        r"\b(?:maybe|perhaps|think|guess|not sure|wonder\w*|probably|suspect|might|could|curious|what if|idea"
        r"|remember)\b"
    ),
    "at hand": (
        r"\b(?:(?<!from )now|today|yet|first|next(?! time)|again|last(?! (?:year|month|summer|winter))|latest"
        r"|this (?:time|one|file|line|test|function|page|branch"
        r"|commit|pr)"
        r"|go ahead|continue|proceed)\b"
    ),
    "wish": (
        r"^(?:i think |i want |make sure )?(?:the|it|he|she|this|that|they|there|an?)\b(?: \S+){0,5}? (?:should"
        r"|must|has to"
        r"|have to|needs? to)\b"
    ),
    "one thing": r"\b(?:don't|do not|never|stop) \w+ (?:the|this|that|it|them|these|those|any|anything)\b",
    "look": (
        r"\b(?:buttons?|pages?|colou?rs?|tables?|columns?|rows?|headers?|cards?|screens?|titles?|icons?|views?"
        r"|display\w*|shows?"
        r"|shown|click\w*|selected|layout|width|fonts?|menus?|plots?|graphs?)\b"
    ),
}
_PATTERNS = {name: re.compile(pattern) for name, pattern in {**_FOR, **_AGAINST}.items()}
#: Words of a user interface: who speaks of them describes a wish or what is seen, hardly ever a rule.
LOOK = _PATTERNS["look"]
_REPROACH = re.compile(
    rf"(?:\w+,? )?why (?:did|are|do|were|have|is|would)(?:{_NOT})? (?:you|we)\b.*\b(?:not|instead|before|prior"
    rf"|without|again|rather|keep|always|everywhere)\b"
    rf"|(?:\w+ )?(?:did|does|do|is|have)(?:{_NOT}) (?:we|you|that|the|i)\b.*\b(?:rules?|say|said|agree\w*|always"
    rf"|tell|told|remember)\b"
    r"|did you (?:remember|forget)\b|.*\brules?\b.*\b(?:always|never)\b"
)
#: A sentence with one of these states nothing in general.
_SPOILS = _AGAINST.keys() - {"at hand", "one thing"} | {"few words"}
NAMES = (*_FOR, *_AGAINST, "declares", "question", "reproach", "task", "few words", "in a task", "on rules")


def cues(statement: Statement) -> tuple[str, ...]:
    """Return the names of the cues in a sentence."""
    whole = statement.own[:_READ]
    lead = signs.LEAD_IN.match(whole)
    own = whole[lead.end() :] if lead else whole
    readings = (own, whole) if lead else (own,)
    found = {name for name, pattern in _PATTERNS.items() if any(map(pattern.search, readings))}
    asks = statement.asks or signs.QUESTION.match(own) is not None
    if asks:
        found -= _FOR.keys()
        found.add("reproach" if _REPROACH.match(own) else "question")
    elif signs.TASK.match(own) and not signs.GO_WITH.match(own):
        found.add("task")
    if len(own.split(maxsplit=_FEW_WORDS)) < _FEW_WORDS:
        found.add("few words")
    if {"states", "our way"} & found and not _SPOILS & found:
        found.add("declares")
    return tuple(name for name in NAMES if name in found)
