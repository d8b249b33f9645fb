"""`make conformance`: runs every scenario against both servers and prints how each ended, and why."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from npm.packages import packages
from tests.conformance.scenarios import SCENARIOS, Verdict, verdicts
from tests.conformance.suite import SERVERS, Ran, differences, fresh_machine, run

Observed = Mapping[tuple[str, str], Ran]
WIDE, CELL = max(map(len, SCENARIOS)), 20
WORDS = {Verdict.PASSES: "passed", Verdict.FAILS: "failed", Verdict.NOT_APPLICABLE: "not applicable"}


def main() -> int:
    """Print the table; 1 if a scenario did not end as it says."""
    seen: dict[str, Observed] = {}
    for server in SERVERS:
        with fresh_machine() as home:
            seen[server] = run(server, home)
    print(f"{'scenario':{WIDE}}  {'product':>{CELL}}  {'with fixtures':>{CELL}}")
    for name, scenario in SCENARIOS.items():
        cells = "  ".join(f"{_cell(server, name, seen[server]):>{CELL}}" for server in SERVERS)
        print(f"{name:{WIDE}}  {cells}  {scenario.why}".rstrip())
    for server in SERVERS:
        ends = [_end(server, name, seen[server]) for name in SCENARIOS]
        print(f"{server}: {len(SCENARIOS)} scenarios in {len(seen[server])} runs:", end=" ")
        print(", ".join(f"{ends.count(verdict)} {word}" for verdict, word in WORDS.items()))
    version = packages("mcp").versions()["@modelcontextprotocol/conformance"]
    wrong = [line for server in SERVERS for line in differences(server, seen[server])]
    print(f"conformance suite {version}; {'as the table says' if not wrong else 'NOT as the table says:'}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


def _end(server: str, name: str, seen: Observed) -> Verdict:
    """How a scenario ended: that it does not apply is an excuse for not passing, and for nothing else."""
    runs = _runs(name, seen)
    if runs and all(ran.passes for ran in runs):
        return Verdict.PASSES
    excused = runs and verdicts(server)[name] is Verdict.NOT_APPLICABLE
    return Verdict.NOT_APPLICABLE if excused else Verdict.FAILS


def _cell(server: str, name: str, seen: Observed) -> str:
    """The same with how many of its checks passed, in all the revisions that it ran in."""
    runs = _runs(name, seen)
    passed, failed = sum(len(ran.passed) for ran in runs), sum(len(ran.failed) for ran in runs)
    return f"{_end(server, name, seen)} {passed}/{passed + failed}"


def _runs(name: str, seen: Observed) -> list[Ran]:
    return [ran for (_, scenario), ran in seen.items() if scenario == name]


if __name__ == "__main__":
    sys.exit(main())
