"""Measure what an agent is given (by searching, before a task or an action, by a write) and what is kept of messages.

DIR is a labelled project, or a folder of such projects (their form: `agent_sets`). Each is stored in a throw-away store
through the shipped verbs, in the order of its dates and by the writers it names, and asked on one day.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from bench import agent_arms, agent_capture, agent_measures, agent_pairs, report
from bench.agent_arms import Answer, Arm, ContextAnswer, Product
from bench.agent_peers import PEERS, PeerArm, installations
from bench.agent_sets import UNANSWERABLE, Memory, Project, Question, projects_in
from bench.project_store import Desk, Loading, inactive, load, open_desk, reasons
from bench.side_by_side import PeerFailed
from bench.vector_cache import CachedEmbedder, installed
from memory_layer.model.context import BUDGET

TODAY = datetime(2026, 11, 17, 12, tzinfo=UTC)
PRODUCT = "Memory Layer"


class Asked(NamedTuple):
    """A question, the project it belongs to, and its answer."""

    question: Question
    project: str
    answer: Answer


class Measured(NamedTuple):
    """Everything one arm gave in one project."""

    project: Project
    arm: str
    own: list[Asked]
    others: list[Asked]  #: the answerable questions of other projects
    contexts: list[ContextAnswer]  #: one for each task
    budget: int  #: tokens of each context
    warnings: list[tuple[str, ...]] | None  #: one for each action; None if the arm has no warnings


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    before = report.surroundings()
    projects = [project for folder in options.folders for project in projects_in(folder)]
    measured: list[Measured] = []
    pairs: list[agent_pairs.Measured] = []
    with tempfile.TemporaryDirectory() as scratch:
        embedder = installed(Path(scratch), options.cache)
        if embedder is None:
            print("there is no embedding model, so only words are compared: `mem model install` gets it")
        peers_folder = (options.peers_folder or Path(scratch, "peers")).absolute()
        pythons = installations(options.peers, peers_folder) if embedder else {}
        for project in projects:
            others = [other for other in projects if other is not project]
            folder = Path(scratch, project.name)
            if not options.only_pairs:
                measured += measured_project(project, others, embedder, pythons, folder, options)
            if project.pairs:
                beside = Path(scratch, "pairs", project.name)
                pairs.append(agent_pairs.measured(project, others, embedder, beside, options.today))
    messages = [] if options.only_pairs else agent_capture.rows(options.folders)
    figures = agent_measures.figures(measured) | agent_pairs.figures(pairs) | {"messages": messages}
    if not options.only_pairs:
        agent_measures.show(figures)
        agent_capture.show(messages)
    if pairs:
        agent_pairs.show(figures)
    if options.verbose:
        _show_missing(measured)
    report.show_surroundings(before)
    report.keep(options.json, "agent", {"machine": before, "today": str(options.today), **figures})
    if options.plot:
        options.plot.write_text(agent_measures.curve(measured), encoding="utf-8")
    return 0


def _parser() -> ArgumentParser:
    parser = report.parser("agent", __doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    parser.add_argument(
        "--today",
        type=lambda text: datetime.fromisoformat(text).replace(hour=12, tzinfo=UTC),
        default=TODAY,
        metavar="DATE",
        help="the day on which everything is asked; default: 2026-11-17",
    )
    parser.add_argument("--budget", type=int, default=BUDGET, help=f"tokens of a context; default: {BUDGET}")
    parser.add_argument("--seed", default="", help="draws the ids, which order what ranks equally")
    parser.add_argument("--only-pairs", action="store_true", help="measure only what writes say about pairs")
    parser.add_argument("--only-product", action="store_true", help="leave out what it is compared with")
    parser.add_argument(
        "--peers",
        type=_peers,
        default=[],
        metavar="NAMES",
        help=f"compare other products too: all, or some of {', '.join(PEERS)}, separated by commas",
    )
    parser.add_argument("--peers-folder", type=Path, metavar="DIR", help="keep their installations there")
    parser.add_argument("--verbose", action="store_true", help="list the memories that tasks are missing")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="folder for computed vectors")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the curve of abstaining as SVG")
    return parser


def _peers(names: str) -> list[str]:
    chosen = [name.strip() for name in names.split(",")]
    if unknown := [name for name in chosen if name not in ("all", *PEERS)]:
        raise ArgumentTypeError(f"unknown: {', '.join(unknown)}; the peers are: {', '.join(PEERS)}")
    return list(PEERS) if "all" in chosen else chosen


def measured_project(
    project: Project,
    others: Sequence[Project],
    embedder: CachedEmbedder | None,
    pythons: Mapping[str, Path],
    folder: Path,
    options: Any,
) -> list[Measured]:
    """Store a project and measure every arm on it."""
    with ExitStack() as stack:
        desk = stack.enter_context(open_desk(folder, options.today, embedder, options.seed))
        loading = load(desk, project)
        desk.clock.time = options.today
        _show_loading(desk, project, loading)
        arms: dict[str, Arm] = {PRODUCT: Product(desk, loading.ids)}
        if not options.only_product:
            arms |= plain_arms(_valid(project), embedder)
        for name, python in pythons.items():
            assert embedder
            try:
                peer = PeerArm(name, python, folder / name, _valid(project), embedder)
            except PeerFailed as error:
                print(f"{name} was left out: {error}")
                continue
            stack.callback(peer.close)
            arms[name] = peer
        return [_measured(name, arm, project, others, options.budget) for name, arm in arms.items()]


def _valid(project: Project) -> list[Memory]:
    """Return the memories without the superseded ones, from which the other arms are spared."""
    return [memory for memory in project.memories if not memory.superseded_by]


def plain_arms(valid: Sequence[Memory], embedder: CachedEmbedder | None) -> dict[str, Arm]:
    """Return the plain ways that Memory Layer is compared with."""
    arms = {
        "nothing": agent_arms.nothing(valid),
        "newest first": agent_arms.newest(valid),
        "grep": agent_arms.grep(valid),
    }
    return arms | ({"cosine": agent_arms.cosine(valid, embedder)} if embedder else {})


def _measured(name: str, arm: Arm, project: Project, others: Sequence[Project], budget: int) -> Measured:
    own = [Asked(question, project.name, arm.search(question.text)) for question in project.questions]
    foreign = [
        Asked(question, other.name, arm.search(question.text))
        for other in others
        for question in other.questions
        if question.kind != UNANSWERABLE
    ]
    contexts = [arm.context(task, budget) for task in project.tasks]
    # Warnings are recorded as given, so they come last.
    warnings = [arm.warnings(action) for action in project.actions] if isinstance(arm, Product) else None
    return Measured(project, name, own, foreign, contexts, budget, warnings)


def _show_loading(desk: Desk, project: Project, loading: Loading) -> None:
    hidden = inactive(desk, project, loading.ids)
    superseded = sum(memory.superseded_by is not None for memory in project.memories)
    print(
        f"{project.name}: {len(project.memories)} memories, {superseded} superseded"
        f" ({len(loading.unlinked)} without a link), {len(loading.approved)} approved by the person"
    )
    if loading.approved:
        print(f"  approved: {reasons(loading.approved)}")
    print(
        f"  not given out, though not superseded: {len(hidden)}" + (f": {reasons(hidden)}" if hidden else "")
    )


def _show_missing(measured: Sequence[Measured]) -> None:
    for one in measured:
        if one.arm != PRODUCT:
            continue
        texts = {memory.id: memory.content for memory in one.project.memories}
        for task, context in zip(one.project.tasks, one.contexts, strict=True):
            missing = [name for name in task.must if name not in context.given]
            print(f"{one.project.name} {task.id}: {len(missing)} of {len(task.must)} missing: {task.text}")
            for name in missing:
                print(f"    {name}  {texts[name]}")
