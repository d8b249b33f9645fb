"""Real agent programs, each in a home of its own, wired by `mem install` and driven by a scripted model."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_layer.agents.recipes import BY_NAME
from npm.packages import node, packages
from tests.agents.model_server import Call, Model
from tests.agents.programs import NOBODY, PROGRAMS, Program

PATIENCE_SECONDS = 300
#: `mem`, which also notes what its hooks were asked and what they answered.
MEM = """\
#!{python}
import json, subprocess, sys
from pathlib import Path

if sys.argv[1:2] == ["hook"]:
    asked = sys.stdin.buffer.read()
    done = subprocess.run([{mem!r}, *sys.argv[1:]], input=asked, capture_output=True)
    note = {{"event": sys.argv[-1], "code": done.returncode, "asked": asked.decode(), "said": done.stdout.decode()}}
    with Path({notes!r}).open("a") as notes:
        notes.write(json.dumps(note) + "\\n")
    sys.stdout.buffer.write(done.stdout)
    sys.exit(done.returncode)
from memory_layer.__main__ import main
sys.exit(main())
"""


@dataclass(frozen=True)
class Ran:
    """What a run of an agent left behind."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class RealAgent:
    """An agent's program in a home, with a project to work in."""

    name: str
    folder: Path
    environ: dict[str, str]

    @property
    def program(self) -> Program:
        return PROGRAMS[self.name]

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def run(self, prompt: str, model: Model, *more: str, without: str = "") -> Ran:
        """Give the agent a prompt and let it work to the end, without one of its usual options."""
        self._configure(model)
        words = {"prompt": prompt, "url": model.url, "home": str(self.home)}
        environ = {name: value.format(**words) for name, value in self.program.environ.items()}
        command = [word for word in self.program.command.split() if word != without]
        return self.start([*launcher(self.name), *_filled(command, words), *more], **environ)

    def mem(self, *arguments: str) -> Ran:
        """Run the command line in the project, as a script would."""
        return self.start([self.mem_program, *arguments])

    @property
    def mem_program(self) -> str:
        return str(self.folder / "bin" / "mem")

    def wired_files(self) -> list[Path]:
        """The files that `mem install` may have written and that are there."""
        files = [self.home / entry.file.removeprefix("~/") for entry in BY_NAME[self.name].user]
        return [file for file in files if file.is_file()]

    def shell(self, command: str) -> Call:
        """The step with which the model runs a command."""
        return Call(self.program.shell.tool, _filled(self.program.shell.arguments, {"command": command}))

    def hooks(self) -> list[dict[str, Any]]:
        """The hooks that the agent called, in their order."""
        notes = self.folder / "hooks.jsonl"
        return [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []

    def start(self, command: list[str], **environ: str) -> Ran:
        done = subprocess.run(
            command,
            cwd=self.folder / "project",
            env=self.environ | environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def end_what_is_left(self) -> None:
        """End the processes that outlived their run: those with this very home."""
        mark = f"HOME={self.home}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    os.kill(int(process.name), signal.SIGKILL)

    def _configure(self, model: Model) -> None:
        """Name the model in the agent's file, which `mem install` may have changed."""
        file = self.home / self.program.file
        if self.program.file:
            text = re.sub(r"http://127\.0\.0\.1:\d+", model.url, file.read_text(encoding="utf-8"))
            old, new = self.program.needed
            file.write_text(text.replace(old, new) if old else text, encoding="utf-8")


def launcher(agent: str) -> list[str]:
    """The command that starts an agent: the platform's own binary, or Node; no script of a package ever runs."""
    system = {"linux": "linux", "darwin": "darwin"}[sys.platform]
    machine = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}[os.uname().machine]
    program = PROGRAMS[agent]
    modules = packages(program.packages).home / "node_modules"
    found = next(modules.glob(program.inside.format(f"{system}-{machine}")), None)
    if found is None:
        raise FileNotFoundError(f"npm/{program.packages} has no {agent} for {system}-{machine}")
    if found.suffix == ".js":
        return [str(node()), str(found)]
    return [str(_unpacked(found) if found.suffix == ".br" else found)]


def _unpacked(packed: Path) -> Path:
    """A program that its package's script would have unpacked at installation."""
    program = packed.with_suffix("")
    if not program.exists():
        says = "const [from, to] = process.argv.slice(1), fs = require('fs'), zlib = require('zlib');"
        says += "fs.writeFileSync(to, zlib.brotliDecompressSync(fs.readFileSync(from)), {mode: 0o755})"
        subprocess.run([str(node()), "-e", says, str(packed), str(program)], check=True)
    return program


def fresh(agent: str, folder: Path, model_folder: Path) -> RealAgent:
    """An agent that was never started, in an empty home and an empty repository."""
    for each in ("home", "project", "tmp", "bin"):
        (folder / each).mkdir(parents=True)
    environ = {
        "HOME": str(folder / "home"),
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        "TMPDIR": str(folder / "tmp"),
        "MEM_HOME": str(folder / "store"),
        "MEM_MODEL": str(model_folder),
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOBODY),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),  # no other network
        "npm_config_fetch_retries": "0",
        "MEM_CONTEXT_BUDGET": "100",  # tokens, so that a prompt can bring something new
    }
    made = RealAgent(agent, folder, environ)
    _write_mem(made)
    _write_configuration(made)
    for words in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "begin")):
        made.start(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words])
    return made


def _write_mem(agent: RealAgent) -> None:
    real = Path(sys.executable).with_name("mem")
    program = Path(agent.mem_program)
    notes = str(agent.folder / "hooks.jsonl")
    program.write_text(MEM.format(python=sys.executable, mem=str(real), notes=notes), encoding="utf-8")
    program.chmod(0o755)


def _write_configuration(agent: RealAgent) -> None:
    program, file = agent.program, agent.home / agent.program.file
    (agent.home / program.folder).mkdir(parents=True)
    if program.login:
        agent.start([*launcher(agent.name), *program.login.split()])
    elif program.file:
        file.write_text(program.text, encoding="utf-8")


def _filled(value: Any, words: Mapping[str, str]) -> Any:
    """Put words into the texts of a value."""
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), value)
    if isinstance(value, dict):
        return {key: _filled(each, words) for key, each in value.items()}
    return [_filled(each, words) for each in value] if isinstance(value, list | tuple) else value
