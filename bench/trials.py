"""Define the trials of each store: honest reports, false ones, a burst of anger, memories that come late."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench import trial_runs
from bench.learner import BALANCED, RULES, Clock, Habits, Learner, Rule, copied, opened, stored
from bench.measures import Figures
from bench.outcome_sets import Case
from bench.trial_runs import Found
from memory_layer.ports import Embedder

CROWDED_MINUTES = 6.0  #: ten questions within an hour
NOISES = (0.1, 0.2, 0.3)
LATE = 0.2  #: the share of the memories that come when the others have been judged

#: What is measured, and how one trial of it goes.
PARTS: Mapping[str, Callable[[Learner, Rule, Habits], Iterator[Found]]] = {
    "learning": trial_runs.curve,
    "guards": trial_runs.honest,
    "settings": trial_runs.honest,
    "negative": trial_runs.elsewhere,
    "shuffled": trial_runs.honest,
    "noise": trial_runs.honest,
    "burst": partial(trial_runs.burst, guarded=True),
    "unguarded": partial(trial_runs.burst, guarded=False),
    "late": trial_runs.late,
    "popularity": trial_runs.popularity,
    "blanket": trial_runs.honest,
}

ONE_WAY = ("negative", "burst", "unguarded", "late")

#: Strength and likeness: the former ones, and some around those that are shipped.
SETTINGS = tuple(
    Rule(f"{strength} from {likeness} on", strength=strength, likeness=likeness)
    for strength, likeness in ((0.4, 0.3), (0.45, 0.3), (0.45, 0.5), (0.6, 0.4), (0.8, 0.4))
)


class Trial(NamedTuple):
    """One rule under one kind of reports."""

    part: str
    what: str
    rule: Rule
    habits: Habits = Habits()


class Seen(NamedTuple):
    """The result of a trial on one store: the means of its questions before and after."""

    part: str
    what: str
    rule: str
    measured: str
    passes: int
    case: str
    seed: int
    questions: int
    before: Figures
    after: Figures


def trials(parts: Sequence[str]) -> list[Trial]:
    """Everything that is tried, in the order of the report."""
    found: list[Trial] = []
    for way, habits in {"skip": Habits("skip"), "fail": Habits("fail")}.items():
        kept = habits._replace(archiving=False)
        found += [Trial("learning", way, rule, habits) for rule in RULES]
        found += [Trial("guards", f"{way}, no archiving", rule, kept) for rule in RULES]
        found += [Trial("settings", way, rule, habits) for rule in SETTINGS]
        found += [
            Trial("guards", f"{way}, no limit on failures", BALANCED, habits._replace(proven=True)),
            Trial("guards", f"{way}, neither", BALANCED, kept._replace(proven=True)),
            Trial("guards", f"{way}, all in one hour", BALANCED, habits._replace(minutes=CROWDED_MINUTES)),
        ]
    for rule in RULES:
        found += [Trial("noise", f"{noise:.0%} wrong", rule, Habits(noise=noise)) for noise in NOISES]
        found += [Trial("shuffled", "skip", rule, Habits(shuffled=True))]
        found += [Trial("blanket", "skip", rule, Habits(blanket=True)), Trial("popularity", "skip", rule)]
        found += [Trial(part, "skip", rule) for part in ONE_WAY]
    found += [Trial(part, "skip, no archiving", BALANCED, Habits(archiving=False)) for part in ONE_WAY]
    return sorted((each for each in found if each.part in parts), key=lambda each: parts.index(each.part))


def tried(
    case: Case, seed: int, todo: Sequence[Trial], embedder: Embedder | None, scratch: Path
) -> list[Seen]:
    """Every trial on a store of its own, each a copy of the same one."""
    seen: list[Seen] = []
    name = f"{case.name} {seed}"
    late = set(random.Random(f"{name} late").sample(sorted(case.texts), int(LATE * len(case.texts))))
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        bases: dict[bool, tuple[Path, dict[str, str], dict[str, Figures]]] = {}
        for trial in todo:
            if trial.part == "negative" and len(case.fresh) != 1:
                continue  # there the other questions are about the same things, or there are none
            held = late if trial.part == "late" else set[str]()
            if bool(held) not in bases:
                base = Path(folder, "late" if held else "whole")
                bases[bool(held)] = base, _filled(base, case, held, embedder, name), {}
            base, ids, untouched = bases[bool(held)]
            clock = Clock()
            with (
                copied(base, Path(folder, "trial")) as own,
                opened(own, embedder, clock, f"{name} trial", archiving=trial.habits.archiving) as engine,
            ):
                learner = Learner(engine, clock, case, ids, name, untouched)
                run = PARTS[trial.part](learner, trial.rule, trial.habits)
                seen += [
                    Seen(
                        trial.part,
                        trial.what,
                        trial.rule.name,
                        where,
                        passes,
                        case.name,
                        seed,
                        count,
                        was,
                        is_,
                    )
                    for where, passes, count, was, is_ in run
                    if count
                ]
    return seen


def _filled(base: Path, case: Case, held: set[str], embedder: Embedder | None, name: str) -> dict[str, str]:
    clock = Clock()
    base.mkdir()
    texts = {key: text for key, text in case.texts.items() if key not in held}
    with opened(base, embedder, clock, f"{name} base") as engine:
        return stored(engine, clock, texts, name)
