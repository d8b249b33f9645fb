"""A replay uses only what was known when a session began, and counts what was planted exactly."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from memory_layer.doors.cli.replay_plot import drawn
from memory_layer.errors import NotFound
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Status
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.warn import warn
from memory_layer.usecases.learn.replay import replay
from memory_layer.usecases.look_up.browse import list_memories
from tests.transcript_files import MONDAY, WRITERS, claude_code, codex

ERROR = (
    "Error: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"
)
FAILS = ("run", "make integration", ERROR, 2)
PASSES = ("run", "make integration", "31 passed", 0)
FIX = ("run", "colima start", "done", 0)
OVERCOME = [("prompt", "Run the integration tests"), FAILS, FIX, PASSES]
AGAIN = [("prompt", "Please check the ferries"), FAILS, FIX, PASSES]
GREEN = [("prompt", "Once more"), PASSES]


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "harbour"
    (made / ".git").mkdir(parents=True)
    return made


@pytest.fixture
def past(keyword_engine, tmp_path, folder):
    """Write sessions a day apart, in the order in which they began, and replay them."""

    def past_(*sessions, write=claude_code, days=None):
        for number, steps in enumerate(sessions):
            begin = MONDAY + timedelta(days=number if days is None else days[number])
            write(tmp_path, f"abcd-{number}", folder, steps, begin)
        return replay(keyword_engine, [tmp_path])

    return past_


@pytest.mark.parametrize("agent", [each for each in WRITERS if each != "old gemini"])
def test_a_repeated_error_whose_fix_is_known_is_found_exactly(past, agent):
    found = past(OVERCOME, AGAIN, write=WRITERS[agent])
    total = found.total
    assert (total.commands, total.failures, total.repeats, total.fix_known) == (6, 2, 1, 1)
    assert total.warned + total.told == 1
    assert [session.counts.repeats for session in found.sessions] == [0, 1]
    assert total.tokens > 0


def test_a_fix_that_came_after_the_repeat_is_not_credited(past):
    unsolved = [("prompt", "Run the integration tests"), FAILS]
    found = past(unsolved, unsolved, OVERCOME)
    assert (found.total.repeats, found.total.fix_known, found.total.warned, found.total.told) == (2, 0, 0, 0)


def test_the_order_of_the_sessions_decides(past):
    unsolved = [("prompt", "Run the integration tests"), FAILS]
    forward = past(OVERCOME, unsolved, days=(0, 1)).total
    backward = past(OVERCOME, unsolved, days=(1, 0)).total
    assert (forward.repeats, forward.fix_known) == (1, 1)
    assert (backward.repeats, backward.fix_known, backward.warned + backward.told) == (1, 0, 0)


def test_what_a_session_that_is_still_open_learns_is_not_known_yet(keyword_engine, tmp_path, folder):
    long_one = [*OVERCOME, *[("prompt", "Go on")] * 60]  # one step a minute, so it ends after an hour
    claude_code(tmp_path, "long", folder, long_one, MONDAY)
    claude_code(tmp_path, "inside", folder, AGAIN, MONDAY + timedelta(minutes=30))
    claude_code(tmp_path, "behind", folder, AGAIN, MONDAY + timedelta(minutes=90))
    found = replay(keyword_engine, [tmp_path])
    known = {session.session: session.counts.fix_known for session in found.sessions}
    assert known == {"long": 0, "inside": 0, "behind": 1}


def test_nothing_is_given_that_was_learned_after_the_step(past, monkeypatch):
    """Look at every warning and context: each of its memories is older than the moment it is given at."""
    given: list[tuple[datetime, datetime]] = []

    def watched(ask, memories):
        def asked(engine, *rest, **more):
            answer = ask(engine, *rest, **more)
            given.extend((memory.approved_at, engine.now()) for memory in memories(answer))
            return answer

        return asked

    module = "memory_layer.usecases.learn.replay_session"
    warned = watched(warn, lambda answer: [each.memory for each in answer.warnings])
    contexts = watched(context, lambda answer: [each.memory for each in answer.lines])
    monkeypatch.setattr(f"{module}.warn", warned)
    monkeypatch.setattr(f"{module}.context", contexts)
    past(OVERCOME, AGAIN, GREEN, AGAIN)
    assert given
    assert all(learned <= at for learned, at in given)


def test_a_warning_on_a_command_that_passes_is_a_false_alarm(past):
    found = past(OVERCOME, GREEN)
    assert found.total.false_alarms == found.total.alarms
    assert found.sessions[1].counts.false_alarms <= 1


def test_a_failure_in_another_project_is_no_repeat(keyword_engine, tmp_path, folder):
    other = tmp_path / "quay"
    (other / ".git").mkdir(parents=True)
    claude_code(tmp_path, "here", folder, OVERCOME, MONDAY)
    claude_code(tmp_path, "there", other, AGAIN, MONDAY + timedelta(days=1))
    assert replay(keyword_engine, [tmp_path]).total.repeats == 0


def test_another_error_of_the_same_program_is_no_repeat(past):
    other = ("run", "make integration", "ModuleNotFoundError: No module named 'ferry_times'", 2)
    assert past(OVERCOME, [("prompt", "Again"), other]).total.repeats == 0


def test_a_rule_that_is_typed_again_was_held_if_the_session_had_it(past):
    rule = [("prompt", "From now on, never round the tide heights in tests."), PASSES]
    found = past(rule, rule)
    assert (found.total.retyped, found.total.held) == (1, 1)
    learned = [session.counts.learned for session in found.sessions]
    assert learned == [2, 2]  # the rule, and that the check passed


def test_sessions_of_folders_that_are_gone_are_replayed_too(keyword_engine, tmp_path):
    for number in range(2):
        codex(tmp_path, f"abcd-{number}", tmp_path / "gone", OVERCOME, MONDAY + timedelta(days=number))
    found = replay(keyword_engine, [tmp_path])
    assert (len(found.sessions), found.total.repeats, found.total.fix_known) == (2, 1, 1)


def test_a_replay_stores_nothing(keyword_engine, past):
    before = keyword_engine.store.sequence()
    past(OVERCOME, AGAIN)
    everything = list_memories(
        keyword_engine, Filters(reach=Reach.ALL, statuses=tuple(Status)), "created", 9, None
    )
    assert everything.items == ()
    assert (keyword_engine.store.sequence(), keyword_engine.store.projects.all()) == (before, [])


def test_the_same_history_gives_the_same_replay(past):
    first = past(OVERCOME, AGAIN, GREEN)
    assert past(OVERCOME, AGAIN, GREEN) == first


def test_the_sums_are_drawn(past):
    root = ElementTree.fromstring(drawn(past(OVERCOME, AGAIN, AGAIN)))
    lines = [each.attrib["points"] for each in root if each.tag.endswith("polyline")]
    assert len(lines) == 4
    for points in lines:
        heights = [float(point.split(",")[1]) for point in points.split()]
        assert all(one >= other for one, other in pairwise(heights))  # sums never fall, and y points down
    assert any("errors that came back: 2" in (each.text or "") for each in root)


def test_a_path_that_is_not_there_is_said(keyword_engine, tmp_path):
    with pytest.raises(NotFound, match="nothing was read"):
        replay(keyword_engine, [tmp_path / "missing"])
