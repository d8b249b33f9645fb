"""Make a store that has something of everything, with the program of an older version, and keep what it answers.

Run by hand, with the Python of a checkout of that version whose environment and model are set up:

    OLD/.venv/bin/python tests/compat/make_store.py tests/compat/NAME /code

Each command is a process of its own; what only a person may do is typed at a terminal. The clock is set by this script.
The second folder must not exist yet. The repositories lie in it meanwhile, and the store names them by that path.
"""

from __future__ import annotations

import fcntl
import gzip
import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import termios
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

#: `mem` with a clock that shows the first argument.
MEM = """
import sys
from datetime import datetime
from memory_layer import wiring
moment = datetime.fromisoformat(sys.argv.pop(1))
class Clock(datetime):
    @classmethod
    def now(cls, tz=None):
        return moment
wiring.datetime = Clock
sys.argv[0] = "mem"
from memory_layer.__main__ import main
sys.exit(main())
"""
REMOTES = {name: f"git@example.org:team/{name}.git" for name in ("api", "web", "ops")}
CITED = "api/src/core/upload.py"
TICK = timedelta(minutes=1)  #: passes before each command
CODE = re.compile(r"type ([A-Z0-9]{5}) to go on: $")
#: Asked of the finished store by an agent, in this order; none of them changes it.
LOOKS = (
    ("api", "list", "--json", "--limit", "100"),
    ("api", "list", "--json", "--limit", "5", "--sort", "score"),
    ("api", "list", "--json", "--all", "--limit", "100", "--sort", "used"),
    ("api", "list", "--json", "--all", "--limit", "100", "--status", "archived"),
    ("web", "list", "--json", "--limit", "100", "--sort", "updated"),
    ("api", "list", "--json", "--path", "src/core/upload.py"),
    ("api", "list", "--json", "--all", "--tag", "release"),
    ("api", "list", "--json", "--all", "--has-outcome"),
    ("api", "list", "--json", "--all", "--tier", "procedural"),
    *(
        (place, "search", "--json", "--peek", "--mode", "keyword", *options, question)
        for place, question, *options in (
            ("api", "how do uploads retry"),
            ("api", "which java does the build need", "--explain"),
            ("api", "release", "--full"),
            ("api", "mail container login test", "--all"),
            ("api", '"connection pool"', "--all"),
            ("api", "what broke the nightly build", "--tier", "episodic"),
            ("api", "release steps", "--tier", "procedural"),
            ("web", "button colours"),
            ("web", "snake_case functions", "--global"),
            ("api", "uploads", "--all", "--group-by", "project"),
            ("api", "java", "--status", "archived", "--all"),
            ("api", "payments", "--tag", "payments", "--ranker", "weighted"),
            ("api", "nothing says anything about walruses"),
        )
    ),
    ("api", "context", "--peek"),
    ("api", "context", "--peek", "--start", "--task", "the upload of large files hangs"),
    ("api", "context", "--peek", "--compact", "--path", "src/core/upload.py"),
    ("web", "context", "--peek", "--json", "--task", "colours of the buttons"),
    ("api", "timeline", "--json", "--all"),
    ("api", "timeline", "--json", "--kind", "decision"),
    ("api", "handoff", "--json"),
    ("api", "procedure", "list", "--json"),
    ("api", "procedure", "show", "release", "--json"),
    ("api", "stats", "--json"),
    ("web", "stats", "--json", "--project", "."),
    ("api", "recalls", "--json"),
    ("api", "run", "list", "--json"),
    ("api", "projects", "--json"),
    ("api", "undo", "--list", "--json", "--limit", "100"),
    ("api", "audit", "list", "--json", "--limit", "500"),
    ("api", "audit", "verify", "--json"),
)
#: Asked by a person: what waits for one is shown to nobody else by later versions.
LOOKS_OF_A_PERSON = (
    ("api", "list", "--json", "--all", "--limit", "100", "--status", "staged"),
    ("api", "review", "--json", "--all", "--list"),
)
SETTINGS = {"search.limit": "7", "search.ranker": "rrf", "memory.archive_below": "off"}


class Machine:
    """A throw-away machine with three repositories, on which commands of the old version run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
        for name, remote in REMOTES.items():
            git = root / name / ".git"
            git.mkdir(parents=True)
            (git / "HEAD").write_text("ref: refs/heads/main\n")
            (git / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n')
        (root / "person").mkdir()
        (root / CITED).parent.mkdir(parents=True)
        (root / CITED).write_text("RETRIES = 3\n\n\ndef send(part):\n    return part\n")
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(root / "person"),
            "MEM_HOME": str(root / "home"),
            "USER": "ada",
            "LOGNAME": "ada",
            "TERM": "dumb",
        }
        self.model = os.environ.get("MEM_TEST_MODEL") or _installed_model()

    def wait(self, **span: float) -> None:
        self.now += timedelta(**span)

    def agent(self, place: str, *arguments: str, model: bool = False, session: str = "s1") -> Any:
        """Run a command as an agent; return the data of its answer, or the text of one without --json."""
        done = subprocess.run(
            self._command(arguments),
            cwd=self.root / place,
            env=self._environ(session, model) | {"MEM_WRITER": "helper"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 4):
            raise SystemExit(f"mem {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
        return json.loads(done.stdout)["data"] if "--json" in arguments else done.stdout

    def person(self, place: str, *arguments: str, model: bool = False) -> Any:
        """Type a command at a terminal, and the code it asks for; return the data of its answer."""
        master, slave = pty.openpty()
        out = self.root / "answer"
        with out.open("w", encoding="utf-8") as stdout:
            process = subprocess.Popen(
                self._command(arguments),
                cwd=self.root / place,
                env=self._environ("terminal", model),
                stdin=slave,
                stdout=stdout,
                stderr=slave,
                start_new_session=True,
                preexec_fn=_take_over_terminal,  # noqa: PLW1509  it only calls the kernel
            )
        os.close(slave)
        seen = ""
        while more := _read(master):
            seen += more
            if asked := CODE.search(seen):
                os.write(master, f"{asked[1]}\n".encode())
        os.close(master)
        if process.wait() not in (0, 4):
            raise SystemExit(f"mem {' '.join(arguments)} ended with {process.returncode}:\n{seen}")
        return json.loads(out.read_text(encoding="utf-8"))["data"] if "--json" in arguments else None

    def _environ(self, session: str, model: bool) -> dict[str, str]:
        folder = self.model if model else str(self.root / "no-model")
        return self.environ | {"MEM_SESSION": session, "MEM_MODEL": folder}

    def _command(self, arguments: Sequence[str]) -> list[str]:
        self.now += TICK
        return [sys.executable, "-c", MEM, self.now.isoformat(), *arguments]


def _take_over_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read(master: int) -> str:
    try:
        return os.read(master, 4096).decode(errors="replace")
    except OSError:  # Linux says so when the other side has closed
        return ""


def _installed_model() -> str:
    from memory_layer.settings import load

    return str(load().model_folder)


def main() -> None:
    target, work = Path(sys.argv[1]), Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    work.mkdir()
    try:
        machine = Machine(work)
        ids = fill(machine)
        machine.wait(hours=1)
        for name, options in (("export", ()), ("export-with-vectors", ("--vectors",))):
            file = machine.root / f"{name}.jsonl"
            machine.person("api", "export", str(file), *options)
            _keep(target / f"{name}.jsonl.gz", file.read_bytes())
        for key, value in SETTINGS.items():
            machine.person("api", "config", "set", key, value)
        configuration = machine.agent("api", "config", "path").strip()
        (target / "config.toml").write_bytes(Path(configuration).read_bytes())
        Path(configuration).unlink()  # the answers are those of the defaults
        answers = asked(machine, ids)
        answers["settings"] = SETTINGS
        (store,) = (machine.root / "home").glob("*.db")
        if store.with_name(f"{store.name}-wal").exists():
            raise SystemExit("part of the store is still in its write-ahead log")
        _keep(target / "store.db.gz", store.read_bytes())
        _keep(target / "answers.json.gz", json.dumps(answers, indent=1, ensure_ascii=False).encode())
    finally:
        shutil.rmtree(work)
    _check_no_paths(target)


def fill(machine: Machine) -> dict[str, str]:
    """Store something of everything; return the ids of what is looked at later."""

    def agent(place: str, line: str, *, model: bool = False, session: str = "s1") -> Any:
        return machine.agent(place, *shlex.split(line), "--json", model=model, session=session)

    def person(place: str, line: str, *, model: bool = False) -> Any:
        return machine.person(place, *shlex.split(line), "--json", model=model)

    def add(place: str, text: str, options: str = "", *, who: Any = agent, model: bool = False) -> str:
        return str(who(place, f"add '{text}' {options}", model=model)["id"])

    # Facts of two projects and of none, with labels of every sort; some with vectors of the model.
    labels = "--tags upload,network --scope src/core/** --cite src/core/upload.py:1"
    upload = add("api", "Uploads retry three times before they fail", f"-c decision {labels}", model=True)
    pool = add("api", "The connection pool holds twenty connections at most", "-c environment", model=True)
    add("api", "Payments are booked at midnight", """-c decision -t payments --meta '{"ticket": 42}'""")
    add("api", "The login test needs the mail container", "-c troubleshooting --priority high", model=True)
    java = add("api", "The build needs Java 17", "-c environment", model=True)
    newer = add("api", "Since March the build runs on Java 21 and no older one", "-c environment")
    add("web", "Buttons take their colours from the theme file", "-c convention", model=True)
    rule = add("web", "Run make check before every push", "-c policy", who=person)
    add("web", "Use snake_case for Python functions", "-c convention --global", who=person, model=True)
    add("api", "Answers are short and in English", "-c preference --global --priority high", who=person)
    # A rule of an agent waits for a person, and so do a question and a contradiction.
    add("api", "Never deploy on a Friday", "-c policy")
    approved = add("api", "Every endpoint checks the signature first", "-c policy")
    person("api", f"approve {approved}")
    add("api", "Uploads retry three times before failing", "-c decision", model=True)
    slow = add("api", "The search page loads its index at the first question", "-c gotcha", model=True)
    quick = add("api", "The search page never loads its index at the first question", "-c gotcha", model=True)
    # Links of every kind.
    agent("api", f"links {newer} --add supersedes {java}")
    agent("api", f"links {upload} --add relates_to {pool}")
    agent("api", f"links {slow} --add conflicts_with {quick}")
    # Versions: edited, labelled, brought back to an old one; a confirmation.
    cache = add("api", "The cache holds ten minutes", "-t cache")
    agent("api", f"edit {cache} --content 'The cache holds an hour'")
    agent("api", f"tag {cache} speed owner=ops")
    agent("api", f"revert {cache} --to 1")
    agent("api", f"reinforce {pool}")
    # Archived because it was asked for, expired, merged or undone; and forgotten.
    proxy = add("api", "The old proxy listens on port 8080", "-c environment")
    agent("api", f"archive {proxy}")
    add("api", "The staging server is down for repairs", "--expires 3d")
    add("web", "The nightly report leaves at six in the morning", model=True)
    add("web", "The nightly report leaves at six each morning", "--on-duplicate merge", model=True)
    add("web", "The fonts are served by the second host", "-c environment")
    agent("web", "undo")
    forgotten = add("web", "The customer Miller pays by invoice", who=person)
    person("web", f"forget {forgotten} --yes")
    # The diary and a procedure.
    machine.wait(days=1)
    agent("api", "episode 'The nightly build broke on the new linker' --kind error --outcome failure -t ci")
    agent("api", "episode 'Chose SQLite: one file is enough' --kind decision")
    parts = "--next 'test them on staging' --question 'is 3 right?' --file src/core/upload.py"
    agent("api", f"handoff --done 'retries work' {parts}")
    agent("web", "episode 'The first page was released' --kind milestone", session="s2")
    steps = "--when 'a version is due' --step 'make test' --step 'git tag' -t release"
    agent("api", f"procedure save release {steps}")
    agent("api", f"procedure save release {steps} --step 'git push --tags'")
    agent("api", "procedure done release --worked --evidence 'make test: 0 failed'")
    # Recalls, reports with and without a question, runs, a context, and a source that changes.
    machine.wait(days=1)
    recall = agent("api", "search 'how do uploads retry'", model=True)["recall"]
    agent("api", f"outcome {upload} worked --recall {recall} --evidence 'pytest: 12 passed'")
    agent("api", f"outcome {pool} failed --query 'how many connections are there'")
    agent("api", f"outcome {cache} partial")
    agent("api", f"outcome {slow} worked --event build-7")
    agent("api", "undo")
    agent("web", "search 'what colours do buttons have' --mode keyword", session="s2")
    run = agent("api", "run start 'make uploads faster' --scope src/core/**")["id"]
    note = "The cache must be empty before uploads are measured"
    agent("api", f"run finish {run} --success --used {upload} --note '{note}'")
    agent("api", "run start 'a run that has not ended'", session="s2")
    given = agent("api", "context --task 'uploads of large files hang' --start", model=True)["recall"]
    agent("api", "verify")
    (machine.root / CITED).write_text("ATTEMPTS = 4\n")
    agent("api", "verify")
    # Tidied up a week later: one has expired, two say the same, two nearly do, and one is said in three projects.
    machine.wait(days=7)
    add("api", "The admin page writes one line to the audit log for every click", model=True)
    twin = "The admin page writes one line to the audit log for each click"
    add("api", twin, "--on-duplicate keep", model=True)
    add("api", "The nightly job removes temporary files after thirty days", model=True)
    similar = add("api", "Temporary files lie on the second disk", model=True)
    text = "Temporary files older than thirty days are deleted by the nightly job"
    agent("api", f"edit {similar} --content '{text}'", model=True)
    for place in REMOTES:
        add(place, "The package mirror needs the office network")
    agent("api", "consolidate", model=True)
    looked_at = {"upload": upload, "cache": cache, "rule": rule, "approved": approved, "java": java}
    return looked_at | {"forgotten": forgotten, "recall": given, "run": run}


def asked(machine: Machine, ids: dict[str, str]) -> dict[str, Any]:
    """Ask everything at one moment."""
    looks = [
        *LOOKS,
        *(
            ("api", "show", ids[name], "--peek", "--json")
            for name in ("upload", "cache", "rule", "approved", "java")
        ),
        *(("api", "history", ids[name], "--json") for name in ("upload", "cache", "forgotten")),
        *(("api", "links", ids[name], "--json") for name in ("upload", "java")),
        ("api", "related", ids["upload"], "--json"),
        ("api", "recalls", ids["recall"], "--json"),
        ("api", "recalls", ids["recall"], "--text"),
        ("api", "run", "show", ids["run"], "--json"),
    ]
    by_meaning = [
        ("api", "search", "how often is a failed transfer tried again", "--peek", "--json"),
        ("web", "search", "look of the controls", "--mode", "semantic", "--peek", "--json"),
        ("api", "related", ids["upload"], "--json"),
        ("api", "embed", "--check", "--json"),
    ]
    moment = machine.now

    def answers(ask: Any, looks: Sequence[Sequence[str]], **options: bool) -> list[dict[str, Any]]:
        kept = []
        for place, *arguments in looks:
            machine.now = moment
            answer = ask(place, *arguments, **options)
            kept.append({"place": place, "arguments": arguments, "answer": answer})
        return kept

    source = machine.root / CITED
    return {
        "moment": (moment + TICK).isoformat(),
        "remotes": REMOTES,
        "files": {CITED: source.read_text(encoding="utf-8")},
        "of an agent": answers(machine.agent, looks),
        "of a person": answers(machine.person, LOOKS_OF_A_PERSON),
        "by meaning": answers(machine.agent, by_meaning, model=True),
    }


def _keep(file: Path, content: bytes) -> None:
    file.write_bytes(gzip.compress(content, 9, mtime=0))


def _check_no_paths(target: Path) -> None:
    for file in sorted(target.iterdir()):
        content = file.read_bytes()
        plain = gzip.decompress(content) if file.suffix == ".gz" else content
        for path in (str(Path.home()), str(Path.cwd()), sys.prefix):
            if path.encode() in plain:
                raise SystemExit(f"{file.name} names {path}")
        print(f"{file.name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
