"""Collect what a session did between a failure and the success of the same command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step, StepKind
from memory_layer.text.command_parts import CommandPart, is_same_call, parts, shown
from memory_layer.text.shell import CommandStep
from memory_layer.text.shell_programs import READERS

#: Programs and tasks that change the looks of code.
_FORMATTERS = frozenset(
    "black isort prettier gofmt goimports rustfmt autopep8 yapf clang-format fmt format fix".split()
)
_FIXING_FLAGS = frozenset("--fix --write --autofix --unsafe-fixes --updatesnapshot --bless".split())
#: Words of commands that prepare what others need.
_PREPARING = frozenset(
    "install sync ci migrate upgrade generate codegen gen build compile prepare setup bootstrap init seed up start"
    " restart clean prune pull login use restore download link reset create load enable activate rebuild"
    " bundle provision".split()
)
_TESTING = frozenset("lint test tests check checks verify validate typecheck vet audit e2e spec".split())
_LOOKING = re.compile(
    r"(?:show|list|status|policy|dependenc|tree|why|info|doctor|version"
    r"|whoami|describe|inspect|search|print|get-|current|ps$|ls$)"
)
_GIT_REMEDIES = frozenset("submodule lfs config clean".split())
_NO_REMEDY = frozenset(
    "git gh mem curl wget open code ping dmesg lsusb free ss lsof netstat journalctl tsc pgrep nc dig".split()
)
_INLINE = frozenset("python python3 node ruby perl php".split())
_ADDING = frozenset("add get require".split())
_INSTALLING = frozenset("install i".split())
_WORDS = re.compile(r"[a-z0-9]+")
_NAMED_FILE = re.compile(r"\w\.\w{1,10}$")

_DOCUMENT = re.compile(
    r"(?<!requirements)\.(?:md|mdx|rst|txt|adoc)$|(?:^|/)(?:changelog|license|readme)[^/]*$", re.IGNORECASE
)
_CONFIGURATION = re.compile(
    r"(?:^|/)(?:\.[\w.-]+|[\w.-]*dockerfile[\w.-]*|(?:gnu)?makefile"
    r"|cmakelists\.txt|gemfile|procfile|justfile|brewfile|vagrantfile"
    r"|requirements[\w.-]*\.txt|\w*(?:config|settings|conftest|setup|helper|test_case|env)\w*\.[a-z]+)$"
    r""
    r"|\.(?:ya?ml|toml|json5?|jsonc|ini|cfg|conf|env|properties|gradle|kts|xml|mk|lock|tfvars|cmake|plist|service|nix)$"
    r"|\.(?:config|conf|rc|setup)\.[cm]?[jt]sx?$",
    re.IGNORECASE,
)
#: Configuration that is a program, or that lists what code needs: code of a session may ask for it.
_SOFT = re.compile(
    r"(?:^|/)(?:package\.json|cargo\.toml|pyproject\.toml|go\.mod"
    r"|gemfile|pom\.xml|composer\.json|pubspec\.yaml|mix\.exs"
    r"|requirements[\w.-]*\.txt|[\w.-]*\.gradle(?:\.kts)?"
    r"|(?!.*\.config\.)[\w.-]+\.(?:py|rb|[cm]?[jt]sx?|go|rs|java|kt|php|ex|exs))$",
    re.IGNORECASE,
)
#: Configuration of the tools that compile and test.
_TOOLING = re.compile(
    r"(?:^|/)(?:[\w.-]*config(?:\.[\w-]+)*\.(?:jsonc?|[cm]?[jt]s|ya?ml|toml)|\.[\w-]+rc(?:\.\w+)?|(?:pytest|tox)\.ini|setup\.cfg)$",
    re.IGNORECASE,
)
_CONTENT = re.compile(
    r"(?:^|/)(?:locales?|i18n|fixtures?|snapshots?|__snapshots__|testdata|data|content)/", re.IGNORECASE
)


class Remedy(NamedTuple):
    """The changes between a failure and a success."""

    commands: tuple[str, ...] = ()  #: that were run, as typed
    prepares: bool = False  #: one of them installs, builds, starts or migrates
    configuration: tuple[str, ...] = ()  #: files that were changed
    code: bool = False  #: whether other files were changed as well
    adds_package: bool = False  #: it names a new package


class Variation(NamedTuple):
    """The differences of a call that passed to the one that failed."""

    call: str = ""  #: as typed, up to the program that failed before
    variables: bool = False
    flags: frozenset[str] = frozenset()
    wrapped: bool = False  #: by another program, or it is another of its family
    prepared: bool = False  #: other commands stand before it
    folder: str = ""


def is_document(file: str) -> bool:
    return _DOCUMENT.search(file) is not None


def is_configuration(file: str) -> bool:
    """Is a file about how a project is built, run or tested?"""
    return _CONFIGURATION.search(file) is not None and not _CONTENT.search(file)


def is_soft(file: str) -> bool:
    return _SOFT.search(file) is not None


def is_tooling(file: str) -> bool:
    return _TOOLING.search(file) is not None


def edited_files(steps: Sequence[Step], folder: str) -> list[str]:
    """Return the files that an agent changed with its tools, below the folder without it."""
    edits = (step for step in steps if step.kind is StepKind.EDIT and step.passed is not False)
    return list(dict.fromkeys(relative(file, folder) for step in edits for file in step.files))


def changed_files(steps: Sequence[Step], folder: str) -> list[str]:
    """Return the files that a session changed with tools and command lines, in their order."""
    found = dict[str, None]()
    for step in steps:
        written = _written(step.command) if step.kind is StepKind.COMMAND and step.passed is not False else ()
        found |= dict.fromkeys([*edited_files([step], folder), *(relative(file, folder) for file in written)])
    return [file for file in found if not file.startswith("/tmp/")]


def relative(file: str, folder: str) -> str:
    """Return a file as its project names it."""
    start = folder.rstrip("/\\")
    return file[len(start) + 1 :] if start and file.startswith((start + "/", start + "\\")) else file


def collected(lines: Sequence[str], files: Sequence[str], failed: CommandPart) -> Remedy:
    """Sum up the command lines that passed and the files that were changed."""
    written = [file for line in lines for file in _written(line)]
    changed = [file for file in (*files, *written) if not is_document(file)]
    remedies = [line for line in lines if any(_is_remedy(part, failed) for part in parts(line))]
    helping = [part for line in remedies for part in parts(line) if _is_remedy(part, failed)]
    return Remedy(
        commands=tuple(dict.fromkeys(shown(line) for line in remedies)),
        prepares=any(map(_prepares, helping)),
        configuration=tuple(dict.fromkeys(file for file in changed if is_configuration(file))),
        code=any(not is_configuration(file) for file in changed) or any(map(_is_script, lines)),
        adds_package=any(map(_adds_package, helping)),
    )


def _written(line: str) -> Iterator[str]:
    """Yield the files that a command line writes as an editor would."""
    for part in parts(line):
        if part.step and part.step.program in ("sed", "perl", "patch", "ed", "ex"):
            yield from (file for file in part.step.writes if _NAMED_FILE.search(file))
    if "<<" in line:
        yield from re.findall(r">{1,2}\s*([\w./~-]+\.\w{1,6})\b", line[:400])


def _is_script(line: str) -> bool:
    """Does a line run a program that stands in the line itself?"""
    for part in parts(line):
        step = part.step
        if step and step.program in _INLINE and (step.flags & {"-c", "-e"} or "<<" in line):
            return True
    return False


def _is_remedy(part: CommandPart, failed: CommandPart) -> bool:
    """May a command that passed have changed what made another one fail?"""
    text, step = part.text, part.step
    if text.startswith(("export ", "source ", ". ")):
        return True
    if _entered([part]):
        return True
    if step is None or step.program in READERS | _FORMATTERS:
        return False
    words = _words(step.program, *step.words[:3])
    if step.program == "git":
        return bool(_GIT_REMEDIES & set(step.words[:1]))
    if step.program in ("kill", "find"):
        return "xargs" in step.programs or "-delete" in text or "-exec rm" in text
    if step.program in _NO_REMEDY or step.program in ("sed", "perl", "patch", "ed", "ex") or _is_script(text):
        return False
    if step.flags & _FIXING_FLAGS or words & _FORMATTERS:
        return False
    if part.key == failed.key:
        return _is_forced(part, failed)
    if step.only_reads or _looks(step):
        return False
    return not words & _TESTING or bool(words & _PREPARING)


def _looks(step: CommandStep) -> bool:
    """Does a program only show something, by its words or its options?"""
    named = (
        *step.words[:2],
        *step.values[:1],
        *(flag.lstrip("-") for flag in step.flags if flag.startswith("--")),
    )
    return any(_LOOKING.match(word.strip(":").split(":")[-1]) for word in named)


def _is_forced(part: CommandPart, failed: CommandPart) -> bool:
    """Is a call like the one that failed, but with caches put aside, or for another package?"""
    added = (part.step.flags if part.step else frozenset()) - (
        failed.step.flags if failed.step else frozenset()
    )
    return any(
        flag.startswith(("--force", "--no-cache", "--clean", "--rerun", "--refresh", "--reset"))
        for flag in added
    )


def _prepares(part: CommandPart) -> bool:
    if part.text.startswith(("export ", "source ", ". ")):
        return True
    step = part.step
    return step is not None and (
        step.program == "rm" or bool(_words(step.program, *step.words[:3]) & _PREPARING)
    )


def _adds_package(part: CommandPart) -> bool:
    """Does a command add a named package to the project?"""
    step = part.step
    if step is None or not step.words:
        return False
    named = [
        word for word in step.words[1:] if not word.startswith(".") and word not in ("package", "dependency")
    ]
    if step.flags & {"-r", "--requirement", "-e", "--editable"} or not named:
        return False
    adds = step.words[0] in _ADDING or (
        step.words[0] in _INSTALLING and step.program in ("npm", "pnpm", "yarn", "bun", "pip", "pip3")
    )
    return adds


def _words(*names: str) -> frozenset[str]:
    return frozenset(word for name in names for word in _WORDS.findall(name.lower()))


_DEBUGGING = re.compile(r"debug|trace|log|verbose|color|colour|^CI$|^PWD$", re.IGNORECASE)
_TRIVIAL_WRAPPERS = frozenset("time nice nohup timeout command exec watch xargs env if then else do".split())


def variation(failed: Sequence[CommandPart], line: str, at: int) -> Variation:
    """Compare the part of a line that passed with the line that failed."""
    passed = parts(line)
    mine, before = passed[at], passed[:at]
    old = next((part for part in failed if is_same_call(part, mine)), None)
    if old is None or old.step is None or mine.step is None:
        return Variation()
    known = {part.text for part in failed}
    new = [part for part in before if part.text not in known]
    set_before = frozenset(name for part in failed for name in part.variables)
    variables = frozenset(name for part in (*new, mine) for name in part.variables) - set_before
    preparing = [part for part in new if _is_remedy(part, old)]
    around = mine.text != old.text and mine.text.endswith(old.text) and mine.key != old.key
    wrappers = frozenset(mine.step.programs) - frozenset(old.step.programs) - _TRIVIAL_WRAPPERS
    return Variation(
        call=_call(passed, at),
        variables=any(not _DEBUGGING.search(name) for name in variables),
        flags=frozenset(flag for flag in mine.step.flags - old.step.flags),
        wrapped=around or bool(wrappers) or mine.spelling != old.spelling,
        prepared=bool(preparing),
        folder=_entered(new),
    )


def _call(passed: Sequence[CommandPart], at: int) -> str:
    """Return the parts that matter, joined."""
    kept = [part.text for part in passed[: at + 1] if part.step or part.text.startswith(("cd ", "set "))]
    return " && ".join(text for text in kept if text)


def _entered(new: Sequence[CommandPart]) -> str:
    """Return the folder that was entered; empty if it lies above or anywhere else."""
    entered = [part.text[3:].strip("'\" ") for part in new if part.text.startswith("cd ")]
    folder = entered[-1] if entered else ""
    return (
        ""
        if folder.startswith(("..", "~", "-", "$")) or PurePosixPath(folder) == PurePosixPath(".")
        else folder
    )
