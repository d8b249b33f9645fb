"""Name the files that a session changed, and tell what kind of files they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_layer.model.steps import Step, StepKind
from memory_layer.text.commands.calls import calls

_NAMED_FILE = re.compile(r"\w\.\w{1,10}$")

_DOCUMENT = re.compile(
    r"(?<!requirements)\.(?:md|mdx|rst|txt|adoc)$|(?:^|/)(?:changelog|license|readme)[^/]*$", re.IGNORECASE
)
_CONFIGURATION = re.compile(
    r"(?:^|/)(?:\.[\w.-]+|[\w.-]*dockerfile[\w.-]*|(?:gnu)?makefile"
    r"|cmakelists\.txt|gemfile|procfile|justfile|brewfile|vagrantfile"
    r"|requirements[\w.-]*\.txt|\w*(?:config|settings|conftest|setup|helper|test_case|env)\w*\.[a-z]+)$"
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
    r"(?:^|/)(?:[\w.-]*config(?:\.[\w-]+)*\.(?:jsonc?|[cm]?[jt]s|ya?ml|toml)"
    r"|\.[\w-]+rc(?:\.\w+)?|(?:pytest|tox)\.ini|setup\.cfg)$",
    re.IGNORECASE,
)
_CONTENT = re.compile(
    r"(?:^|/)(?:locales?|i18n|fixtures?|snapshots?|__snapshots__|testdata|data|content)/", re.IGNORECASE
)


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
    """Return the files that an agent changed with its tools, relative to the folder."""
    edits = (step for step in steps if step.kind is StepKind.EDIT and step.passed is not False)
    return list(dict.fromkeys(relative(file, folder) for step in edits for file in step.files))


def changed_files(steps: Sequence[Step], folder: str) -> list[str]:
    """Return the files that a session changed with tools and command lines, in their order."""
    found = dict[str, None]()
    for step in steps:
        written = (
            written_by(step.command) if step.kind is StepKind.COMMAND and step.passed is not False else ()
        )
        found |= dict.fromkeys([*edited_files([step], folder), *(relative(file, folder) for file in written)])
    return [file for file in found if not file.startswith("/tmp/")]


def relative(file: str, folder: str) -> str:
    """Return a path relative to the project's folder."""
    start = folder.rstrip("/\\")
    return file[len(start) + 1 :] if start and file.startswith((start + "/", start + "\\")) else file


def written_by(line: str) -> Iterator[str]:
    """Yield the files that a command line writes as an editor would."""
    for call in calls(line):
        if call.step and call.step.program in ("sed", "perl", "patch", "ed", "ex"):
            yield from (file for file in call.step.writes if _NAMED_FILE.search(file))
    if "<<" in line:
        yield from re.findall(r">{1,2}\s*([\w./~-]+\.\w{1,6})\b", line[:400])
