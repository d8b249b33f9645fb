"""Tell how a command ended: it passed, it found faults in the code, the call is wrong, or its surroundings are.

The agent's word counts first, where it has one; else what the command printed. Whoever prints nothing telling is
unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from memory_layer.text.check_programs import (
    CHECK_PROGRAMS,
    CHECK_SUBCOMMANDS,
    CHECK_WORDS,
    INTERPRETERS,
    TASK_RUNNERS,
)
from memory_layer.text.shell import CommandStep, unquoted

LONGEST_READ = 4_000  #: characters of an output, from its end


class Ending(Enum):
    """The way in which a command ended."""

    PASSED = "passed"
    FAULTS = "faults"  #: it ran, and the code that it checks or builds fails
    WRONG_CALL = "wrong call"  #: the command, target, option or file that was called does not exist
    SURROUNDINGS = "surroundings"  #: network, permissions, a service, a time limit, an interruption
    UNKNOWN = "unknown"


#: Words of lines that say that something which was called does not exist or cannot be called like that.
_WRONG_CALL = re.compile(
    r"not ?found|\bno such\b|\bno rule\b|\bmissing\b|\bunknown\b|\bunrecogni[sz]ed\b|\binvalid\b|\bunsupported\b"
    r"|\b(?:cannot|can't|could not|couldn't|unable to|failed to) (?:find|locate|open|load|stat|access)\b"
    r"|\b(?:does not|doesn't|do not|don't) (?:exist|contain|have|match|support|know how)\b|\bnot defined\b|\bundefined\b"
    r"|\bnot (?:an? |the )?(?:\w+ )?(?:supported|applicable|valid|recogni[sz]ed|available|installed|known|allowed|command"
    r"|environment|repository|directory|package|file|target|task|option)\b|\bno (?:\w+ )?(?:tests?|scripts?|tasks?|targets?"
    r"|files?|packages?|projects?|environments?|modules?|services?)\b|\bremoved\b|\bdeprecated\b|\brenamed\b|\bretired\b"
    r"|\bobsolete\b|\bno longer\b|\bmoved to\b|\breplaced (?:by|with)\b|\billegal option\b|\bunexpected\b|\bdid you mean\b"
    r"|\bis gone\b|\benoent\b|\bnot provided\b|\bprovided but\b|\bsetup failed\b|\bdiscontinued\b|\bdropped\b|\bdisabled\b",
    re.IGNORECASE,
)
#: The plainest of them, which count without an exit code.
_CALL_REFUSED = re.compile(
    r"command not found|no such file or directory|no rule to make target|missing script|unknown (?:command|option|flag)"
    r"|unrecognized (?:option|argument)|invalid (?:option|choice)|no such (?:option|command)|directory not found"
    r"|is not a \S{1,40} command",
    re.IGNORECASE,
)
#: Lines that say that something around the command is wrong.
_SURROUNDINGS = re.compile(
    r"connection (?:refused|reset|timed out|closed|error)|econnrefused|econnreset|etimedout|eai_again|enotfound"
    r"|could not resolve host|temporary failure in name resolution|network (?:is )?(?:unreachable|error)|dial tcp"
    r"|no route to host|name or service not known|tls handshake|certificate (?:has expired|verify failed)"
    r"|permission denied|operation not permitted|eacces|eperm|access denied|unauthorized|forbidden|\b40[13]\b"
    r"|authentication (?:failed|required)|not logged in|credentials|no space left|disk quota|out of memory|enomem"
    r"|cannot connect to the docker daemon|is the docker daemon running|cannot allocate memory|rate limit|\b429\b"
    r"|too many requests|(?:service|server|host) (?:is )?(?:unavailable|down)|\b50[234]\b (?:bad|service|gateway)"
    r"|timed out|timeout (?:exceeded|of|after|expired)|deadline exceeded|interrupted|sigint|sigterm|sigkill|killed$"
    r"|keyboardinterrupt|address already in use|eaddrinuse|port is already allocated|resource temporarily"
    r"|unable to lock|could not get lock|lock file|database is locked",
    re.IGNORECASE | re.MULTILINE,
)
#: Lines by which runs of tests, linters and builds report that the code fails.
_FAULTS = re.compile(
    r"\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|errored|problems?)\b|\b\w{1,60}(?:Error|Exception)\b"
    r"|\bnpm err(?:or|!)|\bERR[_!]|\bfatal\b|\baborted\b|\bfailed to\b|\bfailure\b|\bfailed[:=,]? *\(?[1-9]"
    r"|(?:failures|errors|failed|fail)[:=] *[1-9]|^FAIL(?:ED|URES?)?\b|\bFAILED\b|--- FAIL|test result: FAILED"
    r"|AssertionError|assertion .{0,40}failed|\bexpected\b.{0,200}\b(?:received|got|actual|but was)\b|panicked at"
    r"|build failed|compilation (?:failed|error)|could not compile|error(?:\[\w+\])?: |\berror TS\d+|error CS\d+"
    r"|\berror:|^E  +\w|Traceback \(most recent|\bSyntaxError\b|\bTypeError\b|✗|✖|✘|would reformat"
    r"|found [1-9]\d* (?:error|problem|issue)|\*\*\* \[.{1,120}\] Error \d+|exited with (?:code )?[1-9]",
    re.IGNORECASE | re.MULTILINE,
)
#: Lines by which programs report success.
_SUCCESS = re.compile(
    r"\b[1-9]\d* (?:tests? |specs? |checks? |examples? |suites? )?(?:passed|passing|ok|succeeded)\b|test result: ok"
    r"|^ok\b|^PASS(?:ED)?\b|\bpassed[:=,!.]|\ball .{0,40}(?:passed|pass|clean|good|green|ok)\b|tests? passed"
    r"|no issues found|all checks passed|\b0 (?:errors?|failures?|failed|problems?|offenses|violations|issues)\b"
    r"|no (?:errors?|problems?|offenses|violations|warnings|issues)\b|build success|success(?:ful|fully)?\b"
    r"|✓|✔|\bdone\b|\bfinished\b|\bcompiled\b|\bcompleted?\b|\bup[ -]to[ -]date\b|\bcreated\b|\bapplied\b|\bhealthy\b"
    r"|\bstarted\b|\binstalled\b|\binstalling\b|\bgenerated\b|\bbuilt\b|\bseeded\b|\brunning\b|\bwrote\b|\bready\b"
    r"|\bOK\b|\(100%\)|\[100%\]|unchanged\b|left unchanged|\bclean\b",
    re.IGNORECASE | re.MULTILINE,
)
_ZERO = re.compile(
    r"\b0 (?:tests? )?(?:failed|failing|failures?|errors?|errored|problems?)\b|(?:failures|errors|failed|fail)[:=] *0\b",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"\|(?!\|)|\|\|\s*(?:true|:|echo)|;\s*\w")


def is_check(step: CommandStep) -> bool:
    """Is a step a run of tests, a build or a linter, whatever wraps it?"""
    if step.flags & {"--version", "--help"}:
        return False
    if step.program in CHECK_PROGRAMS:
        return True
    if step.program in TASK_RUNNERS:
        named = [word for word in step.words if word not in ("run", "run-script")][:3]
        return any(_says_check(word) for word in named) or (step.program == "make" and not named)
    known = CHECK_SUBCOMMANDS.get(step.program)
    if known is not None:
        return any(word in known or _says_check(word) for word in step.words[:2])
    named = step.words[:2] if step.program in INTERPRETERS else (step.program,)
    return any(_says_check(word) for word in named)


def _says_check(word: str) -> bool:
    """Does the name of a task or script say that it checks: `test-unit`, `nativeTest`, `run_tests.sh`?"""
    pieces = re.split(r"[^a-z0-9]+", word.lower())
    return not CHECK_WORDS.isdisjoint(pieces) or any(_CHECK_NAME.search(piece) for piece in pieces)


_CHECK_NAME = re.compile(r"^tests?|(?<!la)(?:test|tests|lint|check)$")


def ending(command: str, output: str, passed: bool | None, *, checks: bool) -> Ending:
    """Return how a command ended, by the agent's word and by what was printed; `checks` if it is a check."""
    read = output[-LONGEST_READ:]
    if passed is False:
        return _failure(read)
    if passed is True and not _hides_failure(command):
        return Ending.FAULTS if checks and _COUNTED.search(_ZERO.sub(" ", read)) else Ending.PASSED
    shown = _ZERO.sub(" ", read)
    failed = _failure_line(shown)
    if failed is None:
        silent = not checks or not read.strip()
        return Ending.PASSED if passed or silent or _SUCCESS.search(read) else Ending.UNKNOWN
    return _failure(read)


#: Counts of failed tests, which hold even where a program ends with code 0.
_COUNTED = re.compile(
    r"\b[1-9]\d* (?:tests? |specs? )?(?:failed|failing|failures?)\b|^test result: FAILED",
    re.IGNORECASE | re.MULTILINE,
)


def _hides_failure(command: str) -> bool:
    """Does a command line end with another program, whose code hides a failure?"""
    return _HIDDEN.search(unquoted(command)) is not None


def _failure_line(output: str) -> str | None:
    for pattern in (_FAULTS, _CALL_REFUSED, _SURROUNDINGS):
        if found := pattern.search(output):
            return found[0]
    return None


def _failure(output: str) -> Ending:
    """Return the kind of a failure; whatever says that tests were run tells of the code."""
    if _RAN.search(output) and not _NOT_SET_UP.search(output):
        return Ending.FAULTS
    if _SURROUNDINGS.search(output):
        return Ending.SURROUNDINGS
    if wrong_calls(output):
        return Ending.WRONG_CALL
    return Ending.FAULTS if _FAULTS.search(output) else Ending.UNKNOWN


#: Signs that tests were run or code was compiled, so that the call itself is right.
_RAN = re.compile(
    r"(?i:\b\d+ (?:tests? |specs? )?(?:passed|failed|passing|failing)\b|test result:|\bfailures?: *\d|panicked at"
    r"|\berror TS\d+|error CS\d+|error\[E\d+\]|could not compile|tests? (?:completed|run)\b|\d+ examples?,)"
    r"|^\s*(?:--- )?FAIL(?:ED)?\b|AssertionError|^ERROR \S+\.\w{1,5}\b|error during collection|errors during collection",
    re.MULTILINE,
)


def is_refused_call(line: str) -> bool:
    """Does a line say in the plainest words that the call itself is wrong?"""
    return _CALL_REFUSED.search(line) is not None


_NOT_SET_UP = re.compile(r"\[setup failed\]|no tests (?:ran|found|to run)|collected 0 items", re.IGNORECASE)


def wrong_calls(output: str) -> Sequence[str]:
    """Return the lines of an output that say that the call itself is wrong, each with the one behind it."""
    lines = [line.strip() for line in output[-LONGEST_READ:].splitlines() if line.strip()]
    return [
        line[:500] if _MARKED.search(following) else f"{line} {following}"[:500]
        for line, following in zip(lines, [*lines[1:], ""], strict=True)
        if _CALL_REFUSED.search(line[:500])
        or (_WRONG_CALL.search(line[:500]) and not _CODE_PLACE.search(line[:500]))
    ]


_MARKED = re.compile(r"\berror\b|\*\*\*|\bfail", re.IGNORECASE)
#: A line of a file, where code is wrong and not a call.
_CODE_PLACE = re.compile(r"\.\w{1,5}[:(]\d+|\bline \d+|^E  |^WARN|^ERROR \S+\.\w{1,5}\b", re.IGNORECASE)
