"""The handoff that the program writes for a session that left none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory_layer.model.episodes import HandoffParts
from memory_layer.model.runs import RunResult
from memory_layer.model.steps import Step, StepKind
from memory_layer.rules.episodes import handed_over
from memory_layer.rules.sessions.handoff import MOST_TOKENS, handoff_of, open_failures, result_of
from memory_layer.rules.sessions.timeline import timeline
from memory_layer.text.tokens import estimate

FOLDER = "/srv/code/orchard"
_AT = datetime(2026, 3, 1, tzinfo=UTC)


def ran(command, output="", passed=True):
    return Step(StepKind.COMMAND, _AT, output, command, passed=passed)


def failed(command, output="1 failed"):
    return ran(command, output, passed=False)


def edited(*files, passed=True):
    return Step(StepKind.EDIT, _AT, files=files, passed=passed)


def asked(text):
    return Step(StepKind.PROMPT, _AT, text)


def left_by(steps: list[Step], folder: str = FOLDER) -> HandoffParts:
    left = handoff_of(timeline(steps, folder))
    assert left is not None
    return left


def test_it_names_the_last_request_the_changed_files_and_what_still_fails():
    steps = [
        asked("add pears"),
        asked("and test them"),
        edited("src/pear.py"),
        failed("pytest tests/pear.py"),
    ]
    left = left_by(steps)
    assert (left.text, left.files) == ("Last request: and test them", ("src/pear.py",))
    assert left.next == ("`pytest tests/pear.py` still fails",)


def test_files_are_named_as_the_project_names_them():
    steps = [edited(f"{FOLDER}/src/a.py", "/etc/hosts", "b.py"), edited(f"{FOLDER}/src/a.py")]
    assert left_by(steps, f"{FOLDER}/").files == ("src/a.py", "/etc/hosts", "b.py")
    assert left_by([edited(f"{FOLDER}-other/a.py")]).files == (f"{FOLDER}-other/a.py",)


def test_files_that_a_command_line_rewrote_are_named_too():
    steps = [ran("sed -i 's/a/b/' src/tree.py"), ran("cat > conf/app.yml <<'END'\na: 1\nEND")]
    assert left_by(steps).files == ("src/tree.py", "conf/app.yml")


def test_an_edit_that_failed_changed_nothing():
    assert handoff_of(timeline([asked("add pears"), edited("src/pear.py", passed=False)], FOLDER)) is None


def test_a_session_that_only_looked_around_leaves_nothing():
    steps = [asked("where are the pears?"), failed("grep -rn pear src", ""), ran("ls src")]
    assert handoff_of(timeline(steps, FOLDER)) is None


@pytest.mark.parametrize("word", ["ok", "yes!", "Thanks.", "go ahead", "continue"])
def test_a_word_of_assent_is_no_request(word):
    assert left_by([asked("add pears"), edited("a.py"), asked(word)]).text == "Last request: add pears"


def test_it_stays_short_however_much_happened():
    long = [
        asked("please " * 200),
        edited(*(f"src/very/deep/folder/module_{number}.py" for number in range(40))),
    ]
    long += [failed(f"pytest tests/test_module_{number}.py --maxfail=1 " + "x" * 300) for number in range(9)]
    left = left_by(long)
    assert estimate(handed_over(left)) <= MOST_TOKENS
    assert left.files[-1].startswith("and ")


OPEN = {
    "a check that failed last": ([failed("make test")], ["make test"]),
    "a deployment": ([failed("npx wrangler deploy", "Authentication error")], ["npx wrangler deploy"]),
    "a build of an agent without exit codes": (
        [ran("cargo build", "error: could not compile `orchard` due to 3 previous errors", None)],
        ["cargo build"],
    ),
    "a part that passed": ([failed("go test ./..."), ran("go test ./tree", "ok")], ["go test ./..."]),
    "a failure behind a pipe": ([ran("make test | tail -3", "2 failed, 5 passed")], ["make test"]),
    "a check that passed later": ([failed("make test"), ran("make test", "ok")], []),
    "a check that passed in other words": ([failed("mix test"), ran("TZ=UTC mix test", "0 failures")], []),
    "all that contains the part that failed": ([failed("pytest tests/a.py"), ran("pytest", "9 passed")], []),
    "looking around": ([failed("grep -n test src", ""), failed("ls tests", "No such file")], []),
    "a typing mistake": ([failed("make tset", "make: *** No rule to make target 'tset'.")], []),
    "something that a person dropped": ([failed("make lint"), asked("forget it, write the docs")], []),
    "a check that was stopped": ([ran("make test", "[Request interrupted by user]", None)], []),
}


@pytest.mark.parametrize("what", OPEN)
def test_what_is_left_open_is_what_failed_last_and_matters(what):
    steps, left = OPEN[what]
    assert open_failures(timeline(steps)) == left


def test_a_session_ended_as_its_last_check_did():
    assert result_of(timeline([failed("pytest"), ran("pytest", "2 passed")])) is RunResult.WORKED
    assert result_of(timeline([ran("pytest", "2 passed"), failed("pytest")])) is RunResult.FAILED
    assert result_of(timeline([ran("pytest", "1 failed, 2 passed", None)])) is RunResult.FAILED
    assert result_of(timeline([ran("ls")])) is None
