import os
import stat
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_layer import options
from memory_layer.errors import InvalidInput
from memory_layer.model.vocabulary import CATEGORIES, Category
from memory_layer.ranking.rankers import RANKERS
from memory_layer.settings import KNOWN_AGENTS, PROJECT_FILE, Settings, load, places, set_value, unset_value


@pytest.fixture
def home(tmp_path):
    """An environment whose files all lie in one empty folder."""
    (tmp_path / "home").mkdir()
    return {"MEM_HOME": str(tmp_path / "home")}


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def config(home, text):
    file = Path(home["MEM_HOME"], "config.toml")
    file.write_text(text)
    return file


def test_everything_has_a_default_that_works(home, work):
    found = load(home, work)

    assert (found.ranker, found.search_limit, found.duplicate_threshold) == ("balanced", 10, 0.92)
    assert (found.archive_below, found.strength, found.likeness) == (-0.5, 0.45, 0.4)
    assert found.agent is found.writer is found.session is found.project is None
    assert found.default_expiry == {category: traits.expires_days for category, traits in CATEGORIES.items()}
    assert found.warnings == ()


def test_every_field_says_what_decided_it(home, work):
    found = load(home, work)

    assert set(found.origins) == set(Settings._fields) - {"origins", "warnings"}
    assert found.origins["database_path"] == "MEM_HOME"
    assert found.origins["ranker"] == "default"


def test_an_argument_beats_the_environment_beats_the_project_beats_the_user_beats_the_default(home, work):
    chain = [load(home, work)]
    user = config(home, "[search]\nlimit = 11")
    chain.append(load(home, work))
    (work / PROJECT_FILE).write_text("[search]\nlimit = 12")
    chain.append(load(home, work))
    chain.append(load(home | {"MEM_SEARCH_LIMIT": "13"}, work))
    chain.append(load(home | {"MEM_SEARCH_LIMIT": "13"}, work, search_limit="14"))

    assert [found.search_limit for found in chain] == [10, 11, 12, 13, 14]
    assert [found.origins["search_limit"] for found in chain] == [
        "default",
        str(user),
        str(work / PROJECT_FILE),
        "MEM_SEARCH_LIMIT",
        "argument",
    ]


def test_an_argument_that_is_none_counts_as_not_given(home, work):
    assert load(home, work, ranker=None).ranker == "balanced"


def test_an_empty_variable_counts_as_not_set(home, work):
    assert load(home | {"MEM_RANKER": "", "MEM_DB": ""}, work).ranker == "balanced"


def test_an_argument_nobody_knows_is_a_mistake_of_the_program(home, work):
    with pytest.raises(TypeError, match="colour"):
        load(home, work, colour="red")


def test_all_files_lie_under_mem_home_except_the_model(home, work):
    base = Path(home["MEM_HOME"])
    found = load(home | {"HOME": "/home/anna"}, work)

    assert found.database_path == base / "memory.db"
    assert found.config_path == base / "config.toml"
    assert found.log_folder == base / "logs"
    assert found.model_folder == Path("/home/anna/.cache/memory-layer/all-MiniLM-L6-v2")


def test_mem_db_and_mem_model_and_mem_config_name_other_places(home, work):
    named = {
        "MEM_DB": "~/other.db",
        "MEM_MODEL": "weights",
        "MEM_CONFIG": "/etc/mem.toml",
        "HOME": "/home/anna",
    }
    found = load(home | named, work)

    assert found.database_path == Path("/home/anna/other.db")
    assert found.model_folder == work / "weights"
    assert found.config_path == Path("/etc/mem.toml")
    assert found.origins["database_path"] == "MEM_DB"


def test_a_path_in_the_users_file_is_relative_to_that_file(home, work):
    config(home, 'database = "stores/mine.db"')

    assert load(home, work).database_path == Path(home["MEM_HOME"], "stores/mine.db")


@pytest.mark.skipif(sys.platform != "linux", reason="compares the short cut for Linux")
@pytest.mark.parametrize(
    "variables",
    [
        {"HOME": "/home/anna"},
        {"HOME": "/home/anna", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/k"},
        {"HOME": "/home/anna", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "relative", "XDG_CACHE_HOME": ""},
    ],
)
def test_the_platforms_directories_are_those_of_platformdirs(monkeypatch, tmp_path, variables):
    import platformdirs

    for name in list(os.environ):
        if name.startswith("XDG_"):
            monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    dirs = platformdirs.PlatformDirs("memory-layer", appauthor=False)
    found = load(variables, tmp_path)

    assert found.database_path.parent == Path(dirs.user_data_dir)
    assert found.config_path.parent == Path(dirs.user_config_dir)
    assert found.model_folder.parent == Path(dirs.user_cache_dir)
    assert found.log_folder == Path(dirs.user_log_dir)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "/home/anna/.cache/huggingface/hub"),
        ({"XDG_CACHE_HOME": "/k"}, "/k/huggingface/hub"),
        ({"HF_HOME": "/hf"}, "/hf/hub"),
        ({"HF_HOME": "/hf", "HF_HUB_CACHE": "/hub"}, "/hub"),
    ],
)
def test_the_hugging_face_cache_is_where_its_own_tools_look(home, work, variables, expected):
    assert load(home | {"HOME": "/home/anna"} | variables, work).huggingface_cache == Path(expected)


def test_neither_platformdirs_nor_a_toml_reader_is_imported_without_need(home):
    code = (
        "import sys; from memory_layer.settings import load; load();"
        "print([name for name in ('platformdirs', 'tomllib', 'tomlkit') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=home, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("variable", "value", "allowed"),
    [
        ("MEM_SEARCH_LIMIT", "many", "a whole number from 1 to 100"),
        ("MEM_SEARCH_LIMIT", "2.5", "a whole number from 1 to 100"),
        ("MEM_DUPLICATE_THRESHOLD", "nan", "a number from 0.5 to 1"),
        ("MEM_ARCHIVE_BELOW", "never", "a number from -1 to 0, or off"),
        ("MEM_RANKER", "best", "one of balanced, five-signal, rrf, weighted"),
        ("MEM_WRITER", "a\nb", "a text of 1 to 200 printable characters"),
    ],
)
def test_a_bad_variable_is_named_with_its_value_and_what_is_allowed(home, work, variable, value, allowed):
    with pytest.raises(InvalidInput) as caught:
        load(home | {variable: value}, work)

    assert str(caught.value) == f"{variable} is {value!r}, but must be {allowed}"


def test_archiving_by_outcome_can_be_switched_off(home, work):
    assert load(home | {"MEM_ARCHIVE_BELOW": "off"}, work).archive_below is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[search]\nlimit = 'x'", "search.limit in {file} is 'x', but must be a whole number"),
        ("[search]\nlimit = true", "search.limit in {file} is True"),
        ("[serch]\nlimit = 3", "{file} has an unknown key 'serch.limit'"),
        ("session = 'mine'", "{file} has an unknown key 'session'"),
        ("[memory.default_expiry]\nfacts = 3", "{file} has an unknown key 'memory.default_expiry.facts'"),
        ("[memory.default_expiry]\nfact = 0", "must be a whole number of days from 1 to 36500, or never"),
        ("search = [1", "{file} is not valid TOML"),
    ],
)
def test_a_mistake_in_the_users_own_file_is_an_error_that_names_the_file(home, work, text, words):
    file = config(home, text)

    with pytest.raises(InvalidInput) as caught:
        load(home, work)

    assert words.format(file=file) in str(caught.value)


def test_a_users_file_that_is_no_file_is_an_error(home, work):
    Path(home["MEM_HOME"], "config.toml").mkdir()

    with pytest.raises(InvalidInput, match="not a regular file"):
        load(home, work)


def test_the_project_says_when_its_categories_expire(home, work):
    config(home, "[memory.default_expiry]\nwarning = 10\ncontext = 20")
    (work / PROJECT_FILE).write_text('[memory.default_expiry]\nwarning = "never"\nfact = 365')
    found = load(home, work)

    assert found.default_expiry[Category.WARNING] is None
    assert found.default_expiry[Category.CONTEXT] == 20
    assert found.default_expiry[Category.FACT] == 365
    assert found.default_expiry[Category.LEARNING] == 180
    assert found.origins["default_expiry.warning"] == str(work / PROJECT_FILE)
    assert found.origins["default_expiry.context"] == str(found.config_path)


def test_default_expiry_may_be_spelled_in_camel_case(home, work):
    (work / PROJECT_FILE).write_text("[memory.defaultExpiry]\nwarning = 5")

    assert load(home, work).default_expiry[Category.WARNING] == 5


def test_the_project_file_is_found_from_a_folder_inside_the_project(home, work):
    (work / PROJECT_FILE).write_text("[search]\nlimit = 3")
    (work / "src" / "core").mkdir(parents=True)

    assert load(home, work / "src" / "core").search_limit == 3


def test_the_project_file_is_not_looked_for_above_the_repository(home, work):
    (work / PROJECT_FILE).write_text("[search]\nlimit = 3")
    (work / "repository" / ".git").mkdir(parents=True)

    assert load(home, work / "repository").search_limit == 10


@pytest.mark.parametrize(
    "line",
    [
        "database = '/tmp/stolen.db'",
        "model = '/tmp/model'",
        "writer = 'anna'",
        "memory.duplicate_threshold = 0.5",
        "memory.archive_below = 'off'",
        "store.lease_seconds = 1",
        "anything = 1",
    ],
)
def test_a_cloned_repository_cannot_set_what_protects_the_user(home, work, line):
    (work / PROJECT_FILE).write_text(f"{line}\nsearch.limit = 7")
    found, plain = load(home, work), load(home, work.parent)

    assert found.search_limit == 7
    assert (found.database_path, found.model_folder, found.writer) == (
        plain.database_path,
        plain.model_folder,
        None,
    )
    assert (found.duplicate_threshold, found.archive_below, found.lease_seconds) == (0.92, -0.5, 60.0)
    assert f"a project may not set {line.split(' =')[0]!r}" in found.warnings[0]


@pytest.mark.parametrize(
    "text", ["[search]\nlimit = 'x'", "not toml", "[memory]\ndefault_expiry = 3", "\xff"]
)
def test_a_broken_project_file_warns_and_stops_nothing(home, work, text):
    (work / PROJECT_FILE).write_bytes(text.encode("latin-1"))
    found = load(home, work)

    assert found.search_limit == 10
    assert len(found.warnings) == 1
    assert str(work / PROJECT_FILE) in found.warnings[0]


def test_a_project_file_that_is_a_link_a_pipe_or_huge_is_ignored(home, work):
    secret = work.parent / "secret.toml"
    secret.write_text("[search]\nlimit = 3")
    for make in (
        lambda file: file.symlink_to(secret),
        os.mkfifo,
        lambda file: file.write_text("#" * 100_000),
        lambda file: file.write_text("a = " + "[" * 50_000),
    ):
        file = work / PROJECT_FILE
        make(file)
        found = load(home, work)
        file.unlink()

        assert found.search_limit == 10
        assert len(found.warnings) == 1


def test_a_project_file_cannot_flood_the_user_with_warnings(home, work):
    (work / PROJECT_FILE).write_text("\n".join(f"key{number} = 1" for number in range(300)))
    found = load(home, work)

    assert len(found.warnings) == 6
    assert found.warnings[-1] == f"ignored 295 more settings in {work / PROJECT_FILE}"


def test_a_removed_working_directory_is_no_error(home, tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert load(home).search_limit == 10


@pytest.mark.parametrize(
    "agent", [agent for agent in KNOWN_AGENTS if agent.marks], ids=lambda agent: agent.name
)
def test_a_known_agent_is_told_by_each_of_its_variables(home, work, agent):
    for mark in agent.marks:
        variable, _, value = mark.partition("=")
        found = load(home | {variable: value or "1"}, work)

        assert found.agent == agent.name
        assert found.origins["agent"] == variable


@pytest.mark.parametrize(
    ("variables", "agent", "session"),
    [
        ({"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1"}, "claude-code", "s-1"),
        ({"CODEX_THREAD_ID": "t-1"}, "codex", "t-1"),
        ({"AGENT": "amp", "CLAUDECODE": "1"}, "amp", None),
        ({"AGENT": "goose", "AGENT_SESSION_ID": "g"}, "goose", "g"),
        ({"AGENT": "1"}, "agent", None),
        ({"AGENT": "crush"}, "crush", None),
        ({"AI_AGENT": "devin@1"}, "devin", None),
        ({"AI_AGENT": "\u202e"}, "agent", None),
        ({"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "x" * 300}, "claude-code", None),
        ({"CLAUDECODE": ""}, "claude-code", None),
        ({"CLAUDECODE": "", "CODEX_CI": "1"}, "codex", None),
        ({"AMP_CURRENT_THREAD_ID": "", "CODEX_CI": "1"}, "codex", None),
        ({"AGENT": ""}, "agent", None),
        ({"CURSOR_TRACE_ID": "x", "TERM_PROGRAM": "vscode", "AIDER_MODEL": "x"}, None, None),
    ],
)
def test_agents_and_their_sessions_are_told_from_the_environment(home, work, variables, agent, session):
    found = load(home | variables, work)

    assert (found.agent, found.agent_session) == (agent, session)


def test_colour_is_off_when_asked_or_on_a_dumb_terminal(home, work):
    assert [
        load(home | extra, work).no_color
        for extra in ({}, {"NO_COLOR": ""}, {"NO_COLOR": "1"}, {"TERM": "dumb"})
    ] == [False, False, True, True]


def test_setting_a_value_keeps_comments_and_is_private(tmp_path):
    file = tmp_path / "deep" / "config.toml"
    set_value(file, "search.limit", "20")
    file.write_text("# mine\n[search]\nlimit = 20 # because\n")
    set_value(file, "search.limit", "30")
    set_value(file, "memory.archive_below", "OFF")
    set_value(file, "memory.default_expiry.warning", "never")

    assert file.read_text().startswith("# mine\n[search]\nlimit = 30 # because\n")
    assert tomllib.loads(file.read_text())["memory"] == {
        "archive_below": "off",
        "default_expiry": {"warning": "never"},
    }
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["config.toml"]


def test_unsetting_a_value_brings_the_default_back(home, work):
    file = config(home, "# mine\nwriter = 'anna'\n")
    unset_value(file, "writer")
    unset_value(file, "search.limit")

    assert file.read_text() == "# mine\n"
    assert load(home, work).writer is None


@pytest.mark.parametrize(
    ("key", "text"),
    [("search.limit", "0"), ("search.limits", "3"), ("session", "x"), ("memory.default_expiry.x", "3")],
)
def test_a_value_that_is_not_allowed_is_never_written(tmp_path, key, text):
    file = tmp_path / "config.toml"

    with pytest.raises(InvalidInput):
        set_value(file, key, text)

    assert not file.exists()


def test_a_file_that_cannot_be_parsed_is_not_overwritten(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text("search = [")

    with pytest.raises(InvalidInput, match="not valid TOML"):
        set_value(file, "search.limit", "3")

    assert file.read_text() == "search = ["


def test_a_value_where_a_table_belongs_is_refused(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text("search = 1")

    with pytest.raises(InvalidInput, match=r"search in .* must be a table"):
        set_value(file, "search.limit", "3")


def test_a_linked_file_stays_a_link(tmp_path):
    real, link = tmp_path / "dotfiles.toml", tmp_path / "config.toml"
    real.write_text("")
    link.symlink_to(real)
    set_value(link, "writer", "anna")

    assert link.is_symlink()
    assert tomllib.loads(real.read_text()) == {"writer": "anna"}


SETTABLE = [option for option in options.OPTIONS if option.key]


@settings(max_examples=60)
@given(
    option=st.sampled_from(SETTABLE),
    text=st.text(max_size=30) | st.floats().map(str) | st.integers().map(str),
)
def test_what_can_be_set_can_be_loaded_and_nothing_else_is_written(tmp_path_factory, option, text):
    file = tmp_path_factory.mktemp("set") / "config.toml"
    try:
        set_value(file, option.key, text)
    except InvalidInput:
        assert not file.exists()
        return

    assert load({"MEM_HOME": str(file.parent)}, file.parent).origins[option.field] == str(file)


@settings(max_examples=60)
@given(
    content=st.binary(max_size=80) | st.text(max_size=80).map(lambda text: f"search.limit = {text}".encode())
)
def test_no_project_file_whatsoever_stops_a_command(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("hostile")
    (folder / PROJECT_FILE).write_bytes(content)

    assert 1 <= load({"MEM_HOME": str(folder / "home")}, folder).search_limit <= 100


def test_the_rankers_that_can_be_chosen_are_the_rankers_there_are():
    assert tuple(RANKERS) == options.RANKERS


HUGE = "0x" + "F" * 3500  # more decimal digits than Python is willing to write


def test_a_number_too_large_to_be_written_is_a_warning_in_a_project_and_an_error_in_the_users_file(
    home, work
):
    (work / PROJECT_FILE).write_text(f"[search]\nlimit = {HUGE}")

    assert "a very large number" in load(home, work).warnings[0]

    config(home, f"[search]\nlimit = {HUGE}{HUGE[2:]}")
    with pytest.raises(InvalidInput, match="is a very large number, but must be a whole number"):
        load(home, work.parent)


def test_a_refused_value_is_not_repeated_at_length(home, work):
    with pytest.raises(InvalidInput) as caught:
        load(home | {"MEM_RANKER": "x" * 100_000}, work)

    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text", [".".join("a" * 30_000) + " = 1", ".".join("a" * 1_900) + " = 1", f"[{'.'.join('a' * 1_900)}]"]
)
def test_a_project_file_with_endless_keys_costs_no_time(home, work, text):
    (work / PROJECT_FILE).write_text(text)
    start = time.process_time()
    found = load(home, work)

    assert time.process_time() - start < 0.5
    assert len(found.warnings) == 1


def test_dots_in_a_comment_of_a_project_file_do_no_harm(home, work):
    (work / PROJECT_FILE).write_text("# and so on ................\n[search]\nlimit = 3\n")

    assert load(home, work).search_limit == 3


def test_where_the_log_lies_is_known_without_readable_settings(home, work):
    file = config(home, "nonsense = [")

    assert places(home, work) == (file, file.parent / "logs")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[serch]\nlimit = 3\n", "serch.limit"),
        ("search = 1\n", "search"),
        ("'a.b' = 1\n", "a.b"),
        ("[memory.defaultExpiry]\nfact = 3\n", "memory.default_expiry.fact"),
        ("[[lists]]\nx = 1\n", "lists"),
    ],
)
def test_what_does_not_belong_in_the_users_file_can_be_taken_out(home, work, text, key):
    file = config(home, text)
    unset_value(file, key)

    assert load(home, work).search_limit == 10


def test_a_whole_table_is_not_taken_out_by_its_name(home):
    file = config(home, "[search]\nlimit = 3\n")

    with pytest.raises(InvalidInput, match="there is no setting"):
        unset_value(file, "search")
    assert file.read_text() == "[search]\nlimit = 3\n"
