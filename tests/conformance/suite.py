"""The public conformance suite of the protocol, run against a server of this machine."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from npm.packages import packages
from tests.conformance.scenarios import EXTENSION, REVISIONS, SCENARIOS, SHORTCOMINGS, Verdict, verdicts
from tests.doors.served import PRODUCT, served

HERE = Path(__file__).parent
#: The servers that are tested: the product as it is shipped, and its code with tools that the suite calls by name.
SERVERS = {"product": PRODUCT, "fixtures": (str(HERE / "fixture_server.py"),)}
#: Every message of every scenario is held against the protocol's schema; that alone is no passing.
WIRE = "wire-schema-valid"
_LISTED = re.compile(r"^ +- (\S+) \[(.+)\]$", re.MULTILINE)
_RESULTS = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


class Ran(NamedTuple):
    """How the checks of one scenario ended, each by its name."""

    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether it was put to the test and fell short in nothing, be it only recommended."""
        return not self.failed and bool(set(self.passed) - {WIRE})


def listed() -> dict[str, tuple[str, ...]]:
    """The suite's scenarios for servers with the revisions of the protocol each belongs to."""
    told = _conformance("list", "--server").stdout
    return {name: tuple(revisions.split(",")) for name, revisions in _LISTED.findall(told)}


def run(server: str, home: Path) -> dict[tuple[str, str], Ran]:
    """Every scenario against a server with a fresh store, by the revision spoken and the scenario."""
    with served(program=SERVERS[server]) as port:
        token = (home / "token").read_text(encoding="utf-8").strip()
        url = f"http://127.0.0.1:{port}/mcp"
        return {
            (revision, name): ran for revision in REVISIONS for name, ran in _spoken(revision, url, token)
        }


def differences(server: str, seen: Mapping[tuple[str, str], Ran]) -> list[str]:
    """What did not end as the table says, a line each."""
    due = {(revision, name) for name, each in SCENARIOS.items() for revision in each.revisions}
    lines = [
        f"{server}: {revision} {name} is in one of them only" for revision, name in sorted(due ^ set(seen))
    ]
    said = verdicts(server)
    for (revision, name), ran in seen.items():
        short = SHORTCOMINGS.get((server, name), ())
        if ran.passes is not (said.get(name) is Verdict.PASSES) or (short and ran.failed != short):
            lines.append(f"{server}: {revision} {name} is said to be {said.get(name)}, failed {ran.failed}")
    return lines


def _spoken(revision: str, url: str, token: str) -> Iterator[tuple[str, Ran]]:
    dated = [name for name, each in SCENARIOS.items() if each.revisions != (EXTENSION,)]
    chosen = ["pending"] if revision == EXTENSION else ["all", "--spec-version", revision]
    with TemporaryDirectory() as folder:
        told = ("--url", url, "--output-dir", folder, "--suite", *chosen)
        done = _conformance("server", *told, MCP_TOKEN=token)
        assert any(Path(folder).iterdir()), done.stderr
        for results in sorted(Path(folder).iterdir()):
            found = _RESULTS.fullmatch(results.name)
            assert found, results.name
            if revision != EXTENSION or found[1] not in dated:
                yield found[1], _ran(results / "checks.json")


def _ran(file: Path) -> Ran:
    ended: dict[str, list[str]] = {"SUCCESS": [], "FAILURE": [], "WARNING": [], "SKIPPED": [], "INFO": []}
    for check in json.loads(file.read_text(encoding="utf-8")):
        ended[check["status"]].append(check["id"])
    failed = {*ended["FAILURE"], *ended["WARNING"]}
    return Ran(tuple(ended["SUCCESS"]), tuple(sorted(failed)), tuple(ended["SKIPPED"]))


def _conformance(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the suite's command; it fails when a scenario does, so its exit code says nothing here."""
    node, *command = packages("mcp").command("conformance", *arguments)
    return subprocess.run(
        [node, "--import", str(HERE / "show_token.mjs"), *command],
        env=os.environ | {"NO_COLOR": "1"} | environ,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@contextmanager
def fresh_machine() -> Iterator[Path]:
    """A store of its own for servers of this process, whatever they are told elsewhere; its folder."""
    for name in [name for name in os.environ if name.startswith("MEM_")]:
        del os.environ[name]
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        os.environ |= {"HOME": folder, "MEM_HOME": str(home), "MEM_MODEL": str(Path(folder) / "no-model")}
        yield home
