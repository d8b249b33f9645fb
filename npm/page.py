"""Build the page of `mem serve` out of `web/`: `python -m npm.page`.

TypeScript is checked, Vite bundles, each file is compressed beside itself, and a page that has grown beyond its
budget is not built at all.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from npm.packages import node, packages

ROOT = Path(__file__).resolve().parent.parent
WEB = packages("web")
BUILT = ROOT / "src/memory_layer/doors/page/built"
MANIFEST = ".vite/manifest.json"
PACKED_TYPES = (".js", ".css", ".html", ".svg")
#: Bytes after gzip.
MOST_ALL, MOST_FIRST = 90_000, 45_000


class Sizes(NamedTuple):
    """The bytes of the page after gzip."""

    whole: int
    first_view: int  #: of what a browser loads to show the dashboard


class TooLarge(Exception):
    """The page is larger than its budget."""


def build() -> Sizes:
    """Build the page, or leave nothing built; return its sizes."""
    WEB.install()
    shutil.rmtree(BUILT, ignore_errors=True)
    try:
        _run("tsc")
        _run("vite", "build", "--logLevel", "warn")
        manifest = json.loads((BUILT / MANIFEST).read_text(encoding="utf-8"))
        shutil.rmtree((BUILT / MANIFEST).parent)
        sizes = measured(_packed(BUILT), manifest)
        if sizes.whole > MOST_ALL or sizes.first_view > MOST_FIRST:
            raise TooLarge(
                f"the page takes {sizes.whole:,} bytes after gzip and its first view {sizes.first_view:,}; "
                f"at most {MOST_ALL:,} and {MOST_FIRST:,} are allowed"
            )
    except BaseException:
        shutil.rmtree(BUILT, ignore_errors=True)
        raise
    return sizes


def measured(packed: dict[str, int], manifest: dict[str, Any]) -> Sizes:
    """Add up the files of the page, and those that its first view loads."""
    entry = next(key for key, each in manifest.items() if each.get("isEntry"))
    first = {"index.html", "theme.js", *_loaded(manifest, entry)}
    return Sizes(sum(packed.values()), sum(packed[name] for name in first))


def _loaded(manifest: dict[str, Any], key: str) -> Iterator[str]:
    chunk = manifest[key]
    yield chunk["file"]
    yield from chunk.get("css", ())
    for each in chunk.get("imports", ()):
        yield from _loaded(manifest, each)


def _packed(folder: Path) -> dict[str, int]:
    """Compress each text file beside itself; return the compressed sizes by name."""
    sizes = {}
    for file in sorted(each for each in folder.rglob("*") if each.suffix in PACKED_TYPES):
        packed = gzip.compress(file.read_bytes(), 9, mtime=0)
        file.with_name(f"{file.name}.gz").write_bytes(packed)
        sizes[file.relative_to(folder).as_posix()] = len(packed)
    return sizes


def check() -> None:
    """Check the types and run the units of the page."""
    WEB.install()
    _run("tsc")
    _run("vitest", "run", "--reporter=dot", "--no-isolate")


def _run(program: str, *arguments: str) -> None:
    """Run a program of the packages in `web/`."""
    modules = WEB.home / "node_modules"
    scripts = {"tsc": "typescript/bin/tsc", "vite": "vite/bin/vite.js", "vitest": "vitest/vitest.mjs"}
    done = subprocess.run(
        [str(node()), str(modules / scripts[program]), *arguments], cwd=WEB.home, check=False
    )
    if done.returncode:
        raise SystemExit(f"{program} failed in web/; its messages are above")


def main(arguments: list[str]) -> int:
    """Build the page, or only check it."""
    if arguments == ["check"]:
        check()
        return 0
    if arguments:
        raise SystemExit("usage: python -m npm.page [check]")
    try:
        sizes = build()
    except TooLarge as error:
        raise SystemExit(str(error)) from None
    sys.stderr.write(
        f"built the page: {sizes.whole:,} bytes after gzip, {sizes.first_view:,} for the first view\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
