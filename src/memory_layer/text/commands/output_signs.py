"""Signs in what commands print: they passed or failed, and the cause lies in the call, the code or around it."""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE | re.MULTILINE)


#: A person, a time limit or a signal ended the command.
STOPPED = _any(
    r"interrupted by (?:the )?user|aborted by user|\bkeyboardinterrupt\b|^\^C|timed out after \d",
    r"user (?:doesn't|does not) want|(?:rejected|declined|denied) by (?:the )?user|permission to use \w+ ",
    r"^killed$|\bsig(?:int|term|kill)\b",
)
SIGNALLED = _any(r"^exit code:? (?:124|130|143)$")
#: Trouble that passes by itself.
NETWORK = _any(
    r"econnreset|etimedout|eai_again|enetunreach|enotfound|socket hang up|tls handshake|i/o timeout|dial tcp",
    r"connection (?:reset|timed out)|network (?:is unreachable|error|timeout)|name resolution",
    r"could not resolve host|name or service not known|no route to host|read timed out|request timed? ?out",
    r"\b(?:50[234]|429)\b.{0,30}(?:gateway|unavailable|too many)",
    r"bad gateway|service unavailable|too many requests|rate limit|early eof|remote end (?:hung up|closed)",
)
#: A program, file, module, task or option that was called is not there.
CALL = _any(
    r"command not found|: not found$|not recognized as an? |executable (?:file )?(?:not found|doesn't exist)",
    r"cannot find module|can't resolve|no module named|cannot find package|module not found|modulenotfound",
    r"could not find (?:gem |a valid |any |the )?[\w\"'`@/.-]+,? .{0,80}\b(?:installed|in any|environment|source)",
    r"no required module provides|is not in (?:std|goroot)|not installed|is not present in the lock",
    r"cannot import name '_\w+'|unable to locate|no such file or directory|filenotfounderror|enoent",
    r"does not exist|couldn't find|not found in path|directory not found|is not an? \S{1,40} command",
    r"missing (?:script|dependency|dependencies|required|peer|binary|executable)|unmet dependenc",
    r"no rule to make target|no (?:such|matching) (?:target|manifest|package|distribution|image|project)",
    r"could not find .{0,40}(?:toml|json|file)|not a git repository|go\.mod file not found",
    r"no (?:package\.json|makefile|cargo\.toml|go\.mod|configuration file)",
    r"unrecogni[sz]ed (?:arguments?|option)|unknown (?:option|flag|argument|command|target|task|script)",
    r"no such (?:option|command)",
    r"unexpected argument|flag provided but not defined|invalid (?:option|choice)",
    r"unsupported (?:option|platform|architecture)",
)
#: Libraries, configuration, services, rights, data and versions that a command needs.
SURROUNDINGS = _any(
    r"cannot open shared object|library not (?:loaded|found)|cannot find -l|system library|undefined symbol|glibc",
    r"pkg-config.{0,40}(?:not found|exited|missing|fail)|fatal error: [\w./+-]+\.h\w*: no such file",
    r"exec format error|configuration (?:error|file|is invalid)|not configured|environment variable",
    r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b.{0,40}\b(?:not set|unset|missing|required|undefined|empty|invalid|must be set)",
    r"(?:not set|unset|missing|required|undefined).{0,40}\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|is not set\b",
    r"keyerror: '[A-Z][A-Z0-9_]+'|no value for required variable|set to an invalid|invalid (?:configuration|config)",
    r"unexpected token '?(?:export|import)|outside a module|plugin .{0,40}not found|failed to parse a file",
    r"failed to (?:load|parse|read) (?:config|configuration|plugin|env|preset)",
    r"connection refused|econnrefused|can(?:not|'t) connect|(?:could not|unable to|failed to) connect",
    r"is the (?:server|docker daemon|database) running|daemon.{0,20}not running|server .{0,30}not running",
    r"connectionerror|address already in use|eaddrinuse|already in use",
    r"port (?:\d+ )?(?:is |was )?(?:already )?(?:in use|allocated|taken)",
    r"permission denied|eacces|eperm|operation not permitted|access denied|_error_access|read-only file system",
    r"dubious ownership|permissionerror|must be (?:run as )?root|are you root",
    r"unauthori[sz]ed|unable to authenticate|authentication (?:failed|required|error)|not logged in|log ?in first",
    r"\be40[13]\b|(?:http|status|code|error)\W{0,3}40[13]\b|\b40[13] (?:unauthori|forbidden)",
    r"(?:token|credentials?|session|certificate|login).{0,40}(?:expired|invalid|missing|not found|could not)",
    r"no credentials|denied: |could not read username|certificate verify failed|self.signed certificate",
    r"unknown authority|no such (?:table|column)|undefinedtable|unknown database",
    r"(?:relation|table|column|database|role|schema) .{0,60}does(?:n't| not) exist",
    r"(?:pending|unapplied|outstanding) migrations?|migrations? (?:are|is|have not|pending)|out of sync",
    r"schema.{0,30}out of date|git.?lfs|lfs pointer|submodule|please upgrade your",
    r"requires? (?:\w+ ){0,3}(?:node|python|ruby|java|jdk|go|rust|php|npm|pnpm|version)",
    r"unsupported (?:engine|class|python|node|version)|version (?:mismatch|conflict|solving failed)",
    r"is (?:newer|older) than|incompatible|eresolve|eba?dengine|engine \"|class file (?:major )?version|java_home",
    r"duplicate class|conflicting (?:dependencies|versions)|out of memory|heap limit|oomkilled",
    r"cannot allocate memory|no space left|enospc|disk quota|too many open files|emfile|frozen.lockfile",
    r"lock ?file.{0,80}(?:out of date|outdated|not up to date|needs to be|would|frozen|match|sync)",
    r"\bstale\b|cache (?:is|was) (?:stale|corrupt|out|locked)|corrupt|could not get lock",
    r"unable to (?:acquire|lock)|state lock|database is locked|session not created|failed to (?:start|launch)",
    r"cannot open display|no usable sandbox|missing x server|locale",
    r"(?:did you (?:forget to )?|please |you (?:must|need to|have to) |try )(?:first )?run(?:ning)?\b",
    r"\brun [`'\"][^`'\"]{3,60}[`'\"] (?:first|to)|initiali[sz]ation required|did not initiali[sz]e",
    r"has not been (?:built|generated|initiali[sz]ed|compiled)",
    r"not (?:yet )?(?:initiali[sz]ed|been built|been generated)",
    r"is not (?:initiali[sz]ed|built|running)|inconsistent (?:dependency|lock)",
)
#: Counts of failed tests, which hold even where a program ends with code 0.
COUNTED_FAULTS = _any(
    r"(?<![:.\d])(?<!port )\b[1-9]\d* (?:tests? |specs? )?(?:failed|failing|failures?)\b|^test result: FAILED"
)
COUNTED_ERRORS = _any(r"(?<![:.\d])(?<!port )\b[1-9]\d* errors?\b(?! \(\d+ fixed)")
#: Failed tests, and errors of compilers and linters.
CODE = _any(
    COUNTED_FAULTS.pattern,
    r"assert(?:ion)?(?:error)?\b.{0,80}(?:fail|==|!=|with)|assertionerror|^\s*-{3} fail|^fail\b",
    r"\bexpected\b.{0,120}\b(?:received|got|actual|but was|to (?:be|eq))|\bgot\b.{0,60}\bwant\b",
    r"error ts\d+|error\[e\d+\]|error cs\d+|could not compile|compilation (?:error|failure)|panicked at",
    r"syntaxerror|typeerror|undefined: \w|undefined reference|cannot be applied|mismatched types",
    r"cannot borrow|is not assignable|implicit declaration|\b[1-9]\d* problems?\b|would reformat",
    r"imported but unused|snapshots?\s+.{0,20}failed|failures?: *[1-9]|not null violation",
    r"cannot import name|has no attribute|nameerror|attributeerror|referenceerror|nomethoderror|nullpointer",
)
#: Tests were run or code was compiled, so that the call itself is right.
RAN = re.compile(
    r"(?i:\b\d+ (?:tests? |specs? )?(?:passed|failed|passing|failing)\b|test result:|\bfailures?: *\d|panicked at"
    r"|\berror TS\d+|error CS\d+|error\[E\d+\]|could not compile|tests? (?:completed|run)\b|\d+ examples?,)"
    r"|^\s*(?:--- )?FAIL(?:ED)?\b|AssertionError|^ERROR \S{1,200}\.\w{1,5}\b|errors? during collection",
    re.MULTILINE,
)
NOT_SET_UP = _any(r"\[setup failed\]|no tests (?:ran|found|to run)|collected 0 items")
#: Lines by which programs say, without an exit code, that they failed.
FAILED = _any(
    r"^(?:\S+: )?(?:fatal|error|panic)\b|\berror:|^npm (?:error|err!)|^traceback \(most|^fail(?:ed|ure)?\b",
    r"\bbuild failed\b|command not found|^\[error\]|no required module provides",
    r"\bfailed to (?:start|load|connect|compile|build)\b|\b(?:[A-Z]\w+::)*[A-Z]\w*(?:Error|NotFound|Exception)\b",
    r"no such file or directory|exited with (?:code )?[1-9]|\*\*\* \[|^make: \*\*\*|[✗✘✖]|permission denied",
    r"connection refused|app\w* failed|missing script|cannot (?:find|connect)|is not set$|\bunable to\b",
    r"could not (?:find|connect|open|read|resolve)",
)
#: Lines that say so plainly that everything passed that no word elsewhere contradicts them.
PASSED = _any(
    r"\b0 (?:failures|failed|errors|problems)\b|build success|\b[1-9]\d* passed\b(?!.*\b[1-9]\d* failed)",
    r"test result: ok|all (?:tests|checks) pass|^ok\b",
)
#: Words by which programs report success.
SUCCESS = _any(
    PASSED.pattern,
    r"\b[1-9]\d* (?:tests? |specs? |checks? |examples? |suites? )?(?:passed|passing|ok|succeeded)\b|^PASS(?:ED)?\b",
    r"\bpassed[:=,!.]|\ball .{0,40}(?:passed|pass|clean|good|green|ok)\b|✓|✔|\bOK\b|[(\[]100%[)\]]|\bunchanged\b",
    r"\b(?:0|no) (?:errors?|failures?|failed|problems?|offenses|violations|warnings|issues)\b|success(?:ful|fully)?\b",
    r"(?<!not )(?<!not been )\b(?:done|finished|compiled|completed?|up[ -]to[ -]date|created|applied|started|installed"
    r"|installing|generated|built|seeded|wrote|ready|listening|clean)\b",
)
#: Counts of zero, which are no faults.
ZERO = _any(
    r"\b0 (?:tests? )?(?:failed|failing|failures?|errors?|errored|problems?)\b",
    r"(?:failures|errors|failed|fail)[:=] *0\b",
)
#: Words of lines that say that something which was called does not exist or cannot be called like that.
BLAME = _any(
    r"not ?found|\bno such\b|\bno rule\b|\bmissing\b|\bunknown\b|\bunrecogni[sz]ed\b|\binvalid\b|\bunsupported\b",
    r"\b(?:cannot|can't|could not|couldn't|unable to|failed to) (?:find|locate|open|load|stat|access)\b|\bundefined\b",
    r"\b(?:does not|doesn't|do not|don't|did not|didn't) (?:exist|contain|have|match|support|know how)\b",
    r"\bnot (?:an? |the )?(?:\w+ )?(?:supported|applicable|valid|recogni[sz]ed|available|installed|known|allowed"
    r"|command|environment|repository|directory|package|file|target|task|option)\b|\bis gone\b|\benoent\b",
    r"\bno (?:\w+ )?(?:tests?|scripts?|tasks?|targets?|files?|packages?|projects?|environments?|modules?|services?)\b",
    r"\bremoved\b|\bdeprecated\b|\brenamed\b|\bretired\b|\bobsolete\b|\bno longer\b|\bmoved to\b|\bdropped\b",
    r"\breplaced (?:by|with)\b|\billegal option\b|\bunexpected\b|\bdid you mean\b|\bnot (?:provided|defined)\b",
    r"\bdisabled\b|\bprovided but\b|\bsetup failed\b|\bdiscontinued\b",
)
#: A line of a file, where code is wrong and not a call.
CODE_PLACE = _any(r"\.\w{1,5}[:(]\d+|\bline \d+|^E  |^WARN|^ERROR \S{1,200}\.\w{1,5}\b")
#: Lines that begin another error.
MARKED = _any(r"\berror\b|\*\*\*|\bfail")
#: Lines and frames that an agent or a terminal puts around an output.
AGENT_LINE = re.compile(
    r"^\s*(?:</?\w+_context>|Process Group PGID:.*|exit code:? -?\d+|<shellId: .*|success|failure|\(empty\))\s*$",
    re.IGNORECASE,
)
FRAMED = re.compile(r"^[│╷╵┃]\s?")
COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
