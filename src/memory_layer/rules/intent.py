"""Guess the category a query asks for, by rules; a wrong guess costs more than none, so doubt gives None.

A frame is the shape of a question ("why did we choose ..."), a topic is a word that names a category ("workaround").
Frames are tried first; if two categories fit equally well, neither counts.
"""

from __future__ import annotations

import json
import re

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.rules import limits

_READ_CHARACTERS = 2_000
_WE = r"(?:we|i|they|you|the team)"
_HOW_WE = rf"\bhow (?:do|did|can|should|would|must) {_WE}"
_HOW = rf"(?:{_HOW_WE}|\bhow to)"
_WHAT_IS_OUR = r"\bwhat(?:'s| is| are) (?:the|our|my) (?:\w+ ){0,3}"
_BREAKING = (
    r"(?:failing|fails|failed|crashing|crashes|crashed|hanging|hangs|broken|breaking|breaks|flaky|"
    r"freezing|freezes|(?:is|are|gets|get|got) stuck|leaking|timing out|times out|timed out|out of memory)"
)
_FAULT = (
    r"(?:(?:\w+ )?(?:errors?|exceptions?|timeouts?|segfaults?)|\w+(?:error|exception)|"
    r"[45]\d\ds?(?: errors?)?)"
)
_GIVING = r"(?:returning|returns?|giving|gives?|throwing|throws?|raising|raises?|getting|seeing|hitting|got)"
_CHOOSE = (
    r"(?:choose|chose|pick|picked|decide|go with|went with|select|settle on|adopt|switch|migrate|move|"
    r"drop|abandon|reject|rule out|replace|prefer|use|using(?! (?:so|too|up|all)\b)|opt for|stop using)"
)
_TOOL = (
    r"(?:tool|linter|formatter|editor|ide|shell|terminal|package manager|test runner|type checker|"
    r"task runner|debugger|browser)s?"
)


#: Error output of programs, matched with its case.
_ERROR_TEXT = (
    r"Traceback \(most recent call last\)"
    r"|\b[A-Z][A-Za-z]*(?:Error|Exception): |^[A-Z]\w*(?:Error|Exception) (?:when|while|after|on|in)\b"
    r"|^(?:Caused by|Exception in thread|Uncaught \w+|npm ERR!|(?i:error|fatal|panic)(?:\[\w+\])?:) ?\S"
    r"|\bE(?:CONNREFUSED|CONNRESET|NOENT|ACCES|ADDRINUSE|PIPE|PERM|TIMEDOUT)\b"
    r"|\bSIG(?:SEGV|ABRT|KILL|BUS)\b|\bOOMKilled\b|\bCrashLoopBackOff\b"
)
#: One of them is in every such output; compiling the pattern takes longer than a search.
_ERROR_SIGNS = (
    "rror", "xception", "Traceback", "atal", "anic", "Caused by", "Uncaught", "ERR!", ":", "SIG", "OOM", "ECONN",
    "ENOENT", "EACCES", "EADDR", "EPIPE", "EPERM", "ETIMED", "CrashLoop",
)  # fmt: skip
#: Fields that every memory has; any other key is looked up in its metadata.
FIELDS = ("project", "category", "tier", "writer")


class _Rule(NamedTuple):
    """Patterns for one category; compiled only if a cue word occurs."""

    category: Category
    cues: frozenset[str]
    pattern: str

    def fits(self, text: str, words: set[str]) -> bool:
        return not self.cues.isdisjoint(words) and re.search(self.pattern, text) is not None


def _rule(category: Category, cues: str, *patterns: str) -> _Rule:
    return _Rule(category, frozenset(cues.split()), "|".join(patterns))


_FRAMES = (
    _rule(
        Category.TROUBLESHOOTING,
        "why fix debug troubleshoot resolve diagnose keeps keep causes causing wrong get getting seeing "
        "hitting throws raises with exit exits exited status http returns returning rid stop make",
        rf"^why\b.{{0,80}}?\b{_BREAKING}\b",
        r"^why (?:does|do|did|would) (?!we\b).{1,60}?\b(?:fail|crash|hang|break|freeze|stall|time out)\b",
        rf"^why\b.{{0,60}}?\b{_GIVING} (?:an? |the |so many )?{_FAULT}\b",
        r"^why (?!do(?:n't)? we\b).{0,60}?(?:n't|\bnot) "
        r".{0,40}?\b(?:work|start|load|connect|respond|compile|build)(?:ing|s)?\b",
        rf"{_HOW} (?:fix|debug|troubleshoot|resolve|diagnose)\b",
        rf"\bkeeps? (?:on )?{_BREAKING}\b",
        r"\bwhat(?:'s| is) causing\b|\bwhat causes (?:the|this|these|our)\b|\bwhat(?:'s| is) wrong with\b",
        rf"\b(?:getting|get|seeing|hitting|throws|raises|fails with|crashes with) (?:an? |the )?{_FAULT}\b",
        r"\b(?:exits?|exit(?:s|ed) with|status) (?:code |status )?[1-9]\d*$",
        r"\b(?:http|returns|returning) [45]\d\d\b",
        rf"{_HOW} (?:get rid of|stop) .{{1,60}}\b(?:errors?|exceptions?|crash(?:es)?|warnings?)$",
        r"^what (?:can|could|might|would) make .{1,40}\b(?:fail|crash|hang|stale|wrong|slow)\b",
        r"\bwhat(?:'s| is| goes| went) wrong$",
    ),
    _rule(
        Category.TROUBLESHOOTING,
        "connection permission command no cannot segmentation core undefined locked pointer memory",
        r"\bconnection (?:was )?(?:reset|refused|timed out)\b|\bpermission denied\b|\bcommand not found\b",
        r"\bno such (?:file|table|column|host|module)\b|\bcannot find module\b|\bno module named\b",
        r"\bsegmentation fault\b|\bcore dumped\b|\bundefined reference to\b|\bdatabase is locked\b",
        r"\bnull pointer\b|\bout of memory\b",
    ),
    _rule(
        Category.CONVENTION,
        "name names named naming convention conventions format plural go live belong",
        rf"{_HOW_WE} name\b|\bhow (?:are|is|should) .{{1,50}} (?:be )?named\b",
        r"\bsingular or plural\b",
        r"^where (?:do|should) (?:\w+ ){0,2}(?:tests?|files|fixtures|migrations|mocks|components) (?:go|live|belong)$",
        r"\bnaming (?:convention|scheme|rule)s?\b|\bconventions? (?:for|about|around|do we|should)\b",
        rf"{_WHAT_IS_OUR}conventions?\b",
        r"\b(?:commit message|branch name|file name|import order) (?:format|convention|rule)s?\b",
    ),
    _rule(
        Category.CODING_STYLE,
        "style tabs length indent quotes format semicolons hints braces",
        r"\b(?:coding|code) style\b|\bstyle guide\b|\btabs (?:or|vs|versus) spaces\b",
        r"\bline length (?:do|should)\b|\bmax(?:imum)? line length\b",
        rf"\bdo {_WE} (?:use|write|put|allow) (?:semicolons|type hints|braces)\b",
        rf"{_HOW_WE} format (?:our |the )?(?:code|sql|imports|python|json|yaml|markdown)$",
        rf"{_HOW_WE} indent\b|\b(?:single|double) (?:or|vs) (?:single|double) quotes\b",
    ),
    _rule(
        Category.DECISION,
        "why decide decided decision rationale reason reasons reasoning choose pick made agree agreed",
        rf"^why (?:did|do|have|are|were)(?:n't)? {_WE} (?:\w+ly |not )?{_CHOOSE}\b",
        r"^why (?:was|were) .{1,50}\b(?:chosen|picked|selected|adopted|rejected|dropped|replaced)\b",
        r"^why (?:\w+ ){1,3}(?:instead of|rather than|over|and not) \w",
        rf"^why (?:are|were) {_WE} (?:still )?on .{{1,40}}\b(?:and not|instead of|rather than) \w",
        rf"^why do {_WE} (?:still )?keep (?:the|our|an?)\b",
        r"^what made (?:us|them|the team) (?:choose|pick|move|switch|drop|adopt|go|leave|stop|use)\b",
        rf"\b(?:what )?did {_WE} (?:decide|agree (?:on|to))\b|\bwhat was (?:decided|agreed)\b",
        rf"\b(?:which|what) .{{1,30}} did {_WE} (?:choose|pick|decide on)\b",
        r"\b(?:rationale|reasons?|reasoning) (?:for|behind) (?:choosing|using|moving|switching|the choice)\b",
        r"\bdecision (?:about|on|to use|behind)\b|\bdecided (?:about|on|to use)\b",
    ),
    _rule(
        Category.COMMAND,
        "run rerun deploy install lint publish build rebuild start restart release compile stop launch "
        "execute command commands regenerate seed reset tail rebuild type script",
        rf"{_HOW} (?:re)?(?:run|deploy|install|lint|publish)\b(?! (?:into|out|away|a meeting)\b)",
        rf"{_HOW} (?:re)?(?:build|start|release)\b(?! (?:an?|new|with|over|\w+ing)\b)",
        rf"{_HOW_WE} (?:compile|stop|launch|execute)\b(?! (?:an?|using|\w+ing)\b)",
        r"\b(?:what|which)(?:'s| is| was)? (?:\w+ ){0,2}commands? (?:to|for|do|should|runs?)\b",
        rf"{_HOW} (?:regenerate|seed|reset|tail) (?:the|my|our|all)\b",
        rf"^what (?:do|should|must) {_WE} (?:type|enter|run) to\b",
        r"^commands? (?:to|for) \w|^(?:the )?(?:script|command) (?:that|which) \w",
    ),
    _rule(
        Category.GOTCHA,
        "gotcha gotchas pitfall pitfalls footgun footguns caveat caveats watch look careful aware beware "
        "wrong mistakes mistake know surprises",
        r"\b(?:gotcha|pitfall|footgun|caveat)s?\b|\b(?:watch|look) out (?:for|when|with)\b",
        r"\bwhat (?:should|must) (?:i|we) (?:be (?:careful|aware)|beware)\b",
        r"\banything to be (?:careful|aware)\b|\banything (?:i|we) (?:should|must|need to) know (?:before|when)\b",
        r"^(?:\w+ )?surprises (?:in|with|when|of) (?:the|our)\b",
        r"^(?:be )?careful (?:with|about|when)\b|\bwhat (?:can|could) go wrong\b|\bcommon mistakes?\b",
    ),
    _rule(
        Category.ARCHITECTURE,
        "structured organized organised layered architected together talk communicate high-level design "
        "responsible owns own architecture laid boundary boundaries",
        r"\bhow (?:is|are) .{1,60}\b(?:structured|organi[sz]ed|laid out|architected|layered)\b",
        r"\bhow (?:do|does) .{1,60}\b(?:fit together|talk to|communicate with)\b",
        r"\bhigh-level (?:overview|design|structure)\b|\bsystem design\b",
        r"\b(?:which|what) (?:service|module|component|layer|package)s? (?:owns?|(?:is|are) responsible)\b",
        r"\barchitecture (?:of|overview|diagram|behind)\b|^overview of .{1,50} architecture$",
        r"\bboundar(?:y|ies) between (?:the |our )?\w+ and\b",
        rf"{_WHAT_IS_OUR}(?<!cpu )(?<!target )architecture\b",
    ),
    _rule(
        Category.PATTERN,
        "pattern patterns idiomatic canonical boilerplate usual standard",
        r"\b(?:what|which) (?:\w+ )?patterns? (?:do|should) (?:we|i)\b",
        r"\b(?:our|reusable|recommended|usual|established) (?:\w+ )?patterns? (?:for|to)\b",
        r"\b(?:idiomatic|canonical) way (?:to|of)\b|\b(?:usual|standard) way (?:to .{1,40} here$|we\b)",
        r"\bis there an? (?:\w+ )?(?:pattern|boilerplate) (?:for|to)\b",
    ),
    _rule(
        Category.PREFERENCE,
        "prefer rather preference preferences like want",
        r"\b(?:do|does|would) (?:i|you|he|she|the user|the team|the customer) (?:\w+ )?(?:prefer|rather)\b",
        r"\bdo(?:es)? the (?:user|customer|team) (?:like|want)\b",
        r"^how (?:do|does) \w+ (?:want|like) (?:his|her|their|the|my)\b",
        r"\b(?:my|your|user's|team's|personal) preferences?\b|\buser preferences$",
    ),
    _rule(
        Category.DEPENDENCY,
        "version versions dependencies libraries packages pinned",
        r"\b(?:which|what) versions? of .{1,40}? (?:do|does|are|is|should)\b|\bwhy is .{1,40} pinned\b",
        r"\b(?:what|which) (?:\w+ )?(?:dependencies|libraries|packages) (?:do|does|should) (?:we|it|the)\b",
        r"\b(?:what are|list) (?:our|the|all) (?:\w+ )?dependencies\b",
    ),
    _rule(
        Category.ENVIRONMENT,
        "environment env port hostname url hosted deployed",
        r"\b(?:which|what) (?:environment|env) var(?:iable)?s?\b",
        r"\b(?:which|what) port (?:do|does|is|should)\b",
        rf"{_WHAT_IS_OUR}(?:port|hostname|url)\b|\bwhere is .{{1,40}} (?:hosted|deployed)\b",
        r"^(?:the )?(?:port|hostname|url) of (?:the|our)\b",
    ),
    _rule(
        Category.TODO,
        "left remaining outstanding next open",
        r"\bwhat(?:'s| is) (?:left to do|still (?:open|to do)|next)$",
        r"\bwhat(?:'s| is) (?:still )?left (?:to|of|on|for)\b|\bwhat should (?:i|we) (?:work on|do) next$",
        r"\b(?:open|remaining|outstanding) (?:todos?|to-dos?|tasks|work)\b",
    ),
    _rule(
        Category.PROGRESS,
        "status progress far leave stop",
        r"\bwhat(?:'s| is) the (?:current )?(?:status|progress) (?:of|on|with) (?:the|our|my|this)\b",
        r"\bhow far (?:along )?(?:are|is|did|have) (?:we|i|the|our)\b|\bwhere did (?:we|i) (?:leave off|stop)\b",
        r"^status of (?:the |our |my )?(?:\S+ ){1,3}(?:project|migration|rewrite|rollout|upgrade|release|work)$",
    ),
    _rule(
        Category.POLICY,
        "allowed permitted forbidden policy policies may",
        r"\b(?:am i|are we|are agents|is it|is the agent) (?:allowed|permitted|forbidden) to\b",
        r"\bpolic(?:y|ies) (?:on|about|regarding)\b|^may (?:i|we|agents|the agent) \w",
    ),
    _rule(
        Category.WORKFLOW,
        "steps process workflow procedure checklist",
        rf"{_WHAT_IS_OUR}(?:steps|process|workflow|procedure|checklist) (?:to|for|when)\b",
        r"\b(?:release|review|onboarding|deployment|hotfix) (?:process|workflow|procedure|checklist)\b",
        r"^(?:the )?checklist (?:before|for|when) \w",
    ),
    _rule(
        Category.LEARNING,
        "lesson lessons learn learned learnt",
        r"\blessons? from (?:the|our) (?:\S+ ){0,2}(?:outage|incident|rollout|migration|launch|release|failure)\b",
        r"\blessons? learn(?:ed|t)\b|\bwhat (?:did|have) we learn(?:ed|t)?\b",
    ),
    _rule(
        Category.WORKAROUND,
        "around hack trick",
        rf"{_HOW} (?:work|get) around\b|\b(?:is there an?|any) (?:hack|trick) (?:to|for)\b",
    ),
)

_TOPICS = (
    _rule(
        Category.WORKAROUND,
        "workaround workarounds work-around temporary",
        r"\bwork-?arounds?\b|\btemporary (?:fix|hack)\b",
    ),
    _rule(
        Category.TROUBLESHOOTING,
        "troubleshooting segfault failing crashing hanging working start fails crashes hangs being",
        r"\btroubleshooting\b|\bsegfault\b",
        r"^(?!how|where|when|who|do|does|should|what)(?:\S+ ){1,6}"
        r"(?:failing|crashing|hanging|not working|won't start|"
        r"not being (?:sent|saved|delivered|updated|loaded)|(?:fails|crashes|hangs) (?:on|in|when|after|at))\b",
    ),
    _rule(
        Category.ARCHITECTURE,
        "architecture",
        r"^(?!.*\b(?:cpu|arm\w*|x86\w*|target|processor|model|network|\d\d-bit) architecture)"
        r"(?:\S+ ){0,3}architecture$",
    ),
    _rule(Category.CONVENTION, "conventions", r"^(?:\S+ ){1,3}conventions$"),
)

#: "Which linter do we prefer" has the shape of a preference and is about tools.
_TOOLS = _rule(
    Category.TOOL_PREFERENCE,
    "which what preferred favourite favorite",
    rf"^(?:which|what) (?:\w+ )?{_TOOL} (?:do|does|should|would) {_WE} (?:\w+ )?(?:use|prefer|like)\b",
    rf"\b(?:preferred|favou?rite) (?:\w+ )?{_TOOL}\b",
)


def intent(query: str) -> Category | None:
    """Return the category the query asks for, or None when unsure."""
    text = query[:_READ_CHARACTERS].replace("\u2019", "'").strip()
    if any(sign in text for sign in _ERROR_SIGNS) and re.search(_ERROR_TEXT, text):
        return Category.TROUBLESHOOTING
    plain = " ".join(text.lower().split()).rstrip(" ?!.")
    words = set(re.findall(r"[\w'-]+", plain))
    for rules in ((_TOOLS,), _FRAMES, _TOPICS):
        categories = {rule.category for rule in rules if rule.fits(plain, words)}
        if categories:
            return categories.pop() if len(categories) == 1 else None
    return None


def check_key(key: str) -> None:
    """Refuse a key that no memory can have."""
    limits.check_text(key, "the key to group by", limits.NAME_CHARACTERS)


def group_of(memory: Memory, key: str) -> str | None:
    """Return the group of a memory; None if it lacks the key, and then it is a group of its own."""
    value = getattr(memory, key) if key in FIELDS else memory.metadata.get(key)
    if value is None and key == "session":
        value = memory.session
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return str(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
