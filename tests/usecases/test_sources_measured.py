"""How often the state of a citation is right, on a scripted code base that knows the truth."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from memory_layer.model.memory import Memory
from memory_layer.model.sources import SourceState
from memory_layer.surroundings.git import locate
from memory_layer.usecases.upkeep.citations import Sources, cited
from memory_layer.usecases.who.projects import project_of
from tests.clean_git import CLEAN
from tests.conftest import NOON
from tests.drifting import Cited, Script, Truth

EDITS = 200
LEAST = 0.98


@pytest.fixture
def base(tmp_path):
    return Path(os.path.realpath(tmp_path)) / "base"


class Bench:
    """A code base on disk, with or without git, and the citations that are followed."""

    def __init__(self, engine, root, git=None, seed=7):
        self.engine, self.root, self.git = engine, root, git
        self.script = Script(seed)
        self.confusion: Counter[tuple[SourceState, SourceState]] = Counter()
        self.wrong: list[str] = []
        self.misplaced = 0
        self.followed: list[tuple[Cited, Memory]] = []

    def commit(self):
        self.script.write(self.root)
        if self.git:
            self.git("add", "-A")
            self.git("commit", "-q", "--allow-empty", "-m", "a step")

    def begin(self):
        self.root.mkdir(parents=True, exist_ok=True)
        self.commit()
        self.place = locate(self.root)
        with self.engine.store.writing():
            self.project = project_of(self.engine, self.place)
            self.engine.store.projects.save(self.project, NOON)
        self.followed = [self.cite() for _ in range(300)]

    def cite(self):
        chosen = self.script.cite()
        lines = f":{chosen.span[0]}-{chosen.span[1]}" if chosen.span else ""
        citation = cited(self.engine, f"{self.root / chosen.path}{lines}", self.place)
        memory = Memory(
            id=f"mem_{self.engine.new_id('x')}",
            content="x",
            content_hash="",
            created_at=NOON,
            updated_at=NOON,
            project=self.project.key,
            citations=(citation,),
        )
        return chosen, memory

    def step(self):
        """One edit, and a check of everything that it may have touched."""
        before = dict(self.script.files)
        kind = self.script.edit()
        self.commit()
        after = self.script.files
        touched = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
        some = [each for each in self.followed if each[0].path in touched]
        standings = Sources(self.engine, self.place, thorough=True).standings([memory for _, memory in some])
        for chosen, memory in some:
            check, truth = standings[memory.id].checks[0], self.script.truth(chosen)
            self.judge(kind, chosen, check, truth)
            self.go_on(chosen, memory, check, truth)

    def judge(self, kind, chosen, check, truth: Truth):
        self.confusion[truth.state, check.state] += 1
        at = check.now or check.citation
        there = (at.path, (at.first_line, at.last_line) if at.first_line else None)
        right_place = (
            truth.path is None or check.state is not truth.state or there == (truth.path, truth.span)
        )
        self.misplaced += not right_place
        if check.state is not truth.state or not right_place:
            self.wrong.append(f"{kind}: {chosen.path} {chosen.span} is {truth}, not {check.state} {there}")

    def go_on(self, chosen, memory, check, truth):
        """Cite again what is gone, and follow half of what moved, as a verification would."""
        at = self.followed.index((chosen, memory))
        if truth.state.drifted or check.state is not truth.state:
            self.followed[at] = self.cite()
        elif truth.state is SourceState.MOVED and self.script.chance.random() < 0.5:
            moved = chosen._replace(path=truth.path, span=truth.span)
            self.followed[at] = moved, memory._replace(citations=(check.now,))

    @property
    def accuracy(self):
        return 1 - len(self.wrong) / max(1, sum(self.confusion.values()))

    def table(self):
        states = list(SourceState)
        lines = ["truth \\ found".ljust(16) + "".join(f"{state:>14}" for state in states)]
        for truth in states:
            row = [self.confusion[truth, state] for state in states]
            lines.append(f"{truth:<16}" + "".join(f"{number:>14}" for number in row))
        checks = sum(self.confusion.values())
        lines.append(f"{checks} checks, {self.accuracy:.2%} right, {self.misplaced} at the wrong place")
        return "\n".join(lines)


def git_in(root):
    def run(*arguments):
        environment = CLEAN | {"HOME": str(root.parent)}
        subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, env=environment)

    return run


def measured(bench, edits):
    bench.begin()
    for _ in range(edits):
        bench.step()
    print(f"\n{bench.table()}")
    for line in bench.wrong[:40]:
        print(line)
    return bench


def test_citations_are_judged_right_in_a_repository(keyword_engine, base):
    base.mkdir()
    git = git_in(base)
    git("init", "-q")

    bench = measured(Bench(keyword_engine, base, git), EDITS)

    assert sum(bench.confusion.values()) >= EDITS
    assert bench.accuracy >= LEAST


def test_citations_are_judged_right_without_git(keyword_engine, base):
    bench = measured(Bench(keyword_engine, base), EDITS)

    assert sum(bench.confusion.values()) >= EDITS
    assert bench.accuracy >= LEAST


def test_citations_are_judged_right_in_a_work_tree(keyword_engine, base):
    main = base / "main"
    main.mkdir(parents=True)
    git = git_in(main)
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    git("worktree", "add", "-q", str(base / "side"), "-b", "side")

    bench = measured(Bench(keyword_engine, base / "side", git_in(base / "side")), EDITS // 2)

    assert bench.accuracy >= LEAST
