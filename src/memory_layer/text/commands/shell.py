"""Read a command line: its programs with their subcommands, flags, arguments and the files they write.

Quoted text that is only passed on (messages, patterns, here-documents) is no part of it. Wrappers such as `sudo`,
`uv run`, `docker exec x` or `ssh host` are looked through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.text.commands.here_documents import without_documents
from memory_layer.text.commands.programs import (
    ACTING,
    CHECKING,
    CONTAINERS,
    GROUPED,
    HARMLESS_FLAGS,
    ONE_DASH,
    READERS,
    READING,
    READING_VERBS,
    RUN_WORDS,
    RUNNERS,
    SCRIPT_RUNNERS,
    SENDING,
    SPELLINGS,
    SWITCHES,
    VALUED,
    WRITERS,
)

LONGEST_READ = 4_000  #: characters
MOST_STEPS = 24
MOST_PATHS = 16

_PARTS = re.compile(r"&&|\|\||\$\(|[;|\n]")
_SHELL = re.compile(r"\b(?:ba|z|da)?sh\s+-\w{0,4}c\s+(['\"])(.*?)\1", re.DOTALL)
_REMOTE = re.compile(r"(\bssh\s[^'\"|;&\n]{1,200}?)(['\"])(.*?)\2", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_MESSAGE = re.compile(r"(?:\s-\w*m\s*|--message[= ])(['\"])(.*?)\1", re.DOTALL)
_CONTINUED = re.compile(r"\\\n\s*")
_SUBSTITUTED = re.compile(r"\$\(([^()]*)\)")
_REDIRECT = re.compile(r"(?<![<>=-])\d?>{1,2}\s*(?![&(>])([\w./~@+-]+)")
_JOINED_STREAMS = re.compile(r"\d?>&\d?-?")
_TOKEN = re.compile(r"[^\s\"'`,;(){}<>\[\]]+")
_WRAPPED = {"gradlew": "gradle", "mvnw": "mvn"}
_MARKER = re.compile(r"\[REDACTED:[^\]]{0,80}\]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")
_EDGES = ".,:;!?*…"
#: A path; or a word that is none, so that it is read once.
_PATH = re.compile(
    r"((?<![\w.@+~-])[\w.@+~-]*/[\w./@+~-]+|[\w@+~-]+\.[A-Za-z]\w{0,5}|(?<![\w./])\.[A-Za-z][\w-]*(?:\.\w+)*)"
    r"|[\w@+~-]+"
)
_LETTERS = re.compile(r"-[A-Za-z]{2,4}")
_VALUED_BEHIND = frozenset({"--version"})


class CommandStep(NamedTuple):
    """One program with its arguments."""

    programs: tuple[str, ...]  #: the program, then the ones that run it
    words: tuple[str, ...]  #: its plain words in order, without the values of options
    flags: frozenset[str]  #: in all known spellings
    values: tuple[str, ...]  #: of options and of variables set for it
    writes: tuple[str, ...] = ()  #: files that it changes
    paths: tuple[str, ...] = ()  #: all that looks like a file

    @property
    def program(self) -> str:
        return self.programs[0]

    @property
    def only_reads(self) -> bool:
        """Does the step change nothing?"""
        if self.writes:
            return False
        if self.program in READERS or self.trial_flags:
            return True
        if self.program in ("sed", "perl"):
            return not any(flag.startswith("-i") or flag == "--in-place" for flag in self.flags)
        if self.program.endswith("lint") and "--fix" not in self.flags:
            return True
        if self.program == "git" and self.words[:1] in (("tag",), ("branch",)):
            return len(self.words) == 1 or "-l" in self.flags
        if self.program == "curl":
            asks = not self.flags & {"-X", "--request"} or bool({"get", "head"} & set(self.words))
            return asks and not self.flags & SENDING
        reading = READING.get(self.program, frozenset())
        deep = 2 if self.program in GROUPED else 1
        return any(word in reading for word in self.words[:deep]) or bool(self.reading_words)

    @property
    def trial_flags(self) -> frozenset[str]:
        """Return the flags with which the step only tells something; `--version` of a subcommand has a value."""
        return (self.flags & HARMLESS_FLAGS) - (_VALUED_BEHIND if self.words else frozenset())

    @property
    def reading_words(self) -> frozenset[str]:
        """Return the subcommands that say that the step only reads: `list`, `build:list`, `describe-tags`."""
        if self.program in WRITERS | RUN_WORDS.keys():
            return frozenset()
        deep = 1 if ACTING & set(self.words[:1]) else 2
        return frozenset(
            word
            for word in self.words[:deep]
            if word.split(":")[-1] in READING_VERBS or word.startswith(("describe-", "list-"))
        )

    @property
    def only_checks(self) -> bool:
        """Does the step only tell whether something is right?"""
        names = (self.program, *self.words[:2])
        return any(word.endswith("test") or CHECKING & set(re.split(r"[:-]", word)) for word in names)


def steps(command: str) -> list[CommandStep]:
    """Return the programs of a command line, in order."""
    plain = _JOINED_STREAMS.sub(" ", unquoted(_MARKER.sub("_", command[:LONGEST_READ])))
    found: list[CommandStep] = []
    for part in _PARTS.split(plain):
        targets = tuple(_REDIRECT.findall(part))
        found += _steps(_raw_tokens(_REDIRECT.sub(" ", part)), targets)
        if len(found) >= MOST_STEPS:
            break
    return found[:MOST_STEPS]


def unquoted(command: str) -> str:
    """Drop quoted text that a command line only passes on: messages, patterns, file contents."""
    run = _CONTINUED.sub(" ", command[:LONGEST_READ])
    run = _SHELL.sub(r"; \2 ", run)
    run = _REMOTE.sub(r"\1 \3 ", run)
    plain = _QUOTED.sub(_passed_on, without_documents(run))
    inner = _SUBSTITUTED.findall(plain)
    return "; ".join([_SUBSTITUTED.sub("_", plain), *inner]) if inner else plain


def commit_messages(command: str) -> tuple[str, ...]:
    """Return the first lines of the messages that a command line commits with."""
    found = _MESSAGE.findall(command[:LONGEST_READ]) if "commit" in command else []
    return tuple(text.strip().partition("\n")[0] for _, text in found[:1])


def paths_in(text: str) -> tuple[str, ...]:
    """Return whatever looks like a file of the project in a command or error."""
    found = (path.removeprefix("./") for path in _PATH.findall(text[:LONGEST_READ]))
    return tuple(dict.fromkeys(path for path in found if path and not path.startswith(("/", "~"))))[
        :MOST_PATHS
    ]


def has_flag(wanted: str, step: CommandStep) -> bool:
    """Is a flag among those of a step, in any spelling? A letter stands for the name that begins with it."""
    if wanted in step.flags:
        return True
    if wanted.startswith("--"):
        name = wanted[2:]
        return "-" not in name and any(len(flag) == 2 and flag[1] == name[0] for flag in step.flags)
    letter = wanted[1:]
    return len(letter) == 1 and any(
        flag.startswith(f"--{letter.lower()}") and "-" not in flag[2:] for flag in step.flags
    )


def is_flag(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and (word[1].isalpha() or (word[1] == "-" and len(word) > 2))


def spelled_flags(program: str, word: str) -> Iterator[str]:
    """Yield the spellings of one flag: a cluster also as its letters, a letter also by its name."""
    name = word.partition("=")[0]
    yield name
    letters = [f"-{letter}" for letter in name[1:]] if _clusters(program, name) else []
    yield from letters
    for each in (name, *letters):
        yield from SPELLINGS.get((program, each), "").split()


def program_name(word: str) -> str:
    """Strip the folder and the Windows suffix from a program."""
    name = re.split(r"[/\\]", word.rstrip("/\\"))[-1].lower().removesuffix(".exe")
    return _WRAPPED.get(name, name) or word


def _clusters(program: str, name: str) -> bool:
    return program not in ONE_DASH and _LETTERS.fullmatch(name) is not None


def _passed_on(found: re.Match[str]) -> str:
    return "_" if any(map(str.isspace, found[0])) else found[0]


def _raw_tokens(text: str) -> list[str]:
    return [token for each in _TOKEN.findall(text) if (token := each.strip(_EDGES) or each.strip(",;:!?*…"))]


def _steps(words: Sequence[str], targets: tuple[str, ...]) -> Iterator[CommandStep]:
    """Yield the step of one simple command, and before it the container or host that it runs in."""
    around: list[str] = []
    values: list[str] = []
    rest = list(words)
    while rest:
        head = program_name(rest[0])
        if _ASSIGNMENT.fullmatch(rest[0]):
            values.append(rest.pop(0))
        elif head in RUNNERS:
            around.insert(0, head)
            rest = _behind_options(rest[1:])
        elif head in CONTAINERS and (inner := _inside(head, rest)) is not None:
            yield _step(rest[: len(rest) - len(inner)], around, values, ())
            values += rest[1 : len(rest) - len(inner)]
            around.insert(0, head)
            rest = inner
        elif (behind := _run_by(head, rest)) is not None:
            values += [each for each in rest[1 : len(rest) - len(behind)] if each not in ("run", "-m")]
            around.insert(0, head)
            rest = behind
        else:
            yield _step(rest, around, values, targets)
            return


def _behind_options(words: list[str]) -> list[str]:
    """Drop the options of a wrapper, and numbers such as a timeout."""
    at = 0
    while at < len(words) and (words[at].startswith("-") or words[at].rstrip("smhd").isdigit()):
        at += 2 if words[at] in ("-u", "-n", "-g", "-I", "-P") and at + 2 < len(words) else 1
    return words[at:]


def _run_by(head: str, words: list[str]) -> list[str] | None:
    """Return the command behind `uv run`, `python -m` and the like; None if there is none."""
    own = SCRIPT_RUNNERS.get(head)
    if own and len(words) > 1 and not words[1].startswith("-") and words[1] not in own:
        return words[1:]
    expected = RUN_WORDS.get(head, frozenset())
    for at, word in enumerate(words[1:-1], start=1):
        if word in expected:
            behind = _past_values(words[at + 1 :])
            return behind or None
        if not word.startswith("-") and words[at - 1] not in VALUED:
            return None
    return None


def _past_values(words: list[str]) -> list[str]:
    """Drop leading options, each with its value if it takes one."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in VALUED else 1
    return words[at:]


def _inside(head: str, words: list[str]) -> list[str] | None:
    """Return the command that a container or host runs; None if it runs none."""
    if head != "ssh" and not CONTAINERS[head] & set(words[1:]) and not _composes(words):
        return None
    if "--" in words:
        return words[words.index("--") + 1 :] or None
    if head == "ssh":
        rest = _past_values(words[1:])
        return rest[1:] or None
    at = next((at for at, word in enumerate(words) if word in ("exec", "run")), None)
    rest = _past_values(words[at + 1 :]) if at is not None else []
    return rest[1:] or None


def _composes(words: list[str]) -> bool:
    return "compose" in words and bool({"exec", "run"} & set(words))


def _step(
    words: Sequence[str], around: Sequence[str], values: Sequence[str], targets: tuple[str, ...]
) -> CommandStep:
    program = program_name(words[0])
    plain: list[str] = []
    flags: set[str] = set()
    given = list(values)
    switches = SWITCHES.get(program, frozenset())
    valued = False
    for word in words[1:]:
        if word.startswith("-"):
            if is_flag(word):
                flags.update(spelled_flags(program, word))
            name, _, value = word.partition("=")
            given += [value] if value else []
            valued = name in VALUED and not value and name not in switches
        elif valued:
            given.append(word)
            valued = False
        elif _ASSIGNMENT.fullmatch(word):
            given.append(word)
        else:
            plain.append(word)
    paths = paths_in(" ".join(words[1:]))
    edits = program in WRITERS or (program in ("sed", "perl") and any(f.startswith("-i") for f in flags))
    written = (*targets, *paths) if edits else targets
    lower = tuple(word.lower() for word in plain)
    return CommandStep(
        (program, *around), lower, frozenset(flags), tuple(given), tuple(dict.fromkeys(written)), paths
    )
