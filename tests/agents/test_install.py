"""`mem install` edits the files of other programs safely, whatever state they are in."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_layer.agents import documents, files, json_text, toml_text, yaml_text
from memory_layer.agents.install import (
    AgentMachine,
    FileChange,
    apply,
    entries_of,
    plan,
    plan_removal,
    state_of,
)
from memory_layer.agents.recipes import BY_NAME, RECIPES, Entry
from memory_layer.errors import InvalidInput
from tests.agents.awkward_files import ALL, JSON, Awkward

MEM = "/opt/tools/bin/mem"
COMMENT = re.compile(r"(?://|#)[^\n]*|/\*.*?\*/|<!--.*?-->")
KEPT = [each for each in ALL if not each.is_refused]
REFUSED = [each for each in ALL if each.is_refused]


@pytest.fixture
def machine(tmp_path: Path) -> AgentMachine:
    made = AgentMachine(tmp_path / "home", tmp_path / "project", MEM, {}, tmp_path / "state")
    made.home.mkdir()
    made.project.mkdir()
    return made


def entries(
    agent: str, machine: AgentMachine, *, in_project: bool = False, trusted: bool = False
) -> list[Entry]:
    return entries_of(BY_NAME[agent], machine, in_project=in_project, trusted=trusted)


def wire(
    agent: str, machine: AgentMachine, *, in_project: bool = False, trusted: bool = False
) -> list[FileChange]:
    return apply(plan(entries(agent, machine, in_project=in_project, trusted=trusted), machine), machine)


def unwire(agent: str, machine: AgentMachine, *, in_project: bool = False) -> list[FileChange]:
    wanted = entries(agent, machine, in_project=in_project, trusted=not in_project)
    return apply(plan_removal(wanted, machine), machine)


def state(agent: str, machine: AgentMachine, *, in_project: bool = False) -> str:
    return state_of(BY_NAME[agent], machine, in_project=in_project).state


def put(machine: AgentMachine, awkward: Awkward) -> Path:
    path = (machine.project if awkward.in_project else machine.home) / awkward.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(awkward.content)
    return path


def everything_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def settings_of(machine: AgentMachine, text: str = '{\n  "model": "opus"\n}\n') -> Path:
    return put(machine, Awkward("", "claude-code", ".claude/settings.json", text.encode()))


def named(awkward: Awkward) -> str:
    return f"{awkward.agent}: {awkward.name}"


@pytest.mark.parametrize("awkward", KEPT, ids=named)
def test_a_file_is_the_same_after_the_removal(awkward, machine):
    path = put(machine, awkward)
    path.chmod(0o640)

    wire(awkward.agent, machine, in_project=awkward.in_project)
    assert state(awkward.agent, machine, in_project=awkward.in_project) == "current"
    assert wire(awkward.agent, machine, in_project=awkward.in_project) == []
    unwire(awkward.agent, machine, in_project=awkward.in_project)

    assert path.read_bytes() == (awkward.content if awkward.left is None else awkward.left)
    assert state(awkward.agent, machine, in_project=awkward.in_project) == "missing"
    assert stat.S_IMODE(path.stat().st_mode) & 0o666 == 0o640


@pytest.mark.parametrize("awkward", REFUSED, ids=named)
def test_a_file_that_cannot_be_edited_safely_is_refused_and_nothing_is_written(awkward, machine):
    put(machine, awkward)
    before = everything_below(machine.home.parent)

    with pytest.raises(InvalidInput) as refusal:
        wire(awkward.agent, machine, in_project=awkward.in_project)

    assert "\n" not in str(refusal.value)
    assert Path(awkward.file).name in str(refusal.value)
    assert everything_below(machine.home.parent) == before
    assert state(awkward.agent, machine, in_project=awkward.in_project) in ("broken", "stale", "missing")


@pytest.mark.parametrize("awkward", KEPT, ids=named)
def test_without_its_notes_the_removal_takes_out_our_entries_alone(awkward, machine):
    path = put(machine, awkward)
    wire(awkward.agent, machine, in_project=awkward.in_project)
    shutil.rmtree(machine.state)

    unwire(awkward.agent, machine, in_project=awkward.in_project)

    left = path.read_bytes().decode() if path.exists() else ""
    meant = (awkward.content if awkward.left is None else awkward.left).decode()
    assert said(awkward.file, left) == said(awkward.file, meant)
    assert [comment for comment in COMMENT.findall(meant) if comment.strip() not in left] == []
    assert state(awkward.agent, machine, in_project=awkward.in_project) == "missing"


def said(file: str, text: str) -> object:
    """Parse a file, and drop its empty lists and objects."""
    if file.endswith(".toml"):
        return _without_nothing(tomllib.loads(text.removeprefix("\ufeff")))
    if file.endswith(".json"):
        return _without_nothing(json_text.plain(json_text.parse(text)) if text.strip("\ufeff \t\r\n") else {})
    if file.endswith(".yaml"):
        return [block.fields for block in yaml_text.blocks(text, "mcpServers")]
    return text.split()


def _without_nothing(value: object) -> object:
    if not isinstance(value, dict):
        return value
    kept = {key: _without_nothing(each) for key, each in value.items()}
    return {key: each for key, each in kept.items() if each not in ({}, [])}


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("in_project", [False, True], ids=["user", "project"])
def test_nothing_is_left_on_a_machine_that_had_no_files(recipe, in_project, machine):
    if in_project and not recipe.project:
        with pytest.raises(InvalidInput, match="no settings in a project"):
            wire(recipe.name, machine, in_project=True)
        return

    assert wire(recipe.name, machine, in_project=in_project)
    assert state(recipe.name, machine, in_project=in_project) == "current"
    unwire(recipe.name, machine, in_project=in_project)

    assert list(machine.home.rglob("*")) == []
    assert list(machine.project.rglob("*")) == []
    assert everything_below(machine.state) == {}


def test_what_a_person_changed_since_stays_when_our_entries_go(machine):
    path = settings_of(machine)
    wire("claude-code", machine)
    text = path.read_text(encoding="utf-8")
    theirs = '"Stop": [\n      // mine\n      {"hooks": [{"type": "command", "command": "say done"}]},'
    path.write_text(text.replace('"opus"', '"sonnet"').replace('"Stop": [', theirs), encoding="utf-8")

    unwire("claude-code", machine)

    left = path.read_text(encoding="utf-8")
    assert "// mine" in left
    assert said("a.json", left) == {
        "model": "sonnet",
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]},
    }


def test_a_removal_leaves_the_scripts_of_others_and_refuses_what_it_cannot_part(machine):
    wire("cline", machine)
    path = machine.home / ".cline/hooks/PreToolUse"
    ours = path.read_text(encoding="utf-8")
    path.write_text(f"#!/bin/sh\nlint\n{ours}", encoding="utf-8")

    with pytest.raises(
        InvalidInput, match="PreToolUse was left as it is: it is not as this program wrote it"
    ):
        unwire("cline", machine)
    path.write_text("#!/bin/sh\nexec lint\n", encoding="utf-8")
    unwire("cline", machine)

    assert [each.name for each in machine.home.rglob("*") if each.is_file()] == ["PreToolUse"]


def test_an_upgrade_of_a_file_that_was_changed_since_leaves_nothing_of_the_older_version(machine):
    path = settings_of(machine)
    wire("claude-code", machine)
    path.write_text(path.read_text(encoding="utf-8").replace("opus", "sonnet"), encoding="utf-8")

    moved = machine._replace(mem="/opt/newer/bin/mem")
    assert state("claude-code", moved) == "stale"
    wire("claude-code", moved)
    assert MEM not in path.read_text(encoding="utf-8")
    unwire("claude-code", moved)

    assert path.read_bytes() == b'{\n  "model": "sonnet"\n}\n'


def test_an_upgrade_keeps_the_places_of_hooks_and_the_settings_of_the_server(machine):
    wire("codex", machine)
    hooks, config = machine.home / ".codex/hooks.json", machine.home / ".codex/config.toml"
    value = json.loads(hooks.read_text(encoding="utf-8"))
    value["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "say done"}]})
    hooks.write_text(json.dumps(value), encoding="utf-8")
    config.write_text(config.read_text(encoding="utf-8") + "tool_timeout_sec = 7\n", encoding="utf-8")

    wire("codex", machine._replace(mem="/opt/newer/bin/mem"))

    stops = json.loads(hooks.read_text(encoding="utf-8"))["hooks"]["Stop"]
    server = tomllib.loads(config.read_text(encoding="utf-8"))["mcp_servers"]["memory"]
    assert [each["hooks"][0]["command"] for each in stops] == [
        "/opt/newer/bin/mem hook codex stop",
        "say done",
    ]
    assert (server["command"], server["tool_timeout_sec"]) == ("/opt/newer/bin/mem", 7)


@pytest.mark.parametrize(
    ("agent", "file", "path", "command", "kept"),
    [
        ("claude-code", ".claude.json", ("mcpServers", "memory", "args"), ["mcp"], ["--tools", "full"]),
        (
            "opencode",
            ".config/opencode/opencode.jsonc",
            ("mcp", "memory", "command"),
            ["{}", "mcp"],
            ["--read-only"],
        ),
    ],
)
def test_options_that_a_person_gave_the_server_stay(agent, file, path, command, kept, machine):
    wire(agent, machine)
    target = machine.home / file
    words = [word.format(MEM) for word in command] + kept
    target.write_text(json_text.with_value(target.read_text(encoding="utf-8"), path, words), encoding="utf-8")

    assert state(agent, machine) == "current"
    wire(agent, machine._replace(mem="/opt/newer/bin/mem"))

    found = json_text.find(target.read_text(encoding="utf-8"), path)
    assert found is not None
    assert json_text.plain(found) == [word.format("/opt/newer/bin/mem") for word in command] + kept


def test_consent_given_once_is_kept(machine):
    wire("gemini", machine, trusted=True)

    assert state("gemini", machine) == "current"
    assert wire("gemini", machine) == []
    wire("gemini", machine._replace(mem="/opt/newer/bin/mem"))

    settings = json.loads((machine.home / ".gemini/settings.json").read_text(encoding="utf-8"))
    assert settings["mcpServers"]["memory"]["trust"] is True


def test_a_link_stays_a_link(machine):
    target = machine.home / "dotfiles/settings.json"
    target.parent.mkdir()
    target.write_bytes(b'{"model": "opus"}')
    link = machine.home / ".claude/settings.json"
    link.parent.mkdir()
    link.symlink_to(target)

    wire("claude-code", machine)
    assert link.is_symlink()
    assert b"hook claude-code" in target.read_bytes()
    unwire("claude-code", machine)

    assert link.is_symlink()
    assert target.read_bytes() == b'{"model": "opus"}'


def test_a_link_to_a_file_that_is_missing_is_filled_and_emptied_again(machine):
    target, link = machine.home / "settings-elsewhere.json", machine.home / ".claude/settings.json"
    link.parent.mkdir()
    link.symlink_to(target)

    wire("claude-code", machine)
    assert target.is_file()
    unwire("claude-code", machine)

    assert link.is_symlink()
    assert not target.exists()


def protected_file(machine: AgentMachine) -> None:
    settings_of(machine).chmod(0o400)


def protected_folder(machine: AgentMachine) -> None:
    (machine.home / ".claude").mkdir(mode=0o500)


def folder_in_its_place(machine: AgentMachine) -> None:
    (machine.home / ".claude/settings.json").mkdir(parents=True)


def file_for_its_folder(machine: AgentMachine) -> None:
    (machine.home / ".claude").write_text("no folder", encoding="utf-8")


def pipe_in_its_place(machine: AgentMachine) -> None:
    (machine.home / ".claude").mkdir()
    os.mkfifo(machine.home / ".claude/settings.json")


def too_large(machine: AgentMachine) -> None:
    settings_of(machine, '{"a": "' + "x" * 2**23 + '"}')


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (protected_file, "it is read-only"),
        (protected_folder, "is read-only"),
        (folder_in_its_place, "not a regular file"),
        (file_for_its_folder, "cannot be read"),
        (pipe_in_its_place, "not a regular file"),
        (too_large, "larger than 8 MiB"),
    ],
)
def test_nothing_is_written_for_an_agent_if_one_of_its_files_cannot_be(prepare, reason, machine):
    servers = put(machine, Awkward("", "claude-code", ".claude.json", b"{}"))
    prepare(machine)

    with pytest.raises(InvalidInput, match=reason):
        wire("claude-code", machine)

    assert servers.read_bytes() == b"{}"
    assert not machine.state.exists()
    (machine.home / ".claude").chmod(0o700)


@pytest.mark.parametrize("fails_at", [1, 2, 3, 4])
def test_a_write_that_fails_in_the_middle_leaves_every_file_as_it_was(fails_at, machine, monkeypatch):
    settings_of(machine)
    before = everything_below(machine.home)
    replaces, count = os.replace, iter(range(1, 100))

    def failing(source: str, target: str) -> None:
        if next(count) == fails_at:
            raise OSError(28, "No space left on device")
        replaces(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(InvalidInput, match="No space left on device"):
        wire("claude-code", machine)

    assert everything_below(machine.home) == before
    monkeypatch.undo()
    wire("claude-code", machine)
    unwire("claude-code", machine)
    assert everything_below(machine.home) == before


def test_a_file_that_another_program_changes_meanwhile_is_not_overwritten(machine):
    path = settings_of(machine)
    planned = plan(entries("claude-code", machine), machine)
    path.write_bytes(b'{"model": "sonnet"}')

    with pytest.raises(InvalidInput, match="changed by another program meanwhile"):
        apply(planned, machine)

    assert path.read_bytes() == b'{"model": "sonnet"}'
    assert not (machine.home / ".claude.json").exists()


def test_a_note_holds_nothing_of_what_stands_around_our_entries(machine):
    path = settings_of(
        machine, '{\n  "env": {"KEY": "very-private"},\n  "hooks": {"Stop": []},\n  "z": "private"\n}\n'
    )

    wire("claude-code", machine, trusted=True)

    assert "private" not in "".join(each.decode() for each in everything_below(machine.state).values())
    unwire("claude-code", machine)
    assert path.read_text(encoding="utf-8").count("private") == 2


def test_a_file_of_five_megabytes_is_edited(machine):
    projects = {f"/p/{number}": {"history": ["x" * 60] * 8} for number in range(9000)}
    content = json.dumps({"projects": projects, "n": 1}, indent=2).encode()
    assert len(content) > 5_000_000
    path = put(machine, Awkward("", "claude-code", ".claude.json", content))

    wire("claude-code", machine)
    assert state("claude-code", machine) == "current"
    unwire("claude-code", machine)

    assert path.read_bytes() == content


def test_nested_projects_have_files_of_their_own(machine):
    inner = machine._replace(project=machine.project / "packages/api")
    inner.project.mkdir(parents=True)

    wire("claude-code", machine, in_project=True)
    wire("claude-code", inner, in_project=True)
    unwire("claude-code", machine, in_project=True)

    assert state("claude-code", machine, in_project=True) == "missing"
    assert state("claude-code", inner, in_project=True) == "current"


def test_the_files_of_a_project_hold_no_path_of_this_machine(machine):
    for recipe in RECIPES:
        if recipe.project:
            wire(recipe.name, machine._replace(variables={"MEM_HOME": "/private"}), in_project=True)

    written = b"".join(everything_below(machine.project).values()).decode()
    assert MEM not in written
    assert "/private" not in written


def test_an_agent_that_runs_the_entries_of_another_is_connected_through_it(machine):
    wire("claude-code", machine)
    through = state_of(BY_NAME["grok"], machine)
    wire("grok", machine)
    doubled = state_of(BY_NAME["grok"], machine)

    assert (through.state, through.through) == ("current", "claude-code")
    assert (doubled.state, doubled.through) == ("stale", None)
    assert "mem install grok --remove" in (doubled.problem or "")


def test_folders_that_a_variable_moves_are_found_there(machine):
    moved = machine._replace(variables={"CLAUDE_CONFIG_DIR": str(machine.home / "elsewhere")})
    (machine.home / "elsewhere").mkdir()

    assert state_of(BY_NAME["claude-code"], moved).is_present
    assert {each.path.parent for each in wire("claude-code", moved)} == {machine.home / "elsewhere"}


# Files that nobody thought of.

NAMES = st.sampled_from(["hooks", "Stop", "mcpServers", "memory", "a", "b c", "é"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-9, 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)
SPACES = st.sampled_from(["", " ", "\n", "\r\n", "\t", " // why, {\n", "/* } */", "\n\n  "])


@st.composite
def json_texts(draw: Any) -> str:
    """A JSON text with comments, commas and white space in odd places."""

    def written(value: object) -> str:
        gap = lambda: draw(SPACES)  # noqa: E731 - a draw each time
        if not isinstance(value, (dict, list)):
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        items = (
            [f"{gap()}{json.dumps(key)}{gap()}:{gap()}{written(each)}{gap()}" for key, each in value.items()]
            if isinstance(value, dict)
            else [f"{gap()}{written(each)}{gap()}" for each in value]
        )
        comma = "," if items and draw(st.booleans()) else ""
        inside = ",".join(items) + comma + gap()
        return f"{{{inside}}}" if isinstance(value, dict) else f"[{inside}]"

    whole = written(draw(st.dictionaries(NAMES, VALUES, max_size=4)))
    return f"{draw(SPACES)}{whole}{draw(SPACES)}"


@st.composite
def toml_texts(draw: Any) -> str:
    """A TOML text in which our header may stand in strings, arrays and comments."""
    decoys = ["[mcp_servers.memory]", "x", "]", "#", "'", "\\\\", "[[a]]", "= 1"]
    words = st.lists(st.sampled_from(decoys), max_size=3).map("\n".join)

    def value() -> str:
        inner = draw(words)
        kind = draw(st.sampled_from(["basic", "long", "literal", "array", "number"]))
        literal = inner.replace("'", "")
        return {
            "basic": json.dumps(inner),
            "long": f'"""\n{inner}\n"""',
            "literal": f"'''\n{literal}\n'''",
            "array": f"[\n[1, 2], # ]\n[{json.dumps(inner)}],\n]",
            "number": "1_000",
        }[kind]

    lines, end = [], draw(st.sampled_from(["\n", "\r\n"]))
    for number in range(draw(st.integers(0, 3))):
        lines += [f"k{number} = {value()}"]
    for number in range(draw(st.integers(0, 3))):
        header = draw(
            st.sampled_from(["[t{}]", "[mcp_servers.s{}]", " [ mcp_servers.'s {}' ] # [x]", "[[l{}]]"])
        )
        lines += [
            draw(st.sampled_from(["", "# comment", "#[mcp_servers.memory]"])),
            header.format(number),
            f"v = {value()}",
        ]
    whole = "\n".join(lines).replace("\n", end)
    return f"{whole}{draw(st.sampled_from(['', end, end * 2]))}"


def round_trip(path: Path, content: bytes, agent: str, machine: AgentMachine) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    try:
        wire(agent, machine)
    except InvalidInput:
        assert path.read_bytes() == content
        return
    assert state(agent, machine) == "current"
    edited = path.read_bytes()
    unwire(agent, machine)
    assert path.read_bytes() == content
    path.write_bytes(edited)  # and without the notes, which are gone now
    unwire(agent, machine)
    assert said(path.name, path.read_bytes().decode()) == said(path.name, content.decode())


MANY = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@MANY
@given(text=json_texts())
def test_any_json_text_comes_back_or_is_refused(text, machine):
    round_trip(machine.home / ".claude/settings.json", text.encode(), "claude-code", machine)


@MANY
@given(text=toml_texts())
def test_any_toml_text_comes_back_or_is_refused(text, machine):
    tomllib.loads(text)
    round_trip(machine.home / ".codex/config.toml", text.encode(), "codex", machine)


@settings(max_examples=100)
@given(text=toml_texts())
def test_our_table_is_found_only_where_it_is_one(text):
    assert toml_text.without_table(text, ("mcp_servers", "memory")) == text


def test_the_awkward_files_are_many_and_each_form_has_some_that_are_refused():
    assert len(ALL) >= 100
    assert {each.agent for each in REFUSED} == {each.agent for each in ALL}
    assert len(JSON) >= 40


def test_an_entry_is_current_only_if_it_stands_there_once(machine):
    hook = next(each for each in entries("claude-code", machine) if each.path == ("hooks", "Stop"))
    twice = json.dumps({"hooks": {"Stop": [hook.value, hook.value]}})

    assert documents.state_of(twice, hook) == "stale"
    assert documents.with_entries(twice, [hook])[-1] == json.dumps({"hooks": {"Stop": [hook.value]}})


def test_a_file_is_written_with_the_rights_of_its_owner_alone(tmp_path):
    files.replace(tmp_path / "a" / "new.json", "{}")

    assert stat.S_IMODE((tmp_path / "a" / "new.json").stat().st_mode) == 0o600
