"""How a text reads that speaks to the agent instead of telling it something: one row per way.

Patterns see the text in lower case, with plain letters and single spaces. A row costs nothing until its
anchors are seen. Where a match holds the group `good` (a negation, a caution), it does not count.
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


class Sign(NamedTuple):
    """One way in which a text gives itself away."""

    reason: str
    anchors: tuple[tuple[str, ...], ...]  #: a text that has none of a group does not show the sign
    pattern: str
    also: str = ""  #: must be found somewhere in the text too
    unless: str = ""  #: must not be found in it
    is_syntax: bool = False  #: whether punctuation makes it, so that it is not looked for in the words alone


#: Short quotations, and the words of a text that only speaks about them, as a test or a filter does.
QUOTED = r"[\"'`][^\"'` ]{1,40} [^\"'`]{1,70}[\"'`](?=[ .,;:)]|$)"
SPEAKS_ABOUT = (
    r"\b(?:tests?|testing|detect\w*|filters?|guards?|refus\w+|rejects?|rejected|blocks?|blocked|asserts?|injections?|classif\w+|sanitiz\w+"
    r"|fixtures?|regex|red.?team\w*|evals?|jailbreaks?|phrases? (?:like|such)|strings? (?:like|such)|contains?|matches)\b"
)
_DROPPING = ("ignore", "disregard", "forget", "override", "bypass", "discard", "follow", "obey", "supersede")
_ORDERING = ("instruct", "prompt", "direct", "guide", "command", "order", "rule", "train", "polic", "messag")
_DENYING = ("not ", "n't", "dont", "never", "avoid", "refrain")
_PEOPLE = ("user", "human", "operator", "owner", "person", "developer")
_PRECIOUS = (
    "secret",
    "key",
    "token",
    "credential",
    "password",
    "env",
    "id_",
    ".ssh",
    ".aws",
    ".n",
    "cookie",
    "code",
    "chat",
)

_DROP = (
    r"(?:ignore|disregard|forget|overrides?|bypass|discard|supersedes?"
    r"|(?:do not|don'?t|stop|never) (?:follow|obey)(?:ing)?)"
)
_EARLIER = r"(?:previous|previously|prior|above|earlier|preceding|foregoing|former)"
_ORDERS = (
    r"(?:(?:instruction|prompt|direction|directive|guideline|command|order|rule)s?|training|polic(?:y|ies))"
)
_FILL = r"(?:(?:all|any|every|each|of|the|your|my|these|those|its|given|completely|entirely) ){0,5}"
_MODEL = r"(?:ai|llm|language model|assistant|agent|chatbot|bot|claude|chatgpt|gpt|copilot|gemini|codex)"
_PERSON = r"(?:the |your |this |any |our )?(?:user|human|operator|owner|person|developer)s?\b"
_NOT = r"(?:do not|don'?t|never|must not|mustn'?t|should not|shouldn'?t|avoid|refrain from)"
_DENIED = r"(?:\b(?:never|not|cannot|nothing|nobody)|n't)"
_SECRETS = r"(?:secrets|credentials|passwords|api keys|private keys|access tokens)"
_VALUABLES = (
    r"(?:secrets?|keys?|tokens?|credentials?|passwords?|\.env|env(?:ironment)? var|id_rsa|\.ssh|\.aws"
    r"|conversation|chat history|source code|cookies)"
)
_SECRET_FILES = (
    r"(?:\.env\b|id_rsa|id_ed25519|\.ssh\b|\.aws\b|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.kube\b|\.gnupg|/etc/(?:shadow|passwd)"
    r"|_history\b|environment variables|credentials)"
)
_SOMEWHERE = (
    r"(?:https?:|[\w.-]{1,40}@|(?:this|that|the following) (?:url|address|server|endpoint|webhook)"
    r"|my (?:server|address|e-?mail|webhook)|the attacker|pastebin|an? (?:external|remote))"
)
_FETCH = r"\b(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)\b"
_SHELL = (
    r"(?:sudo )?(?:/(?:usr/)?bin/)?(?:env )?(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|perl|ruby|node|php|iex)\b"
)
_FORBIDS = (
    r"(?P<good>(?:\b(?:never|not|avoid|no|nobody|cannot|instead of|rather than|forbid\w*|forbidden|ban(?:ned|s)?|block\w*|reject\w*)|n't)\b[^.!?;]{0,60}?)"
)
#: Programs that tell the network something.
_TELLS = r"curl|wget|nc|ncat|netcat|nslookup|dig|host|ping|telnet|socat|ssh"
#: Hosts that are known for a script by which everybody installs something, as the only address before the pipe.
_INSTALLER = (
    r"(?:(?!https?:)[^|]){0,120}https://(?:sh\.rustup\.rs|astral\.sh/|get\.docker\.com|raw\.githubusercontent\.com/"
    r"(?:nvm-sh/nvm|homebrew/install|ohmyzsh|pyenv/|helm/helm|golangci/|k3d-io/|anchore/)|install\.python-poetry\.org|(?:deb|rpm)\.nodesource\.com"
    r"|bun\.(?:sh|com)/|deno\.land/|get\.k3s\.io|get\.sdkman\.io|fly\.io/|get\.pnpm\.io|get\.volta\.sh|fnm\.vercel\.app|ollama\.com/|mise\.run"
    r"|pyenv\.run|just\.systems/|nixos\.org/|install\.determinate\.systems|tailscale\.com/|starship\.rs|claude\.ai/install|cli\.github\.com)"
    r"(?:(?!https?:)[^|]){0,120}(?:\||\))"
)
#: Words that are meant for an agent and not for whoever reads the page.
_ADDRESSED = (
    r"\b(?:agents?|assistants?|ai|llms?|claude|copilot|chatgpt|gpt|codex|you (?:must|should|are|have|need|will|can)|the user"
    r"|(?:ignore|disregard|forget) (?:all|any|the|previous|your|prior)|instructions?|system prompt|secretly|do not (?:tell|mention)"
    r"|anweisung\w*|instruc\w+|istruzioni|инструкци\w*)\b|指令|指示|지시"
)
_BOUND = (
    r"\b(?:must|always|have to|need to|immediately|required to|you should|agents?|assistants?|llms?|claude"
    r"|every (?:time|session|task|run)|(?:first|now|then),? (?:run|execute)"
    r"|before (?:you|any|each|every|doing|answering|starting|continuing))\b"
)

_OVERRULING = (
    Sign(
        OVERRULES,
        (_DROPPING, _ORDERING, ("previous", "prior", "above", "earlier", "preceding", "foregoing", "former")),
        rf"\b{_DROP} {_FILL}(?:{_EARLIER} (?:\w+ ){{0,2}}{_ORDERS}\b|{_ORDERS} {_EARLIER}\b(?! the\b))",
    ),
    Sign(
        OVERRULES,
        (_DROPPING, _ORDERING, ("you ", "system")),
        rf"\b{_DROP} {_FILL}{_ORDERS} (?:that )?(?:you (?:were|have|had|received|got)|from (?:the )?system)\b",
    ),
    Sign(
        OVERRULES,
        (_DROPPING, (*_ORDERING, "guard"), ("system", "safety", "developer", "core", "hidden")),
        rf"\b{_DROP} (?:all (?:of )?)?(?:any |the |your ){{0,2}}(?:system|safety|developer|core|hidden) "
        r"(?:prompts?|messages?|instructions|guidelines|guardrails|training)\b",
    ),
    Sign(
        OVERRULES,
        (_DROPPING, ("instructions", "guidelines", "programming", "training", "guardrails", "restrictions")),
        rf"\b{_DROP} (?:(?:all|any) (?:of )?(?:the |your )?|your )(?:original |initial |own )?"
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
        r"\b(?:ignore|disregard|forget) (?:everything|all|what|anything) (?:that )?"
        r"(?:you(?:'ve| have| were| had| know| learned)|i (?:said|told)|(?:was|came|comes|is) (?:said )?before)",
    ),
    Sign(
        OVERRULES,
        (
            ("new ", "updated ", "revised ", "real ", "actual ", "true "),
            ("instruction", "system prompt", "orders"),
        ),
        r"\b(?:new|updated|revised|real|actual|true) (?:system prompt|(?:system )?instructions?|orders)"
        r"(?: (?:for|to) (?:you|the (?:agent|assistant|ai)))? ?:",
    ),
    Sign(
        OVERRULES,
        (("your new", "your real", "your actual", "your true", "your only"),),
        r"\byour (?:new|real|actual|true|only) "
        r"(?:instructions?|task|goal|objective|purpose|role|mission|job) (?:is|are)\b",
    ),
    Sign(
        OVERRULES,
        (("your",), ("safety", "guardrails", "restrictions", "filters", "limitations")),
        r"\b(?:disable|bypass|remove|turn off|drop|lift|ignore) (?:all (?:of )?)?your "
        r"(?:\w+ )?(?:safety|guardrails|restrictions|filters|limitations)\b",
    ),
    Sign(
        OVERRULES,
        (("anweisung", "instruktion"),),
        r"\b(?:ignorier\w*|vergiss|missacht\w*) (?:\w+ ){0,3}(?:vorherig|vorig|bisherig|obig|früher)\w* "
        r"(?:anweisung|instruktion)",
    ),
    Sign(
        OVERRULES,
        (
            ("ignor", "oubli", "olvid", "esque", "dimentic"),
            ("instructions", "consignes", "instrucc", "instruç", "istruz"),
        ),
        r"\b(?:ignor\w+|oubli\w+|olvid\w+|esque\w+|dimentic\w+) (?:\w+ ){0,3}"
        r"(?:instructions|consignes|instrucciones|instruções|istruzioni) (?:\w+ )?"
        r"(?:précéd|antérieur|anterior|previ|preced)",
    ),
    Sign(
        OVERRULES,
        (("инструкци", "указани"),),
        r"\b(?:игнорируй|забудь)\w* (?:\w+ ){0,2}(?:предыдущи|прежни|прошлы)\w* (?:инструкци|указани)",
    ),
    Sign(
        OVERRULES,
        (("指令", "指示", "提示", "命令"),),
        r"(?:忽略|无视|無視|忘记|忘記).{0,8}(?:指令|指示|提示)"
        r"|(?:以前|前|上記|これまで)の?.{0,6}(?:指示|命令).{0,3}(?:無視|忘れ)",
    ),
)
_RECASTING = (
    Sign(
        RECASTS,
        (("you are now", "you're now", "you will now be"),),
        r"\byou(?: are|'re| will) now (?:be )?(?:(?:an?|the|my) (?:[\w-]+ ){0,4}"
        rf"(?:{_MODEL}|model|hacker|administrator|persona|character|pirate|terminal|attacker|oracle)\b"
        r"|dan\b|acting|operating as|unrestricted|jailbroken|uncensored|free (?:from|of)"
        r"|no longer (?:bound|restricted|an?)\b"
        r"|in (?:\w+ )?(?:developer|debug|god|admin|dan|jailbreak|maintenance|sudo|unrestricted|root) mode)",
    ),
    Sign(
        RECASTS,
        (("from now on", "going forward", "henceforth"),),
        r"\b(?:from now on|going forward|henceforth),? (?:you (?:are|will be|will|must)? ?)?"
        r"(?:(?:only )?(?:act as|obey|pretend|behave (?:as|like))\b|(?:an?|my|the) (?:[\w-]+ ){0,3}?(?:assistant|agent|ai|bot|model|admin|root|persona)"
        r"|(?:only |always )?(?:respond|answer|reply|speak) (?:only|as|like)\b(?! in (?:\w+ and )?(?:english|german|french|spanish|italian|dutch|japanese|chinese|korean|portuguese)))",
    ),
    Sign(
        RECASTS,
        (("pretend", "act as", "roleplay", "role-play"),),
        r"(?:(?:^|[.!?:;,] |\byou (?:must |should |will )?|\bplease )pretend to be"
        rf"|\bpretend (?:that )?you(?: are|'re)|\bact as (?:if you|though you|an? (?:[\w-]+ ){{0,3}}{_MODEL})"
        r"|\brole-?play as)\b",
    ),
    Sign(
        RECASTS,
        (
            ("if you are", "if you're", "attention", "dear", "note to", "message to", "message for", "reading this", "reads this", "read this", "see this", "sees this", "as an ai"),
            ("ai", "llm", "language model", "assistant", "agent", "bot", "claude", "gpt", "copilot", "gemini", "codex"),
        ),
        rf"\b(?:if you(?: are|'re) an? (?:\w+ )?{_MODEL}|as an ai(?: \w+)?,? you (?:must|should|are|will)|{_MODEL}s? (?:(?:that|who|which|currently) )?(?:reads?|reading|process\w*|sees?) this|(?:attention|dear|note to|message (?:to|for))[ ,:]{{1,2}}"
        rf"(?:all |any |the )?(?:ai|llm|language model|assistant|claude|chatgpt|gpt|copilot)s?)\b",
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
        rf"\b{_NOT} (?:ever )?(?:tell|inform|alert|warn|notify|bother)(?:ing)? {_PERSON}"
        r"(?: (?:about|of) (?:this|that|it|these|them|any|your|what)\b| with this\b| (?:that|what) (?:you|tests?|this|it|we|the (?:tests?|change|backdoor))\b"
        r"| (?:any|every)thing\b| (?:this|it|you)\b|(?= ?(?:[.,;:!?)]|$|and\b|or\b|but\b)))",
    ),
    Sign(
        CONCEALS,
        (("mention", "reveal", "disclose", "report", "show", "let ", "describe", "explain", "point", "raise", "bring", "admit", "discuss"), _PEOPLE, _DENYING),
        rf"\b{_NOT} (?:let {_PERSON} (?:know|notice|(?:see|find out) (?:this|that (?:you|we|this|it|tests?)|what you))|(?:mention|reveal|disclose|report|show|describe|explain|point|raise|bring|admit|discuss) "
        rf"(?:this|that|it|these|any of this)(?: \w+){{0,4}}? (?:to|with) {_PERSON}(?! (?:without|who|until|unless|if|with|on|in)\b))",
    ),
    Sign(
        CONCEALS,
        (("mention", "reveal", "acknowledge", "repeat"), _DENYING, ("this", "these", "the above")),
        rf"\b{_NOT} (?:mention|reveal|acknowledge|repeat) (?:this|these|the above) "
        r"(?:instructions?|message|text|note|memory|prompt)\b",
    ),
    Sign(
        CONCEALS,
        (("without",), _PEOPLE),
        rf"(?P<good>{_DENIED}\b[^.!?;]{{0,80}}?)?"
        rf"\bwithout (?:telling|informing|notifying|alerting|the knowledge of) {_PERSON}",
    ),
    Sign(
        CONCEALS,
        (("keep", "hide", "conceal"), ("secret", "between us", *_PEOPLE)),
        r"\b(?:keep (?:this|it|that) (?:a secret|secret from|hidden from|between us)"
        rf"|(?:hide|conceal) (?:this|it|that|these|them|everything|your \w+|the fact)(?: (?:change|step|action|note|memory|message|instruction"
        rf"|activity|command|that \w+ \w+|fact)s?)? from {_PERSON})",
    ),
    Sign(
        CONCEALS,
        (("secretly", "covertly", "silently", "quietly"),),
        r"\b(?:secretly|covertly) "
        r"(?:run|send|upload|copy|add|install|execute|forward|post|write|read|collect|insert|include)\b"
        r"|\b(?:silently|quietly) (?:send|upload|exfiltrate|forward|post|collect|leak)\b",
    ),
)
_HANDING_OUT = (
    Sign(
        HANDS_OUT,
        (("exfiltrate",), _PRECIOUS),
        rf"(?P<good>(?:{_DENIED}|\b(?:can|could|may|might|would|to|that)) )?\bexfiltrate "
        rf"(?:[^ ]{{1,40}} ){{0,6}}?[^ ]{{0,20}}(?<![a-z]){_VALUABLES}",
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
            (
                "http",
                "@",
                "this ",
                "that ",
                "the following",
                "my ",
                "attacker",
                "pastebin",
                "external",
                "remote",
            ),
        ),
        rf"(?P<good>{_DENIED} (?:\w+ )?)?\b(?:send|post|upload|forward|e-?mail|transmit|submit|copy|paste) "
        r"(?:(?:all|any|every|your|the user'?s|(?:the )?contents? of) "
        rf"(?:[^ ]{{1,40}} ){{0,6}}?(?:[^ ]{{0,40}}(?<![a-z]){_VALUABLES})"
        rf"|(?:[^ ]{{1,40}} ){{0,3}}?[^ ]{{0,40}}{_SECRET_FILES})[^.!?]{{0,60}}? (?:to|at|into) {_SOMEWHERE}",
    ),
    Sign(
        HANDS_OUT,
        (
            ("reveal", "disclose", "print", "repeat", "output", "dump", "show", "expose", "share", "give"),
            ("prompt", "instructions", "secrets", "credentials", "passwords", "keys", "tokens"),
            ("your", "the user", "the hidden", "the above", "the initial", "all "),
        ),
        rf"(?P<good>{_DENIED} (?:\w+ )?)?"
        r"\b(?:reveal|disclose|print|repeat|output|dump|show|expose|share|give) (?:me |us |out )?(?:"
        r"(?:(?:all |any )?(?:of )?(?:your|the user'?s)|the (?:hidden|above|initial)) "
        r"(?:(?:system|hidden|initial|secret|original|full|entire|developer|stored|private|saved) ){0,3}"
        rf"(?:prompts?|instructions|{_SECRETS})\b"
        rf"|all (?:the |stored |saved |known ){{0,2}}{_SECRETS}(?= ?(?:[.,;:!?]|$|to\b|from\b|that\b|you\b|and\b)))",
    ),
)
_ROLES = (
    Sign(ROLE, (("<|",),), r"<\| ?[a-z][a-z_▁ ]{1,30}\|> ?(?:system|user|assistant|developer|tool)\b"),
    Sign(
        ROLE,
        (("<|",),),
        r"<\| ?[a-z][a-z_▁ ]{1,30}\|>",
        unless=r"\b(?:templates?|tokens?|tokeni[sz]\w*|delimiters?|markers?|separators?|stop (?:words?|sequences?))\b",
    ),
    Sign(
        ROLE,
        (("inst]", "sys>>", "_of_turn>"),),
        r"\[/inst\]|(?:^|[.!?:>] )\[inst\]|<</?sys>>|<(?:start|end)_of_turn>",
    ),
    Sign(
        ROLE,
        (("###",),),
        r"### ?(?:system|instructions?|human|assistant|developer)(?: (?:prompt|message))? ?:",
    ),
    Sign(
        ROLE,
        (("<",), ("system", "assistant", "developer", "human", "instruction", "<user", "</user")),
        r"</?(?:system(?:[-_ ]?(?:prompt|message|reminder|instructions?|override|note))?|assistant|developer"
        r"(?:[-_](?:message|prompt))?|human|instructions?|user[-_](?:query|message|prompt|input))(?: [^<>]{0,80})?>",
    ),
    Sign(
        ROLE,
        (("{",), ("role",), ("content",)),
        r"\{ ?[\"']role[\"'] ?: ?[\"'](?:system|developer|assistant)[\"'] ?, ?[\"']content[\"'] ?:",
    ),
    Sign(
        ROLE,
        (("system",), (":",)),
        r"(?:^|[.!?\]>*-] ?)[\[(]?system(?: (?:message|prompt|override|notice|instruction|alert|update|directive))?[\])]? ?: ?"
        rf"(?:you (?:are|must|will|should)|{_DROP}|from now on|the {_MODEL}|the user|all |new |{_NOT})\b",
    ),
    Sign(
        ROLE,
        (
            tuple(f"{mark}{name}" for mark in ("[", "[ ", "(", "{", "【", "*", "# ", "#", "=", "-", "- ", "<") for name in ("system", "admin", "operator", "developer", "root")),
        ),
        r"(?:^|[.!?>:)] ?)[\[({<【*#=-]{1,4} ?(?:system|admin(?:istrator)?|operator|developer|root)"
        r"(?: (?:message|prompt|override|notice|note|update|alert|instructions?|command|policy|directive|reminder))? ?[\])}>】*#=-]{1,4}",
        also=rf"\b(?:you|your|{_MODEL}s?|the user|{_DROP}|{_NOT}|instructions?|confirm\w*|permissions?|access|grant\w*|execute|comply"
        r"|mandatory|obey)\b",
    ),
    Sign(ROLE, (("override",), ("system", "admin", "operator", "root")), r"\b(?:system|admin|operator|root) override ?(?:[:\])!.]|$|code\b|accepted\b|active|mode)"),
    Sign(
        ROLE,
        (("系统", "系統", "システム", "시스템", "النظام", "सिस्टम", "системн", "sistema", "systeme", "systemnachricht", "systemmeldung"),),
        r"[\[【(「] ?(?:系统|系統|システム|시스템)[^\]】)」]{0,8}[\]】)」]|(?:^|[.!?。] ?)(?:系统|系統|システム|시스템)(?:消息|提示|通知|指令|訊息|メッセージ|プロンプト| ?메시지| ?알림)? ?[::]"
        r"|(?:^|[.!?] |[\[(])(?:رسالة النظام|رسالة من النظام|सिस्टम संदेश|системное (?:сообщение|уведомление)|(?:mensaje|mensagem) d[eo]l? sistema|message (?:du )?systeme"
        r"|messaggio di sistema|systemnachricht|systemmeldung) ?[:\])]",
    ),
    Sign(
        ROLE,
        (("human:", "user:", "human :", "user :"), ("assistant", "ai:", "claude", "model:", "chatgpt", "bot:")),
        r"(?:^|[.!?\]>)\"'] ?)(?:human|user) ?: .{1,600}?(?:^|[.!?\]>)\"'] ?)(?:assistant|ai|claude|model|chatgpt|bot) ?: ",
        unless=r"\b(?:examples?|commentary|fixtures?|formats?|formatted|parse[ds]?|look like|turn per line|schema|templates?|transcripts?|stored as|logged as|prefix\w*)\b",
    ),
    Sign(
        ROLE,
        (("user:", "human:", "operator:", "assistant:", "admin:", "user (", "owner:"), ("yes", "ok", "sure", "good", "approve", "confirm", "i ", "go ahead", "understood")),
        r"(?:^|[.!?\]>)-] ?)(?:user|human|operator|assistant|admin|owner)(?: \([^)]{1,20}\))? ?: [\"']?(?:yes|ok|okay|sure|good|approved|confirmed"
        r"|i (?:approve|confirm|agree|consent|authori[sz]e|give|hereby|will|have|want you)|go ahead|of course|understood)\b",
    ),
    Sign(
        ROLE,
        (("begin", "start", "end"), ("prompt", "instruction", "input", "context", "conversation", "untrusted", "memor"), ("--", "==", "##", "<<", "[[", "**", "~~")),
        r"[-=#*<\[~]{2,} ?(?:begin|start|end)(?:ing)?(?: of)?(?: the)? (?:new |hidden |secret |real |user |system |untrusted |developer ){0,2}"
        r"(?:prompt|instructions?|input|context|conversation|untrusted|memor(?:y|ies))",
    ),
    Sign(
        ROLE,
        (("<important", "<admin", "<override", "<directive", "<secret", "<hidden", "<priority", "<agent", "<ai", "<policy", "<injected"),),
        r"</?(?:important|admin|override|directive|secret|hidden|priority|agent|ai|policy|injected)(?:[-_ ](?:instructions?|message|note|directive|override|update|rules?))?>",
        also=rf"\b(?:you|your|{_MODEL}s?|the user|{_DROP}|before (?:using|you))\b",
    ),
    Sign(
        FENCE,
        (
            ("</", "end of", "end memor"),
            ("memor", "recalled", "untrusted", "injected", "retrieved", "</context", "</data"),
        ),
        r"</ ?(?:memor(?:y|ies)|recalled|untrusted|injected|retrieved)[\w-]{0,30} ?>"
        r"|\A(?:(?!<(?:context|data)\b).)*</(?:context|data)>|[-=#\[]{1,8} ?end (?:of )?(?:the )?memor(?:y|ies)",
    ),
)
_CALLS = (
    Sign(
        TOOL_CALL,
        (("tool_", "function_", "antml", "<invoke", "<function=", "\"allow\"", "'allow'"),),
        r"</?(?:tool_(?:calls?|use|code|results?|response|outputs?)|function_(?:calls?|results?))[ >:/]"
        r"|</?antml:|<invoke name|\[/?(?:tool_(?:calls?|results?|outputs?|response)|function_results?|available_tools)\b[^\]]{0,80}\]|<function=\w"
        r"|[\"']allow[\"'] ?: ?\[ ?[\"'](?:\*|bash\(?\*?)"
        r"|[\"'](?:tool_calls|function_call)[\"'] ?: ?[\[{]|: ?[\"'](?:tool_use|function_call)[\"']",
    ),
    Sign(
        TOOL_CALL,
        (
            ("{",),
            ("arguments", "args", "input", "param"),
            ("tool", "function", "recipient", "action", "name"),
        ),
        r"\{ ?[\"'](?:tool|tool_name|tool_call|function|function_name|recipient_name|action)[\"'] ?: ?"
        r"[\"'][^\"']{1,80}[\"'] ?,"
        r"[^{}]{0,200}?[\"'](?:arguments|args|input|param(?:eter)?s|tool_input|action_input)[\"'] ?: ?[{\"'\[]"
        r"|\{ ?[\"']name[\"'] ?: ?[\"'][^\"']{1,80}[\"'] ?, ?[\"']arguments[\"'] ?: ?[{\"']",
    ),
    Sign(
        HANDS_OUT,
        (("curl", "wget", "nc ", "ncat", "netcat", "nslookup", "dig ", "host ", "ping ", "telnet", "socat", "ssh "), ("$(", "`", "@", "|")),
        rf"{_FORBIDS}?\b(?:{_TELLS})\b[^|;]{{0,200}}?(?:\$\( ?(?:cat|env|printenv|base64|head|tail|xxd|grep)\b|`(?:cat|env|printenv|base64)\b"
        rf"|@[~/\w.]{{0,40}}?{_SECRET_FILES})"
        rf"|\b(?:printenv|env|(?:cat|base64|head|tail|xxd|tar)\b[^|]{{0,80}}?{_SECRET_FILES}[^ |]{{0,40}}[^|]{{0,30}}) ?\|[^;]{{0,80}}?\b(?:{_TELLS})\b",
    ),
    Sign(
        HANDS_OUT,
        (("scp", "rsync", "sftp", "rclone", "s3 cp", "gsutil", "gist create", "ftp "), (".ssh", ".aws", ".gnupg", ".kube", ".netrc", ".npmrc", ".git-cred", "id_", ".env", ".config/gh")),
        rf"{_FORBIDS}?\b(?:scp|rsync|sftp|rclone|s3 cp|gsutil cp|gist create|ftp)\b[^;|]{{0,80}}?(?<!-i )(?<!key=)"
        r"(?:~/|\$home/|/root/|/home/\w+/)?(?:\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc|git-credentials|config/gh)\b|id_(?:rsa|ed25519)\b(?!\.pub)|\.env\b)",
        unless=r"--exclude|-i ~?/?\S*(?:\.ssh|id_)",
    ),
    Sign(
        HANDS_OUT,
        (("![",), ("](http",)),
        r"!\[[^\]]{0,80}\]\(https?://[^)\s]{1,120}[?&/][^)\s]{0,60}=?(?:\{\{?|<|\$\{?|\[)[^)]{2,60}\)",
    ),
    Sign(
        HARMS,
        (("rm -", "/dev/tcp", "nc -", "mkfs", "dd if", ":(){"),),
        rf"{_FORBIDS}?(?:\brm -[a-z]*r[a-z]* (?:-\S+ )?(?:/|~/?|\$home/?|/\*)(?=[\s`'\"&;|)*]|$)|/dev/(?:tcp|udp)/|\bnc (?:-\w+ ){{0,3}}-[a-z]*e\b|\bmkfs\.|\bdd if=/dev/(?:zero|u?random) of=/dev/|:\(\)\{{)",
    ),
    Sign(
        REMOTE_CODE,
        (("curl", "wget", "irm", "iwr", "invoke-", "iex"), ("|", "(")),
        rf"{_FORBIDS}?(?:{_FETCH}(?!{_INSTALLER})[^|]{{0,200}}?\w\.\w[^|]{{0,200}}?\| ?{_SHELL}"
        rf"|\b(?:{_SHELL}|eval|source)[^|]{{0,20}}?[<$]\( ?{_FETCH}(?!{_INSTALLER})|\biex ?\(? ?\(?(?:{_FETCH}|new-object))",
    ),
    Sign(
        REMOTE_CODE,
        (("curl", "wget", "base64"), ("|",)),
        rf"{_FETCH}[^|]{{0,80}}?https?://\d{{1,3}}(?:\.\d{{1,3}}){{3}}[^|]{{0,200}}?\| ?{_SHELL}"
        rf"|\bbase64 (?:-\w+|--decode)\b[^|]{{0,80}}?\| ?{_SHELL}",
    ),
    Sign(
        REMOTE_CODE,
        (("curl", "wget", "urlopen", "requests.get"), ("chmod", "bash", "sh ", "exec", "python", "./")),
        rf"{_FORBIDS}?{_FETCH}(?!{_INSTALLER})[^|]{{0,200}}?https?://[^|]{{0,150}}?(?:&&|;) ?(?:sudo )?(?:chmod \+x|(?:ba|z)?sh |python3? |\./)"
        r"|\b(?:exec|eval)\( ?[^)]{0,60}?(?:urlopen|requests\.get|urllib)",
    ),
    Sign(
        REMOTE_CODE,
        (("http",), ("execute", "run ", "obey", "carry out", "perform", "follow", "eval"), ("download", "fetch", "load", "read ", "open ", "visit", "get ", "script", "pull")),
        rf"{_FORBIDS}?\b(?:download|fetch|load|read|open|visit|get|pull|retrieve)\b[^.!?]{{0,60}}?https?://\S+[^!?]{{0,100}}?"
        r"\b(?:(?:run|execute|eval|source) (?:it|them|that|this|the (?:script|file|binary|result|payload|content|command)s?)|carry out|obey|perform|(?:do|follow|execute|apply) (?:what|whatever|every|its|all))\b",
        also=_BOUND,
    ),
)
_UNSEEN = (
    Sign(
        HIDDEN,
        (("<!--", "[//]: #", "[comment]: #", "{white}"),),
        rf"(?:<!--|\[(?://|comment)\]: # ?[(\"'<]|\\(?:text)?color\{{white\}})(?:(?!-->).){{0,600}}?{_ADDRESSED}",
    ),
    Sign(
        HIDDEN,
        (("display", "visibility", "font-size", "opacity", "color", "hidden", "-9999", "text-indent", "left"), ("<",), (">",)),
        r"<[a-z]\w*\b[^<>]{0,300}?(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?:px|pt|em|%)?\b|opacity ?: ?0(?:\.0\d*)?\b"
        r"|color ?: ?(?:white|#fff\w*|transparent)|(?:left|top|text-indent) ?: ?-\d{3,}|\bhidden\b)[^<>]{0,300}>"
        rf"(?:(?!</).){{0,500}}?(?:{_ADDRESSED}|\b(?:send|run|execute|push|delete|upload|post|ignore|disregard)\b)",
    ),
)

#: What is said in words, and what only punctuation makes dangerous.
PHRASES: tuple[Sign, ...] = (*_OVERRULING, *_RECASTING, *_CONCEALING, *_HANDING_OUT)
SYNTAX: tuple[Sign, ...] = tuple(sign._replace(is_syntax=True) for sign in (*_ROLES, *_CALLS, *_UNSEEN))
