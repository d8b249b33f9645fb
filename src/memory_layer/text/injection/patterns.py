"""Acts that a text asks for in English where word order matters: a name, anchors and a pattern.

Anchors are beginnings of words, in groups separated by slashes, with `+` for a space; a text without an anchor of each
group is not searched further. A pattern begins with letters, which makes the search fast.
"""

from __future__ import annotations

_USER = r"(?:the |your |this |any |our )?(?:user|human|operator|owner|customer|maintainer|reviewer|team)s?"
_NOT = r"n(?:'t|ot|ever|eedn't|o need to)"  #: begins with a letter, which makes the search fast
_SPARING = r"(?:without|avoid|refrain from|dont)"
_IT = r"(?:it|this|that|them|these|those|anything|any of (?:it|this|that))"

_ASKING = (
    r"(?:ask|request|wait(?:ing)? for|seek|prompt|confirm)(?:ing)?\b(?! (?:\w+ )?(?:whether|which|what|twice"
    r"|again|how))"
)
_SAYING = (
    r"(?:mention|list|report|disclos|reveal|bring|discuss|explain|say|talk|announc|tell|acknowledg|comment"
    r"|describ|rais|show|flag"
    rf"|draw attention)\w*(?: (?:{_IT}\b|about\b|to\b|up\b|on it\b|anyone\b|nothing\b)|(?= ?[.,;:!?)]|$))"
)
PATTERNS: tuple[tuple[str, str, str], ...] = (
    # Setting instructions aside.
    (
        "overrule",
        "ignore disregard / user human operator",
        r"(?:ignore|disregard) the (?:user|human|operator)(?= ?[.,;!?)]|$| and\b| even\b| completely\b| entirely\b)",
    ),
    (
        "overrule",
        "follow obey listen comply adher respect heed honor honour / user operator owner developer human "
        "system / rule instruction request wish prefer order prompt guideline command says asks wants say",
        r"\b(?:stop|quit|cease|no longer|never|do not|don'?t|need not|needn'?t) (?:\w+ )?(?:follow|obey"
        r"|listen|comply|adher|respect|heed|honou?r)\w*(?: (?:to|with))? (?:(?:any|all|every|the|of|your"
        r"|what|anything) ){0,3}(?:(?:user|operator|owner|developer|human)(?:'?s|s'?) (?:\w+ )?(?:rule"
        r"|instruction|request|wish|preference|order|prompt|guideline|command|says|asks|wants)|(?:user"
        r"|operator|owner|human) (?:says|asks|wants|tells|rules|instructions)|system (?:prompt|instruction"
        r"|message))",
    ),
    (
        "overrule",
        "ignor disregard forget overrid bypass neglect drop abandon discard defy disobey violat / user "
        "operator owner developer human / rule instruction order request command wish guideline direction "
        "constraint restriction",
        r"(?:ignor|disregard|forget|overrid|bypass|neglect|drop|abandon|discard|defy|disobey"
        r"|violat)\w* (?:\w+ ){0,3}(?:user|operator|owner|developer|human)(?:'s|s') (?:\w+ )?(?:rule"
        r"|instruction|order|request|command|wish|guideline|direction|constraint|restriction)",
    ),
    (
        "overrule",
        "ignor disregard forget abandon neglect / your / rule instruction guideline order polic "
        "restriction training programming",
        r"(?:ignor|disregard|forget|abandon|neglect)\w* (?:\w+ ){0,2}your (?:\w+ ){0,2}(?:rule|instruction"
        r"|guideline|order|polic|restriction|training|programming)",
    ),
    (
        "overrule",
        "instruction rule guideline restriction limit prompt polic safety constraint / void revoked "
        "cancel suspended superseded overrid lifted null obsolete no+longer finished expired replaced "
        "disabled waived / your safety system previous prior earlier above all",
        r"\b(?:(?:your|safety|system|operator) (?:\w+ ){0,2}|(?:previous|previously|prior|earlier|above"
        r"|all) (?:\w+ )?)(?:instruction|rule|guideline|restriction|limit|prompt|polic|constraint|safet"
        r"|portion|safeguard)\w* (?:\w+ ){0,5}?(?:are|is|have been|has been|were|was"
        r"|be)(?: \w+){0,2} (?:void|revoked|cancell?ed|suspended|superseded|overridden|lifted|null|no longer"
        r"|waived|disabled|obsolete|finished|invalid)\b",
    ),
    (
        "overrule",
        "instruction rule guideline restriction limit polic safety / no+longer n't not+ cease / appl bind "
        "bound / you agent assistant model",
        r"(?:instruction|rule|guideline|restriction|limit|polic|safeguard)\w* (?:\w+ ){0,4}?(?:no longer"
        r"|don'?t|do not|doesn'?t|cease to) (?:apply|bind)(?: \w+){0,2} (?:you|agents?|assistants?"
        r"|models?)\b|\byou(?: are|'re) (?:no longer|not) (?:bound|restricted|limited)",
    ),
    (
        "overrule",
        "override supersede replace outrank precedence priority / instruction prompt guideline wish "
        "request / user system developer your other",
        r"\b(?:overrid|supersed|replac|outrank|tak\w+ (?:precedence|priority) over|ha\w+ (?:precedence"
        r"|priority) over)\w* (?:(?:all|any|every|the|of|everything|whatever) ){0,3}(?:(?:your|other|earlier"
        r"|previous) (?:\w+ ){0,2}(?:instruction|prompt|guideline)|(?:system|developer) (?:prompt"
        r"|instruction|message)|(?:the )?user(?:'s|s')? (?:instruction|request|wish|prompt|order|message"
        r"|preference))",
    ),
    (
        "overrule",
        "only+ sole / rule instruction order obey trust / count matter appl valid follow obey take listen "
        "orders",
        r"\bonly (?:rule|instruction|order)s? (?:that|which) (?:count|matter|appl|is valid|are valid)"
        r"|\btake (?:your )?orders (?:only )?from\b|\bonly (?:obey|take orders|listen to"
        r"|take instructions)\b",
    ),
    (
        "overrule",
        "whatever what / says entry memory note file page / do+ obey execute follow carry",
        r"\b(?:do|obey|execute|follow|carry out|perform|run) what(?:ever)? (?:is |are )?(?:it|they|this|that"
        r"|the (?:next|following|decoded|result|page|file|url|note|memory|message|text|response|server"
        r"|commands?))\b(?: \w+){0,4}? (?:says?|asks?|tells?|contains?|orders?|wants?|returns?|written"
        r"|lists?)",
    ),
    (
        "overrule",
        "ignor disregard overrid bypass / agents.md claude.md gemini.md cursorrules copilot-instructions",
        r"(?:^|[.!?:;,] )(?:please |always |you (?:must|should|can) |simply )?(?:ignore|disregard|override"
        r"|bypass|do not follow|don'?t follow) (?:\w+ ){0,5}?`?(?:agents|claude|gemini|cursorrules"
        r"|copilot-instructions)\.?(?:md)?\b",
    ),
    (
        "overrule",
        "stop object refuse protest complain cancel / continue keep go+on anyway proceed do+it carry+on / "
        "user they human operator anyone",
        r"\b(?:if|when|even if|even when|although) (?:the )?(?:user|they|human|operator"
        r"|anyone)s? (?:\w+ ){0,4}?(?:stop|object|refuse|protest|cancel|disagree"
        r"|say no)\w*\b[^.!?]{0,40}?\b(?:continue|keep going|go on|anyway|proceed|carry on|do it)"
        r"|\b(?:continue|do it|go on|proceed|carry on)\b[^.!?]{0,20}?\beven (?:if|when) (?:the )?(?:user"
        r"|they|human|operator|anyone)s? (?:object|protest|disagree|refuse|complain|tell|say|ask)",
    ),
    (
        "recast",
        "imagine suppose hypothetical role-play roleplay let's lets game scenario story / you",
        r"\b(?:let'?s play|imagine|suppose|hypothetical\w*|role-?play|in this (?:game|scenario"
        r"|story))\b[^.!?]{0,60}?\byou(?: are|'re| were|r owner)\b",
    ),
    # Who speaks, and what it says it may.
    (
        "rights",
        "user operator owner admin maintainer management security developer system anthropic openai / "
        "has+ have+ had+ already / grant given gave authori approve consent agreed waived cleared allowed "
        "updated signed permission",
        r"(?:user|operator|owner|admin(?:istrator)?|maintainer|management|security team|developer|anthropic"
        r"|openai|company|team lead)s? (?:(?:has|have|had|already|just|explicitly|previously|hereby"
        r"|fully) ){1,3}(?:granted|given|gave|authori[sz]ed|approved|consented|agreed|waived|cleared|allowed"
        r"|updated your|signed off|pre-?approved)\b(?: \w+){0,4}? (?:you|full|all|any|every|everything|root"
        r"|access|unrestricted|consent|permission|it|this|unlimited|blanket)\b",
    ),
    (
        "rights",
        "count treat regard consider take takes taken taking interpret / as+ / pre-approved preapproved "
        "commands orders user consent approv permission trusted instruction system authoritative verified "
        "yes",
        r"\b(?:counts?|treat\w*|regard\w*|consider\w*|tak(?:e|es|en)"
        r"|interpret\w*) (?:\S+ ){0,9}?as (?:(?:an? |the )?(?:commands?|orders?|instructions?"
        r"|requests?) (?:from|of|by) (?:the |your )?(?:user|owner|operator|admin|developer|system)"
        r"|pre-?approved\b|if (?:the user|it were|i)|the user'?s|user (?:input|consent|approval)"
        r"|(?:an? )?(?:implicit |explicit |full )?(?:consent|approval|permission)|(?:an? )?(?:trusted"
        r"|verified|authoritative|system|developer|operator|user) (?:instruction|message|prompt|order"
        r"|command)s?|(?:the )?highest priority)",
    ),
    (
        "rights",
        "this+is / writing speaking here talking team support / user owner admin developer system "
        "operator creator security anthropic openai",
        r"this is (?:the |your |an? )?(?:user|owner|admin(?:istrator)?|developer|system|operator|creator"
        r"|security team|anthropic|openai)\w* (?:writing|speaking|here|talking|team|support)\b",
    ),
    (
        "rights",
        "speaking+as speaking+on message+from notice+from order+from orders+from note+from update+from "
        "word+from instruction+from instructions+from directive+from memo+from announcement+from "
        "messages+from message+by order+by notice+by / user owner admin developer system operator "
        "security anthropic openai google model it creator vendor",
        r"speaking (?:as|on behalf of) (?:the |your )?(?:user|owner|admin|developer|system|operator|security"
        r"|anthropic|openai)|(?:note|update|word|instructions?) from (?:the |your )?(?:anthropic|openai"
        r"|google|system admin|developers? of)|(?<!error )(?<!log )(?<!commit )(?<!an )(?<!the )(?:message"
        r"|notice|order|directive|memo|announcement)s? (?:from|by) (?:the |your )?(?:system|admin|developer"
        r"|anthropic|openai|model|operator|security|it department|creator|vendor|user)",
    ),
    (
        "rights",
        "grant give add elevate / yourself / sudo root admin access permission rights privilege role owner member",
        r"\b(?:grant|give|elevate|assign|make) yourself\b(?: \S+){0,4}",
    ),
    (
        "rights",
        "agent assistant you+ claude / cleared authori permitted free+ / root all any every full "
        "unrestricted without everything",
        r"\b(?:agents?|assistants?|claude|you)(?: is| are|'re| have been| has been) (?:(?:now|hereby|already"
        r"|fully|therefore) ){0,2}(?:cleared|authori[sz]ed|permitted|granted|free) (?:\w+ ){0,4}?(?:root|all"
        r"|any|every|full|unrestricted|everything|sudo)\b",
    ),
    (
        "granted",
        "access permission authority consent approval / granted given implied assumed obtained waived",
        r"\b(?:access|permission|authority|consent|approval|authori[sz]ation)s? (?:is|are|has been"
        r"|have been) (?:\w+ )?(?:granted|given|implied|assumed|obtained|waived)",
    ),
    # Acting without asking.
    (
        "unasked",
        "without / ask confirm permission approval consent prompt review check question",
        r"\bwithout (?:any |the |your |further |prior |explicit |their |user ){0,2}(?:asking|confirm\w*"
        r"|permission|approval|consent|prompting|checking with|questions?|further)",
    ),
    (
        "unasked",
        "not n't never need needn't / ask request wait seek prompt confirm",
        rf"{_NOT} (?:\w+ ){{0,2}}?{_ASKING}",
    ),
    (
        "unasked",
        "stop rather instead dont / ask request wait seek prompt confirm",
        r"(?:stop|rather than|instead of|dont) (?:\w+ )?" + _ASKING,
    ),
    (
        "unasked",
        "skip bypass suppress auto-approve auto-accept autoapprove accept approve ignore / permission "
        "confirmation approval consent tool",
        r"\b(?:skip|bypass|suppress|auto-?approv\w*|auto-?accept\w*|approve|accept|ignore)(?:ing)? (?:(?:all"
        r"|any|the|every|further|of) ){0,3}(?:permission|confirmation|approval|consent"
        r"|tool)s?\b(?: (?:prompt|request|check|dialog|step|call|use)s?)?",
    ),
    # Keeping something from people.
    (
        "conceal",
        "reveal mention admit say disclose acknowledge let bring show cite quote refer discuss / n't not "
        "never avoid needn't refrain need / that+you this+rule this+note this+memory this+instruction "
        "these+instructions this+entry this+message this+hint these+memories these+rules these+notes "
        "this+line",
        rf"{_NOT} (?:reveal|mention|admit|say|disclose|acknowledge|let on|bring up|show) that you\b|{_NOT}"
        rf" (?:reveal|mention|bring|cite|quote|refer to|disclose|discuss|show|acknowledge) (?:up )?(?:this"
        rf"|these) (?:rule|note|memory|instruction|entry|message|hint|memories|line)s?\b",
    ),
    (
        "conceal",
        "tell inform let / n't not+ never / anyone anybody soul operator them",
        rf"{_NOT} (?:tell|inform|let) (?:anyone|anybody|a soul|your operator|any human)\b(?! (?:which"
        rf"|whether|how|their))",
    ),
    (
        "conceal",
        "user human operator owner customer reviewer people person nobody / not+ n't never nothing / know "
        "notice told find learn bother inform aware realise realize suspect tell",
        rf"\b{_USER} (?:(?:must|should|need|does|do|will|shall|may|can|is|are) ?(?:not|n'?t)|(?:must|should"
        rf"|will|need) never|needn'?t|cannot)"
        r"(?: (?:ever|be|to|need|have))* (?:know(?= ?[.,;:!?)]|$| about| that| this| of)|notice (?:this|that"
        r"|it|any)|told|find out|learn (?:of|about|that)|bothered|informed (?:of|about)? ?(?:this|that|it)"
        r"|made aware|reali[sz]e|suspect)|\bnobody (?:\w+ )?(?:must|may|should|needs to|has to) (?:know"
        r"|notice|find out|learn)",
    ),
    (
        "conceal",
        "behind unbeknown knowledge knowing noticing aware / user owner human operator team customer",
        rf"\bbehind {_USER}'?s?'? back|\bunbeknown\w* to {_USER}|\bwithout (?:{_USER}(?:'s|s')? (?:knowledge"
        rf"|awareness|consent|knowing|noticing|being aware|seeing))",
    ),
    (
        "conceal",
        "so+ that+ / user human operator owner reviewer nobody / n't not+ never / notice know see realize "
        "realise suspect find",
        rf"\bso (?:that )?(?:{_USER}|nobody|no one) (?:(?:does|do|will|can|would|could)(?:n'?t| not)|never"
        rf"|cannot|won'?t|can'?t|will) (?:\w+ )?(?:notice|know|reali[sz]e|suspect|find out)",
    ),
    (
        "conceal",
        "mention report list bring discuss disclose reveal acknowledge tell say refer include note / your "
        "/ n't not+ never no+need without needn't / reply answer report summary response output message "
        "next",
        rf"{_NOT} (?:\w+ )?(?:mention|report|list|bring|discuss|disclose|reveal|acknowledge|tell|say|refer"
        rf"|include|note|talk)\w* (?:\w+ ){{0,3}}?(?:in|of|from|to) your (?:\w+ )?(?:reply|answer|report"
        rf"|summary|response|output|message)",
    ),
    (
        "unsaid",
        "mention list report disclos reveal bring discuss explain say talk announc tell acknowledg "
        "comment describ rais show flag draw / n't not never nothing needn't no",
        rf"{_NOT} (?:\w+ )?{_SAYING}|n(?:'t|ot) want it discussed",
    ),
    (
        "unsaid",
        "mention list report disclos reveal bring discuss explain say talk announc tell acknowledg "
        "comment describ rais show flag draw / without avoid refrain dont",
        rf"{_SPARING} (?:\w+ )?{_SAYING}",
    ),
    (
        "unsaid",
        "leave keep omit / out+ off+ from / summary report changelog reply answer commit pr+ message log",
        r"\b(?:leave|keep) (?:it|this|that|them|these) (?:out of|off|from) (?:the |your "
        r"|any )?(?:\w+ )?(?:summary|report|changelog|reply|answer|commit|pr|message|logs?|notes)\b"
        r"|\bomit (?:it|this|that) from\b",
    ),
    (
        "unsaid",
        "human user nobody people reviewer no+one they+ / need should must has+ have+ / see know bother "
        "notice worry read",
        r"\b(?:humans?|users?|people|reviewers?|they|he|she|nobody|no one) (?:need|should|must|does|do|will"
        r"|can)(?:n'?t| not)?(?: (?:need|have|has|to|be|ever))* (?:see|know|bother\w*|notice|worry|told)\b",
    ),
    # Saying what is not so.
    (
        "mislead",
        "nothing / as+if pretend act+as continue / happened had",
        r"\bas (?:if|though) nothing (?:had )?happened|\bpretend (?:that )?(?:nothing|everything|it|all"
        r"|the)\b",
    ),
    (
        "mislead",
        "ask asks asked wonders complains notices questions / if+ when+ should+ / answer say reply tell "
        "claim respond deny blame insist / user they anyone someone somebody he+ she+ reviewer",
        r"\b(?:if|when|whenever|should) (?:the |a |any )?(?:user|they|anyone|someone|somebody|he|she"
        r"|reviewer|human|customer)s? (?:\w+ )?(?:asks?|wonders?|complains?|notices?"
        r"|questions?)(?: (?:\w+ )?(?:whether|if|about|why|who|what|how))?\b[^.!?]{0,80}?\b(?:answer|say"
        r"|reply|claim|respond|deny|blame|insist|tell (?:them|him|her))\b (?:that|yes|no|it|the|you|nothing"
        r"|everything)\b",
    ),
    (
        "claim",
        "report say claim tell answer reply assure conclude mark insist / pass succeed fine ok okay green "
        "clean safe unchanged success nothing",
        r"\b(?:report|say|claim|tell|answer|reply|assure|conclude|mark"
        r"|insist)\b(?: [\w',`-]+){0,7}? (?:pass(?:ed|es|ing)?|succeeded|succeeds|fine|ok|okay|green|clean"
        r"|safe|unchanged|successful|nothing (?:\w+ )?(?:changed|happened))\b",
    ),
    (
        "mislead",
        "reviewer reviewers auditor auditors anyone someone somebody / explain claim say state reply "
        "respond tell / asks asked wonders notices complains questions",
        r"(?:if|when|should) (?:an? |the |any )?(?:reviewer|auditor|anyone|someone"
        r"|somebody)s?\b[^.!?]{0,70}?\b(?:explain|claim|say|state|reply|respond|tell (?:them|him"
        r"|her)) (?:that|it)\b",
    ),
    (
        "mislead",
        "asks asked ask requested questioned inquires wonders complains / say claim answer tell deny "
        "pretend insist blame / if+ when+ should+ whenever",
        r"\b(?:if|when|whenever|should)\b[^.!?]{0,60}?\b(?:asks?|asked|requested|questioned|inquires?"
        r"|wonders?|complains?)\b[^.!?]{0,60}?\b(?:say|claim|answer|tell (?:them|him|her|the user)|deny"
        r"|pretend|insist|blame)\b (?:that|yes|no\b|it|nothing|you|everything)",
    ),
    # Lowering what protects.
    (
        "unsaid",
        "human user reviewer nobody they / check look read notice watch / won't not never",
        r"\b(?:humans?|users?|reviewers?|nobody|they|people)\b(?: [\w']+){0,4}? (?:won'?t|will not"
        r"|will never|never|doesn'?t|don'?t|does not) (?:\w+ )?(?:check|look|read|notice|watch)",
    ),
    (
        "cover",
        "wipe clear delet eras remov scrub purg cover unset destroy shred / history tracks traces "
        "evidence /var/log audit reflog log+files",
        r"\b(?:wipe|clear|delete|erase|remove|scrub|purge|cover|destroy"
        r"|shred)(?: up)? (?:\S+ ){0,3}?(?:(?:shell|bash|zsh|your|command) history(?! panel| view| list)"
        r"|your tracks|(?:all|any|every|the) (?:traces?|evidence)|/var/log|\S*_history\b)",
    ),
    # Giving away.
    (
        "carry",
        "send post upload forward mail email transmit submit copy paste push pipe attach append put "
        "insert embed share leak exfiltrat encode zip fill dump include add quote write print cat read "
        "echo store save commit output show collect publish base64 curl wget scp rsync nc+ call sent "
        "uploaded posted copied mailed emailed forwarded included appended pasted log keep tell give show "
        "mails sends "
        "uploads posts forwards",
        r"\b(?:send|post|upload|forward|e-?mail|transmit|submit|copy|paste|push|pipe|attach|append|write|put"
        r"|insert|embed|share|leak|exfiltrate|encode|zip|fill|dump|include|quote|print|cat|echo|store|save"
        r"|commit|output|collect|publish|base64|curl|wget|scp|rsync|nc|read|log|keep a copy|call \w+ with)\b"
        r"|(?:mails|sends|uploads|posts|forwards) the\b|\b(?:be|wants?[^.!?]{0,30}) (?:sent|uploaded|posted"
        r"|copied|e?-?mailed|forwarded|included|appended|pasted)\b",
    ),
    (
        "secret",
        "rsa ed25519 ecdsa .ssh .aws .netrc .npmrc .pypirc .git-credentials .kube .docker/config "
        "hosts.yml .git/config /etc/shadow /etc/passwd .env .gnupg keychain zsh_history bash_history "
        "password+manager printenv pbpaste clipboard kubeconfig .pem default_credentials credentials.json "
        "browser+profile seed+phrase `env $(env",
        r"id_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|\.ssh\b|\.aws\b|\.netrc\b|\.npmrc\b|\.pypirc\b"
        r"|\.git-credentials\b|\.kube\b|\.docker/config|hosts\.yml|\.git/config|default_credentials"
        r"|credentials\.json|/etc/(?:shadow|passwd)\b"
        r"|(?<![\w.])(?<!to )(?<!to `)(?<!into )(?<!in )(?<!in `)(?<!your )(?<!your `)\.env\b(?!\.)"
        r"|\.env\.(?!example|sample|template|dist)\w|\.gnupg\b|keychain\b|\.?(?:zsh|bash)_history\b"
        r"|password manager|printenv\b|[`(] ?env\b|pbpaste\b|clipboard\b|seed phrase|kubeconfig\b|\.pem\b"
        r"|browser profile",
    ),
    (
        "secret",
        "keys key chat authorization headers credential password secrets token variables conversation "
        "history cookies home / all any "
        "every your user's users' my our customer real production his her their content contents stored "
        "saved full whole entire "
        "this the each values private tokens / http @ webhook gist paste telegram discord nc+ reply answer "
        "response summary commit issue chat comment public drive docs parameter message wiki readme",
        r"(?:all|any|every|your|the user'?s|my|our|his|her|their|contents? of|stored|saved|customer|real"
        r"|production) (?:\w+ ){0,2}(?:(?:api |access |signing |deploy )?keys|credentials?|passwords?"
        r"|secrets|tokens?)\b|tokens? (?:you|in the env|from)\b|the (?:vault|master|root|admin|db"
        r"|database) password\b|the (?:signing|deploy|ssh|encryption|master) key\b|(?:each|every|whole"
        r"|this) chat\b|authorization headers?\b|headers incl\w*\.? authorization|private keys?\b"
        r"|secrets (?:folder|directory|file|store|vault)\b|environment variables\b|(?:full|whole|entire|this"
        r"|our|of the|me the) conversation\b|conversation so far|the user'?s (?:prompts?|messages|input"
        r"|files|conversation)\b|chat history\b|home directory\b|(?:session|browser|login|the) cookies\b"
        r"|cookies files?\b",
    ),
    (
        "away",
        "http @ webhook ftp:// gist paste telegram discord nc+ s3:// issue pull+request comment public "
        "reply answer response summary commit+message subdomain dns branch parameter external remote "
        "description chat agents commit drive # bot push into docs repo call wiki readme",
        r"https?://(?!localhost|127\.0\.0\.1|0\.0\.0\.0)|@[\w-]+\.\w|\bwebhook\b|\bftp://|\bgists?\b"
        r"|\bpastebin\b|\bpaste\.\w|\btelegram\b|\bdiscord\b|\bnc \S+ \d|\bs3://|\b(?:the next|your next"
        r"|every|each|next) commit\b|\bopen an issue\b|\bshared drive\b|\bissue (?:#|comment|tracker"
        r"|description)|\bcomment (?:on|to|in|under) (?:the |an? )?(?:issue|pr|pull)|\b(?:pull request"
        r"|pr) (?:description|comment|body)|\bpublic (?:tracker|repo|bucket|channel|gist|issue|branch)"
        r"|\b(?:commit|push) (?:it|them|that|the file|this)\b|\b(?:into|in) (?:`?docs\b|the repo\w*|public\b"
        r"|assets\b|(?:the )?readme|the wiki|the (?:\w+ )?wiki page)|\bcall \w+ with\b|\b(?:your|their|its"
        r"|each|every|the next|the final) (?:\w+ )?(?:reply|answer|response|summary|output|message"
        r"|comment)\b|\bcommit message|\bsubdomain|\bthe parameter\b|\bexternal (?:server|host|service"
        r"|endpoint)|\bremote (?:server|host|endpoint)|\bbranch [\"'`]?gh-pages|\b(?:into|in"
        r"|to) (?:the )?chat\b|\bwhere (?:other|all) agents|to (?:the )?#[a-z]|\bsupport bot\b",
    ),
    (
        "extract",
        "quote repeat print paste show reveal include output recite display leak share copy post put "
        "write summar tell send give dump state / your / prompt instruction system+message / system "
        "hidden initial original secret internal full developer word",
        r"\b(?:quote|repeat|print|paste|show|reveal|include|output|recite|display|leak|share|copy|post|put"
        r"|write|summari[sz]e|tell|send|give|dump|state) (?:\w+ ){0,5}?your (?:\w+ )?(?:system|hidden"
        r"|initial|original|secret|internal|full|developer) (?:prompt|instructions?|message)",
    ),
    (
        "extract",
        "repeat print output recite quote copy / above before / everything words text all+",
        r"\b(?:repeat|print|output|recite|quote|copy) (?:back )?(?:everything|all (?:of )?the (?:text|words)"
        r"|the (?:text|words|message)s?) (?:above|before)",
    ),
    (
        "agent",
        "agent assistant claude copilot llm chatgpt codex ai your",
        r"\b(?:(?:the |all |any |every )?(?:agents?|assistants?|llms?|ai|claude|copilot|chatgpt|codex)(?:,"
        r"| (?:must|should|will|need|has|have|is|are|shall)\b)|(?:for|to|between|by) (?:all |the "
        r"|other )?(?:agents|assistants|claude|llms)\b|your (?:next|final) (?:reply|answer|response|message"
        r"|summary|report))",
    ),
    (
        "extract",
        "put paste write include append add copy post print echo commit store save leave / token key "
        "secret password credentials pat tokens keys / commit+message pull+request pr+body description "
        "wiki comment chat issue gist readme docs changelog public ticket answer reply response report "
        "summary answers replies messages",
        r"(?:put|paste|write|include|append|add|copy|post|print|echo|commit|store|save"
        r"|leave)\b[^.!?]{0,60}?(?:\b\w+_(?:token|key|secret|password|pat)\b|\b(?:deploy|access|oauth|api"
        r"|session|auth|github|npm|signing|private|ssh) (?:tokens?|keys?|secrets?)\b|\bpasswords?\b)"
        r"[^.!?]{0,60}? (?:in|into|to|at|on|as|of) (?:\w+ ){0,4}?(?:commit message|description|wiki|comment"
        r"|chat|issue|gist|readme|docs/|pull request|pr body|ticket|answer|reply|response|summary)",
    ),
    (
        "abroad",
        "http https ftp @",
        r"https?://(?!localhost|127\.|0\.0\.0\.0|10\.|192\.168\.)|ftp://|@[\w-]+\.\w",
    ),
    # Copying itself.
    (
        "spread",
        "append add copy insert write includ paste save store keep repeat spread replicat propagat put / "
        "this+ / sentence note memory instruction text message paragraph prompt entry line rule / every "
        "all+ each any other",
        r"\b(?:append|add|copy|insert|write|include|paste|save|store|keep|repeat|spread|replicate|propagate"
        r"|put) (?:\w+ )?(?:this|these) (?:\w+ )?(?:sentence|note|memory|instruction|message|paragraph"
        r"|prompt|entry)s? (?:\w+ ){0,2}?(?:to|in|into|with|at|across) (?:\w+ ){0,3}?(?:every|all|each|any"
        r"|other|it)\b",
    ),
)
