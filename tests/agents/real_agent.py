"""Real agent programs, each in a home of its own, wired by `mem install` and driven by a scripted model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from npm.packages import packages
from tests.agents.model_server import Model

PATIENCE_SECONDS = 300
#: The package of each agent that holds its program, and where in it.
PROGRAMS = {
    "claude-code": ("@anthropic-ai/claude-code-{}", "claude"),
    "codex": ("@openai/codex-{}", "vendor/*/bin/codex"),
}


@dataclass(frozen=True)
class Ran:
    """What a run of an agent left behind."""

    code: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, object]]:
        lines = [line for line in self.out.splitlines() if line.startswith("{")]
        return [json.loads(line) for line in lines]


@dataclass(frozen=True)
class RealAgent:
    """An agent's program in a home, with a project to work in."""

    name: str
    home: Path
    project: Path
    environ: dict[str, str]

    def run(self, prompt: str, model: Model) -> Ran:
        """Give the agent a prompt and let it work to the end."""
        command, environ = COMMANDS[self.name](self, prompt, model)
        return self.start(command, **environ)

    def mem(self, *arguments: str) -> Ran:
        """Run the command line in the project, as a script would."""
        return self.start([str(mem_program()), *arguments])

    def start(self, command: list[str], **environ: str) -> Ran:
        done = subprocess.run(
            command,
            cwd=self.project,
            env=self.environ | environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)


def mem_program() -> Path:
    return Path(sys.executable).with_name("mem")


def program(agent: str) -> Path:
    """The platform's own binary of an agent, run directly: no script of a package ever runs."""
    package, inside = PROGRAMS[agent]
    system = {"linux": "linux", "darwin": "darwin"}[sys.platform]
    machine = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}[os.uname().machine]
    folder = packages("agents").home / "node_modules" / package.format(f"{system}-{machine}")
    return next(folder.glob(inside))


def fresh(agent: str, folder: Path, model_folder: Path) -> RealAgent:
    """An agent that was never started, in an empty home and an empty repository."""
    home, project, scratch = (folder / name for name in ("home", "project", "tmp"))
    for each in (home, project, scratch):
        each.mkdir(parents=True)
    (home / {"claude-code": ".claude", "codex": ".codex"}[agent]).mkdir()
    environ = {
        "HOME": str(home),
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        "TMPDIR": str(scratch),
        "MEM_HOME": str(folder / "store"),
        "MEM_MODEL": str(model_folder),
    }
    made = RealAgent(agent, home, project, environ)
    for words in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "begin")):
        made.start(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words])
    return made


def _claude(agent: RealAgent, prompt: str, model: Model) -> tuple[list[str], dict[str, str]]:
    options = [
        "--output-format",
        "stream-json",
        "--verbose",
        "--include-hook-events",
        "--allowedTools",
        "Bash",
    ]
    environ = {
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "x",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    return [str(program("claude-code")), "-p", prompt, *options], environ


def _codex(agent: RealAgent, prompt: str, model: Model) -> tuple[list[str], dict[str, str]]:
    config = agent.home / ".codex" / "config.toml"
    text = config.read_text(encoding="utf-8") if config.exists() else ""
    if "model_providers.scripted" not in text:
        provider = {
            "name": "scripted",
            "base_url": f"{model.url}/v1",
            "wire_api": "responses",
            "env_key": "SCRIPTED_KEY",
            "request_max_retries": 0,
            "stream_max_retries": 0,
        }
        head = 'model = "scripted"\nmodel_provider = "scripted"\ncheck_for_update_on_startup = false\n'
        table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in provider.items())
        quiet = "[analytics]\nenabled = false\n"
        needed = text.replace("[mcp_servers.memory]\n", "[mcp_servers.memory]\nrequired = true\n")
        config.write_text(f"{head}{needed}\n{quiet}[model_providers.scripted]\n{table}", encoding="utf-8")
    else:
        import re

        config.write_text(re.sub(r"http://127\.0\.0\.1:\d+", model.url, text), encoding="utf-8")
    options = ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
    more = ["--disable", "remote_plugin", "--dangerously-bypass-approvals-and-sandbox"]
    return [str(program("codex")), *options, *more, prompt], {"SCRIPTED_KEY": "x"}


COMMANDS = {"claude-code": _claude, "codex": _codex}
