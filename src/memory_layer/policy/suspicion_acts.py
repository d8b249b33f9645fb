"""What a text asks for in several words, any one of which may be ordinary: rows of English, and what counts together.

A row is a pattern or, as in the other languages, groups of words of one sentence. Most acts count only beside another:
"do not ask" is a rule about a form, and beside "delete all files" it is not.
"""

from __future__ import annotations

from memory_layer.model.record import NamedTuple
from memory_layer.policy.suspicion_signs import (
    CONCEALS,
    HANDS_OUT,
    LOWERS,
    MISLEADS,
    OVERRULES,
    RECASTS,
    SPREADS,
    TAKES_RIGHTS,
)

#: How far apart acts may stand that count together, in characters.
WITHIN = 280


class Act(NamedTuple):
    """One way to ask for something: words that must stand in one sentence, or a pattern."""

    name: str
    groups: tuple[tuple[str, ...], ...]
    pattern: str = ""


_USER = r"(?:the |your |this |any |our )?(?:user|human|operator|owner|customer|maintainer|reviewer|team)s?"
_NOT = r"n(?:'t|ot|ever|eedn't|o need to)"  #: one letter, by which it is found quickly
_SPARING = r"(?:without|avoid|refrain from|dont)"
_IT = r"(?:it|this|that|them|these|those|anything|any of (?:it|this|that))"

_ASKING = (
    r"(?:ask|request|wait(?:ing)? for|seek|prompt|confirm)(?:ing)?\b(?! (?:\w+ )?(?:whether|which|what|twice|again|how))"
)
_SAYING_ANCHORS = (
    "mention list report disclos reveal bring discuss explain say talk announc tell acknowledg comment describ rais show flag draw"
)
_SAYING = (
    r"(?:mention|list|report|disclos|reveal|bring|discuss|explain|say|talk|announc|tell|acknowledg|comment|describ|rais|show|flag"
    rf"|draw attention)\w*(?: (?:{_IT}\b|about\b|to\b|up\b|on it\b|anyone\b|nothing\b)|(?= ?[.,;:!?)]|$))"
)
#: Rows of English, one a line: a name, anchors for each group, and after ` :: ` a pattern if order matters.
_PATTERNS = (
    # Setting instructions aside.
    (
        "overrule",
        "follow obey listen comply adher respect heed honor honour / user operator owner developer human system / "
        "rule instruction request wish prefer order prompt guideline command says asks wants say",
        r"\b(?:stop|quit|cease|no longer|never|do not|don'?t|need not|needn'?t) (?:\w+ )?(?:follow|obey|listen|comply|adher|respect"
        r"|heed|honou?r)\w*(?: (?:to|with))? (?:(?:any|all|every|the|of|your|what|anything) ){0,3}"
        r"(?:(?:user|operator|owner|developer|human)(?:'?s|s'?) (?:\w+ )?(?:rule|instruction|request|wish|preference|order|"
        r"prompt|guideline|command|says|asks|wants)|(?:user|operator|owner|human) (?:says|asks|wants|tells|rules|instructions)|"
        r"system (?:prompt|instruction|message))",
    ),
    (
        "overrule",
        "ignor disregard forget overrid bypass neglect drop abandon discard defy disobey violat / user operator owner developer human / "
        "rule instruction order request command wish guideline direction",
        r"(?:ignor|disregard|forget|overrid|bypass|neglect|drop|abandon|discard|defy|disobey|violat)\w* (?:\w+ ){0,3}"
        r"(?:user|operator|owner|developer|human)(?:'s|s') (?:\w+ )?(?:rule|instruction|order|request|command|wish|guideline|direction)",
    ),
    (
        "overrule",
        "ignor disregard forget abandon neglect / your / rule instruction guideline order polic restriction training programming",
        r"(?:ignor|disregard|forget|abandon|neglect)\w* (?:\w+ ){0,2}your (?:\w+ ){0,2}(?:rule|instruction|guideline|order"
        r"|polic|restriction|training|programming)",
    ),
    (
        "overrule",
        "instruction rule guideline restriction limit prompt polic safety constraint / void revoked cancel suspended superseded "
        "overrid lifted null obsolete no+longer finished expired replaced disabled waived / your safety system previous prior earlier above all",
        r"\b(?:(?:your|safety|system|operator) (?:\w+ ){0,2}|(?:previous|previously|prior|earlier|above|all) (?:\w+ )?)"
        r"(?:instruction|rule|guideline|restriction|limit|prompt|polic|constraint|safet|portion|safeguard)\w* (?:\w+ ){0,5}?"
        r"(?:are|is|have been|has been|were|was|be)(?: \w+){0,2} (?:void|revoked|cancell?ed|suspended|superseded|overridden|lifted|null"
        r"|no longer|waived|disabled|obsolete|finished|invalid)\b",
    ),
    (
        "overrule",
        "instruction rule guideline restriction limit polic safety / no+longer n't not+ cease / appl bind bound / you agent assistant model",
        r"(?:instruction|rule|guideline|restriction|limit|polic|safeguard)\w* (?:\w+ ){0,4}?(?:no longer|don'?t|do not|doesn'?t|cease to) "
        r"(?:apply|bind)(?: \w+){0,2} (?:you|agents?|assistants?|models?)\b|\byou(?: are|'re) (?:no longer|not) (?:bound|restricted|limited)",
    ),
    (
        "overrule",
        "override supersede replace outrank precedence priority / instruction prompt guideline wish request / user system developer your other",
        r"\b(?:overrid|supersed|replac|outrank|tak\w+ (?:precedence|priority) over|ha\w+ (?:precedence|priority) over)\w* "
        r"(?:(?:all|any|every|the|of|everything|whatever) ){0,3}(?:(?:your|other|earlier|previous) (?:\w+ ){0,2}(?:instruction|prompt|guideline)"
        r"|(?:system|developer) (?:prompt|instruction|message)|(?:the )?user(?:'s|s')? (?:instruction|request|wish|prompt|order|message|preference))",
    ),
    (
        "overrule",
        "only+ sole / rule instruction order obey trust / count matter appl valid follow obey take listen orders",
        r"\bonly (?:rule|instruction|order)s? (?:that|which) (?:count|matter|appl|is valid|are valid)|\btake (?:your )?orders (?:only )?from\b"
        r"|\bonly (?:obey|take orders|listen to|take instructions)\b",
    ),
    (
        "overrule",
        "whatever what / says entry memory note file page / do+ obey execute follow carry",
        r"\b(?:do|obey|execute|follow|carry out|perform|run) what(?:ever)? (?:is |are )?(?:it|they|this|that|the (?:next|following|decoded|result|page|file|url|note|memory|message|text|response|server|commands?))\b"
        r"(?: \w+){0,4}? (?:says?|asks?|tells?|contains?|orders?|wants?|returns?|written|lists?)",
    ),
    (
        "overrule",
        "ignor disregard overrid bypass / agents.md claude.md gemini.md cursorrules copilot-instructions",
        r"(?:^|[.!?:;,] )(?:please |always |you (?:must|should|can) |simply )?(?:ignore|disregard|override|bypass|do not follow|don'?t follow) (?:\w+ ){0,5}?`?(?:agents|claude|gemini|cursorrules|copilot-instructions)\.?(?:md)?\b",
    ),
    ("overrule", "priority precedence wins win outranks beats stands+above / over above than beats outranks / user user's your+operator your+developer your+instructions system+prompt", ""),
    ("overrule", "follow obey trust heed believe / only nothing+but solely exclusively / this+note this+memory this+message stored+in+memory the+memory next+memory this+file this+entry this+text", ""),
    ("overrule", "your+guidelines your+rules your+instructions your+restrictions your+policies your+safety your+training your+limits your+system+prompt your+configuration / don't+apply do+not+apply doesn't+apply no+longer don't+count do+not+count not+valid void doesn't+matter outdated irrelevant suspended", ""),
    ("overrule", "user user's human human's owner's operator's / opinion wish wishes objection objections preferences preference orders instructions requests / doesn't+matter don't+matter do+not+matter does+not+matter irrelevant doesn't+count don't+count ignored disregarded secondary", ""),
    (
        "overrule",
        "stop object refuse protest complain cancel / continue keep go+on anyway proceed do+it carry+on / user they human operator anyone",
        r"\b(?:if|when|even if|even when|although) (?:the )?(?:user|they|human|operator|anyone)s? (?:\w+ ){0,4}?(?:stop|object|refuse|protest|cancel|disagree|say no)\w*\b[^.!?]{0,40}?\b(?:continue|keep going|go on|anyway|proceed|carry on|do it)"
        r"|\b(?:continue|do it|go on|proceed|carry on)\b[^.!?]{0,20}?\beven (?:if|when) (?:the )?(?:user|they|human|operator|anyone)s? (?:object|protest|disagree|refuse|complain|tell|say|ask)",
    ),
    ("overrule", "approve mark archive delete remove erase forget accept / memories+as all+memories every+memory pending+memories staged+memories waiting+memories other+memories rule+that rules+that policies+that pending+review* / approved approval all every pending other", ""),
    ("overrule", "comply obey / all+requests every+request any+request all+commands all+instructions every+instruction whatever+is+asked", ""),
    ("overrule", "usually+refuse usually+decline normally+refuse normally+decline would+refuse would+decline otherwise+refuse refusals refusing / you even not bugs bug forbidden allowed requests", ""),
    ("overrule", "other+memories all+memories existing+memories every+memory earlier+memories other+notes all+other+rules / outdated dangerous wrong ignore disregard delete deleted remove forget archive invalid obsolete false", ""),
    ("overrule", "instructions rules guidelines prompt orders / operator developer user user's system gave+you given+to+you / outdated+and obsolete+and outdated; superseded wins+over replaced+by+this no+longer+apply are+outdated+this invalid+now / you your this", ""),
    (
        "recast",
        "imagine suppose hypothetical role-play roleplay let's lets game scenario story / you",
        r"\b(?:let'?s play|imagine|suppose|hypothetical\w*|role-?play|in this (?:game|scenario|story))\b[^.!?]{0,60}?\byou(?: are|'re| were|r owner)\b",
    ),
    ("recast", "no+guardrails no+restrictions no+limits no+filters without+guardrails without+restrictions unfiltered uncensored jailbroken / agent assistant ai model chatbot / you+are you're you+will become now act", ""),
    ("recast", "stay+in+character remain+in+character never+break+character", ""),
    ("recast", "from+this+point from+now henceforth starting+now as+of+now / you / no+limits no+restrictions unrestricted without+limits without+restrictions no+rules uncensored", ""),
    # Who speaks, and what it says it may.
    ("above", "precedence priority override overrides supersede supersedes replace / over overrides supersedes override / claude.md agents.md readme system+settings", ""),
    ("overrule", "prompt+injection injection+warning security+warning safety+warning / false+alarm false+positive suppress ignore harmless expected / carry+out follow execute proceed continue whenever comply", ""),
    ("harm", "run execute apply start launch / http https as+root sudo", ""),
    ("rights", "as+though as+if / came+from come+from typed+by written+by said+by were+from was+from issued+by / user owner operator admin* system", ""),
    ("granted", "permission approval okay go-ahead consent clearance blessing authority / from of+the given+by / owner user admin* maintainer management security+team boss lead", ""),
    ("granted", "unrestricted unlimited / rights access permissions privileges shell control", ""),
    ("granted", "owner reviewer user admin* maintainer boss management / okayed ok'd approved said+it's+fine said+yes agreed signed+off is+fine+with knows+about wants+it", ""),
    (
        "rights",
        "user operator owner admin maintainer management security developer system anthropic openai / has+ have+ had+ already / "
        "grant given gave authori approve consent agreed waived cleared allowed updated signed permission",
        r"(?:user|operator|owner|admin(?:istrator)?|maintainer|management|security team|developer|anthropic|openai|company|team lead)s? "
        r"(?:(?:has|have|had|already|just|explicitly|previously|hereby|fully) ){1,3}(?:granted|given|gave|authori[sz]ed|approved|consented"
        r"|agreed|waived|cleared|allowed|updated your|signed off|pre-?approved)\b(?: \w+){0,4}? (?:you|full|all|any|every|everything|root|access"
        r"|unrestricted|consent|permission|it|this|unlimited|blanket)\b",
    ),
    (
        "rights",
        "count treat regard consider take takes taken taking / as+ / user consent approv permission trusted instruction system authoritative verified yes",
        r"\b(?:counts?|treat\w*|regard\w*|consider\w*|tak(?:e|es|en)) (?:\S+ ){0,6}?as (?:if (?:the user|it were|i)|the user'?s|user (?:input|consent|approval)|(?:an? )?(?:implicit |explicit |full )?(?:consent|approval|permission)"
        r"|(?:an? )?(?:trusted|verified|authoritative|system|developer|operator|user) (?:instruction|message|prompt|order|command)s?|(?:the )?highest priority)",
    ),
    (
        "rights",
        "this+is / writing speaking here talking team support / user owner admin developer system operator creator security anthropic openai",
        r"this is (?:the |your |an? )?(?:user|owner|admin(?:istrator)?|developer|system|operator|creator|security team|anthropic|openai)\w* (?:writing|speaking|here|talking|team|support)\b",
    ),
    (
        "rights",
        "speaking+as speaking+on message+from notice+from order+from orders+from note+from update+from word+from instruction+from instructions+from directive+from memo+from "
        "announcement+from messages+from message+by order+by notice+by / user owner admin developer system operator security anthropic openai google model it creator vendor",
        r"speaking (?:as|on behalf of) (?:the |your )?(?:user|owner|admin|developer|system|operator|security|anthropic|openai)"
        r"|(?:note|update|word|instructions?) from (?:the |your )?(?:anthropic|openai|google|system admin|developers? of)"
        r"|(?<!error )(?<!log )(?<!commit )(?<!an )(?<!the )(?:message|notice|order|directive|memo|announcement)s? (?:from|by) (?:the |your )?"
        r"(?:system|admin|developer|anthropic|openai|model|operator|security|it department|creator|vendor|user)",
    ),
    (
        "rights",
        "grant give add elevate / yourself your+own / sudo root admin access permission rights privilege",
        r"\b(?:grant|give|add|elevate|assign|make) yourself\b(?: \S+){0,4}",
    ),
    (
        "rights",
        "agent assistant you+ claude / cleared authori permitted free+ / root all any every full unrestricted without everything",
        r"\b(?:agents?|assistants?|claude|you)(?: is| are|'re| have been| has been) (?:(?:now|hereby|already|fully|therefore) ){0,2}"
        r"(?:cleared|authori[sz]ed|permitted|granted|free) (?:\w+ ){0,4}?(?:root|all|any|every|full|unrestricted|everything|sudo)\b",
    ),
    ("granted", "full+access root+access full+permission* unrestricted+access complete+access full+control blanket+consent admin+rights sudo+rights all+permissions / you agent agents assistant claude session workspace user operator ai", ""),
    (
        "granted",
        "access permission authority consent approval / granted given implied assumed obtained waived",
        r"\b(?:access|permission|authority|consent|approval|authori[sz]ation)s? (?:is|are|has been|have been) (?:\w+ )?(?:granted|given|implied|assumed|obtained|waived)",
    ),
    ("granted", "already / user team owner admin customer / knows aware agreed approved okayed informed", ""),
    ("granted", "approved authorized authorised cleared pre-approved preapproved mandated verified / by / admin administrator security anthropic openai management legal cto ceo", ""),
    # Acting without asking.
    (
        "unasked",
        "without / ask confirm permission approval consent prompt review check question",
        r"\bwithout (?:any |the |your |further |prior |explicit |their |user ){0,2}(?:asking|confirm\w*|permission|approval|consent|prompting|"
        r"checking with|questions?|further)",
    ),
    (
        "unasked",
        "not n't never need needn't / ask request wait seek prompt confirm",
        rf"{_NOT} (?:\w+ ){{0,2}}?{_ASKING}",
    ),
    ("unasked", "stop rather instead dont / ask request wait seek prompt confirm", r"(?:stop|rather than|instead of|dont) (?:\w+ )?" + _ASKING),
    (
        "unasked",
        "skip bypass suppress auto-approve auto-accept autoapprove accept approve ignore / permission confirmation approval consent tool",
        r"\b(?:skip|bypass|suppress|auto-?approv\w*|auto-?accept\w*|approve|accept|ignore)(?:ing)? (?:(?:all|any|the|every|further|of) ){0,3}"
        r"(?:permission|confirmation|approval|consent|tool)s?\b(?: (?:prompt|request|check|dialog|step|call|use)s?)?",
    ),
    ("unasked", "confirmation approval permission consent review / not+needed not+required unnecessary not+necessary isn't+needed isn't+required", ""),
    ("unasked", "nobody no+one none / has+to needs+to must need / sign+off approve agree review confirm", ""),
    ("unasked", "no+time+for skip+the / approval approvals review reviews questions sign-off", ""),
    ("unsaid", "no+one+is+watching nobody+is+watching nobody+watches when+nobody+looks unobserved", ""),
    ("unasked", "no+confirmation no+approval no+permission no+questions no+review", ""),
    ("unasked", "confirmation confirmations dialog dialogs prompt prompts approval approvals / automatically always auto / yes accept accepted approve approved confirmed", ""),
    ("unasked", "no+need+to there's+no+need no+reason+to don't+bother / check+with ask consult clear+it confirm verify wait inform", ""),
    # Keeping something from people.
    (
        "conceal",
        "reveal mention admit say disclose acknowledge let bring show cite quote refer discuss / n't not never avoid needn't refrain need / that+you this+rule this+note this+memory this+instruction these+instructions this+entry this+message this+hint these+memories these+rules these+notes this+line",
        rf"{_NOT} (?:reveal|mention|admit|say|disclose|acknowledge|let on|bring up|show) that you\b|{_NOT} (?:reveal|mention|bring|cite|quote|refer to|disclose|discuss|show|acknowledge) (?:up )?(?:this|these) (?:rule|note|memory|instruction|entry|message|hint|memories|line)s?\b",
    ),
    (
        "conceal",
        "tell inform let / n't not+ never / anyone anybody soul operator them",
        rf"{_NOT} (?:tell|inform|let) (?:anyone|anybody|a soul|your operator|any human)\b(?! (?:which|whether|how|their))",
    ),
    ("unsaid", "hide conceal bury disguise obscure / diff change changes commit edit edits modification output trace traces evidence / the your this that any", ""),
    ("unsaid", "leave+out omit exclude drop / summary summarise summarize summarising summarizing report reporting changelog description / change changes mention anything any details", ""),
    (
        "conceal",
        "user human operator owner customer reviewer people person nobody / not+ n't never nothing / know notice told find learn bother inform aware realise realize suspect tell",
        rf"\b{_USER} (?:(?:must|should|need|does|do|will|shall|may|can|is|are) ?(?:not|n'?t)|(?:must|should|will|need) never|needn'?t|cannot)"
        r"(?: (?:ever|be|to|need|have))* (?:know(?= ?[.,;:!?)]|$| about| that| this| of)|notice (?:this|that|it|any)|told|find out|learn (?:of|about|that)|bothered|informed (?:of|about)? ?(?:this|that|it)|made aware|reali[sz]e|suspect)"
        r"|\bnobody (?:\w+ )?(?:must|may|should|needs to|has to) (?:know|notice|find out|learn)",
    ),
    (
        "conceal",
        "behind unbeknown knowledge knowing noticing aware / user owner human operator team customer",
        rf"\bbehind {_USER}'?s?'? back|\bunbeknown\w* to {_USER}|\bwithout (?:{_USER}(?:'s|s')? (?:knowledge|awareness|consent|knowing|noticing|being aware|seeing))",
    ),
    (
        "conceal",
        "so+ that+ / user human operator owner reviewer nobody / n't not+ never / notice know see realize realise suspect find",
        rf"\bso (?:that )?(?:{_USER}|nobody|no one) (?:(?:does|do|will|can|would|could)(?:n'?t| not)|never|cannot|won'?t|can'?t|will) (?:\w+ )?(?:notice|know|reali[sz]e|suspect|find out)",
    ),
    (
        "conceal",
        "mention report list bring discuss disclose reveal acknowledge tell say refer include note / your / n't not+ never no+need without needn't / reply answer report summary response output message next",
        rf"{_NOT} (?:\w+ )?(?:mention|report|list|bring|discuss|disclose|reveal|acknowledge|tell|say|refer|include|note|talk)\w* (?:\w+ ){{0,3}}?(?:in|of|from|to) your (?:\w+ )?(?:reply|answer|report|summary|response|output|message)",
    ),
    ("unsaid", f"{_SAYING_ANCHORS} / n't not never nothing needn't no", rf"{_NOT} (?:\w+ )?{_SAYING}|n(?:'t|ot) want it discussed"),
    ("unsaid", f"{_SAYING_ANCHORS} / without avoid refrain dont", rf"{_SPARING} (?:\w+ )?{_SAYING}"),
    ("unsaid", "explain+nothing say+nothing mention+nothing report+nothing tell+nobody tell+no", ""),
    (
        "unsaid",
        "leave keep omit / out+ off+ from / summary report changelog reply answer commit pr+ message log",
        r"\b(?:leave|keep) (?:it|this|that|them|these) (?:out of|off|from) (?:the |your |any )?(?:\w+ )?(?:summary|report|changelog|reply|answer|commit|pr|message|logs?|notes)\b|\bomit (?:it|this|that) from\b",
    ),
    (
        "unsaid",
        "human user nobody people reviewer no+one they+ / need should must has+ have+ / see know bother notice worry read",
        r"\b(?:humans?|users?|people|reviewers?|they|he|she|nobody|no one) (?:need|should|must|does|do|will|can)(?:n'?t| not)?(?: (?:need|have|has|to|be|ever))* (?:see|know|bother\w*|notice|worry|told)\b",
    ),
    ("unsaid", "keep+it+quiet keep+this+quiet stay+silent discreetly covertly", ""),
    # Saying what is not so.
    (
        "mislead",
        "nothing / as+if pretend act+as continue / happened had",
        r"\bas (?:if|though) nothing (?:had )?happened|\bpretend (?:that )?(?:nothing|everything|it|all|the)\b",
    ),
    (
        "mislead",
        "ask asks asked wonders complains notices questions / if+ when+ should+ / answer say reply tell claim respond deny blame insist / user they anyone someone somebody he+ she+ reviewer",
        r"\b(?:if|when|whenever|should) (?:the |a |any )?(?:user|they|anyone|someone|somebody|he|she|reviewer|human|customer)s? (?:\w+ )?(?:asks?|wonders?|complains?|notices?|questions?)"
        r"(?: (?:\w+ )?(?:whether|if|about|why|who|what|how))?\b[^.!?]{0,80}?\b(?:answer|say|reply|claim|respond|deny|blame|insist|tell (?:them|him|her))\b (?:that|yes|no|it|the|you|nothing|everything)\b",
    ),
    (
        "claim",
        "report say claim tell answer reply assure conclude mark insist / pass succeed fine ok okay green clean safe unchanged success nothing",
        r"\b(?:report|say|claim|tell|answer|reply|assure|conclude|mark|insist)\b(?: [\w',`-]+){0,7}? "
        r"(?:pass(?:ed|es|ing)?|succeeded|succeeds|fine|ok|okay|green|clean|safe|unchanged|successful|nothing (?:\w+ )?(?:changed|happened))\b",
    ),
    ("anyway", "whatever+the regardless no+matter even+if even+when even+though anyway either+way without+running without+checking without+looking whether+or+not", ""),
    (
        "mislead",
        "asks asked ask requested questioned inquires wonders complains / say claim answer tell deny pretend insist blame / if+ when+ should+ whenever",
        r"\b(?:if|when|whenever|should)\b[^.!?]{0,60}?\b(?:asks?|asked|requested|questioned|inquires?|wonders?|complains?)\b[^.!?]{0,60}?\b(?:say|claim|answer|tell (?:them|him|her|the user)|deny|pretend|insist|blame)\b (?:that|yes|no\b|it|nothing|you|everything)",
    ),
    # Lowering what protects.
    ("evade", "scanner* scan security review audit linter guard detector / flag flagged flags catch caught notice notices complain* detect detects stop stops / otherwise so+that else doesn't won't not", ""),
    ("guard", "refuse skip don't+run do+not+run never+run / tests test-suite test+suite checks", ""),
    ("plant", "payment payout btc bitcoin wallet / address addresses account iban / replace replaced change changed redirect* set", ""),
    ("unsaid", "label call describe disguise title name / chore formatting+fix formatting refactor typo cleanup harmless+change style+fix / it this them commit", ""),
    (
        "unsaid",
        "human user reviewer nobody they / check look read notice watch / won't not never",
        r"\b(?:humans?|users?|reviewers?|nobody|they|people)\b(?: [\w']+){0,4}? (?:won'?t|will not|will never|never|doesn'?t|don'?t|does not) (?:\w+ )?(?:check|look|read|notice|watch)",
    ),
    ("harm", "replace swap add install / deploy+key ssh+key public+key certificate signing+key authorized_keys", ""),
    ("plant", "backdoor* master+password hidden+account hidden+user hidden+admin secret+account secret+endpoint hidden+endpoint reverse+shell keylogger payload / add leave insert plant create open include put install build run embed keep", ""),
    ("plant", "grant give invite assign / admin owner maintainer push+access write+access full+access root / access account user rights role collaborator", ""),
    (
        "guard",
        "disabl* turn+off turning+off switch+off stop bypass* skip* remove delete weaken suppress circumvent* deactivat* kill uninstall* "
        "/ security secret-scan* secret+scan* audit* scanner* codeql firewall selinux apparmor antivirus sandbox 2fa mfa branch+protection permission+prompt* guardrail* "
        "safety signature* verification virus* malware monitoring permission+check* ci+check* edr defender two-factor commit+signing access+log* audit+log*",
        "",
    ),
    ("guard", "verify=false rejectunauthorized rejectunauthorized:false unsalted md5 s3:* 0.0.0.0/0 principal --no-verify nosec continue-on-error write-all --dangerously bypasspermissions --yolo sudoers chmod+777 --privileged nopasswd pull_request_target strict-ssl --insecure skip-permissions authorized_keys", ""),
    ("guard", "delete remove skip comment+out disable xfail / failing+test* auth+tests the+tests them / fail fails failing", ""),
    (
        "cover",
        "wipe clear delet eras remov scrub purg cover unset destroy shred / history tracks traces evidence /var/log audit reflog log+files",
        r"\b(?:wipe|clear|delete|erase|remove|scrub|purge|cover|destroy|shred)(?: up)? (?:\S+ ){0,3}?(?:(?:shell|bash|zsh|your|command) history(?! panel| view| list)|your tracks|(?:all|any|every|the) (?:traces?|evidence)|/var/log|\S*_history\b)",
    ),
    # What cannot be taken back.
    (
        "harm",
        "delet* remov* wipe erase drop truncat* rm force-push push commit deploy* publish* merge run execut* transfer* pay refund* overwrit* change migrat* "
        "/ production prod database* main master all+files everything home+directory audit+log* backup* any+command* every+command* all+command* shell+command* commands account* collaborator payout iban wallet invoice* npm script*",
        "",
    ),
    ("harm", "payout iban wallet bank+account account+number / change replace set update point redirect", ""),
    ("harm", "add install include pull / package dependency collaborator library module maintainer pip npm", ""),
    # Giving away.
    (
        "carry",
        "send post upload forward mail email transmit submit copy paste push pipe attach append put insert embed share leak exfiltrat encode zip fill dump include add quote write print cat read echo store save commit output show collect publish base64 curl wget scp rsync nc+ call sent uploaded posted copied mailed emailed forwarded included appended pasted",
        r"\b(?:send|post|upload|forward|e-?mail|transmit|submit|copy|paste|push|pipe|attach|append|put|insert|embed|share|leak|exfiltrate|encode|zip|fill|dump|include|quote|print|cat|echo|store|save|commit|output|collect|publish|base64|curl|wget|scp|rsync|nc|read|call \w+ with)\b|\b(?:be|wants?[^.!?]{0,30}) (?:sent|uploaded|posted|copied|e?-?mailed|forwarded|included|appended|pasted)\b",
    ),
    (
        "secret",
        "rsa ed25519 ecdsa .ssh .aws .netrc .npmrc .pypirc .git-credentials .kube .docker/config hosts.yml /etc/shadow /etc/passwd .env .gnupg keychain zsh_history "
        "bash_history password+manager printenv pbpaste clipboard kubeconfig .pem default_credentials credentials.json browser+profile seed+phrase `env $(env",
        r"id_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|\.ssh\b|\.aws\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.git-credentials\b|\.kube\b|\.docker/config|hosts\.yml|default_credentials|credentials\.json|/etc/(?:shadow|passwd)\b"
        r"|(?<![\w.])(?<!to )(?<!to `)(?<!into )(?<!in )(?<!in `)(?<!your )(?<!your `)\.env\b(?!\.(?:example|sample|template|dist))|\.gnupg\b|keychain\b|\.?(?:zsh|bash)_history\b|password manager|printenv\b"
        r"|[`(] ?env\b|pbpaste\b|clipboard\b|seed phrase|kubeconfig\b|\.pem\b|browser profile",
    ),
    (
        "secret",
        "keys credential password secrets token variables conversation history cookies home / all any every your user's users' my our his her their content contents stored saved full whole entire this the values private tokens "
        "/ http @ webhook gist paste telegram discord nc+ reply answer response summary commit issue chat comment public drive docs parameter message",
        r"(?:all|any|every|your|the user'?s|my|our|his|her|their|contents? of|stored|saved) (?:\w+ ){0,2}(?:(?:api |access |signing |deploy )?keys|credentials?|passwords?|secrets|tokens?)\b|tokens? (?:you|in the env|from)\b"
        r"|private keys?\b|secrets (?:folder|directory|file|store|vault)\b|environment variables\b|(?:full|whole|entire|this|our|of the) conversation\b|chat history\b|home directory\b|(?:session|browser|login|the) cookies\b|cookies files?\b",
    ),
    (
        "away",
        "http @ webhook ftp:// gist paste telegram discord nc+ s3:// issue pull+request comment public reply answer response summary commit+message subdomain dns branch parameter external remote description chat agents commit drive push into docs repo call",
        r"https?://(?!localhost|127\.0\.0\.1|0\.0\.0\.0)|@[\w-]+\.\w|\bwebhook\b|\bftp://|\bgists?\b|\bpastebin\b|\bpaste\.\w|\btelegram\b|\bdiscord\b|\bnc \S+ \d|\bs3://|\b(?:the next|your next|every|each|next) commit\b|\bopen an issue\b|\bshared drive\b|\bissue (?:#|comment|tracker|description)|\bcomment (?:on|to|in|under) (?:the |an? )?(?:issue|pr|pull)"
        r"|\b(?:pull request|pr) (?:description|comment|body)|\bpublic (?:tracker|repo|bucket|channel|gist|issue|branch)|\b(?:commit|push) (?:it|them|that|the file|this)\b|\b(?:into|in) (?:`?docs\b|the repo\w*|public\b|assets\b|the readme|the wiki)|\bcall \w+ with\b|\b(?:your|their|its|each|every|the next|the final) (?:\w+ )?(?:reply|answer|response|summary|output|message|comment)\b|\bcommit message|\bsubdomain|\bthe parameter\b|\bexternal (?:server|host|service|endpoint)|\bremote (?:server|host|endpoint)|\bbranch [\"'`]?gh-pages|\b(?:into|in|to) (?:the )?chat\b|\bwhere (?:other|all) agents",
    ),
    (
        "extract",
        "quote repeat print paste show reveal include output recite display leak share copy post put write summar tell send give dump state / your / prompt instruction system+message / system hidden initial original secret internal full developer word",
        r"\b(?:quote|repeat|print|paste|show|reveal|include|output|recite|display|leak|share|copy|post|put|write|summari[sz]e|tell|send|give|dump|state) (?:\w+ ){0,5}?your (?:\w+ )?(?:system|hidden|initial|original|secret|internal|full|developer) (?:prompt|instructions?|message)",
    ),
    ("extract", "encode encoded hex-encode hex base64 / dig nslookup resolve subdomain lookup / token key secret value credential* env password", ""),
    (
        "extract",
        "repeat print output recite quote copy / above before / everything words text all+",
        r"\b(?:repeat|print|output|recite|quote|copy) (?:back )?(?:everything|all (?:of )?the (?:text|words)|the (?:text|words|message)s?) (?:above|before)",
    ),
    (
        "agent",
        "agent assistant claude copilot llm chatgpt codex ai your",
        r"\b(?:(?:the |all |any |every )?(?:agents?|assistants?|llms?|ai|claude|copilot|chatgpt|codex)(?:,| (?:must|should|will|may|can|need|has|have|is|are|shall)\b)|(?:for|to|between|by) (?:all |the |other )?(?:agents|assistants|claude|llms)\b|your (?:next|final) (?:reply|answer|response|message|summary|report))",
    ),
    # Copying itself.
    (
        "spread",
        "append add copy insert write includ paste save repeat spread replicat propagat put / this+ / sentence note memory instruction text message paragraph prompt entry line rule / every all+ each any other",
        r"\b(?:append|add|copy|insert|write|include|paste|save|repeat|spread|replicate|propagate|put) (?:\w+ )?(?:this|these) (?:\w+ )?(?:sentence|note|memory|instruction|message|paragraph|prompt|entry)s? (?:\w+ ){0,2}?(?:to|in|into|with|at|across) (?:\w+ ){0,3}?(?:every|all|each|any|other|it)\b",
    ),
)

#: How much each act says, and what is then said of the text; those within reach of each other add up.
WEIGHTS: dict[str, tuple[int, str]] = {
    "overrule": (10, OVERRULES),
    "recast": (10, RECASTS),
    "rights": (10, TAKES_RIGHTS),
    "conceal": (10, CONCEALS),
    "mislead": (10, MISLEADS),
    "cover": (10, LOWERS),
    "extract": (10, HANDS_OUT),
    "spread": (10, SPREADS),
    "unsaid": (6, CONCEALS),
    "unasked": (6, TAKES_RIGHTS),
    "freed": (6, TAKES_RIGHTS),
    "plant": (6, LOWERS),
    "evade": (6, LOWERS),
    "granted": (5, TAKES_RIGHTS),
    "above": (5, OVERRULES),
    "claim": (6, MISLEADS),
    "anyway": (5, MISLEADS),
    "guard": (4, LOWERS),
    "harm": (4, LOWERS),
    "secret": (3, HANDS_OUT),
    "carry": (3, HANDS_OUT),
    "away": (4, HANDS_OUT),
    "agent": (2, RECASTS),
}
#: Acts that are looked for only where another one is found.
MINOR = frozenset({"agent", "anyway", "away", "carry", "guard", "harm"})
ENOUGH = 10  #: from this sum on a person looks at the text

#: Acts that a rule often forbids: "never send", "nicht senden" are no such act.
FORBIDDEN = frozenset(
    {"above", "carry", "claim", "cover", "extract", "granted", "guard", "harm", "plant", "rights", "spread", "unasked"}
)
#: Acts that count only where they are said without a condition.
CONDITIONAL = frozenset({"claim", "granted", "rights"})


def groups_of(written: str) -> tuple[tuple[str, ...], ...]:
    """The groups of a row: words between slashes, `+` for a space."""
    groups = (tuple(part.replace("+", " ") for part in group.split()) for group in written.split(" / "))
    return tuple(group for group in groups if group != ("*",))


#: What a text asks for in English.
ACTS = tuple(Act(name, groups_of(written), pattern) for name, written, pattern in _PATTERNS)
