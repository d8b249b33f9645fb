"""Signs in what commands print: they passed, the code fails, the call is wrong, or something around it is."""

from __future__ import annotations

import re

_PLAIN = re.IGNORECASE | re.MULTILINE
#: Words of lines that say that something which was called does not exist or cannot be called like that.
WRONG_CALL = re.compile(
    r"not ?found|\bno such\b|\bno rule\b|\bmissing\b|\bunknown\b|\bunrecogni[sz]ed\b|\binvalid\b|\bunsupported\b"
    r"|\b(?:cannot|can't|could not|couldn't|unable to|failed to) (?:find|locate|open|load|stat|access)\b|\bundefined\b"
    r"|\b(?:does not|doesn't|do not|don't|did not|didn't) (?:exist|contain|have|match|support|know how)\b"
    r"|\bnot (?:an? |the )?(?:\w+ )?(?:supported|applicable|valid|recogni[sz]ed|available|installed|known|allowed"
    r"|command|environment|repository|directory|package|file|target|task|option)\b|\bis gone\b|\benoent\b"
    r"|\bnot defined\b"
    r"|\bno (?:\w+ )?(?:tests?|scripts?|tasks?|targets?|files?|packages?|projects?|environments?|modules?|services?)\b"
    r"|\bremoved\b|\bdeprecated\b|\brenamed\b|\bretired\b|\bobsolete\b|\bno longer\b|\bmoved to\b|\bdropped\b"
    r"|\breplaced (?:by|with)\b|\billegal option\b|\bunexpected\b|\bdid you mean\b|\bnot provided\b|\bdisabled\b"
    r"|\bprovided but\b|\bsetup failed\b|\bdiscontinued\b",
    re.IGNORECASE,
)
#: The plainest of them, which count without an exit code.
REFUSED_CALL = re.compile(
    r"command not found|no such file or directory|no rule to make target|missing script|invalid (?:option|choice)"
    r"|unknown (?:command|option|flag)|unrecognized (?:option|argument)|no such (?:option|command)"
    r"|directory not found|is not a \S{1,40} command",
    re.IGNORECASE,
)
#: A line of a file, where code is wrong and not a call.
CODE_PLACE = re.compile(r"\.\w{1,5}[:(]\d+|\bline \d+|^E  |^WARN|^ERROR \S{1,200}\.\w{1,5}\b", re.IGNORECASE)
#: Lines that say that something around the command is wrong.
SURROUNDINGS = re.compile(
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
    _PLAIN,
)
#: Lines by which runs of tests, linters and builds report that the code fails.
FAULTS = re.compile(
    r"\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|errored|problems?)\b|\b\w{1,60}(?:Error|Exception)\b"
    r"|\bnpm err(?:or|!)|\bERR[_!]|\bfatal\b|\baborted\b|\bfailed to\b|\bfailure\b|\bfailed[:=,]? *\(?[1-9]"
    r"|(?:failures|errors|failed|fail)[:=] *[1-9]|^FAIL(?:ED|URES?)?\b|\bFAILED\b|--- FAIL|test result: FAILED"
    r"|AssertionError|assertion .{0,40}failed|\bexpected\b.{0,200}\b(?:received|got|actual|but was)\b|panicked at"
    r"|build failed|compilation (?:failed|error)|could not compile|error(?:\[\w+\])?: |\berror TS\d+|error CS\d+"
    r"|\berror:|^E  +\w|Traceback \(most recent|\bSyntaxError\b|\bTypeError\b|✗|✖|✘|would reformat"
    r"|found [1-9]\d* (?:error|problem|issue)|\*\*\* \[.{1,120}\] Error \d+|exited with (?:code )?[1-9]",
    _PLAIN,
)
#: Lines by which programs report success.
SUCCESS = re.compile(
    r"\b[1-9]\d* (?:tests? |specs? |checks? |examples? |suites? )?(?:passed|passing|ok|succeeded)\b|test result: ok"
    r"|^ok\b|^PASS(?:ED)?\b|\bpassed[:=,!.]|\ball .{0,40}(?:passed|pass|clean|good|green|ok)\b|tests? passed"
    r"|no issues found|all checks passed|\b0 (?:errors?|failures?|failed|problems?|offenses|violations|issues)\b"
    r"|no (?:errors?|problems?|offenses|violations|warnings|issues)\b|build success|success(?:ful|fully)?\b"
    r"|✓|✔|\bdone\b|\bfinished\b|\bcompiled\b|\bcompleted?\b|\bup[ -]to[ -]date\b|\bcreated\b|\bapplied\b"
    r"|\bstarted\b|\binstalled\b|\binstalling\b|\bgenerated\b|\bbuilt\b|\bseeded\b|\brunning\b|\bwrote\b|\bready\b"
    r"|\bOK\b|\(100%\)|\[100%\]|unchanged\b|left unchanged|\bclean\b",
    _PLAIN,
)
#: Counts of failed tests, which hold even where a program ends with code 0.
COUNTED_FAULTS = re.compile(
    r"\b[1-9]\d* (?:tests? |specs? )?(?:failed|failing|failures?)\b|^test result: FAILED",
    _PLAIN,
)
#: Signs that tests were run or code was compiled, so that the call itself is right.
RAN = re.compile(
    r"(?i:\b\d+ (?:tests? |specs? )?(?:passed|failed|passing|failing)\b|test result:|\bfailures?: *\d|panicked at"
    r"|\berror TS\d+|error CS\d+|error\[E\d+\]|could not compile|tests? (?:completed|run)\b|\d+ examples?,)"
    r"|^\s*(?:--- )?FAIL(?:ED)?\b|AssertionError|^ERROR \S{1,200}\.\w{1,5}\b"
    r"|errors? during collection",
    re.MULTILINE,
)
NOT_SET_UP = re.compile(r"\[setup failed\]|no tests (?:ran|found|to run)|collected 0 items", re.IGNORECASE)
#: Counts of nothing, which are no faults.
ZERO = re.compile(
    r"\b0 (?:tests? )?(?:failed|failing|failures?|errors?|errored|problems?)\b"
    r"|(?:failures|errors|failed|fail)[:=] *0\b",
    re.IGNORECASE,
)
#: Lines that begin another error.
MARKED = re.compile(r"\berror\b|\*\*\*|\bfail", re.IGNORECASE)
COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
