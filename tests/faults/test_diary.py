"""Many processes record events of one session at once, and some are killed: no number is missing or there twice."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest

from memory_layer.ports import Engine
from memory_layer.ports.log import EventFilter
from memory_layer.usecases.govern.audit import verify
from memory_layer.usecases.learn.episodes import timeline
from memory_layer.wiring import open_engine
from tests.faults.judgement import damages
from tests.faults.machine import Machine, finished, fresh_machine, next_line, tell
from tests.faults.recording import SESSION

pytestmark = pytest.mark.prove
WRITERS = 6
FOREVER = 10**6


def recorded(lines: Sequence[str]) -> dict[int, str]:
    """The numbers and ids that a process was promised; a line that was cut short promises nothing."""
    whole = [line.split() for line in lines if len(line.split()) == 2 and len(line.split()[1]) == 30]
    return {int(number): memory_id for number, memory_id in whole}


def begun(machine: Machine, count: int):
    """As many processes as there are writers, begun at the same moment."""
    processes = [
        machine.start_worker("recording", f"writer{number}", str(count)) for number in range(WRITERS)
    ]
    for process in processes:
        assert next_line(process) == "ready"
    for process in processes:
        tell(process, "go")
    return processes


def kept(engine: Engine) -> dict[int, str]:
    """The events of the session by their numbers."""
    found: dict[int, str] = {}
    place = None
    while True:
        page = timeline(engine, EventFilter(session=SESSION), 1000, place)
        found |= {each.number: each.memory.id for each in page.items if each.number is not None}
        if page.next is None:
            return found
        place = page.next


def check_whole(machine: Machine, promised: dict[int, str]) -> int:
    """Nothing promised is lost, and the numbers run from one without a gap; how many events there are."""
    with open_engine(machine.settings, "python") as engine:
        found, verdict = kept(engine), verify(engine)
        assert damages(engine, machine.database) == []
    assert sorted(found) == list(range(1, len(found) + 1))
    assert len(set(found.values())) == len(found)
    assert {number: found.get(number) for number in promised} == promised
    assert (verdict.intact, verdict.sessions) == (True, 1)
    return len(found)


def test_processes_that_share_a_session_give_every_event_a_number_of_its_own(plain_machine, counted, figures):
    each = counted(15, 200)
    answers = [finished(process) for process in begun(plain_machine, each)]
    assert [answer for answer in answers if answer.code or answer.err] == []
    shares = [recorded(answer.out.splitlines()) for answer in answers]
    promised = {number: memory_id for share in shares for number, memory_id in share.items()}
    assert [len(share) for share in shares] == [each] * WRITERS
    assert check_whole(plain_machine, promised) == WRITERS * each
    figures(f"{WRITERS} processes x {each} events of one session: numbered 1 to {WRITERS * each}, 0 errors")


def test_processes_killed_while_they_record_leave_whole_sessions(tmp_path, counted, figures):
    chance, events, kills = random.Random(7), 0, 0
    for round_ in range(counted(2, 25)):
        folder = tmp_path / str(round_)
        folder.mkdir()
        machine = fresh_machine(folder, folder / "no-model")
        promised: dict[int, str] = {}
        for process in begun(machine, FOREVER):
            time.sleep(chance.uniform(0, 0.15))
            process.kill()
            out, _ = process.communicate()
            promised |= recorded(out.splitlines())
            kills += 1
        events += check_whole(machine, promised)
    assert events > 0
    figures(f"{kills} processes killed while recording: {events} events, every session whole")
