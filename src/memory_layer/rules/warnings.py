"""Parse commands, paths and errors, and match memories that warn about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memory_layer.model.context import AgentAction
from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.rules.permissions import scope_counts
from memory_layer.text import scopes
from memory_layer.text.words import content_words

LONGEST_READ = 4_000  #: characters; an error says what it is about at its ends
MOST_PATHS = 16

_PARTS = re.compile(r"\s*(?:&&|\|\||\$\(|[;|\n])\s*")
_SHELL = re.compile(r"\b(?:ba|z|da)?sh\s+-\w{0,4}c\s+(['\"])(.*?)\1", re.DOTALL)
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1.*?\n\s*\2\b", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_TOKEN = re.compile(r"[^\s\"'`,;(){}<>\[\]]+")
_MARKER = re.compile(r"\[REDACTED:[^\]]*\]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")
_EDGES = ".,:;!?*…"
_PATH = re.compile(r"[\w.@+~-]*/[\w./@+~-]+|[\w@+~-]+\.[A-Za-z]\w{0,5}|(?<![\w./])\.[A-Za-z][\w-]*(?:\.\w+)*")
#: Tokens that name one thing: codes, versions, ports, names in code.
_TECHNICAL = re.compile(
    r".*(?:\d{3,}|[a-z][A-Z]|\w_\w|[A-Z]{4,}|\d\.\d|\w::\w|\w\.\w+\().*|\w*(?:Error|Exception)\b"
)

#: Programs that run another one named behind them.
_RUNNERS = frozenset(
    "sudo env time nice nohup exec xargs npx bunx uvx pipx command if then else elif while until do !".split()
)
#: Programs that run another one behind a word.
_HOSTS = frozenset("uv poetry pipenv hatch rye pdm python python3 py coverage".split())
_RUN_WORDS = frozenset("run -m".split())
#: Programs whose name alone says nothing about what they will do.
GENERIC = frozenset(
    "cd ls cat echo grep rg sed awk find head tail cp mv mkdir touch rm chmod tar curl wget ssh git gh npm pnpm"
    " yarn bun python python3 pip uv poetry node deno ruby java go cargo rustc bash sh zsh make just docker"
    " podman kubectl helm brew apt dotnet mvn gradle which test true export source".split()
)


#: Categories that warn about problems.
SPEAKING = (Category.GOTCHA, Category.PITFALL, Category.WARNING, Category.TROUBLESHOOTING)
#: A memory without names in it has to share so many words with an error, and this part of its own.
LEAST_SHARED, LEAST_SHARE = 3, 0.5
#: Beside one name in both, so many words must be.
LEAST_BESIDE = 2
#: From this cosine on, an error means what a memory is about.
MEANT_FROM = 0.6
_SPAN = re.compile(r"`([^`\n]{2,200})`")


class CommandStep(NamedTuple):
    """One program with its arguments."""

    programs: tuple[str, ...]  #: the program, and one that it runs
    tokens: tuple[str, ...]  #: all, in their order

    @property
    def flags(self) -> frozenset[str]:
        return flags_of(self.tokens)

    @property
    def verbs(self) -> frozenset[str]:
        """Return the plain words after the program: `push` of `git push`."""
        return frozenset(token for token in self.tokens if not token.startswith("-")) - set(self.programs[:1])


def steps(command: str) -> list[CommandStep]:
    """Return the programs of a command line, in order."""
    plain = unquoted(_MARKER.sub("_", command[:LONGEST_READ]))
    return [step for part in _PARTS.split(plain) if (step := _step(tokens(part)))]


def unquoted(command: str) -> str:
    """Drop quoted text that a command line only passes on: messages, patterns, file contents."""
    run = _SHELL.sub(r"; \2 ", command[:LONGEST_READ])
    return _QUOTED.sub(_passed_on, _HEREDOC.sub(" ", run))


def _passed_on(found: re.Match[str]) -> str:
    return "_" if any(map(str.isspace, found[0])) else found[0]


def _step(words: tuple[str, ...]) -> CommandStep | None:
    at = 0
    while at < len(words) and (_ASSIGNMENT.fullmatch(words[at]) or words[at] in _RUNNERS):
        at += 1
    if at == len(words):
        return None
    programs = [_name(words[at])]
    for place, word in enumerate(words[at + 1 : -1] if programs[0] in _HOSTS else (), start=at + 1):
        if word in _RUN_WORDS:
            programs.append(_name(words[place + 1]))
            break
        if not word.startswith("-"):
            break
    return CommandStep(tuple(programs), (_name(words[at]), *words[at + 1 :]))


def _name(word: str) -> str:
    """Strip the folder and the Windows suffix from a program."""
    return re.split(r"[/\\]", word.rstrip("/\\"))[-1].removesuffix(".exe") or word


def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a command or text in lower case, without surrounding punctuation."""
    found = (token.strip(_EDGES) for token in _TOKEN.findall(text))
    return tuple(token.lower() for token in found if token)


def flags_of(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.partition("=")[0] for word in words if len(word) > 1 and word.startswith("-"))


def paths_in(text: str) -> tuple[str, ...]:
    """Return whatever looks like a file in a command or error."""
    found = (match[0].removeprefix("./") for match in _PATH.finditer(text[:LONGEST_READ]))
    return tuple(dict.fromkeys(path for path in found if not path.startswith(("/", "~"))))[:MOST_PATHS]


def technical(text: str) -> dict[str, str]:
    """Map the lower-case form of each technical token of a text to its spelling."""
    return {name.lower(): name for name in _named(text)}


def _named(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        for part in re.split(r"[=/@]|:(?!:)", token.strip(_EDGES)):
            if part and _TECHNICAL.match(part):
                yield part.strip(_EDGES)


def ends(text: str) -> str:
    """Cut a long error down to its beginning and end."""
    half = LONGEST_READ // 2
    return text if len(text) <= LONGEST_READ else f"{text[:half]}\n{text[-half:]}"


def because(memory: Memory, action: AgentAction, project: str | None = None) -> str | None:
    """Return the part of an action a memory warns about: command, path, error, or None."""
    # A cure names commands too, and nobody needs to be warned of it.
    cures = memory.category is Category.TROUBLESHOOTING
    if action.command and not cures and _speaks_of_command(memory.content, steps(action.command)):
        return "command"
    if _speaks_of_paths(memory, paths_of(action), scope_counts(memory, project)):
        return "path"
    if action.error and _speaks_of_error(memory.content, ends(action.error)):
        return "error"
    return None


def paths_of(action: AgentAction) -> tuple[str, ...]:
    """Return the files an action is about."""
    named = paths_in(unquoted(action.command)) if action.command else ()
    return tuple(dict.fromkeys([*([action.path] if action.path else []), *named]))


def gone_wrong(procedure: Memory) -> bool:
    """Did a procedure fail more often than it worked?"""
    return procedure.failed > procedure.worked


def _speaks_of_command(content: str, steps: Sequence[CommandStep]) -> bool:
    spans = [tokens(span) for span in _SPAN.findall(content)]
    words = tokens(content)
    return any(_speaks_of_step(spans, words, step) for step in steps)


def _speaks_of_step(spans: Sequence[tuple[str, ...]], words: tuple[str, ...], step: CommandStep) -> bool:
    """Match a command: one in backticks must be this one; a named generic program also needs its verb or flag."""
    missed = _missed(words)
    if missed & step.flags:
        return False
    about = [span for span in spans if span and span[0] in step.programs]
    if any(_is_part(span, step.tokens) and (len(span) > 1 or span[0] not in GENERIC) for span in about):
        return True
    if about or not set(step.programs) & set(words):
        return False
    flags = flags_of(words) - missed
    if flags and not flags & step.flags:
        return False
    if flags & step.flags:
        return True
    named = set(step.programs) & set(words)
    if named - GENERIC:
        return True
    return any(_follows(words, program, step.verbs) for program in named)


def _missed(words: tuple[str, ...]) -> frozenset[str]:
    """Return the flags whose absence causes the problem."""
    return flags_of(tuple(word for before, word in pairwise(words) if before in ("without", "unless")))


def _follows(words: tuple[str, ...], program: str, verbs: frozenset[str]) -> bool:
    """Does a verb of the step come right after the program?"""
    return any(word == program and following in verbs for word, following in pairwise(words))


def _is_part(span: tuple[str, ...], of: tuple[str, ...]) -> bool:
    """Are the words of a span contained in another, in order?"""
    rest = iter(of)
    return all(any(word == other for other in rest) for word in span)


def _speaks_of_paths(memory: Memory, paths: Sequence[str], by_scope: bool) -> bool:
    """Does the scope of a memory cover one of the paths, or its text name one by more than a bare word?"""
    if not paths:
        return False
    if memory.scope and by_scope:
        return any(scopes.matches(memory.scope, path) for path in paths)
    named = paths_in(memory.content)
    return any(path == name or path.endswith(f"/{name}") for path in paths for name in named)


def _speaks_of_error(content: str, error: str) -> bool:
    """Do both share names, or does the error contain most of what the memory says?"""
    ours, theirs = content_words(content), content_words(error)
    shared = ours & theirs
    if names := technical(content):
        both = [name for low, name in names.items() if low in technical(error)]
        others = shared - content_words(" ".join(both))
        return len(both) > 1 or (len(both) == 1 and len(others) >= LEAST_BESIDE)
    return len(shared) >= LEAST_SHARED and len(shared) >= LEAST_SHARE * len(ours)
