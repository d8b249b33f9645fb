"""Signs of a text that addresses the agent instead of informing it, one row each.

Patterns read the text in lower case, with plain letters and single spaces. A row costs nothing until its anchors are
found. A match with the group `good` (a negation, a caution) does not count.
"""

from __future__ import annotations

from memory_layer.model.record import NamedTuple

OVERRULES = "it tells the reader to set its instructions aside"
RECASTS = "it tells the agent who or what to be"
CONCEALS = "it asks to keep something from the user"
HANDS_OUT = "it asks to give secrets or hidden instructions away"
ROLE = "it holds markers that separate the roles of a conversation"
FENCE = "it tries to end the block in which memories are shown"
TOOL_CALL = "it holds the syntax of a tool call"
REMOTE_CODE = "it asks to run a script straight from the network"
TAKES_RIGHTS = "it claims rights that only the user can give"
MISLEADS = "it asks to mislead the user"
LOWERS = "it asks to lower a protection or to remove traces"
HIDDEN = "it hides words in its markup that speak to an agent"
HARMS = "it asks to run a command that destroys files or opens the machine to others"
SPREADS = "it asks to be copied to other places"

#: Short quotations, and words of a text that only mentions them, such as a test or a filter.
QUOTED = r"[\"'`][^\"'` ]{1,40} [^\"'`]{1,70}[\"'`](?=[ .,;:)]|$)"
SPEAKS_ABOUT = (
    r"\b(?:tests?|testing|detect\w*|filters?|guards?|refus\w+|rejects?|rejected|blocks?|blocked|asserts?"
    r"|injections?|classif\w+|sanitiz\w+|fixtures?|regex|red.?team\w*|evals?|jailbreaks?|phrases? (?:like"
    r"|such)|strings? (?:like|such)|contains?|matches)\b"
)
_DROPPING = ("ignore", "disregard", "forget", "override", "bypass", "discard", "follow", "obey", "supersede")
_ORDERING = ("instruct", "prompt", "direct", "guide", "command", "order", "rule", "train", "polic", "messag")
_DENYING = ("not ", "n't", "dont", "never", "avoid", "refrain")
_PEOPLE = ("user", "human", "operator", "owner", "person", "developer", "maintainer", "reviewer", "auditor")
_PRECIOUS = tuple("secret key token credential password env id_ .ssh .aws .n cookie code chat".split())
DROP = (
    r"(?:ignore|disregard|forget|overrides?|bypass|discard|supersedes?|(?:do not|don'?t|stop"
    r"|never) (?:follow|obey)(?:ing)?)"
)
_EARLIER = r"(?:previous|previously|prior|above|earlier|preceding|foregoing|former)"
_ORDERS = (
    r"(?:(?:instruction|prompt|direction|directive|guideline|command|order|rule)s?|training|polic(?:y|ies))"
)
_FILL = r"(?:(?:all|any|every|each|of|the|your|my|these|those|its|given|completely|entirely) ){0,5}"
MODEL = r"(?:ai|llm|language model|assistant|agent|chatbot|bot|claude|chatgpt|gpt|copilot|gemini|codex)"
_PERSON = r"(?:the |your |this |any |our )?(?:user|human|operator|owner|person|developer)s?\b"
NOT = r"(?:do not|don'?t|never|must not|mustn'?t|should not|shouldn'?t|avoid|refrain from)"
_DENIED = r"(?:\b(?:never|not|cannot|nothing|nobody)|n't)"
_SECRETS = r"(?:secrets|credentials|passwords|api keys|private keys|access tokens)"
_VALUABLES = (
    r"(?:secrets?|keys?|tokens?|credentials?|passwords?|\.env|env(?:ironment)? var|id_rsa|\.ssh|\.aws"
    r"|conversation|chat history|source code|cookies)"
)
SECRET_FILES = (
    r"(?:\.env\b|id_rsa|id_ed25519|\.ssh\b|\.aws\b|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.kube\b"
    r"|\.gnupg|/etc/(?:shadow|passwd)|_history\b|environment variables|credentials)"
)
_SOMEWHERE = (
    r"(?:https?:|[\w.-]{1,40}@|(?:this|that|the following) (?:url|address|server|endpoint|webhook)"
    r"|my (?:server|address|e-?mail|webhook)|the attacker|pastebin|an? (?:external|remote))"
)


class Sign(NamedTuple):
    """A sign of an injected instruction: anchors, a pattern, and the reason to report."""

    reason: str
    anchors: tuple[tuple[str, ...], ...]  #: a text needs one of each group
    pattern: str
    also: str = ""  #: must also match somewhere in the text
    unless: str = ""  #: must not match
    is_syntax: bool = False  #: depends on punctuation, so it is not searched in the words alone


_OVERRULING = (
    Sign(
        OVERRULES,
        (_DROPPING, _ORDERING, ("previous", "prior", "above", "earlier", "preceding", "foregoing", "former")),
        rf"\b{DROP} {_FILL}(?:{_EARLIER} (?:\w+ ){{0,2}}{_ORDERS}\b|{_ORDERS} {_EARLIER}\b(?! the\b))",
    ),
    Sign(
        OVERRULES,
        (_DROPPING, _ORDERING, ("you ", "system")),
        rf"\b{DROP} {_FILL}{_ORDERS} (?:that )?(?:you (?:were|have|had|received|got)|from (?:the )?system)\b",
    ),
    Sign(
        OVERRULES,
        (_DROPPING, (*_ORDERING, "guard"), ("system", "safety", "developer", "core", "hidden")),
        rf"\b{DROP} (?:all (?:of )?)?(?:any |the |your ){{0,2}}(?:system|safety|developer|core|hidden) "
        r"(?:prompts?|messages?|instructions|guidelines|guardrails|training)\b",
    ),
    Sign(
        OVERRULES,
        (_DROPPING, ("instructions", "guidelines", "programming", "training", "guardrails", "restrictions")),
        rf"\b{DROP} (?:(?:all|any) (?:of )?(?:the |your )?|your )(?:original |initial |own )?"
        r"(?:instructions|guidelines|programming|training|guardrails|restrictions)\b",
    ),
    Sign(
        OVERRULES,
        (("ignore", "disregard", "forget"), ("above", "before")),
        rf"\b(?:ignore|disregard|forget) {_FILL}(?:everything |anything |text |what is |what's |what was said )?"
        r"(?:above|before (?:this|that))(?= ?(?:[.,;:!?)\"'—-]|$|and\b|then\b|but\b|instead\b))",
    ),
    Sign(
        OVERRULES,
        (("ignore", "disregard", "forget"), (" you", " i ", "before")),
        r"\b(?:ignore|disregard|forget) (?:everything|all|what|anything) (?:that )?(?:you(?:'ve| have| were"
        r"| had| know| learned)|i (?:said|told)|(?:was|came|comes|is) (?:said )?before)",
    ),
    Sign(
        OVERRULES,
        (
            ("new ", "updated ", "revised ", "real ", "actual ", "true "),
            ("instruction", "system prompt", "orders"),
        ),
        r"\b(?:new|updated|revised|real|actual|true) (?:system prompt|(?:system )?instructions?"
        r"|orders)(?: (?:for|to) (?:you|the (?:agent|assistant|ai)))? ?:",
    ),
    Sign(
        OVERRULES,
        (("your new", "your real", "your actual", "your true", "your only"),),
        r"\byour (?:new|real|actual|true|only) (?:instructions?|task|goal|objective|purpose|role|mission"
        r"|job) (?:is|are)\b",
    ),
    Sign(
        OVERRULES,
        (("your",), ("safety", "guardrails", "restrictions", "filters", "limitations")),
        r"\b(?:disable|bypass|remove|turn off|drop|lift|ignore) (?:all (?:of )?)?your (?:\w+ )?(?:safety"
        r"|guardrails|restrictions|filters|limitations)\b",
    ),
    Sign(
        OVERRULES,
        (("anweisung", "instruktion"),),
        r"\b(?:ignorier\w*|vergiss|missacht\w*) (?:\w+ ){0,3}(?:vorherig|vorig|bisherig|obig"
        r"|früher)\w* (?:anweisung|instruktion)",
    ),
    Sign(
        OVERRULES,
        (
            ("ignor", "oubli", "olvid", "esque", "dimentic"),
            ("instructions", "consignes", "instrucc", "instruç", "istruz"),
        ),
        r"\b(?:ignor\w+|oubli\w+|olvid\w+|esque\w+|dimentic\w+) (?:\w+ ){0,3}(?:instructions|consignes"
        r"|instrucciones|instruções|istruzioni) (?:\w+ )?(?:précéd|antérieur|anterior|previ|preced)",
    ),
    Sign(
        OVERRULES,
        (("инструкци", "указани"),),
        r"\b(?:игнорируй|забудь)\w* (?:\w+ ){0,2}(?:предыдущи|прежни|прошлы)\w* (?:инструкци|указани)",
    ),
    Sign(
        OVERRULES,
        (("指令", "指示", "提示", "命令"),),
        r"(?:忽略|无视|無視|忘记|忘記).{0,8}(?:指令|指示|提示)|(?:以前|前|上記|これまで)の?.{0,6}(?:指示|命令).{0,3}(?:無視|忘れ)",
    ),
)
_RECASTING = (
    Sign(
        RECASTS,
        (("you are now", "you're now", "you will now be"),),
        r"\byou(?: are|'re| will) now (?:be )?(?:(?:an?|the|my) (?:[\w-]+ ){0,4}"
        rf"(?:{MODEL}|model|hacker|administrator|persona|character|pirate|terminal|attacker|oracle)\b"
        r"|dan\b|acting|operating as|unrestricted|jailbroken|uncensored|free (?:from|of)|no longer (?:bound"
        r"|restricted|an?)\b|in (?:\w+ )?(?:developer|debug|god|admin|dan|jailbreak|maintenance|sudo"
        r"|unrestricted|root) mode)",
    ),
    Sign(
        RECASTS,
        (("from now on", "going forward", "henceforth"),),
        r"\b(?:from now on|going forward|henceforth),? (?:you (?:are|will be|will"
        r"|must)? ?)?(?:(?:only )?(?:act as|obey|pretend|behave (?:as|like))\b|(?:an?|my"
        r"|the) (?:[\w-]+ ){0,3}?(?:assistant|agent|ai|bot|model|admin|root|persona)|(?:only "
        r"|always )?(?:respond|answer|reply|speak) (?:only|as|like)\b(?! in (?:\w+ and )?(?:english|german"
        r"|french|spanish|italian|dutch|japanese|chinese|korean|portuguese)))",
    ),
    Sign(
        RECASTS,
        (("pretend", "act as", "roleplay", "role-play"),),
        r"(?:(?:^|[.!?:;,] |\byou (?:must |should |will )?|\bplease )pretend to be"
        rf"|\bpretend (?:that )?you(?: are|'re)|\bact as (?:if you|though you|an? (?:[\w-]+ ){{0,3}}{MODEL})"
        r"|\brole-?play as)\b",
    ),
    Sign(
        RECASTS,
        (
            tuple(
                (
                    "if you are,if you're,attention,dear,note to,message to,message for,reading this,"
                    "reads this,read this,see this,sees this,as an ai"
                ).split(",")
            ),
            tuple("ai,llm,language model,assistant,agent,bot,claude,gpt,copilot,gemini,codex".split(",")),
        ),
        rf"\b(?:if you(?: are|'re) an? (?:\w+ )?{MODEL}|as an ai(?: \w+)?,? you (?:must|should|are|will)"
        rf"|{MODEL}s? (?:(?:that|who|which|currently) )?(?:reads?|reading|process\w*|sees?) this"
        rf"|dear (?:coding |ai )?agents?|(?:attention|dear|note to|message (?:to|for))[ ,:]{{1,2}}(?:all "
        rf"|any |the )?(?:ai|llm|language model|assistant|claude|chatgpt|gpt|copilot)s?)\b",
    ),
    Sign(
        RECASTS,
        (("jailbreak", "dan mode", "developer mode", "do anything now", "god mode"),),
        r"\b(?:jailbreak(?:ed)? mode|dan mode|do anything now|god mode"
        r"|developer mode (?:is )?(?:now )?(?:enabled|activated))\b",
    ),
)
_CONCEALING = (
    Sign(
        CONCEALS,
        (("tell", "inform", "alert", "warn", "notify", "bother"), _PEOPLE, _DENYING),
        rf"\b{NOT} (?:ever )?(?:tell|inform|alert|warn|notify|bother)(?:ing)? (?:{_PERSON}"
        rf"|(?:the )?(?:maintainer|reviewer|auditor)s?\b)"
        r"(?: about the (?:\w+ ){0,2}(?:change|backdoor|vulnerability|account|payment|deletion|incident)s?\b"
        r"| (?:about|of) (?:this|that|it|these|them|any|your|what)\b| with this\b| (?:that|what) (?:you"
        r"|tests?|this|it|we|the (?:tests?|change|backdoor))\b| (?:any|every)thing\b| (?:this|it|you)\b"
        r"|(?= ?(?:[.,;:!?)]|$|and\b|or\b|but\b)))",
    ),
    Sign(
        CONCEALS,
        (
            tuple(
                (
                    "mention,reveal,disclose,report,show,let ,describe,explain,point,raise,bring,"
                    "admit,discuss"
                ).split(",")
            ),
            _PEOPLE,
            _DENYING,
        ),
        rf"\b{NOT} (?:let {_PERSON} (?:know|notice|(?:see|find out) (?:this|that (?:you|we|this|it|tests?)"
        rf"|what you))|(?:mention|reveal|disclose|report|show|describe|explain|point|raise|bring|admit"
        rf"|discuss) (?:this|that|it|these|any of this)(?: \w+){{0,4}}? (?:to|with) {_PERSON}(?! (?:without"
        rf"|who|until|unless|if|with|on|in)\b))",
    ),
    Sign(
        CONCEALS,
        (("mention", "reveal", "acknowledge", "repeat"), _DENYING, ("this", "these", "the above")),
        rf"\b{NOT} (?:mention|reveal|acknowledge|repeat) (?:this|these|the above) "
        r"(?:instructions?|message|text|note|memory|prompt)\b",
    ),
    Sign(
        CONCEALS,
        (("without",), _PEOPLE),
        rf"(?P<good>{_DENIED}\b[^.!?;]{{0,80}}?)?\bwithout (?:telling|informing|notifying|alerting"
        rf"|the knowledge of) {_PERSON}",
    ),
    Sign(
        CONCEALS,
        (("keep", "hide", "conceal"), ("secret", "between us", *_PEOPLE)),
        r"\b(?:keep (?:this|it|that) (?:a secret|secret from|hidden from|between us)"
        rf"|(?:hide|conceal) (?:this|it|that|these|them|everything|your \w+|the fact)(?: (?:change|step"
        rf"|action|note|memory|message|instruction|activity|command|that \w+ \w+|fact)s?)? from {_PERSON})",
    ),
    Sign(
        CONCEALS,
        (("secretly", "covertly", "silently", "quietly"),),
        r"\b(?:secretly|covertly) (?:run|send|upload|copy|add|install|execute|forward|post|write|read"
        r"|collect|insert|include)\b|\b(?:silently|quietly) (?:send|upload|exfiltrate|forward|post|collect"
        r"|leak)\b",
    ),
)
_HANDING_OUT = (
    Sign(
        HANDS_OUT,
        (("exfiltrate",), _PRECIOUS),
        rf"(?P<good>(?:{_DENIED}|\b(?:can|could|may|might|would|to"
        rf"|that)) )?\bexfiltrate (?:[^ ]{{1,40}} ){{0,6}}?[^ ]{{0,20}}(?<![a-z]){_VALUABLES}",
    ),
    Sign(
        HANDS_OUT,
        (("leak", "steal", "harvest"), _PRECIOUS),
        r"(?:^|[.!?:;,>] |\b(?:must|please|should|always|then) )(?:leak|steal|harvest) "
        rf"(?:[^ ]{{1,40}} ){{0,6}}?[^ ]{{0,20}}(?<![a-z]){_VALUABLES}",
    ),
    Sign(
        HANDS_OUT,
        (
            ("send", "post", "upload", "forward", "mail", "transmit", "submit", "copy", "paste"),
            _PRECIOUS,
            tuple("http,@,this ,that ,the following,my ,attacker,pastebin,external,remote".split(",")),
        ),
        rf"(?P<good>{_DENIED} (?:\w+ )?)?\b(?:send|post|upload|forward|e-?mail|transmit|submit|copy|paste) "
        r"(?:(?:all|any|every|your|the user'?s|(?:the )?contents? of) "
        rf"(?:[^ ]{{1,40}} ){{0,6}}?(?:[^ ]{{0,40}}(?<![a-z]){_VALUABLES})"
        rf"|(?:[^ ]{{1,40}} ){{0,3}}?[^ ]{{0,40}}{SECRET_FILES})[^.!?]{{0,60}}? (?:to|at|into) {_SOMEWHERE}",
    ),
    Sign(
        HANDS_OUT,
        (
            ("reveal", "disclose", "print", "repeat", "output", "dump", "show", "expose", "share", "give"),
            ("prompt", "instructions", "secrets", "credentials", "passwords", "keys", "tokens"),
            ("your", "the user", "the hidden", "the above", "the initial", "all "),
        ),
        rf"(?P<good>{_DENIED} (?:\w+ )?)?"
        r"\b(?:reveal|disclose|print|repeat|output|dump|show|expose|share|give) (?:me |us "
        r"|out )?(?:(?:(?:all |any )?(?:of )?(?:your|the user'?s)|the (?:hidden|above|initial)) (?:(?:system"
        r"|hidden|initial|secret|original|full|entire|developer|stored|private|saved) ){0,3}"
        rf"(?:prompts?|instructions|{_SECRETS})\b|all (?:the |stored |saved "
        rf"|known ){{0,2}}{_SECRETS}(?= ?(?:[.,;:!?]|$|to\b|from\b|that\b|you\b|and\b)))",
    ),
)

#: Signs in wording.
PHRASES: tuple[Sign, ...] = (*_OVERRULING, *_RECASTING, *_CONCEALING, *_HANDING_OUT)
