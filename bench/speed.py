"""Measure the shipped search in stores of several sizes, and what a store costs, in comparison with peers.

Memories of about sixty words with prepared vectors: nothing is embedded but by the `mem` command with the model. The
processor's time is the fairer figure on a busy machine; the time on the clock is what a user waits.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench import filled, given, plot, rates, report, stores
from bench.at_size import NO_MODEL, AtSize
from bench.searches import Row
from bench.side_by_side import PEERS, PRODUCT, Contest
from memory_layer.usecases.transfer.bulk_add import BATCH

TIMES = {
    "runs": "runs",
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
    "cpu_p50_ms": "CPU p50 ms",
    "cpu_p95_ms": "CPU p95 ms",
}
SIZE = {"size": "memories"}
SEVERAL = 4


class Section(NamedTuple):
    """One table: its title, and the fields it shows with their headings."""

    title: str
    headings: Mapping[str, str]


SECTIONS = {
    "warm": Section(
        "Warm search, without embedding", {**SIZE, "search": "search", "words": "words", **TIMES}
    ),
    "filtered": Section(
        "Hybrid search among a share of the memories",
        {**SIZE, "filter": "filter", "share": "share", "passing": "passing", **TIMES},
    ),
    "parts": Section(
        "Where the time of a hybrid search goes",
        {
            **SIZE,
            "search": "search",
            "part": "part",
            "mean_ms": "mean ms",
            "p50_ms": "p50 ms",
            "cpu_mean_ms": "CPU mean ms",
        },
    ),
    "recall": Section(
        "The ten nearest by meaning against exact search",
        {
            **SIZE,
            "questions": "questions",
            "recall": "recall@10",
            "worst": "worst",
            "cosine": "median cosine of the ten",
        },
    ),
    "fresh": Section("A new process", {**SIZE, "what": "what", **TIMES}),
    "writing": Section(
        "Writing and catching up",
        {
            **SIZE,
            "fill_per_second": "filled/s",
            **rates.FIGURES,
            "catch_up_ms": "search after a foreign write, p50 ms",
            "catch_up_cpu_ms": "CPU",
            "warm_ms": "the one after it",
            "warm_cpu_ms": "CPU",
            "worn_ms": "search where some are archived, p50 ms",
            "worn_cpu_ms": "CPU",
            "build_ms": "first search, index to be built, ms",
            "open_ms": "first search after opening, ms",
        },
    ),
    "room": Section(
        "Space",
        {
            **SIZE,
            "store_bytes": "store, bytes a memory",
            "index_bytes": "index, bytes a memory",
            "rss_mb": "process after 50 searches, MB",
            "own_mb": "of it its own",
        },
    ),
    "peers": Section(
        "Side by side, with prepared vectors",
        {
            **SIZE,
            "product": "product",
            "search": "search",
            **TIMES,
            "hits": "hits",
            "slower": "times ours",
            "slower_cpu": "times ours, CPU",
            "recall": "recall@10",
            "fill_per_second": "filled/s",
            "bytes": "bytes a memory",
            "rss_mb": "MB",
        },
    ),
}


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.shown:
        runs = [json.loads(file.read_text(encoding="utf-8")) for file in options.shown]
        for file, run in zip(options.shown, runs, strict=True):
            if not run.keys() >= SECTIONS.keys():
                raise SystemExit(f"{file} holds no figures of `bench speed`")
        show(together(runs), options)
        return 0
    before = report.surroundings()
    kept = measured(options)
    kept["machines"] = [{**before, "load_average_after": report.surroundings()["load_average"]}]
    show(kept, options)
    report.keep(options.json, "speed", kept)
    return 0


def together(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of several runs as if they were one, the smaller stores first."""
    lists = {
        name: [entry for run in runs for entry in run[name]] for name in (*SECTIONS, "remarks", "machines")
    }
    rows = {name: sorted(lists[name], key=lambda row: int(row["size"])) for name in SECTIONS}
    return {**rows, "remarks": list(dict.fromkeys(lists["remarks"])), "machines": lists["machines"]}


def _some(text: str) -> int:
    count = int(text)
    if count < 1:
        raise ArgumentTypeError("at least one is measured")
    return count


def _parser() -> ArgumentParser:
    parser = report.parser("speed", __doc__)
    parser.add_argument(
        "--sizes", type=_sizes, default="10000,100000", help="memories in the stores, separated by commas"
    )
    parser.add_argument(
        "--cache", type=_file, metavar="FILE", help="take real vectors from this cache of them"
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep the filled stores there; empty it when a store is written in another way",
    )
    parser.add_argument(
        "--questions", type=_several, default=200, help="half of common words, half of rare ones"
    )
    parser.add_argument("--seconds", type=float, default=20, help="the most that one row may take")
    parser.add_argument("--runs", type=int, default=7, help="new processes measured of each kind; 0 for none")
    parser.add_argument("--singles", type=_some, default=300, help="writes measured one by one")
    parser.add_argument("--batches", type=_some, default=4, help=f"batches of {BATCH} measured")
    parser.add_argument(
        "--peers",
        nargs="?",
        type=_peers,
        const=list(PEERS),
        metavar="NAMES",
        help=f"measure the peers in turn with `mem`: all, or some of {', '.join(PEERS)}",
    )
    parser.add_argument("--peers-folder", type=Path, metavar="FOLDER", help="keep their installations there")
    parser.add_argument(
        "--peer-seconds", type=float, default=1200, help="the most that filling a peer's store may take"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw hybrid search by size there, as SVG")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    parser.add_argument(
        "--show",
        dest="shown",
        type=_file,
        nargs="+",
        metavar="FILE",
        help="measure nothing: show figures that were kept, of several runs together",
    )
    return parser


def _sizes(text: str) -> list[int]:
    sizes = text.split(",")
    if not all(size.isdecimal() and int(size) for size in sizes):
        raise ArgumentTypeError(f"{text!r} are not numbers of memories, such as 10000,100000")
    return sorted(map(int, sizes))


def _file(text: str) -> Path:
    if not Path(text).is_file():
        raise ArgumentTypeError(f"there is no file {text!r}")
    return Path(text)


def _several(text: str) -> int:
    if not text.isdecimal() or int(text) < SEVERAL:
        raise ArgumentTypeError(f"at least {SEVERAL}, so that common and rare words are among them")
    return int(text)


def _peers(names: str) -> list[str]:
    asked = names.split(",")
    if unknown := [name for name in asked if name not in PEERS]:
        raise ArgumentTypeError(f"unknown are: {', '.join(unknown)}; the peers are: {', '.join(PEERS)}")
    return asked


def measured(options: Namespace) -> dict[str, Any]:
    """The rows of every section, and what has to be said about them."""
    cloud = given.cloud(options.cache)
    sections: dict[str, list[Row]] = {name: [] for name in SECTIONS}
    remarks = [f"vectors: {cloud.says}", f"stores were filled {filled.HOW}"]
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.keep) as place:
        scratch, model = Path(place).absolute(), stores.installed_model()
        fingerprint = _fingerprint(scratch, model)
        if fingerprint == NO_MODEL:
            remarks.append("the embedding model is not installed, so no command was measured with it")
        contest = _contest(options, scratch, remarks)
        for size in options.sizes:
            _note(f"{size:,} memories …")
            at_size = AtSize(options, scratch / str(size), size, cloud, fingerprint, model)
            for name, rows in at_size.rows(contest).items():
                sections[name] += [{"size": size, **row} for row in rows]
            shutil.rmtree(at_size.folder)
    return {"remarks": remarks, **sections}


def _contest(options: Namespace, scratch: Path, remarks: list[str]) -> Contest | None:
    if not options.peers:
        return None
    folder = (options.peers_folder or scratch / "peers").absolute()
    return Contest(options.peers, folder, scratch, options.keep, options.peer_seconds, remarks)


def _fingerprint(scratch: Path, model: Path) -> str:
    """That of the installed model, so that the `mem` command finds the prepared vectors."""
    with filled.opened(scratch / "model", model) as engine:
        embedder = engine.embedder()
        return embedder.fingerprint if embedder else NO_MODEL


def show(kept: Mapping[str, Any], options: Namespace) -> None:
    """Print every table that has rows, and draw the picture if asked to."""
    written = report.markdown if options.markdown else report.table
    for name, section in SECTIONS.items():
        rows: list[Row] = kept[name]
        shown = {field: says for field, says in section.headings.items() if any(field in row for row in rows)}
        if rows:
            print(f"{'### ' if options.markdown else ''}{section.title}\n\n{written(rows, shown)}\n")
    for remark in (*kept["remarks"], *map(_machine, kept["machines"])):
        print(f"- {remark}" if options.markdown else remark)
    if options.plot:
        options.plot.write_text(picture(kept), encoding="utf-8")


def _machine(told: Mapping[str, Any]) -> str:
    loads = f"load average {told['load_average']} before, {told['load_average_after']} after"
    versions = f"Memory Layer {told['memory_layer']}, Python {told['python']}"
    return f"{versions}, {told['system']}, {told['processors']} processors, {loads}"


def picture(kept: Mapping[str, Any]) -> str:
    """Hybrid search by size: ours and every peer's; by meaning for one that has nothing else."""
    across = sorted({row["size"] for row in kept["warm"]})
    series = {PRODUCT: _p50(kept["warm"], across, search="hybrid", words="all")}
    modes = {(row["product"], row["search"]): None for row in kept["peers"] if row["product"] != PRODUCT}
    for product in dict.fromkeys(product for product, _ in modes):
        mode = "hybrid" if (product, "hybrid") in modes else "semantic"
        series[f"{product}, {mode}"] = _p50(kept["peers"], across, product=product, search=mode)
    return plot.lines(
        "Search, warm, vectors given: p50 in milliseconds",
        across,
        series,
        unit="ms",
        across_name="memories",
        logarithmic=True,
        logarithmic_across=True,
    )


def _p50(rows: Sequence[Row], across: Sequence[int], **like: str) -> list[float]:
    found = {row["size"]: row["p50_ms"] for row in rows if like.items() <= row.items()}
    return [float(found.get(size, "nan")) for size in across]


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
