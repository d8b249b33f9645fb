"""`mem context`, `mem compose`, `mem warn` and `mem recalls --text`."""

from __future__ import annotations

import pytest

import memory_layer


@pytest.fixture
def port(mem):
    return mem("add", "The booking API listens on 8081", "-c", "fact", "--json").data["id"]


@pytest.fixture
def pitfall(mem):
    return mem("add", "terraform apply locks the state", "-c", "pitfall", "--json").data["id"]


def test_a_context_is_written_as_it_is_injected(mem, port):
    answer = mem("context")

    assert answer.out.startswith("## Memories\n")
    assert f"- [fact] The booking API listens on 8081 (agent, {port[4:12]})\n</memories>\n" in answer.out


def test_a_context_in_json_says_what_it_is_made_of(mem, port):
    data = mem("context", "--task", "booking API", "--budget", "200", "--json").data

    assert data["budget"] == 200
    assert 0 < data["tokens"] <= 200
    assert [(each["id"], each["layer"]) for each in data["memories"]] == [(port, "contextual")]
    assert mem("recalls", data["recall"], "--text", "--json").data == {
        "recall": data["recall"],
        "text": data["text"],
        "digest": data["digest"],
        "same": True,
    }


@pytest.mark.parametrize("flags", [("--compact",), ("--format", "compact")])
def test_a_compact_context_has_one_short_line_for_each(mem, port, flags):
    assert mem("context", *flags).out.splitlines()[1:] == [
        f"fact: The booking API listens on 8081 [{port[4:12]}]",
        "</memories>",
    ]


def test_what_applies_to_a_file_comes_first(mem, port, tmp_path):
    scoped = mem("add", "The core is slow to build", "--scope", "src/core/**", "--json").data["id"]
    data = mem("context", "--path", "src/core/a.py", "--path", "README.md", "--json").data

    assert [each["id"] for each in data["memories"]] == [scoped, port]
    assert [each["id"] for each in mem("context", "--path", "README.md", "--json").data["memories"]] == [port]


def test_an_empty_context_says_so_beside_the_answer(mem, port):
    assert (mem("context", "--budget", "10").out, mem("context", "--budget", "10").err) == (
        "",
        "nothing fits the budget\n",
    )
    assert mem("context", "--global", "--task", "quite another thing entirely").out == ""


@pytest.mark.parametrize(
    "flags",
    [
        ("--budget", "0"),
        ("--max-characters", "0"),
        ("--format", "html"),
        ("--compact", "--format", "json"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(mem, flags):
    assert mem("context", *flags).code == 2


def test_a_prompt_is_composed_of_parts_and_memories(mem, port):
    task = "Move the booking API."
    answer = mem("compose", "--task", task, "--role", "Careful.", "--constraint", "No downtime.")

    assert answer.out == (
        f"## Role\nCareful.\n\n## Task\n{task}\n\n"
        "## Memories\n- [fact] The booking API listens on 8081\n\n## Constraints\n- No downtime.\n"
    )


@pytest.mark.parametrize(
    ("bound", "reason"), [(("--limit", "1"), "the limit is 1"), (("--budget", "30"), "the budget is used up")]
)
def test_a_prompt_names_what_bounded_it(mem, port, pitfall, bound, reason):
    answer = mem("compose", "--task", "Move the booking API to another port.", *bound)

    assert answer.err == f"1 more memory was left out: {reason}, or another one says the same\n"


@pytest.mark.parametrize("nothing", ["", ",", " , "])
def test_exactly_no_memories_is_refused_rather_than_taken_for_any(mem, port, nothing):
    answer = mem("compose", "--task", "t", "--memories", nothing)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "mem: --memories is empty; leave it out to select memories automatically\n"


def test_a_prompt_takes_exactly_the_named_memories(mem, port, pitfall):
    data = mem("compose", "--task", "t", "--memories", f"{pitfall},{port}", "--json").data

    assert data["memories"] == [pitfall, port]
    assert mem("recalls", data["recall"], "--text").out == data["text"] + "\n"


def test_a_warning_is_one_line_and_silence_is_nothing(mem, pitfall):
    told = mem("warn", "--command", "terraform apply")

    assert told.out == f"Note from memory [pitfall]: terraform apply locks the state ({pitfall[4:12]})\n"
    assert (mem("warn", "--command", "ls").out, mem("warn", "--command", "ls").err) == ("", "")


def test_a_warning_in_json_says_why(mem, pitfall):
    data = mem("warn", "--command", "terraform apply", "--json").data

    assert [(each["id"], each["because"]) for each in data["warnings"]] == [(pitfall, "command")]
    assert data["recall"].startswith("rec_")


def test_a_warning_needs_an_action(mem):
    answer = mem("warn")

    assert (answer.code, answer.err) == (
        2,
        "mem: name what is about to happen: a command, a file or an error\n",
    )


def test_a_text_belongs_to_one_answer(mem):
    assert "--text needs the ID of a recall" in mem("recalls", "--text").err


def test_the_python_door_gives_the_same(mem, port, tmp_path, monkeypatch):
    shown = mem("context", "--peek", "--json").data
    with memory_layer.open() as memory:
        found = memory.context(peek=True)
        prompt = memory.compose("Move the port.", peek=True)
        silent = memory.warn(command="ls")

    assert (found.text, found.digest) == (shown["text"], shown["digest"])
    assert prompt.text == mem("compose", "--task", "Move the port.", "--peek").out.rstrip("\n")
    assert silent.warnings == ()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda memory: memory.context(budget="many"), "budget must be a whole number"),
        (lambda memory: memory.context(format="html"), "format must be one of"),
        (lambda memory: memory.context(paths="src"), "paths must be a list of texts"),
        (lambda memory: memory.compose(3), "task must be a text"),
        (lambda memory: memory.warn(command=b"ls"), "command must be a text"),
    ],
)
def test_the_python_door_refuses_in_a_sentence(mem, port, call, says):
    with memory_layer.open() as memory, pytest.raises(memory_layer.MemoryLayerError, match=says):
        call(memory)


def test_a_warning_takes_a_file_under_either_name(mem):
    mem("add", "Keep it idempotent", "-c", "gotcha", "--scope", "src/pay.py")

    assert (
        mem("warn", "--file", "src/pay.py", "--repeat").out
        == mem("warn", "--path", "src/pay.py", "--repeat").out
    )
    assert "Keep it idempotent" in mem("warn", "--path", "src/pay.py", "--repeat").out
