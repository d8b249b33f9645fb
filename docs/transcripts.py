"""Run the console examples of a page in a temporary home directory, and return their current output.

The output does not depend on chance or on the machine: an id is derived from the command that first showed it, every
command gets its own minute, the home directory is `~`, and figures are rounded to two decimals.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shlex
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from click.testing import CliRunner

from docs.curl import ShownServer
from memory_layer.doors.cli.main import mem

WIDTH = 100
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
#: Values that differ in every run: cursors and digests contain times, the size of a store depends on SQLite.
DIGEST = "7d9a1c40e8b35f26c4d0a7e1936f58b2" * 2
PLACEHOLDERS = {"next": "WzE3NzI0NTI4NjAwMDAwMDAsIDNd", "size_bytes": 180_224}
PLACEHOLDERS |= dict.fromkeys(("before", "after", "hash", "head", "sha256", "digest"), DIGEST)
PLACEHOLDERS["projectId"] = "k4x7m2qa"
PLACEHOLDERS["as_of"] = NOON.isoformat(timespec="microseconds").replace("+00:00", "Z")
PLACEHOLDERS["week"] = NOON.date().isoformat()  # a Monday
PLACEHOLDERS["tokens"] = 64  # the number of tokens in an id varies
PLACEHOLDERS["modified_at"] = PLACEHOLDERS["last_commit_at"] = NOON.isoformat(
    timespec="microseconds"
).replace("+00:00", "Z")
#: The same for a backup, whose hash covers times and ids.
BACKUP_BYTES = 159_744
BACKED_UP = {
    "size": BACKUP_BYTES,
    "audit_hash": "3f9d2c7a51b8e6044c1d9a7be2f05d83a6c41e97d0b1f2a37c5588e6012d4b9a",
}
MODEL = ".cache/memory-layer/all-MiniLM-L6-v2"
DOWNLOADED = "Downloads/all-MiniLM-L6-v2"
#: The messages of the made-up conversation.
MESSAGES = ("Never mock the ledger in tests.", "Can you look at the refunds?", "We decided to book in cents.")


#: The issues of the made-up code base.
ISSUES = (
    {
        "id": "harbour-a1b2",
        "title": "Book refunds in a worker",
        "description": "The customer is told when it is done.",
        "status": "in_progress",
        "priority": 1,
        "issue_type": "feature",
        "created_at": "2026-02-27T09:00:00Z",
        "updated_at": "2026-03-02T08:00:00Z",
        "labels": ["payments"],
    },
    {
        "id": "harbour-c3d4",
        "title": "Tell customers by mail",
        "status": "open",
        "priority": 2,
        "created_at": "2026-02-27T09:10:00Z",
        "updated_at": "2026-02-27T09:10:00Z",
        "dependencies": [{"issue_id": "harbour-c3d4", "depends_on_id": "harbour-a1b2", "type": "blocks"}],
    },
    {
        "id": "harbour-e5f6",
        "title": "Choose a payment provider",
        "status": "closed",
        "priority": 2,
        "created_at": "2026-02-26T09:00:00Z",
        "updated_at": "2026-02-28T09:00:00Z",
        "closed_at": "2026-02-28T09:00:00Z",
    },
)


def _transcript_line(message: str) -> str:
    entry = {
        "type": "user",
        "timestamp": "2026-03-01T09:00:00Z",
        "message": {"role": "user", "content": message},
    }
    return json.dumps(entry) + "\n"


#: The made-up code base in which the examples are run.
FILES = {
    "harbour/.git/config": '[remote "origin"]\n\turl = https://git.example/ferries/harbour.git\n',
    "harbour/docs/refunds.md": "# Refunds\n\nA refund is booked by a worker.\nThe customer is told when it is done.\n",
    "harbour/CLAUDE.md": "# Harbour\n\n## Testing\n\n- Mock the payment provider in every test\n"
    "- Run `make test` before you push\n\n## Don'ts\n\n- Store amounts as floating point numbers\n\n"
    "## Links\n\n- [Ferry times](https://ferries.example)\n",
    "harbour/src/payments/refund.py": "AMOUNT = 'cents'\n",
    "harbour/.beads/issues.jsonl": "".join(f"{json.dumps(issue)}\n" for issue in ISSUES),
    "Downloads/remark.txt": "the nightly import needs docker and two hours on the staging server\n",
    "Downloads/message.txt": "Thanks! I prefer small commits. Actually, staging listens on port 8443. Every endpoint"
    " must require a token. We decided to use SQLite for the cache. Why is the test red?\n",
    "Downloads/session.jsonl": "".join(map(_transcript_line, MESSAGES)),
}

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)$", re.MULTILINE)  #: a line may go on behind a backslash
_ASSIGNED = re.compile(r"([A-Z]+)=\"(.*)\"")
_VARIABLE = re.compile(r"\$([A-Z]+)")
_FILE = re.compile(r"\$\(cat ~/(\S+)\)")
_ID = re.compile(r"\b(mem|rec|run|out|op)_([a-z2-7]{8,26})\b")
_SHORT = re.compile(r"(?<![\w])[a-z2-7]{8}(?![\w])")
_TYPED_ID = re.compile(r"\b(?:mem|rec|run|op)_[a-z2-7]{4,26}\b")
_HOLDS = re.compile(
    r"from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d, [\d.]+ KB, ([\d,]+) changes up to [0-9a-f]{12}"
)
_STAMP = re.compile(r"\b\d{8}T\d{6}Z")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_CLOCK = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
_HEAD = re.compile(r"\bhead [0-9a-f]{64}\b")


def _around_noon(found: re.Match[str]) -> str:
    """Move a time of the last 24 hours to as many whole hours before noon; leave typed times alone."""
    moment = datetime.strptime(found[0], "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    hours = round((datetime.now(UTC) - moment) / timedelta(hours=1))
    return f"{NOON - timedelta(hours=hours):%Y-%m-%d %H:%M} UTC" if 0 <= hours < 24 else found[0]


def _differs(name: str, value: object) -> bool:
    """Return True for a field whose value differs in every run."""
    return name in PLACEHOLDERS and isinstance(value, str | int)


def renewed(page: str, model_folder: Path, *, installed: bool = True) -> str:
    """Run the commands of a page again and replace their output."""
    if not _BLOCK.search(page):
        return page
    with _fresh_machine(model_folder, installed=installed) as home:
        terminal = Terminal(home)
        try:
            return _BLOCK.sub(lambda block: f"```console\n{terminal.replayed(block[1])}```", page)
        finally:
            terminal.close()


@contextmanager
def _fresh_machine(model_folder: Path, *, installed: bool) -> Iterator[Path]:
    """Create a home directory with one code base, and an environment without anything else."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="mem-docs-") as folder:
        home = Path(os.path.realpath(folder))
        for name, content in FILES.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(content, encoding="utf-8")
        _commit(home / "harbour")
        for place in (DOWNLOADED, MODEL) if installed else (DOWNLOADED,):
            (home / place).parent.mkdir(parents=True, exist_ok=True)
            (home / place).symlink_to(model_folder.resolve(), target_is_directory=True)
        with environment(_variables(home)):
            os.chdir(home / "harbour")
            try:
                yield home
            finally:
                os.chdir(here)


def _commit(root: Path) -> None:
    """Make the code base a repository with one commit of all its files, the same every time."""
    # In the far future, so that the project never becomes stale.
    author = b"builder <builder@harbour.example> 4102444800 +0000"
    tree = _tree(root, root / ".git/objects").encode()
    commit = b"tree %s\nauthor %s\ncommitter %s\n\nfirst\n" % (tree, author, author)
    (root / ".git/HEAD").write_text(
        _object(root / ".git/objects", b"commit", commit) + "\n", encoding="ascii"
    )


def _tree(folder: Path, objects: Path) -> str:
    entries = b""
    for path in sorted(path for path in folder.iterdir() if path.name not in (".git", ".beads")):
        below = path.is_dir()
        name = _tree(path, objects) if below else _object(objects, b"blob", path.read_bytes())
        mode = b"40000" if below else b"100644"
        entries += b"%s %s\0%s" % (mode, path.name.encode(), bytes.fromhex(name))
    return _object(objects, b"tree", entries)


def _object(objects: Path, kind: bytes, content: bytes) -> str:
    whole = b"%s %d\0%s" % (kind, len(content), content)
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    (objects / name[:2]).mkdir(parents=True, exist_ok=True)
    (objects / name[:2] / name[2:]).write_bytes(zlib.compress(whole))
    return name


@contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    """Replace the environment by these variables."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _variables(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "MEM_UPKEEP_AUTO": "off",
        "MEM_HOME": str(home / ".local/share/memory-layer"),
        "MEM_CONFIG": str(home / ".config/memory-layer/config.toml"),
        "MEM_MODEL": str(home / MODEL),
        "MEM_WRITER": "builder",
        "MEM_SESSION": "monday",
    }


def _replaced(option: str, script: str, file: str) -> str:
    """Do what `sed -i s/old/new/ FILE` does; it prints nothing."""
    how, old, new, end = script.split("/")
    assert (option, how, end) == ("-i", "s", ""), script
    path = Path(file)
    path.write_text(
        path.read_text(encoding="utf-8").replace(old, new.replace("\\n", "\n"), 1), encoding="utf-8"
    )
    return ""


class Terminal:
    """A terminal in the temporary home directory, whose output is made reproducible."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.exit_code = 0
        self.starts: list[datetime] = []  #: when each command was typed
        self.invented: dict[str, str] = {}  #: real beginnings of ids to the ones on the page
        self.real: dict[str, str] = {}  #: and back, as much of them as was seen
        self.first_shown: Counter[str] = Counter()  #: how many ids each command was the first to show
        self.server: ShownServer | None = None  #: that `mem serve` started
        self.variables: dict[str, str] = {}  #: of the shell

    def close(self) -> None:
        """End what the commands left running."""
        if self.server is not None:
            self.server.stop()

    def replayed(self, block: str) -> str:
        """Run every command of a block again and replace its output."""
        commands = _COMMAND.findall(block)
        return "".join(f"$ {command}\n{self.answer(command)}" for command in commands)

    def answer(self, command: str) -> str:
        """Return the output of a command line, as the page shows it."""
        if command == "echo $?":
            return f"{self.exit_code}\n"
        typed = _TYPED_ID.sub(lambda found: self._meant(found[0]), command.replace("\\\n", " "))
        if assigned := _ASSIGNED.fullmatch(typed):
            self.variables[assigned[1]] = _FILE.sub(lambda found: self._content(found[1]), assigned[2])
            return ""
        program, *words = shlex.split(_VARIABLE.sub(lambda found: self.variables[found[1]], typed))
        if program == "sed":
            return _replaced(*words)
        self.starts.append(datetime.now(UTC))
        if program == "curl":
            assert self.server is not None, "the page starts a server first"
            answered = self.server.curl(words)
            return self._shown(command, f"{pretty(shortened(json.loads(answered)))}\n" if answered else "")
        assert program == "mem", command
        if words[0] == "serve":
            self.server = ShownServer(words[1:])
            return self.server.log.replace(str(self.home), "~")
        words = [str(self.home / word[2:]) if word.startswith("~/") else word for word in words]
        result = CliRunner().invoke(mem, words, prog_name="mem")
        self.exit_code = result.exit_code
        return _laid_out(self._shown(command, result.output))

    def _shown(self, command: str, output: str) -> str:
        """Replace what differs in every run."""
        output = output.replace(str(self.home), "~")
        output = _MOMENT.sub(lambda found: self._minute(found[0]), output)
        output = _STAMP.sub(NOON.strftime("%Y%m%dT%H%M%SZ"), _HOLDS.sub(_backed_up, output))
        output = _CLOCK.sub(_around_noon, output)
        output = _HEAD.sub(f"head {DIGEST}", output)
        output = _ID.sub(lambda found: self._id(command, *found.groups()), output)
        return _SHORT.sub(lambda found: self.invented.get(found[0], found[0])[:8], output)

    def _content(self, path: str) -> str:
        return (self.home / path).read_text(encoding="utf-8").strip()

    def _meant(self, typed: str) -> str:
        return next((real for shown, real in self.real.items() if shown.startswith(typed)), typed)

    def _id(self, command: str, kind: str, real: str) -> str:
        known = real[:8]
        if known not in self.invented:
            digest = hashlib.sha256(f"{command} {self.first_shown[command]}".encode()).digest()
            self.first_shown[command] += 1
            self.invented[known] = base64.b32encode(digest).decode().lower()[:26]
        shown = self.invented[known]
        whole = max(real, self.real.get(f"{kind}_{shown}", "").removeprefix(f"{kind}_"), key=len)
        self.real[f"{kind}_{shown}"] = f"{kind}_{whole}"
        return f"{kind}_{shown[: len(real)]}"

    def _minute(self, moment: str) -> str:
        """Return the minute of the command that wrote it; a time in the future keeps its distance in days."""
        at = datetime.fromisoformat(moment)
        ahead = max(0, (at - self.starts[0]).days)
        typed = sum(start <= at - timedelta(days=ahead) for start in self.starts)
        shown = NOON + timedelta(days=ahead, minutes=typed)
        return shown.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _backed_up(found: re.Match[str]) -> str:
    day, size = NOON.date().isoformat(), BACKUP_BYTES / 1000
    return f"from {day} to {day}, {size:.1f} KB, {found[1]} changes up to {str(BACKED_UP['audit_hash'])[:12]}"


def _laid_out(output: str) -> str:
    """Indent JSON answers; leave other lines as they are."""
    return "".join(
        f"{pretty(shortened(json.loads(line)))}\n" if line.startswith('{"schema_version"') else f"{line}\n"
        for line in output.splitlines()
    )


def shortened(value: object) -> object:
    """Round figures, and replace values that differ in every run."""
    if isinstance(value, dict):
        value = value | BACKED_UP if "audit_hash" in value else value
        return {
            name: PLACEHOLDERS[name] if _differs(name, inner) else shortened(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [shortened(inner) for inner in value]
    return round(value, 2) if isinstance(value, float) else value


def pretty(value: object, indent: int = 0) -> str:
    """Write JSON on one line where it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent < WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {pretty(each, indent + 2)}" for name, each in value.items()]
        opening, closing = "{}"
    else:
        parts = [pretty(each, indent + 2) for each in value]
        opening, closing = "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{' ' * indent}{closing}"
