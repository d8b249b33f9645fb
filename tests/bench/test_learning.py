"""An agent asks, uses and reports on tiny stores, through the shipped search and the shipped outcomes."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from bench import learner, learning, trial_runs
from bench.learner import BALANCED, COUNTS, FIVE_SIGNAL, START, Clock, Habits, Learner
from bench.learning_report import certainty, summed
from bench.measures import Figures
from bench.outcome_sets import Asked, Case, cases_in
from bench.stores import WRITER
from bench.trials import PARTS, Seen, Trial, trials, tried
from memory_layer.model.vocabulary import Outcome
from memory_layer.ports import Engine
from memory_layer.usecases.look_up.browse import show
from memory_layer.usecases.who.lookup import read_memory

TEXTS = {
    "blue": "Deploys go through the blue cluster.",
    "green": "Deploys go through the green cluster first, then blue.",
    "grey": "Deploys to the grey cluster are over.",
    "login": "Login tokens expire after nine minutes.",
    "cold": "The nightly backup is copied to cold storage.",
}
WORKED, PARTIAL, FAILED = (Outcome.WORKED,), (Outcome.PARTIAL,), (Outcome.FAILED,)
WHERE = Asked(
    "Q1_R1",
    "where do deploys go, which cluster",
    {"blue": FAILED, "green": WORKED, "grey": FAILED},
    frozenset({"green"}),
)
OWN = Asked("Q1", "cluster for deploys", {**WHERE.verdicts, "login": FAILED}, frozenset({"green"}))
CASE = Case("Q1", TEXTS, (WHERE,), (OWN,))


@pytest.fixture
def at_work(keyword_engine: Engine) -> Learner:
    clock = Clock()
    engine = keyword_engine._replace(now=clock)
    return Learner(engine, clock, CASE, learner.stored(engine, clock, TEXTS, "seed"), "seed")


def thread(kind: str, question: str, memory: str, grade: int) -> str:
    told: dict[str, object] = {"query_id": question, "query": f"question {question}", "memory_id": memory}
    told |= {"memory": TEXTS[memory], "label": int(grade == 2), "grade": grade}
    return json.dumps({**told, "meta": {"kind": kind, "orgq": "Q1"}})


@pytest.fixture
def threads(tmp_path: Path) -> Path:
    lines = [thread("org", "Q1", name, 2 if name == "green" else 0) for name in TEXTS]
    lines += [thread("rel", "Q1_R1", "green", 2), thread("rel", "Q1_R1", "blue", 1)]
    lines += [thread("rel", "Q1_R2", "login", 0), thread("rel", "Q1_R2", "cold", 2)]
    file = tmp_path / "outcomes.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_a_store_of_threads_is_judged_by_its_threads_and_measured_on_the_original_question(threads):
    (case,) = cases_in(threads)

    assert case.texts == TEXTS
    assert [asked.id for asked in case.asked] == ["Q1_R1", "Q1_R2"]
    assert case.asked[0].verdicts == {"green": WORKED, "blue": PARTIAL}
    assert [asked.relevant for asked in case.fresh] == [{"green"}]


def test_what_one_run_reports_is_measured_in_the_other_with_the_plan_as_the_question(tmp_path):
    def trial(run: str, text: str, label: int) -> str:
        told = {"query_id": f"{run}:env_1", "query": "env_1", "memory_id": f"{run}:{text[:4]}"}
        return json.dumps({**told, "memory": text, "label": label, "grade": label, "meta": {"trial": 1}})

    file = tmp_path / "runs.jsonl"
    planned, stuck = "I failed. My plan was to find a mug. Then I cooled it.", "Stuck in a loop " * 20
    file.write_text("\n".join([trial("a", planned, 0), trial("a", planned, 1), trial("b", stuck, 0)]))
    there, back = cases_in(file)

    assert [there.asked[0].text, there.fresh[0].text] == ["My plan was to find a mug.", stuck[:160]]
    assert there.asked[0].verdicts == {"a:I fa": FAILED + WORKED, "b:Stuc": FAILED}
    assert there.fresh[0].relevant == {"a:I fa"}
    assert (back.asked, back.fresh) == (there.fresh, there.asked)


@pytest.mark.parametrize(("runs", "names"), [(1, ["r0"]), (3, [f"r{n} to 2 others" for n in range(3)])])
def test_a_file_has_any_number_of_runs_and_each_is_measured_on_all_the_others(tmp_path, runs, names):
    def used(run: str, task: str) -> str:
        told = {"query_id": f"{run}:{task}", "query": f"how is {task} done", "memory_id": f"{run} {task}"}
        return json.dumps({**told, "memory": f"{run} did {task}", "label": 1})

    file = tmp_path / "runs.jsonl"
    file.write_text("\n".join(used(f"r{n}", task) for n in range(runs) for task in ("mail", "tea")))
    cases = cases_in(file)

    assert [case.name for case in cases] == names
    assert [asked.text for asked in cases[0].asked] == ["how is mail done", "how is tea done"]
    assert all(len(case.fresh) == 2 * (runs - 1) for case in cases)
    assert cases[0].asked[0].relevant == {f"r{n} mail" for n in range(runs)}


def test_a_file_of_one_run_may_name_its_tasks_alone_and_has_no_transfer(tmp_path):
    def used(memory: str, label: int) -> str:
        told = {"query_id": "q1", "query": "where do deploys go", "memory_id": memory}
        return json.dumps({**told, "memory": TEXTS[memory], "label": label})

    file = tmp_path / "one.jsonl"
    file.write_text("\n".join([used("blue", 0), used("green", 1)]))
    (case,) = cases_in(file)

    assert (case.name, case.fresh, case.asked[0].verdicts) == ("all", (), {"blue": FAILED, "green": WORKED})
    everything = [Trial(part, "skip", BALANCED) for part in PARTS]
    measured = {seen.measured for seen in tried(case, 1, everything, None, tmp_path)}
    assert "same" in measured
    assert "transfer" not in measured


def test_a_file_that_is_not_there_or_empty_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="there is no file"):
        cases_in(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(SystemExit, match="holds no outcomes"):
        cases_in(tmp_path / "empty.jsonl")


@pytest.mark.parametrize(
    ("known", "habits", "luck", "said"),
    [
        (WORKED, Habits(), 0.5, Outcome.WORKED),
        (None, Habits("skip"), 0.5, None),
        (None, Habits("fail"), 0.5, Outcome.FAILED),
        (WORKED, Habits(noise=0.3), 0.29, Outcome.FAILED),
        (WORKED, Habits(noise=0.3), 0.31, Outcome.WORKED),
        (FAILED, Habits(noise=0.3), 0.1, Outcome.WORKED),
        (PARTIAL, Habits(noise=0.2), 0.19, Outcome.FAILED),
        (FAILED + WORKED, Habits(), 0.4, Outcome.FAILED),
        (FAILED + WORKED, Habits(), 0.6, Outcome.WORKED),
    ],
)
def test_the_agent_says_what_is_known_unless_it_errs(known, habits, luck, said):
    assert learner.reported(known, habits, luck) is said


def test_a_pass_is_a_session_a_day_later_and_its_reports_are_in_the_store(at_work):
    _, _, last = (at_work.learn(BALANCED, Habits()) for _ in range(3))

    (asked, hits), *others = last
    assert (asked, others) == (WHERE, [])
    first = show(at_work.engine, hits[0].memory.id, WRITER, peek=True)
    assert [event.session for event in first.outcomes][-1] == "day 3"
    assert {event.query for event in first.outcomes} == {WHERE.text}
    assert first.outcomes[-1].at == START + timedelta(days=3, minutes=30)


@pytest.mark.parametrize("rule", [FIVE_SIGNAL, COUNTS, BALANCED], ids=lambda rule: rule.name)
def test_what_failed_gives_way_to_what_worked(at_work, rule):
    good = at_work.stored["green"]
    for _ in range(4):
        at_work.report(good, Outcome.WORKED, WHERE.text)
        at_work.report(at_work.stored["blue"], Outcome.FAILED, WHERE.text)
        at_work.report(at_work.stored["grey"], Outcome.FAILED, WHERE.text)
        at_work.passes += 1
        at_work.clock.time += timedelta(days=1)

    assert at_work.worth(rule, [WHERE]) == [{"map": 1.0, "p@1": 1.0, "p@5": 0.2}]


def test_measuring_leaves_no_trace(at_work):
    at_work.worth(FIVE_SIGNAL, [WHERE, OWN])

    found = [read_memory(at_work.engine.store, memory_id) for memory_id in at_work.stored.values()]
    assert [(memory.recall_count, memory.use_count) for memory in found] == [(0, 0)] * len(TEXTS)


def test_shuffled_reports_are_the_same_ones_on_other_memories(at_work):
    true, dealt = at_work.verdicts(OWN), at_work.verdicts(OWN, shuffled=True)

    assert true.keys() == dealt.keys()
    assert sorted(true.values()) == sorted(dealt.values())


def test_a_burst_of_anger_counts_three_times_and_one_with_evidence_always(at_work):
    memory = at_work.stored["green"]
    angry = [at_work.report(memory, Outcome.FAILED, WHERE.text).counted for _ in range(5)]
    proven = [at_work.report(memory, Outcome.FAILED, WHERE.text, proven=True).counted for _ in range(5)]

    assert angry == [True, True, True, False, False]
    assert proven == [True] * 5


def test_without_reports_new_memories_would_have_their_fair_share(keyword_engine):
    clock = Clock()
    engine = keyword_engine._replace(now=clock)
    early = {name: text for name, text in TEXTS.items() if name != "grey"}
    learnt = Learner(engine, clock, CASE, learner.stored(engine, clock, early, "seed"), "seed")

    ((measured, passes, questions, fair, share),) = trial_runs.late(learnt, learner.NOTHING, Habits())

    assert (measured, passes, questions) == ("exposure", 7, 2)
    assert fair == share == {"slots": 0.2}


def test_a_blanket_verdict_is_that_of_the_first_on_everything_shown(at_work):
    ((_, hits),) = at_work.learn(BALANCED, Habits(blanket=True))

    told = [show(at_work.engine, hit.memory.id, WRITER, peek=True).outcomes for hit in hits]
    assert len(hits) > 1
    assert {len(events) for events in told} == {1}
    assert len({event.result for (event,) in told}) == 1


def test_three_memories_that_are_always_shown_leave_the_others_nothing(at_work):
    ((measured, passes, _, plain, _),) = trial_runs.popularity(at_work, learner.NOTHING, Habits())

    assert (measured, passes) == ("popularity", 10)
    assert plain == pytest.approx({"gini": 0.4, "ten": 1.0})


def test_the_same_seed_gives_the_same_figures(tmp_path):
    todo = [Trial("learning", "fail", BALANCED, Habits("fail")), Trial("late", "skip", COUNTS)]

    assert tried(CASE, 1, todo, None, tmp_path) == tried(CASE, 1, todo, None, tmp_path)


def test_every_part_is_tried_with_every_rule():
    todo = trials(list(PARTS))

    for part in PARTS.keys() - {"settings"}:
        assert {trial.rule for trial in todo if trial.part == part} == set(learner.RULES)


def test_questions_count_alike_and_stores_say_how_sure_a_gain_is():
    one = Seen("learning", "skip", "balanced", "same", 5, "Q1", 1, 1, {"map": 0.2}, {"map": 0.6})
    other = one._replace(case="Q2", questions=3, before={"map": 0.2}, after={"map": 0.2})

    (row,) = summed([one, other])

    assert row["map gain"] == pytest.approx(0.1)
    assert row["map +-"] == pytest.approx(1.96 * 0.2)
    assert certainty([0.4]) is None


def test_the_whole_benchmark_prints_keeps_and_draws_its_figures(threads, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MEM_MODEL", str(tmp_path / "none"))
    kept, picture = tmp_path / "figures.json", tmp_path / "figures.svg"

    assert learning.main([str(threads), "--json", str(kept), "--plot", str(picture)]) == 0

    printed = capsys.readouterr().out
    rows = json.loads(kept.read_text())["rows"]
    assert {row["part"] for row in rows} == set(PARTS)
    assert "Share of the places shown that goes to new memories" in printed
    assert "by words alone" in printed
    assert picture.read_text().startswith("<svg")


def test_what_a_store_is_worth_before_any_report_is_looked_at_once(at_work):
    shared: dict[str, Figures] = {}
    first = Learner(at_work.engine, at_work.clock, CASE, at_work.stored, "seed", shared)
    before = first.untouched([WHERE, OWN])
    at_work.report(at_work.stored["green"], Outcome.FAILED, WHERE.text)
    second = Learner(at_work.engine, at_work.clock, CASE, at_work.stored, "seed", shared)

    assert second.untouched([WHERE, OWN]) == before == [shared["Q1_R1"], shared["Q1"]]


def test_a_picture_of_what_is_not_tried_is_refused_before_the_work(threads, tmp_path):
    with pytest.raises(SystemExit, match="the picture shows `balanced`"):
        learning.main([str(threads), "--parts", "noise", "--plot", str(tmp_path / "figures.svg")])


def test_the_stores_of_a_file_can_be_taken_in_two_halves(threads, tmp_path, monkeypatch):
    monkeypatch.setenv("MEM_MODEL", str(tmp_path / "none"))
    twice = threads.read_text() + threads.read_text().replace("Q1", "Q2")
    threads.write_text(twice)

    def stores(*more: str) -> set[str]:
        kept = tmp_path / "figures.json"
        learning.main(
            [str(threads), "--parts", "negative", "--only", "skip, balanced", "--json", str(kept), *more]
        )
        return {seen["case"] for seen in json.loads(kept.read_text())["seen"]}

    assert stores() == {"Q1", "Q2"}
    assert stores("--every", "2") == {"Q1"}
    assert stores("--every", "2", "--first", "2") == {"Q2"}


def test_an_unknown_part_is_refused(threads):
    with pytest.raises(SystemExit, match="no part 'magic'"):
        learning.main([str(threads), "--parts", "magic"])


def test_a_text_chooses_among_the_trials_and_one_that_none_has_is_refused(threads, tmp_path, monkeypatch):
    monkeypatch.setenv("MEM_MODEL", str(tmp_path / "none"))
    kept = tmp_path / "figures.json"

    learning.main([str(threads), "--parts", "learning", "--only", "fail, balanced", "--json", str(kept)])

    assert {(row["what"], row["rule"]) for row in json.loads(kept.read_text())["rows"]} == {
        ("fail", "balanced")
    }
    with pytest.raises(SystemExit, match="is called 'magic'"):
        learning.main([str(threads), "--only", "magic"])
