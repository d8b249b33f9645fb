"""`make conformance`: runs every scenario against both servers and prints how each ended, and why."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from npm.packages import packages
from tests.conformance.scenarios import SCENARIOS, Verdict, counts, verdicts
from tests.conformance.suite import SERVERS, Ran, differences, fresh_machine, run

Observed = Mapping[tuple[str, str], Ran]
WIDE = max(map(len, SCENARIOS))


def main() -> int:
    """Print the table; 1 if a scenario did not end as it says."""
    seen: dict[str, Observed] = {}
    for server in SERVERS:
        with fresh_machine() as home:
            seen[server] = run(server, home)
    print(f"{'scenario':{WIDE}}  {'product':>16}  {'with fixtures':>16}")
    for name, scenario in SCENARIOS.items():
        cells = "  ".join(f"{_cell(server, name, seen[server]):>16}" for server in SERVERS)
        print(f"{name:{WIDE}}  {cells}  {scenario.why}".rstrip())
    for server in SERVERS:
        passed, failed, rest = counts(server).values()
        print(f"{server}: {len(SCENARIOS)} scenarios in {len(seen[server])} runs:", end=" ")
        print(f"{passed} passed, {failed} failed, {rest} not applicable")
    version = packages("mcp").versions()["@modelcontextprotocol/conformance"]
    wrong = [line for server in SERVERS for line in differences(server, seen[server])]
    print(f"conformance suite {version}; {'as the table says' if not wrong else 'NOT as the table says:'}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


def _cell(server: str, name: str, seen: Observed) -> str:
    """How a scenario ended, and how many of its checks passed in all the revisions that it ran in."""
    runs = [ran for (_, scenario), ran in seen.items() if scenario == name]
    passed, failed = sum(len(ran.passed) for ran in runs), sum(len(ran.failed) for ran in runs)
    otherwise = "n/a" if verdicts(server)[name] is Verdict.NOT_APPLICABLE else "fails"
    return f"{'passes' if all(ran.passes for ran in runs) else otherwise} {passed}/{passed + failed}"


if __name__ == "__main__":
    sys.exit(main())
