"""The built files of the page, read once: what is not among them cannot be asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from memory_layer.model.record import NamedTuple

BUILT = Path(__file__).parent / "built"
INDEX = "/index.html"
ASSETS = "/assets/"  #: files whose names change with their content
PACKED = ".gz"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class PageFile(NamedTuple):
    """A file of the page."""

    content: bytes
    packed: bytes | None  #: compressed by gzip
    media_type: str
    hashed: bool  #: whether its name changes with its content


def built_files(folder: Path = BUILT) -> Mapping[str, PageFile]:
    """Read the files of a folder by their addresses; links are left out, and none is followed."""
    found: dict[str, PageFile] = {}
    for inside, _, names in os.walk(folder, followlinks=False):
        for name in names:
            file = Path(inside, name)
            media_type = TYPES.get(file.suffix)
            if media_type is None or name.startswith(".") or file.is_symlink():
                continue
            address = f"/{file.relative_to(folder).as_posix()}"
            found[address] = PageFile(
                file.read_bytes(), _packed(file), media_type, address.startswith(ASSETS)
            )
    return found


def _packed(file: Path) -> bytes | None:
    packed = file.with_name(file.name + PACKED)
    return packed.read_bytes() if packed.is_file() and not packed.is_symlink() else None
