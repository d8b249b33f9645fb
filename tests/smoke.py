"""Serve the page of an installed `mem` and load it as a browser would: `python tests/smoke.py PATH-TO-MEM`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ADDRESS = re.compile(r"http://(?:localhost|127\.0\.0\.1):\d+")
ASSET = re.compile(r'(?:src|href)="(/[^"]+)"')
PATIENCE_SECONDS = 60


def main(mem: str) -> int:
    """Load the page and every file that it names; fail if one is missing."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "MEM_HOME": home, "MEM_UPKEEP_AUTO": "off", "BROWSER": "true"}
        said = Path(home, "said")
        with said.open("wb") as out:
            server = subprocess.Popen(
                [mem, "serve", "--port", "0", "--no-open"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=environment,
            )
        try:
            address = _address(said, server)
            page = _loaded(f"{address}/")
            files = ASSET.findall(page)
            assert any(each.endswith(".js") and "/assets/" in each for each in files), page
            sizes = [len(_loaded(address + each)) for each in files]
            print(f"the page is served: {len(files)} files, {sum(sizes):,} characters")
        finally:
            server.terminate()
            server.wait(timeout=30)
    return 0


def _address(said: Path, server: subprocess.Popen[bytes]) -> str:
    limit = time.monotonic() + PATIENCE_SECONDS
    while not (found := ADDRESS.search(said.read_text(encoding="utf-8"))):
        _check_runs(server, said, limit)
    while not _answers(found[0]):
        _check_runs(server, said, limit)
    return found[0]


def _check_runs(server: subprocess.Popen[bytes], said: Path, limit: float) -> None:
    assert server.poll() is None, said.read_text(encoding="utf-8")
    assert time.monotonic() < limit, "the server does not answer"
    time.sleep(0.1)


def _answers(address: str) -> bool:
    try:
        return bool(_loaded(f"{address}/health"))
    except OSError:
        return False


def _loaded(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return str(answer.read().decode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
