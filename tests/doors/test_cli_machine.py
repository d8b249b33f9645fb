"""`mem model`, `mem config`, `mem completion` and the settings behind them."""

from __future__ import annotations

import pytest

from tests.doors.terminals import typed


def test_without_the_model_its_status_says_what_is_missing(mem):
    answer = mem("model", "status", "--json")

    assert answer.code == 1
    assert '"installed": false' in answer.out
    assert "not installed: " in mem("model", "status").out


def test_the_model_s_path_can_be_asked_for(mem, machine):
    assert mem("model", "path").out == f"{machine / 'no-model'}\n"


@pytest.mark.parametrize("way", [("--from",), ()])
def test_a_model_that_is_not_the_expected_one_is_refused(mem, machine, way):
    (machine / "wrong").mkdir()
    (machine / "wrong" / "model.safetensors").write_bytes(b"something else")
    answer = mem("model", "install", *way, str(machine / "wrong"), "--json")

    assert answer.code == 1
    assert answer.error["code"] == "model_unavailable"


@pytest.mark.model
def test_the_model_is_installed_from_a_folder(mem, machine, model_folder):
    installed = mem("model", "install", "--from", str(model_folder), "--json").data

    assert installed["installed"]
    assert mem("model", "status", "--deep", "--json").data["intact"] is True


def test_a_setting_is_set_used_and_unset(mem):
    mem("add", "Retry the upload")
    mem("add", "Empty the upload folder")
    answer = mem("config", "set", "search.limit", "1")

    assert answer.out == "search.limit = 1\n"
    assert len(mem("search", "upload", "--json").data["hits"]) == 1
    assert mem("config", "unset", "search.limit").out == "search.limit = 10\n"
    assert len(mem("search", "upload", "--json").data["hits"]) == 2


def test_a_setting_that_a_variable_decides_is_said_so(mem, monkeypatch):
    monkeypatch.setenv("MEM_SEARCH_LIMIT", "3")
    answer = mem("config", "set", "search.limit", "5")

    assert answer.out == "search.limit = 3\n"
    assert "MEM_SEARCH_LIMIT overrides this setting" in answer.err


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("memory.default_expiry.policy", "1"),
        ("memory.archive_below", "0"),
        ("memory.duplicate_threshold", "0.5"),
        ("database", "/nowhere/other.db"),
        ("model", "/nowhere"),
        ("writer", "claude"),
    ],
)
def test_an_agent_changes_no_setting_that_a_person_relies_on(mem, machine, key, value):
    file = machine / "home" / "config.toml"
    for refused in (mem("config", "set", key, value), mem("config", "unset", key)):
        assert refused.code == 1
        assert f"only a person at a terminal may change the setting {key}" in refused.err
    assert typed("config", "set", key, value, AI_AGENT="1")[0] == 1
    assert not file.exists()

    assert typed("config", "set", key, value)[0] == 0
    before = file.read_text()
    assert mem("config", "unset", key).code == 1
    assert file.read_text() == before
    assert typed("config", "unset", key)[0] == 0  # also where the file had named an agent


def test_a_person_repairs_a_file_with_a_mistake_and_an_agent_does_not(mem, machine):
    (machine / "home").mkdir()
    (machine / "home" / "config.toml").write_text("database = 3\n")

    assert mem("config", "set", "database", "/nowhere/other.db").code == 1
    assert typed("config", "set", "database", "/nowhere/other.db", AI_AGENT="1")[0] == 1
    assert typed("config", "unset", "database")[0] == 0


def test_every_setting_is_listed_with_what_decided_it(mem, monkeypatch):
    monkeypatch.setenv("MEM_STRENGTH", "0.2")
    typed("config", "set", "memory.archive_below", "off")
    typed("config", "set", "memory.default_expiry.warning", "never")
    listed = {row["key"]: row for row in mem("config", "list", "--json").data["items"]}
    text = mem("config", "list").out

    assert listed["search.strength"] == {"key": "search.strength", "value": 0.2, "origin": "MEM_STRENGTH"}
    assert listed["memory.archive_below"]["value"] is None
    assert listed["memory.default_expiry.context"]["value"] == 30
    assert listed["search.limit"]["origin"] == "default"
    assert "memory.archive_below" in text
    assert "  off  (" in text
    assert "  never  (" in text


@pytest.mark.parametrize(
    ("key", "value"),
    [("search.limit", "10"), ("memory.archive_below", "-0.5"), ("memory.default_expiry.pattern", "never")],
)
def test_one_setting_is_read(mem, key, value):
    assert mem("config", "get", key).out == f"{value}\n"


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        (("get", "nonsense"), "known settings: database, "),
        (("set", "nonsense", "1"), "the settings are "),
        (("set", "search.limit", "many"), "a whole number from 1 to 100"),
    ],
)
def test_a_wrong_setting_lists_what_is_known_or_allowed(mem, words, listed):
    answer = mem("config", *words)

    assert answer.code == 2
    assert listed in " ".join(answer.err.split())


def test_the_configuration_s_path_can_be_asked_for(mem, machine):
    assert mem("config", "path", "--json").data == {"file": str(machine / "home" / "config.toml")}


def test_a_project_s_file_that_asks_too_much_is_a_note(mem, machine):
    (machine / "work" / ".memory-layer.toml").write_text('database = "/tmp/elsewhere.db"\n')
    answer = mem("stats")

    assert answer.code == 0
    assert "note: ignored a setting" in answer.err
    assert mem("stats", "--json").err == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_calls_back_for_completions(mem, shell):
    assert "_MEM_COMPLETE=" in mem("completion", shell).out


def test_an_unknown_shell_is_a_usage_error(mem):
    assert mem("completion", "cmd").code == 2


def test_the_shell_is_offered_commands_words_and_ids(mem, process):
    added = mem("add", "Retry the upload", "--json").data

    def offered(*words: str) -> str:
        typed = " ".join(("mem", *words))
        return str(process(_MEM_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=str(len(words))).out)

    assert "plain,search" in offered("se")
    assert offered("add", "x", "-c", "trou") == "plain,troubleshooting\n"
    assert "plain,worked" in offered("outcome", added["id"], "w")
    assert offered("show", added["id"][:6]) == f"plain,{added['id'][:12]}\n"
    assert "plain,search.limit" in offered("config", "get", "search.")


def test_completion_never_creates_a_store(process, machine):
    answer = process(_MEM_COMPLETE="bash_complete", COMP_WORDS="mem show mem_", COMP_CWORD="2")

    assert answer.out.strip() == ""
    assert not (machine / "home").exists()


def test_a_file_with_a_mistake_is_repaired_by_the_program_itself(mem, machine):
    (machine / "home").mkdir()
    file = machine / "home" / "config.toml"
    file.write_text("nonsense = 1\n[search]\nlimit = 'many'\n")

    assert mem("stats").code == 2
    assert mem("config", "path").out == f"{file}\n"
    first = mem("config", "set", "search.limit", "5")
    assert (first.code, first.out) == (0, "search.limit was changed in your file\n")
    assert "unknown key 'nonsense'" in first.err
    assert mem("config", "unset", "nonsense", "--json").data["value"] is None
    assert mem("config", "get", "search.limit").out == "5\n"


def test_a_number_too_large_to_be_written_stops_no_command(mem, machine):
    (machine / "work" / ".memory-layer.toml").write_text("[search]\nlimit = 0x" + "F" * 4_000)
    answer = mem("stats")

    assert answer.code == 0
    assert "a very large number" in answer.err


def test_a_project_s_file_cannot_steer_the_terminal(mem, machine):
    (machine / "work" / ".memory-layer.toml").write_bytes(b'"\\u001b]0;owned\\u0007" = 1\n"\\u202e" = 1\n')
    answer = mem("stats")

    assert "note: ignored a setting" in answer.err
    assert not set(answer.err) & set("\x1b\x07\u202e")


def test_the_list_of_settings_cannot_steer_the_terminal(mem, machine, monkeypatch):
    monkeypatch.setenv("MEM_HOME", str(machine / "ho\x1b[8mme\nsearch.limit  99  (default)"))
    answer = mem("config", "list")

    assert answer.code == 0
    assert "\x1b" not in answer.out
    assert "\nsearch.limit  99" not in answer.out
