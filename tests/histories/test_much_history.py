"""A large history is read in bounded memory; `make prove` does it with a gigabyte and prints the figures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import timedelta

import pytest

from tests.proof import FULL
from tests.transcript_files import MONDAY, claude_code

pytestmark = pytest.mark.prove
SESSIONS = 1_200 if FULL else 12
#: Runs a command and tells its peak of memory. A process counts its parent's at the fork, so the parent is a small one.
SMALL_PARENT = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)"
)
LONGEST_MB = 350  #: resident memory of a command, whatever it reads
ERROR = (
    "Error: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"
)
NOISE = [
    json.dumps(
        {"type": "attachment", "attachment": {"type": "prompt_snapshot", "text": "rope and tar " * 9_000}}
    ),
    json.dumps({"type": "api-request", "params": {"system": "a long prompt of the agent " * 4_000}}),
]


def steps_of(number):
    yield "prompt", f"Repair the ferry number {number}"
    if number % 10 == 0:
        yield "prompt", f"I prefer the colour number {number} for ferries."
    if number % 20 == 0:
        yield from (
            ("run", "make docks", ERROR, 2),
            ("run", "colima start", "", 0),
            ("run", "make docks", "ok", 0),
        )
    for each in range(20):
        yield (
            "run",
            f"grep -rn mooring_{each} src",
            f"src/quay_{number}.py:{each}: mooring and tide\n" * 250,
            0,
        )
        yield "edit", f"src/quay_{each}.py"
    yield "run", "make test", f"{number} passed", 0
    yield "said", "All ferries sail again."


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """About a megabyte for each session: half of it what an agent keeps for itself, as in real transcripts."""
    home = tmp_path_factory.mktemp("history")
    folder = home / "harbour"
    (folder / ".git").mkdir(parents=True)
    for number in range(SESSIONS):
        path = claude_code(
            home, f"session-{number}", folder, list(steps_of(number)), MONDAY + timedelta(hours=number)
        )
        status = path.stat()
        with path.open("a") as file:
            file.write("".join(f"{line}\n" for line in NOISE * 2))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return home


def measured(home, *words):
    """Run a command; return its answer, its seconds and its peak of resident memory in MB."""
    environ = {
        **os.environ,
        "HOME": str(home),
        "MEM_HOME": str(home / "store"),
        "MEM_MODEL": str(home / "none"),
    }
    begin = time.monotonic()
    command = [sys.executable, "-c", SMALL_PARENT, sys.executable, "-m", "memory_layer", *words, "--json"]
    done = subprocess.run(command, env=environ, cwd=home, capture_output=True, check=True)
    return json.loads(done.stdout)["data"], time.monotonic() - begin, int(done.stderr.split()[-1]) / 1e3


def told(what, home, seconds, peak):
    size = sum(path.stat().st_size for path in home.rglob("*.jsonl")) / 1e6
    print(f"\n{what}: {SESSIONS:,} sessions, {size:,.0f} MB in {seconds:.1f} s, peak {peak:.0f} MB")


def test_a_large_history_is_imported_in_bounded_memory_and_once(history):
    report, seconds, peak = measured(history, "import", "history")
    told("import history", history, seconds, peak)
    assert (report["sessions"], report["episodes"]) == (SESSIONS, SESSIONS)
    assert (report["statements"], report["lessons"]) == (-(-SESSIONS // 10), 1)
    assert peak < LONGEST_MB
    again, seconds, peak = measured(history, "import", "history")
    told("a second run", history, seconds, peak)
    assert (again["unchanged"], again["sessions"], again["episodes"]) == (SESSIONS, 0, 0)


def test_a_large_history_is_replayed_in_bounded_memory(history):
    found, seconds, peak = measured(history, "replay")
    told("replay", history, seconds, peak)
    assert len(found["sessions"]) == SESSIONS
    assert found["total"]["repeats"] == found["total"]["fix_known"] == -(-SESSIONS // 20) - 1
    assert peak < LONGEST_MB
