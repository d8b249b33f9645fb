"""The pages for developers name only files and folders that exist."""

from __future__ import annotations

import re

import pytest

from tests.architecture.source import PACKAGE, ROOT

PAGES = ("AGENTS.md", "docs/architecture.md")
#: In backticks: a folder with a slash at its end, or a file by a path or a bare name.
PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.(?:py|md|sql))?|[\w-]+\.py)`")
#: Paths are given from the root of the project, or short, from the package on.
BASES = (ROOT, PACKAGE)


def paths_in(text: str) -> list[str]:
    return PATH.findall(text)


@pytest.mark.parametrize("page", PAGES)
def test_every_named_path_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = [
        f"{page}:{number}: {path}"
        for number, line in enumerate(text.splitlines(), start=1)
        for path in paths_in(line)
        if not any((base / path).exists() for base in BASES)
    ]

    assert missing == []
    assert len(paths_in(text)) > 20


def test_every_folder_of_the_package_is_in_the_architecture():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(PACKAGE) for path in PACKAGE.glob("*/__init__.py")}
    folders |= {path.parent.relative_to(PACKAGE) for path in (PACKAGE / "usecases").glob("*/__init__.py")}

    assert [str(folder) for folder in sorted(folders) if f"`{folder.as_posix()}/`" not in page] == []


def test_the_pattern_finds_files_and_folders():
    line = "`src/a/b.py`, `verbs/`, `wiring.py`, `mem add`, `store.memories`, `docs/x.md`, `application/json`"

    assert paths_in(line) == ["src/a/b.py", "verbs/", "wiring.py", "docs/x.md"]
