"""An import that is killed is taken up by the next run, which completes it and doubles nothing."""

from __future__ import annotations

import random
import time

import pytest

from memory_layer.wiring import open_engine
from tests.faults.judgement import damages, everything
from tests.faults.machine import Machine, finished, fresh_machine, next_line

pytestmark = pytest.mark.prove
RULES = 300
LONGEST_LIFE_SECONDS = 0.5


def rules_folder(machine: Machine) -> str:
    """Files of rules in which neighbours say nearly the same, so that links matter too."""
    for number in range(RULES // 20):
        lines = [
            f"- Service {'abcdefghij'[line % 10]}{number} retries its call to the queue {word}\n"
            for line in range(10)
            for word in ("three times", "with a backoff of three")
        ]
        (machine.work / f"rules{number}.mdc").write_text("".join(lines))
    return str(machine.work)


def memories_and_links(machine: Machine) -> tuple[list[str], set[tuple[str, str, str]], list[str]]:
    with open_engine(machine.settings, "python") as engine:
        known = {memory.id: memory.content for memory in everything(engine)}
        links = engine.store.links.of(list(known))
        told = {(known[link.source], known[link.target], link.kind.value) for link in links}
        return sorted(known.values()), told, damages(engine, machine.database)


def test_a_killed_import_is_completed_by_the_next_run(tmp_path, model_folder, counted, figures):
    chance = random.Random(5)
    for name in ("calm", "killed"):
        (tmp_path / name).mkdir()
    calm, killed = (fresh_machine(tmp_path / name, model_folder) for name in ("calm", "killed"))
    assert finished(calm.start_worker("importing", rules_folder(calm))).code == 0
    folder, kills, partial = rules_folder(killed), counted(3, 40), set()

    for _ in range(kills):
        process = killed.start_worker("importing", folder)
        next_line(process)
        time.sleep(chance.uniform(0, LONGEST_LIFE_SECONDS))
        process.kill()
        process.communicate()
        partial.add(len(memories_and_links(killed)[0]))
    last = finished(killed.start_worker("importing", folder))

    texts, links, problems = memories_and_links(killed)
    assert last.code == 0, last.err
    assert problems == []
    assert len(texts) == len(set(texts)) == RULES
    assert (texts, links) == memories_and_links(calm)[:2]
    assert all(count % 20 == 0 for count in partial)  # whole batches or nothing
    figures(f"{kills} kills during an import of {RULES} rules: completed by the next run, nothing doubled")
