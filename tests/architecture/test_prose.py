"""What stands around the code: docstrings, links, locks, the changelog, and no trace of anybody's machine."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

import memory_layer
from tests.architecture.source import PACKAGE, ROOT, modules_under, parsed, project_files, text_of

LOCKS = ("requirements.lock", "requirements-dev.lock")
NPM_LOCKS = sorted((ROOT / "npm").glob("*/package-lock.json"))
#: Where packages are fetched from is the business of each machine, not of the project.
REGISTRIES = re.compile(
    r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|yarnpkg\.com|conda\.(?:io|org)|artifactory[./]|"
    r"--(?:extra-)?index-url|--find-links",
    re.IGNORECASE,
)
#: A home directory or the folder of a build machine. Tests may invent such paths as examples.
MACHINE_PATHS = re.compile(r"(?<![\w.~/-])/(?:root|work|workspace|home/\w+|Users/\w+)/\w")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def entries(lock: str) -> dict[str, str]:
    """Each pinned line of a lock and the lines that belong to it."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    return {block.partition(" \\")[0]: block for block in blocks}


def pinned_names(lock: str) -> set[str]:
    return {bare_name(entry) for entry in entries(lock)}


def bare_name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower()


def test_every_module_says_what_it_is_for():
    folders = (PACKAGE, ROOT / "bench", ROOT / "npm")
    modules = [path for folder in folders for path in modules_under(folder)]
    silent = [named(path) for path in modules if not ast.get_docstring(parsed(path))]

    assert silent == []


def test_no_file_names_a_package_registry():
    naming = [
        f"{named(path)}: {found[0]}"
        for path in project_files()
        if (text := text_of(path)) and path != Path(__file__)
        for found in REGISTRIES.finditer(text)
    ]

    assert naming == []


def test_no_file_holds_a_path_of_somebodys_machine():
    holding = [
        f"{named(path)}: {found[0]}"
        for path in project_files()
        if "tests" not in path.relative_to(ROOT).parts and (text := text_of(path))
        for found in MACHINE_PATHS.finditer(text)
    ]

    assert holding == []


def test_no_file_holds_the_place_of_this_copy():
    holding = [named(path) for path in project_files() if str(ROOT) in (text_of(path) or "")]

    assert len(ROOT.parts) < 3 or holding == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_and_hashes_every_entry(lock):
    pinned = entries(lock)

    assert pinned
    assert [
        entry for entry in pinned if not re.match(r"[\w.-]+(\[[\w,-]+\])?==[\w.!+-]+( ; .+)?$", entry)
    ] == []
    assert [entry for entry, block in pinned.items() if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_no_address(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")

    assert re.findall(r"\S*(?:://|@ |file:|git\+)\S*", text) == []
    assert [line for line in text.splitlines() if line.startswith("-")] == []


@pytest.mark.parametrize("lock", NPM_LOCKS, ids=lambda lock: lock.parent.name)
def test_a_lock_of_npm_packages_holds_versions_and_hashes_and_no_address(lock):
    text = lock.read_text(encoding="utf-8")
    root, *entries = json.loads(text)["packages"].values()
    asked = json.loads(lock.with_name("package.json").read_text(encoding="utf-8"))

    assert root["dependencies"] == asked["dependencies"]
    assert [version for version in asked["dependencies"].values() if not version[0].isdigit()] == []
    assert [
        each for each in entries if not each["integrity"].startswith("sha512-") or not each["version"]
    ] == []
    pinned = {place.rpartition("node_modules/")[2] for place in json.loads(text)["packages"]}
    assert [each for each in entries if not set(each.get("optionalDependencies", ())) <= pinned] == []
    assert "://" not in text
    assert "resolved" not in text


def test_the_locks_cover_what_the_project_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    runtime = {bare_name(each) for each in [*project["project"]["dependencies"], *groups["build"]]}
    dev = {bare_name(each) for each in groups["dev"] if isinstance(each, str)}

    assert runtime <= pinned_names("requirements.lock")
    assert runtime | dev <= pinned_names("requirements-dev.lock")


def test_the_test_environment_runs_the_shipped_versions():
    assert set(entries("requirements.lock")) <= set(entries("requirements-dev.lock"))


def test_no_lock_format_with_addresses_is_used():
    assert [name for name in ("uv.lock", "pylock.toml", "poetry.lock") if (ROOT / name).exists()] == []


def test_the_changelog_knows_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert memory_layer.__version__ in changelog


def test_links_between_pages_lead_somewhere():
    broken = [
        f"{named(path)}: {target}"
        for path in project_files()
        if path.suffix == ".md"
        for target in LINK.findall(path.read_text(encoding="utf-8"))
        if not re.match(r"[a-z]+:|#", target) and not (path.parent / target.partition("#")[0]).exists()
    ]

    assert broken == []


def test_the_index_lists_every_decision():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    records = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("*.md"))

    assert [name for name in records if f"decisions/{name}" not in index] == []
    assert [name[:4] for name in records] == [f"{number:04}" for number in range(1, len(records) + 1)]


def test_the_patterns_find_what_they_look_for():
    assert REGISTRIES.search("see https://" + "pypi" + ".org/simple")
    assert MACHINE_PATHS.search("kept in " + "/ho" + "me/ada/notes")
    assert not MACHINE_PATHS.search("src/work/queue.py and ~/work/notes and the root/ folder")


def test_every_line_of_the_threat_model_names_tests_that_exist():
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    named = [re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", row) for row in rows]

    assert len(rows) > 10
    assert [row for row, tests in zip(rows, named, strict=True) if not tests] == []
    for file, test in (each for tests in named for each in tests):
        assert (
            f"def {test}(" in (ROOT / file).read_text(encoding="utf-8") if test else (ROOT / file).exists()
        ), test
