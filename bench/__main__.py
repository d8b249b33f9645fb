"""`python -m bench NAME …`: the table of benchmarks."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

#: Each name, with _ for -, is a module of this package whose `main` takes the rest of the command line.
BENCHMARKS = {
    "weeks": "what an agent is given over simulated weeks, with and without its reports",
    "agent": "what an agent is given in a labelled project: answers, silence, contexts, warnings",
    "after-import": "how long the first search takes in a store that has just been imported",
    "capture": "how well what is meant to last is told from the rest of what people say",
    "capture-fit": "fits the weights by which an agent is reminded to store what a person said",
    "carry": "how many memories a second are exported and imported",
    "cold": "how long one `mem` command takes as a new process, beside another checkout and py-memori",
    "duplicates": "how often texts that are taken for the same really say the same",
    "embed": "how long a question takes to embed and how many texts a second, beside other runtimes",
    "hook": "what the hooks of agents cost as new processes, and what they give over a session",
    "intake": "how long it takes to import a folder of rules, and that a second import adds nothing",
    "learning": "what reports of success and failure do to later answers, and what false ones spoil",
    "lessons": "how often what is suggested from errors that a session overcame is right",
    "map": "how many true neighbours stay neighbours on the map, and what computing it costs",
    "lists": "how long a server takes for pages of lists, counts, searches and contexts in a lived-in store",
    "mcp": "how long an agent waits for `mem mcp`, and what reading its tools costs",
    "page": "how soon a browser shows the views of the page, and answers a person's clicks",
    "retrieval": "how well the right memories are found, by words, by meaning and by each ranker",
    "seen": "how often what is concluded from a session about the memories it was given is right",
    "serve": "how many requests a second `mem serve` answers to many clients, and how long each waits",
    "speed": "how fast search is in stores of several sizes, what a store costs, and the peers beside it",
    "structure": "what the code of a checkout is made of, and how many files single calls pass through",
    "tokens": "how far the estimate of tokens lies from what real tokenizers count",
    "versions": "how the processor time of common work compares with another checkout of Memory Layer",
    "upkeep": "what evidence costs a search in a large store, and what a whole `mem consolidate` takes",
    "rates": "how many memories a second can be stored, one by one and in batches",
}


def main(arguments: Sequence[str]) -> int:
    """Run the named benchmark, or list what there is."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print("python -m bench NAME [OPTIONS]      each has --help and --json FILE\n")
        for name, says in BENCHMARKS.items():
            print(f"  {name:<14}{says}")
        return 0
    name, *rest = arguments
    if name not in BENCHMARKS:
        print(f"there is no benchmark {name!r}; known are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    code: int = import_module(f"bench.{name.replace('-', '_')}").main(rest)
    return code


def _until_nobody_reads(arguments: Sequence[str]) -> int:
    """Run a benchmark whose reader may leave early, as `| head` does."""
    try:
        code = main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # for what Python still writes at its end
        return 1
    return code


if __name__ == "__main__":
    sys.exit(_until_nobody_reads(sys.argv[1:]))
