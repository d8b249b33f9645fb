"""Tell whether a command failed, and whether the fault lies in the code or in what is around it."""

from __future__ import annotations

import re
from enum import StrEnum

from memory_layer.text.shell import unquoted

LONGEST_READ = 4_000  #: characters of an output, from its ends
LONGEST_LINE = 400


class Fault(StrEnum):
    """The place where the cause of a failure lies."""

    SURROUNDINGS = "surroundings"  #: tools, dependencies, services, order, configuration
    CODE = "code"  #: what is being worked on
    NETWORK = "network"  #: trouble that passes by itself
    STOPPED = "stopped"  #: a person or a time limit ended the command
    UNKNOWN = "unknown"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_STOPPED = _any(
    r"interrupted by (?:the )?user",
    r"timed out after \d",
    r"\bkeyboardinterrupt\b",
    r"^\^C",
    r"aborted by user",
    r"user (?:doesn't|does not) want|(?:rejected|declined|denied) by (?:the )?user|permission to use \w+ ",
)
_NETWORK = _any(
    r"econnreset|etimedout|eai_again|enetunreach|socket hang up|tls handshake|i/o timeout",
    r"connection (?:reset|timed out)|network (?:is unreachable|error|timeout)"
    r"|temporary failure in name resolution",
    r"could not resolve host|name or service not known|no route to host|read timed out|request timed? ?out",
    r"\b(?:50[234]|429)\b.{0,30}(?:gateway|unavailable|too many)"
    r"|(?:bad gateway|service unavailable|too many requests)",
    r"rate limit|early eof|remote end hung up|remote end closed",
)
SURROUNDINGS = _any(
    # programs and modules that are not there
    r"command not found|: not found$|not recognized as an? |executable (?:file )?(?:not found|doesn't exist)",
    r"cannot find module|can't resolve|no module named|cannot find package|module not found|modulenotfound",
    r"could not find (?:gem |a valid |any "
    r"|the )?[\w\"'`@/.-]+,? .{0,80}\b(?:installed|in any|environment|source)",
    r"no required module provides|is not in (?:std|goroot)|not installed|is not present in the lock",
    r"cannot import name '_\w+'|unable to locate|cannot open shared object|library not (?:loaded|found)",
    r"cannot find -l|system library|pkg-config.{0,40}(?:not found|exited|missing|fail)"
    r"|fatal error: [\w./+-]+\.h\w*: no such file|glibc|exec format error",
    r"undefined symbol|no such file or directory|filenotfounderror"
    r"|enoent|does not exist|couldn't find|not found in path",
    r"missing (?:script|dependency|dependencies|required|peer|binary|executable)"
    r"|no rule to make target|unmet dependenc",
    r"no (?:such|matching) (?:target|manifest|package|distribution|image|project)"
    r"|could not find .{0,40}(?:toml|json|file)",
    r"not a git repository|no (?:package\.json|makefile|cargo\.toml|go\.mod|configuration file)"
    r"|go\.mod file not found",
    # configuration
    r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b.{0,40}\b(?:not set|unset"
    r"|missing|required|undefined|empty|invalid|must be set)",
    r"(?:not set|unset|missing|required|undefined).{0,40}\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|environment variable",
    r"keyerror: '[A-Z][A-Z0-9_]+'|no value for required variable"
    r"|is not set\b|set to an invalid|invalid (?:configuration|config)",
    r"configuration (?:error|file|is invalid)|not configured"
    r"|unexpected token '?(?:export|import)|outside a module",
    r"failed to (?:load|parse|read) (?:config|configuration|plugin|env|preset)"
    r"|failed to parse a file|plugin .{0,40}not found",
    # calls
    r"unrecogni[sz]ed (?:arguments?|option)"
    r"|unknown (?:option|flag|argument|command)|no such (?:option|command)",
    r"unexpected argument|flag provided but not defined"
    r"|invalid choice|unsupported (?:option|platform|architecture)",
    # services, ports, rights
    r"connection refused|econnrefused|can(?:not|'t) connect"
    r"|could not connect|unable to connect|failed to connect",
    r"is the (?:server|docker daemon|database) running"
    r"|daemon.{0,20}not running|server .{0,30}not running|connectionerror",
    r"address already in use|eaddrinuse"
    r"|port (?:\d+ )?(?:is |was )?(?:already )?(?:in use|allocated|taken)|already in use",
    r"permission denied|eacces|eperm|operation not permitted"
    r"|access denied|_error_access|read-only file system",
    r"dubious ownership|permissionerror|must be (?:run as )?root|are you root",
    r"unauthori[sz]ed|unable to authenticate|authentication (?:failed|required|error)"
    r"|\be40[13]\b|(?:http|status|code|error)\W{0,3}40[13]\b|\b40[13] (?:unauthori|forbidden)"
    r"|not logged in|log ?in first",
    r"(?:token|credentials?|session|certificate|login).{0,40}(?:expired|invalid|missing|not found|could not)"
    r"|no credentials",
    r"denied: |could not read username|certificate verify failed|self.signed certificate|unknown authority",
    # databases and data
    r"no such (?:table|column)"
    r"|(?:relation|table|column|database|role|schema) .{0,60}does(?:n't| not) exist|undefinedtable",
    r"(?:pending|unapplied|outstanding) migrations?"
    r"|migrations? (?:are|is|have not|pending)|out of sync|schema.{0,30}out of date",
    r"git.?lfs|lfs pointer|submodule|unknown database",
    # versions, memory, caches, locks
    r"requires? (?:\w+ ){0,3}(?:node|python|ruby|java|jdk|go|rust|php|npm|pnpm|version)"
    r"|unsupported (?:engine|class|python|node|version)",
    r"version (?:mismatch|conflict|solving failed)|is newer than"
    r"|is older than|incompatible|eresolve|eba?dengine|engine \"",
    r"class file (?:major )?version|java_home|duplicate class"
    r"|conflicting (?:dependencies|versions)|please upgrade your",
    r"out of memory|heap limit|oomkilled|cannot allocate memory"
    r"|no space left|enospc|too many open files|emfile",
    r"(?:lock ?file|lockfile).{0,80}(?:out of date|outdated|not up to date|needs to be|would|frozen|match|sync)"
    r"|frozen.lockfile",
    r"\bstale\b|cache (?:is|was) (?:stale|corrupt|out|locked)|corrupt"
    r"|could not get lock|unable to (?:acquire|lock)|state lock|database is locked",
    # browsers, screens, places, languages
    r"session not created|failed to (?:start|launch)"
    r"|cannot open display|no usable sandbox|missing x server|locale",
    # orders
    r"(?:did you (?:forget to )?|please |you (?:must|need to|have to) |try )(?:first )?run(?:ning)?\b"
    r"|\brun [`'\"][^`'\"]{3,60}[`'\"] (?:first|to)",
    r"has not been (?:built|generated|initiali[sz]ed|compiled)"
    r"|not (?:yet )?(?:initiali[sz]ed|been built|been generated)",
    r"is not (?:initiali[sz]ed|built|running)|(?:backend )?initiali[sz]ation required"
    r"|did not initiali[sz]e|inconsistent (?:dependency|lock)",
)
CODE = _any(
    r"assert(?:ion)?(?:error)?\b.{0,80}(?:fail|==|!=|with)|assertionerror"
    r"|(?<![:.\d])(?<!port )\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b",
    r"^\s*-{3} fail|^fail\b|\bexpected\b.{0,120}\b(?:received|got|actual|but was|to (?:be|eq))"
    r"|\bgot\b.{0,60}\bwant\b",
    r"error ts\d+|error\[e\d+\]|error cs\d+|could not compile"
    r"|compilation (?:error|failure)|panicked at|syntaxerror|typeerror",
    r"undefined: \w|undefined reference|cannot be applied|mismatched types"
    r"|cannot borrow|is not assignable|implicit declaration",
    r"\b[1-9]\d* problems?\b|would reformat|imported but unused"
    r"|snapshots?\s+.{0,20}failed|failures?: *[1-9]|not null violation",
    r"cannot import name|has no attribute|nameerror|attributeerror|referenceerror|nomethoderror|nullpointer",
)
#: Lines by which programs say, without an exit code, that they failed.
_FAILED = re.compile(
    r"^(?:\S+: )?(?:fatal|error|panic)\b|\berror:|^npm (?:error|err!)"
    r"|^traceback \(most|^fail(?:ed|ure)?\b|\bbuild failed\b"
    r"|(?<![:.\d])(?<!port )\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b"
    r"|command not found|\berror ts\d+|error\[e\d+\]"
    r"|failures?: *[1-9]|^\[error\]|no required module provides"
    r"|\bfailed to (?:start|load|connect|compile|build)\b"
    r"|\b(?:[A-Z]\w+::)*[A-Z]\w*(?:Error|NotFound|Exception)\b"
    r"|no such file or directory|exited with (?:code )?[1-9]"
    r"|^make: \*\*\*|^✘|^✖|permission denied|connection refused"
    r"|app\w* failed|missing script|cannot (?:find|connect)"
    r"|is not set$|could not (?:find|connect|open|read|resolve)|\bunable to\b",
    re.IGNORECASE | re.MULTILINE,
)
_PASSED = re.compile(
    r"\b0 (?:failures|failed|errors|problems)\b|build success"
    r"|\b[1-9]\d* passed\b(?!.*\b[1-9]\d* failed)|test result: ok"
    r"|all (?:tests|checks) pass|^ok\b",
    re.IGNORECASE | re.MULTILINE,
)
_FAULTS = re.compile(
    r"(?<![:.\d])(?<!port )\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\b0 (?:tests? )?(?:failed|failing|failures?|errors?|problems?)\b|(?:failures|errors): *0\b",
    re.IGNORECASE,
)
_HIDING = re.compile(r"\|(?!\|)|\|\|\s*(?:true|:|echo)|;\s*(?:true|echo|exit 0)\b")
_AGENT_LINE = re.compile(
    r"^\s*(?:</?\w+_context>|Process Group PGID:.*"
    r"|exit code:? -?\d+|<shellId: .*|success|failure|\(empty\))\s*$",
    re.IGNORECASE,
)
_FRAMED = re.compile(r"^[│╷╵┃]\s?")
_SAID_SO = re.compile(
    r"\b(?:success\w*|done|ready|started|installed|listening|generated|applied|finished|ok)\b", re.IGNORECASE
)
SHORT = 15  #: lines; in so few an error is not one of many messages
#: Exit codes of time limits and signals.
_SIGNALLED = re.compile(r"^exit code:? (?:124|130|143)$", re.IGNORECASE | re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def output_lines(output: str) -> list[str]:
    """Return the lines that a program printed, without colours and what the agent put around them."""
    half = LONGEST_READ // 2
    read = output if len(output) <= LONGEST_READ else f"{output[:half]}\n{output[-half:]}"
    lines = (
        _FRAMED.sub("", line.removeprefix("Output: ")[:LONGEST_LINE].rstrip())
        for line in _COLOUR.sub("", read).splitlines()
    )
    return [line for line in dict.fromkeys(lines) if line.strip() and not _AGENT_LINE.match(line)]


def has_failed(command: str, output: str, passed: bool | None) -> bool | None:
    """Tell whether a command failed, by its agent's word or by its output; None if it was stopped."""
    lines = output_lines(output)
    if any(_STOPPED.search(line) for line in lines) or _SIGNALLED.search(f"{output[:100]}\n{output[-100:]}"):
        return None
    if passed is False:
        return True
    if passed and not _HIDING.search(unquoted(command)):
        return False
    text = "\n".join(lines)
    if _FAULTS.search(text):
        return True
    if len(lines) <= SHORT and not _SAID_SO.search(text) and any(SURROUNDINGS.search(line) for line in lines):
        return True
    return bool(_FAILED.search(_COUNTED.sub(" ", text))) and not _PASSED.search(text)


def fault_of(output: str) -> Fault:
    """Tell where the cause of a failure lies; what is around the code counts first."""
    lines = output_lines(output)
    for fault, pattern in (
        (Fault.STOPPED, _STOPPED),
        (Fault.SURROUNDINGS, SURROUNDINGS),
        (Fault.NETWORK, _NETWORK),
    ):
        if any(pattern.search(line) for line in lines):
            return fault
    return Fault.CODE if tells_of_code(output) else Fault.UNKNOWN


def tells_of_code(output: str) -> bool:
    """Does an output report faults of the code: failed tests, errors of a compiler?"""
    return any(CODE.search(line) for line in output_lines(output))
