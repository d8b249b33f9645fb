"""What an agent learns of the files of this machine by citing them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.mcp.serving import Client, Offer, Serving
from memory_layer.errors import InvalidInput, NotFound
from memory_layer.settings import load
from tests.clean_git import CLEAN
from tests.doors.agents import Agent, agent, talk
from tests.doors.served import served
from tests.doors.terminals import typed
from tests.doors.test_mcp_http import client, token

SECRET = "the harbour master sleeps until noon"


def repository(folder: Path) -> Path:
    """A repository with a file that git tracks, one that is new, and one that it ignores."""
    (folder / "src").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(folder)], env=CLEAN, check=True)
    for name in ("tracked.py", "new.py", "hidden.txt"):
        (folder / name).write_text(f"{SECRET} in {name}\nsecond line\n", encoding="utf-8")
    (folder / ".gitignore").write_text("hidden*\n", encoding="utf-8")
    subprocess.run(["git", "-C", str(folder), "add", "tracked.py"], env=CLEAN, check=True)
    return folder


@pytest.fixture
def shop(machine, monkeypatch) -> Path:
    """The repository that the server is started in; another one and a plain folder lie beside it."""
    repository(machine / "bank")
    (machine / "plain").mkdir()
    (machine / "plain" / "notes.txt").write_text(f"{SECRET}\n", encoding="utf-8")
    own = repository(machine / "shop")
    monkeypatch.chdir(own)
    return own


@pytest.fixture
def serving(shop):
    made = Serving(load(), Offer(FULL, here=shop))
    yield made
    made.close()


def call(serving: Serving, tool: str, **given: Any) -> Any:
    return serving.run(tool, given, Client("agent"))


def cited(serving: Serving, cite: str, **given: Any) -> dict[str, Any]:
    """What an agent reads of a citation that it made."""
    told = f"The harbour opens at nine, {cite} {given}"
    added = call(serving, "memory_learn", content=told, cite=[cite], **given)
    (citation,) = call(serving, "memory_get", id=added["id"])["memory"]["citations"]
    assert isinstance(citation, dict)
    return citation


@pytest.mark.parametrize("name", ["tracked.py", "new.py", "src/../new.py", "{shop}/new.py"])
def test_a_file_of_the_servers_own_project_is_quoted(serving, shop, name):
    citation = cited(serving, f"{name.format(shop=shop)}:1")

    assert citation["excerpt"].startswith(SECRET)
    assert citation["state"] == "fresh"


@pytest.mark.parametrize("name", ["hidden.txt", "hidden-not-there", "hidden/x", "src/hidden.txt"])
def test_of_an_ignored_file_only_the_path_is_kept_whether_or_not_it_exists(serving, name):
    assert cited(serving, f"{name}:2-3") == {
        "path": name,
        "first_line": 2,
        "last_line": 3,
        "state": "unverifiable",
    }


def test_a_file_that_the_user_ignores_through_included_settings_is_not_quoted(serving, shop, monkeypatch):
    home = shop.parent / "person"
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(home))
    (home / ".gitconfig").write_text("[include]\n\tpath = ~/.gitconfig.local\n", encoding="utf-8")
    (home / ".gitconfig.local").write_text("[core]\n\texcludesfile = ~/ignored\n", encoding="utf-8")
    (home / "ignored").write_text("*.key\n", encoding="utf-8")
    (shop / "own.key").write_text(f"{SECRET}\n", encoding="utf-8")

    assert cited(serving, "own.key") == {"path": "own.key", "state": "unverifiable"}


def test_guesses_at_the_lines_of_a_linked_file_are_all_told_the_same(serving, shop, machine):
    (machine / "plain" / "words").write_text("hunter2\n", encoding="utf-8")
    (shop / "src" / ".gitignore").symlink_to(machine / "plain" / "words")

    for name in ("src/hunter2", "src/hunter3"):
        assert cited(serving, name) == {"path": name, "state": "unverifiable"}


@pytest.mark.parametrize("name", ["~root", "~daemon/x", "~nouser", "~root/../etc"])
def test_no_account_of_the_machine_is_told_by_naming_its_home(serving, name):
    with pytest.raises(NotFound, match=f"there is no folder '{name}'"):
        call(serving, "memory_recall", query="x", project=name)


@pytest.mark.parametrize("folder", ["bank", "plain"])
@pytest.mark.parametrize("name", ["tracked.py", "new.py", "notes.txt", "not-there.txt", "src"])
def test_of_another_project_only_the_path_is_kept_whether_or_not_it_exists(serving, machine, folder, name):
    project = str(machine / folder)

    assert cited(serving, name, project=project) == {"path": name, "state": "unverifiable"}
    assert cited(serving, name, project=folder) == {"path": name, "state": "unverifiable"}


def test_a_link_leads_to_nothing_that_could_not_be_cited_itself(serving, shop, machine):
    (shop / "to-hidden").symlink_to("hidden.txt")
    (shop / "to-bank").symlink_to(machine / "bank")
    (shop / "to-etc").symlink_to("/etc")

    for name in ("to-hidden", "to-bank/tracked.py"):
        assert cited(serving, name) == {"path": name, "state": "unverifiable"}
    for name in ("to-etc/passwd", "../bank/tracked.py", str(machine / "bank/new.py")):
        with pytest.raises(InvalidInput, match="outside the project"):
            cited(serving, name)


@pytest.mark.parametrize("name", [".git/config", "src/../.git/HEAD", ".GIT/config"])
@pytest.mark.parametrize("project", [None, "bank"])
def test_nothing_of_git_itself_is_cited(serving, machine, name, project):
    named = {"project": str(machine / project)} if project else {}
    with pytest.raises(InvalidInput, match="is part of git"):
        cited(serving, name, **named)


def test_pipes_and_folders_are_refused_without_waiting(serving, shop):
    os.mkfifo(shop / "pipe")
    for name in ("pipe", "src"):
        with pytest.raises(InvalidInput, match="only files can be cited"):
            cited(serving, name)


def test_the_files_of_an_inner_repository_are_not_quoted(serving, shop):
    repository(shop / "inner")

    assert cited(serving, "inner/tracked.py") == {"path": "inner/tracked.py", "state": "unverifiable"}


def test_an_update_and_a_proposal_keep_no_more_than_a_new_memory(serving, machine):
    bank = str(machine / "bank")
    added = call(serving, "memory_learn", content="The bank opens at nine", project=bank)
    call(serving, "memory_update", id=added["id"], cite=["tracked.py:1"])
    proposed = call(
        serving, "memory_propose", content="Never open before nine", cite=["new.py"], project=bank
    )

    (citation,) = call(serving, "memory_get", id=added["id"])["memory"]["citations"]
    assert "excerpt" not in citation
    assert citation["state"] == "unverifiable"
    assert (
        "citations" not in call(serving, "memory_get", id=proposed["id"])["memory"]
    )  # it waits for a person


def test_checking_tells_nothing_of_files_that_may_not_be_read(serving, machine, mem):
    """Also not what a person's own check finds out, or what an answer would say if the file changed."""
    cited(serving, "hidden.txt:1")
    cited(serving, "tracked.py:1", project=str(machine / "bank"))
    (machine / "bank" / "tracked.py").write_text("other\n", encoding="utf-8")

    assert call(serving, "memory_verify", everything=True)["counts"] == {"unverifiable": 2}
    assert mem("verify", "--all", "--json").data["counts"]["unverifiable"] == 2
    assert call(serving, "memory_review")["items"] == []


def test_lines_that_moved_are_not_followed_into_an_ignored_file(serving, shop):
    guess = "\n".join(f"def guess_{number}(): return {number}" for number in range(5)) + "\n"
    (shop / "guess.py").write_text(guess, encoding="utf-8")
    added = call(serving, "memory_learn", content="A guess", cite=["guess.py:1-5"])
    (shop / "guess.py").rename(shop / "hidden.py")

    (finding,) = call(serving, "memory_verify", ids=[added["id"]], dry_run=True)["findings"]
    assert (finding["state"], "now" in finding) == ("missing", False)
    (shop / "hidden.py").rename(shop / "other.py")
    (finding,) = call(serving, "memory_verify", ids=[added["id"]])["findings"]
    assert (finding["state"], finding["now"]["path"]) == ("moved", "other.py")


def test_a_file_that_is_ignored_later_is_no_longer_looked_at(serving, shop):
    added = call(serving, "memory_learn", content="It is new", cite=["new.py"])
    (shop / ".gitignore").write_text("new.py\n", encoding="utf-8")

    (citation,) = call(serving, "memory_get", id=added["id"])["memory"]["citations"]
    assert citation["state"] == "unverifiable"


def test_a_file_named_as_a_project_is_told_like_one_that_is_not_there(serving, machine):
    for name in ("plain/notes.txt", "plain/nothing.txt"):
        with pytest.raises(NotFound, match="there is no folder"):
            call(serving, "memory_recall", query="x", project=str(machine / name))


def test_a_person_registers_a_project_and_takes_it_back(serving, machine, mem):
    bank = machine / "bank"
    assert typed("projects", "add", str(bank / "src"))[0] == 0
    quoted = cited(serving, "tracked.py", project=str(bank))
    hidden = cited(serving, "hidden.txt", project=str(bank))
    (listed,) = [each for each in mem("projects", "--json").data["items"] if each["name"] == "bank"]

    assert quoted["excerpt"].startswith(SECRET)
    assert "excerpt" not in hidden
    assert listed["registered"] == [str(bank)]
    assert f"registered: {bank}" in mem("projects").out

    assert typed("projects", "remove", str(bank))[0] == 0
    assert "excerpt" not in cited(serving, "new.py", project=str(bank))
    assert [
        each["registered"] for each in mem("projects", "--json").data["items"] if each["name"] == "bank"
    ] == [[]]


def test_registering_one_folder_lets_no_other_clone_be_read(serving, machine):
    for name in ("bank", "bank-again"):
        folder = machine / name if name == "bank" else repository(machine / name)
        subprocess.run(
            ["git", "-C", str(folder), "remote", "add", "origin", "git@git.example:a/bank.git"],
            env=CLEAN,
            check=True,
        )
    typed("projects", "add", str(machine / "bank"))

    assert "excerpt" not in cited(serving, "tracked.py", project=str(machine / "bank-again"))


def test_only_a_person_registers_a_repository_that_is_there(mem, machine, shop):
    assert "only a person" in mem("projects", "add", str(shop), "--json").error["message"]
    assert "only a person" in mem("projects", "remove", str(shop), "--json").error["message"]
    for folder, why in (("plain", "not in a git repository"), ("nowhere", "there is no folder")):
        code, seen = typed("projects", "add", str(machine / folder))
        assert code in (2, 3)
        assert why in seen
    assert "is not registered" in typed("projects", "remove", str(shop))[1]
    assert mem("projects", "--json").data["items"] == []


def test_the_home_directory_is_no_project_of_a_server_although_it_is_a_repository(machine, monkeypatch):
    home = repository(machine / "person" / "dots").parent
    (home / "dots" / ".git").rename(home / ".git")
    (home / "letter.txt").write_text(f"{SECRET}\n", encoding="utf-8")
    monkeypatch.chdir(home)
    serving = Serving(load(), Offer(FULL, here=home))

    assert "excerpt" not in cited(serving, "letter.txt")
    serving.close()


def test_the_command_line_quotes_what_its_caller_may_read(mem, shop):
    added = mem("add", "The harbour opens at nine", "--cite", "hidden.txt:1", "--json").data
    (citation,) = mem("show", added["id"], "--json").data["memory"]["citations"]

    assert citation["excerpt"].startswith(SECRET)
    assert citation["state"] == "fresh"


async def _cites_elsewhere(it: Agent) -> None:
    added = await it.call("memory_learn", content="Root comes first", project="/etc", cite=["passwd:1"])
    (citation,) = (await it.call("memory_get", id=added["id"]))["memory"]["citations"]

    assert citation == {"path": "passwd", "first_line": 1, "last_line": 1, "state": "unverifiable"}


def test_a_server_on_standard_input_and_output_quotes_no_file_of_the_system(shop):
    talk(agent("--tools", "full"), _cites_elsewhere)


def test_a_server_over_http_quotes_no_file_of_the_system(shop, machine):
    with served("--tools", "full") as port:
        talk(client(port, token(machine)), _cites_elsewhere)
