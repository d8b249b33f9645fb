"""Phrases that mark a remark as meant to last, and phrases that rule it out.

All patterns read a sentence in lower case with its quotations blanked out. English only: nothing is captured in other
languages.
"""

from __future__ import annotations

import re

#: Openers without meaning.
LEAD_IN = re.compile(
    r"(?:(?:ok(?:ay)?|great(?: work)?|perfect|thanks?(?: you| a lot)?|thx|cool|nice|right|alright|fine|good"
    r"|hey|hi|hello|btw|by the way|also|and|but|so|well|hm+|oh|ah|yes|yeah|yep|sure|please|pls|plz|sorry|fyi"
    r"|generally|in general|for (?:next time|the future|later|this project|the record|future reference)"
    r"|one (?:more )?(?:thing|note)(?: (?:for the future|before you start))?|small thing"
    r"|(?:thinking about it|on second thought)(?: more)?|in (?:the )?future|then|now|just)[,:.!;]*\s+)+"
)
#: Openers that only connect a sentence with the one before it.
JOINT = re.compile(
    r"(?:(?:no|nope|yes|yeah|ok(?:ay)?|also|and|but|so|well|oh|btw|by the way|thanks|great|perfect"
    r"|fyi)[,:;!]\s+|(?:actually|please|pls|plz),?\s+)+"
)
#: A label before the statement.
LABEL = re.compile(r"[^:\u25aa]{2,60}:\s+(?=\S)")
TAIL = re.compile(
    r"[,;]?\s*(?:please|pls|thanks|thank you|thx|ok|okay|btw|keep that in mind|haha|lol|:\)|;\))+[.! ]*$"
)

_ASKING = (
    r"(?:do|does|did|should|shall|must|can|could|would|will|may|might|is|are|was|were|has|have|had|isn't"
    r"|aren't|don't|doesn't) (?:i|you|we|they|he|she|it|this|that|there|the|a|an|my|our|your|all|any|anyone"
    r"|someone)\b"
)
QUESTION = re.compile(
    rf"(?:{_ASKING}|(?:what|why|how|which|where|who|whose|when(?= (?:do|is|are|should|did)))\b)"
)
#: Conditions, guesses and thought experiments.
HYPOTHETICAL = re.compile(
    r"^(?:if|unless|suppose|supposing|imagine|assuming|assume|hypothetically|in theory|theoretically|say)\b"
    r"|\b(?:let's|lets) say\b|\bwhat if\b|\b(?:maybe|perhaps|probably|possibly|i guess|not sure|no idea"
    r"|i wonder|i (?:don't )?think|i believe|i assume|i suppose|would happen|might be|could be)\b"
)
#: A requirement that is only asked for or looked up: "let's see what must be done".
UNKNOWN = re.compile(
    r"(?:let's|lets|let me)\b|.{0,60}\b(?:what|which|how|whether|who|where)\b.{0,60}\b(?:must|shall|required"
    r"|needed)\b"
)
#: Reported speech.
REPORTED = re.compile(
    r"\b(?:says?|said|saying|claims?|claimed|told|tells|according to|states?|mentions?|mentioned|wrote"
    r"|complains?|complained|suggests?|suggested|recommends?|recommended|asked|wants? (?:me|us|you))\b"
)
#: Orders for the current task.
TASK = re.compile(
    r"(?:(?:can|could|would|will) you|i (?:need|want) you to|you (?:must|need to|have to"
    r"|should)(?! (?:always|never))|don't|do not|add|apply|build|change|check|create|delete|do|fix|generate"
    r"|give|go|implement|insert|install|look|make|move|open|paste|print|put|read|refactor|remove|rename"
    r"|replace|rerun|restart|revert|rewrite|run|send|show|start|stop|summari[sz]e|take|tell|test|translate"
    r"|try|turn|undo|update|use|wait|write|ignore|continue|leave|keep going|let me|let's|lets|please)\b"
)
#: Announces a text to work on.
TEXT_FOLLOWS = re.compile(
    r"(?:(?:please|can you|could you)\s+)*(?:convert|translate|rewrite|rephrase|summari[sz]e|turn|proofread"
    r"|format|parse|shorten|correct|review|explain|improve)\b[^.!?]{0,120}:$"
)
#: Refers only to the present moment or task.
AT_HAND = re.compile(
    r"\b(?:right now|this time|for now only|just this once|this (?:test|bug|fix|line|request|paragraph|error"
    r"|diff|pr|one|change|commit|branch|task|ticket|component|endpoint|function|list|page|dialog|form|step"
    r"|section)|(?:today|tomorrow|tonight|in an hour|by (?:monday|tuesday|wednesday|thursday|friday"
    r"|tomorrow))|in this (?:file only|case|view)|the last (?:message|commit)|now that)\b"
)

_DEIXIS = (
    r"(?:that|this|it|these|those|them|your?s?|the|an?|one|ones|first|second|third|fourth|last|latter|former"
    r"|other|same|option|approach|version|suggestion|idea|plan|solution|way|variant|alternative|proposal"
    r"|design|[a-d]|\d|then|please|instead|here|now|for|and|do|run|too|thing|thanks)"
)
#: Nothing but references: "the second one, then".
ONLY_POINTING = re.compile(rf"(?:{_DEIXIS}\b[\s,.!]*)+$")
#: Nothing but references, or a reference at the beginning.
POINTING = re.compile(
    rf"{ONLY_POINTING.pattern}|(?:your|that|it|(?:the )?(?:first|second|third|last|latter|former|next|simple\w*"
    rf"|other|option \w+))\b|this\b(?! \w+ (?:for|in) (?:all|every|our|the))"
)

_NO_VERB = (
    r"(?:\w+ing|give up|let|mind|know|again|ever|been|nice|good|great|happy|fun|sure|the|an?|in|on|there"
    r"|here|so|too|that|this|these|works?|fails?|had|got|did|said|thought|happened?|seen?|saw|finish(?:es"
    r"|ed)?|forget|decided|knew|before)"
)
_USUALLY = (
    r"(?:(?:really|generally|usually|strongly|much|also|still|do|would|'d|always|definitely)\s+|'d\s+)*"
)
_ADJUNCT = r"(?:for|when|whenever|in|on|with|before|after|during|as|by)\b[^,.;]{2,80},\s*(?:please\s+)?"

#: Participles of habits; others (called, closed, used) only report what happened.
_TREATED = (
    r"formatted|named|written|stored|kept|sorted|placed|put|spelled|indented|versioned|pinned|prefixed"
    r"|quoted|typed|tested|reviewed|documented|signed|squashed|translated|encrypted|generated"
)
#: A convention, stated as one.
CUSTOM = re.compile(
    r"\b(?:our|the team's|the project's) (?:convention|standard|practice|custom)\b[^,;]{0,40} is\b"
)
PREFERENCE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:i|we|i'd|we'd)\s+{_USUALLY}prefer(?!red)\b(?! (?:not|if|the (?:first|second|other|last)|your"
        rf"|that (?:one|you)|it\b|this\b))",
        r"\bmy (?:strong )?prefer(?:ence|red)\b",
        r"\bi(?:'d| would)(?: much| really)? rather\b(?! (?:not|wait|(?:have|use|see|keep|put|do) (?:the|this"
        r"|that|it)\b))",
        rf"^(?:{_ADJUNCT})?(?:please\s+)?(?:always|never)\s+(?!{_NO_VERB}\b)(?!\w+[^su]s (?:me|us|a|an|old"
        rf"|my)\b)[a-z\u25aa]",
        rf"^(?!(?:yeah|you|they|they're|he|she|it|it's|that|this"
        rf"|the)\b)[^,;]{{2,80}}[,;]\s+(?:and\s+)?(?:please\s+)?(?:always"
        rf"|never)\s+(?!{_NO_VERB}\b)(?!\w+ed\b)(?!\w+[^s]s\b)[a-z\u25aa]",
        rf"^(?:\S+\s+){{0,4}}(?:please|pls)\s+(?:always|never)\s+(?!{_NO_VERB}\b)[a-z\u25aa]",
        r"\bi (?:always|never|generally) (?:want|need|like|use|write|prefer|expect)\b(?! to\b)",
        rf"^we (?:always|never)\s+(?!{_NO_VERB}\b)(?!\w+ed\b)[a-z]",
        r"\byou should (?:always|never)\s+[a-z]",
        r"^in general,? (?:i|we) (?:want|like|expect)\b",
        r"^(?:my|our|the) team (?:\w+ )?prefers\b",
        r"^(?:for|in|with|on) (?!the\b)[^,;]{2,60},? (?:i (?:like|want|prefer|expect)(?! to (?!see))|we prefer)\b",
        r"^(?:in|for|on|with) (?:this|our|all|every)\b[^,;]{1,40}?,? (?:we|i) (?:always|never)\s+"
        rf"(?!{_NO_VERB}\b)[a-z]",
        r"^(?!(?:it|that|this|the)\b)[a-z][^,;?]{6,200}\b(?:at all times|without exception|in every case)\b",
        r"\bi (?:want|like|expect|need) (?:every|all|each)\b",
        r"\bi (?:don't|do not|never) want (?!(?:the|this|that|it|to)\b)[^,;]{3,80}\b(?:anywhere|ever|at all)\b",
        r"\bi (?:find|consider) [^,;]{3,80}\b(?:nicer|better|cleaner|clearer|easier|more \w+) than\b",
        rf"^(?!it\b|this\b|that\b)[^,;:]{{3,60}} (?:is|are) (?:always|never) (?:{_TREATED})\b",
    )
)
#: Introduces a lasting change.
FROM_NOW_ON = re.compile(
    r"(?:from now on|going forward|in (?:the )?future|from here on|next time(?=,? (?!i\b|i'|it\b)))[,:]?\s+(?=\S)"
)

_WHO = r"(?:we|i|the team|we all|both teams)"
DECISION = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_WHO}(?: have| has|'ve| all| just| finally| both)* (?:decided|agreed|settled|opted|(?<!i )chose|"
        r"voted|(?<!i )picked|(?<!i )selected|adopted|ruled out)\b(?!\s+(?:nothing|later|by|anything|yet|it"
        r"|that\b[.!]?$"
        r"|to (?:wait|look|try|go ahead|ask|see)\b))\s*[:\w\u25aa]",
        r"^the [^,;:]{2,40} (?:board|team|group|council|committee)(?: has| have)? (?:decided|agreed)\s+\w"
        r"|^the (?:board|council|committee)(?: has| have)? (?:decided|agreed)\s+\w",
        r"\bwe(?:'ll| will)? (?:stay (?:on|with)|stick (?:to|with)|keep using|standardi[sz]e on)\s+\S",
        r"^we (?:go|stay|stick) with\s+(?!(?:it|that|this)\b)\S",
        r"\bwe(?:'re| are| will be|'ll be) (?:going with|sticking with|moving to|switching to|dropping)\s+\S",
        r"^(?:(?:final )?decision(?: made)?|final call):\s+\S",
    )
)
GO_WITH = re.compile(r"\b(?:let's|lets|let us)\s+(?:go with|stick with|settle on|standardi[sz]e on)\s+")

_EVERY = r"(?:all|every|each|any|no|both|new|existing|public|nobody|no one|nothing)"
#: Subjects of a wish about a single thing, or of a guess.
_ONE_THING = (
    r"(?:the|this|that|these|those|it|its|he|she|they|you|i|there|a|an|here|what|which|who|my|your|his|her"
    r"|as|to)"
)
#: Words after a "must" that guesses and does not require.
_GUESS = (
    r"'ve| (?:have|feel|seem|look|sound|mean|be (?:so|such|really|quite|very|something|some|a|an|the|\w+ing"
    r"|amazing|great|nice|fun|able to|hard|tough|difficult|joking|proud|related|because))\b"
)
CONSTRAINT = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^{_EVERY}\b[^,;:]{{2,80}}?\b(?:must|shall)\b(?!'ve| have been)",
        rf"^(?!{_ONE_THING}\b|we\b|{_EVERY}\b|\w+ing\b)[a-z\u25aa][^,;:]{{2,60}}?(?<! a )\b(?:must"
        rf"|shall)\b(?!{_GUESS})",
        r"^we must (?:not|never|always)\b",
        r"^[^,;:]{2,60}?\bmust (?:never|always)\b",
        r"\b(?:don't|do not|never) ever\b\s+[a-z]",
        r"\bnothing [^,;:]{2,60} (?:may|must|should) ever\b",
        r"\bunder no circumstances\b",
        r"^(?:nobody|no one|no [^,;:]{2,40}?) (?:is|are) allowed to\b|^(?:nobody|no one|no [^,;:]{2,40}?) may\b",
        r"^(?:anything|everything|any|every|all)\b[^,;:]{2,60}?\b(?:needs?|requires?) (?!to be fixed)\w",
        r"^(?:the|our) [^,;:]{2,50}? must (?:stay|remain|keep|continue|not break)\b",
        r"^it(?:'s| is) (?:required|mandatory|forbidden|not allowed|prohibited)\s+(?:that|to)\b",
        rf"^(?!{_ONE_THING[:-1]}|if)\b)[a-z\u25aa][^,;:]{{2,70}}?\b(?:is|are) (?:always )?(?:required"
        rf"|mandatory|forbidden|prohibited|not allowed)"
        r"\s+(?:for|on|in|to|at|when|everywhere|from|under)\b",
        r"^an? [^,;:]{2,60}?\b(?:is|are) (?:required|mandatory) (?:for|on|in) (?:every|all|any|each)\b",
    )
)

REMEMBER = re.compile(
    r"(?:(?:please|pls|also|fyi[^,:]{0,40},)\s+)*(?:remember|keep in mind|bear in mind|note|don't forget"
    r"|do not forget|never forget)(?:(?: for (?:later|next time|the future))?(?:\s*:|\s+that)"
    r"|,? please,? that)\s+(?=\S)|(?:one |another )?(?:thing|things|good) to (?:keep in mind|remember"
    r"|know):\s+(?=\S)|(?:please )?(?:save|memori[sz]e|remember) this:\s+(?=\S)|(?:note (?:for later"
    r"|to self)|for (?:the record|future reference|later))\s*[:,]\s+(?=\S)"
)
#: A looser form, which needs another cue after it.
REMEMBER_LOOSELY = re.compile(
    r"(?:(?:please|also)\s+)*(?:remember|keep in mind)(?:,\s+(?=\S)|\s+(?=(?:we|our|all|every|i)\b))"
)
#: An order to remember the sentence before it.
REMEMBER_THIS = re.compile(
    r"(?:please |pls |ok |and )*(?:remember|memori[sz]e|save|keep) (?:this|that)(?: please| for me)?[.!]*$"
)

#: A sentence that only says no; the next one is the correction.
ONLY_NO = re.compile(
    r"(?:(?:hm+|well|oh|ah|sorry|um+|wait)[,.]?\s*)*(?:no(?:pe)?(?:,? no)?|not quite|wrong|incorrect"
    r"|not (?:exactly|really|correct|true)|that'?s? (?:is )?(?:wrong|incorrect|outdated|old|not (?:right"
    r"|correct|true))|not any ?more|you(?:'re| are) (?:wrong|mistaken))[.!]*$"
)
#: A no with the correction after it.
CORRECTS = re.compile(
    r"(?:(?:hm+|well|oh|ah|sorry|um+)[,.]?\s*)*(?:(?:actually|i (?:misspoke|was wrong(?: earlier)?)"
    r"|you have (?:that|it) backwards|not quite|that(?:'s| is) (?:wrong|incorrect|not (?:right|correct"
    r"|true))|you(?:'re| are) (?:wrong|mistaken))\s*[,:;.-]?|(?:no(?:pe)?(?:,? no)?|nah|(?:small "
    r"|quick )?correction|wrong|incorrect)\s*[,:;.!-]|no(?:pe)?(?= (?:the|we"
    r"|our)\b))\s+(?:actually,?\s+)?(?=\S)"
)
SHOULD_BE = re.compile(
    r"\b(?:is|are|was) (?:wrong|incorrect|outdated|not (?:right|correct))[,;.:]?\s+(?:it|they"
    r"|that) should (?:be|say|read)\s+\S"
)
_NO_NAME = (
    r"(?:only|just|sure|bad|a|an|for|in|on|because|easy|urgent|used|seen|noticed|available|specifically|this"
    r"|that|the other"
    r"|\w+ing)\b"
)
_NO_RIVAL = (
    r"(?:would|could|should|must|can|will|i|im|it|you|we|they|he|she|this|that|maybe|still|also|just|rather"
    r"|the other|not|looks|inferred|there|their)\b"
)
NOT_BUT = re.compile(
    rf"(?:^|\b(?:it's|it is|is|are|they're|we're)\s+)not (?!{_NO_NAME})(?:[^\s,]+\s+){{1,4}}?but (?!{_NO_RIVAL})\S"
)
INSTEAD = re.compile(
    r"^(?!i\b|you\b|it\b|this\b|let|we'll\b|we will\b)[^,;]{4,120}\b(?:is|are|was|has|have|lives?|runs?|starts?"
    r"|expires?|uses?"
    r"|listens?|called|named|comes?|takes?|costs?|belongs?"
    r"|it's)\b[^,;]{1,120},\s*(?:and )?not \S+(?:\s+\S+){0,4}$"
)

_VERB = (
    r"(?:is|are|was|were|isn't|aren't|has|have|had|hasn't|haven't|uses?|runs?|lives?|needs?|listens?|reads?"
    r"|writes?|owns?|calls?|supports?|deploys?|starts?|stops?|expires?|lags?|takes?|returns?|sends?|stores?"
    r"|keeps?|belongs?|comes?|goes|gets?|ships?|means?|should be|must|can't|cannot|doesn't|don't|does"
    r"|contains?|requires?|depends?|points?|handles?|sits?|works? with|talks?|happens?|allows?|accepts?"
    r"|expects?|serves?|holds?|builds?|strips?|resets?|shares?|moved|changed|replaced|renamed|removed)"
)
_SHAPE_OF_A_VERB = r"[a-z]{2,}(?:s|ed|n't)"
#: A statement of fact, judging by its form.
DECLARES = re.compile(
    rf"(?:(?:the|our|my|all|every|each|both|there|a|an|those|these)\s+(?:\S+\s+){{1,8}}?(?:{_VERB}"
    rf"|{_SHAPE_OF_A_VERB})\b|(?:that|this)\s+(?!is\b|was\b|{_VERB}\b)(?:\S+\s+){{1,5}}?{_VERB}\b|we(?:'re"
    rf"|'ve)?\s+(?:(?:only|always|never|still|already|also)\s+)?(?:{_VERB}|use|run|deploy|support|have|ship"
    rf"|release|build|store|keep|host|are|on)\b|it should be\s+\S|(?!i\b|i'|it\b|it'|you\b|he\b|she\b|they\b"
    rf"|that\b|this\b|what\b|let|yes\b|yeah\b|same\b|not\b|please\b|we\b|in\b"
    rf"|thanks)\S+\s+(?:\S+\s+){{0,4}}?{_VERB}\b)"
)
#: An opening that depends on the sentence before it.
LEANS = re.compile(r"(?:this|these|those|there|it|they|he|she|if|while|such|that's)\b(?! should be)")
#: A status report, not a correction.
STATUS = re.compile(
    r"\b(?:still|again|same error|worked|works (?:now|fine|for me)|fine now|(?:is|are) (?:fine|good|ok|okay"
    r"|great|wrong|broken|better|correct)|looks?|seems?|fails|failing|failed|passes|passed|problem|worries"
    r"|idea|need(?:s|ed)? to go|thanks)\b"
)
