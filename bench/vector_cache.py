"""Vectors that were worked out once, kept outside the project: embedding a large corpus takes most of an hour.

One file per fingerprint holds `vector(hash, rows, numbers)`: the SHA-256 of the kind ("memory" or "query"), a zero byte
and the text; the number of passages; and their numbers as little-endian float32.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench import stores
from memory_layer.ports import Embedder
from memory_layer.wiring import open_engine

if TYPE_CHECKING:
    from memory_layer.ports import PassageVectors, Vector

_SCHEMA = (
    "create table if not exists vector"
    " (hash blob primary key, rows integer not null, numbers blob not null) without rowid"
)


class CachedEmbedder:
    """The model, asked only for what is not in the cache yet."""

    def __init__(self, model: Embedder, folder: Path) -> None:
        self.fingerprint = model.fingerprint
        self.computed = 0  #: texts that the model had to be asked for
        self._model = model
        self._file = folder / (re.sub(r"[:/\\]", "-", model.fingerprint) + ".db")
        self._known: dict[bytes, PassageVectors] = {}
        self._open: sqlite3.Connection | None = None

    def knows(self, word: str) -> bool:
        return self._model.knows(word)

    def embed_query(self, text: str) -> Vector:
        key = _key("query", text)
        if not self._look_up([key]):
            self._keep({key: self._model.embed_query(text)[None, :]})
        vector: Vector = self._known[key][0]
        return vector

    def embed_memories(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[PassageVectors]:
        keys = [_key("memory", text) for text in texts]
        known = self._look_up(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            made = self._model.embed_memories(list(missing.values()), progress)
            self._keep(dict(zip(missing, made, strict=True)))
        return [self._known[key] for key in keys]

    def _look_up(self, keys: Iterable[bytes]) -> set[bytes]:
        """Read what is on disk but not in memory yet; those of the keys that are known now."""
        keys = set(keys)
        wanted = [key for key in keys if key not in self._known]
        if wanted and (db := self._reading()):
            for key in wanted:
                if found := db.execute("select rows, numbers from vector where hash = ?", [key]).fetchone():
                    self._known[key] = np.frombuffer(found[1], dtype="<f4").reshape(found[0], -1)
        return keys & self._known.keys()

    def _reading(self) -> sqlite3.Connection | None:
        """Opened once: thousands of texts are looked up one at a time."""
        if self._open is None and self._file.exists():
            self._open = sqlite3.connect(f"{self._file.absolute().as_uri()}?mode=ro", uri=True)
        return self._open

    def _keep(self, made: Mapping[bytes, PassageVectors]) -> None:
        self.computed += len(made)
        self._known |= made
        self._file.parent.mkdir(parents=True, exist_ok=True)
        rows = [
            (key, len(vectors), np.asarray(vectors, dtype="<f4").tobytes()) for key, vectors in made.items()
        ]
        with closing(sqlite3.connect(self._file, timeout=60)) as db, db:
            db.execute(_SCHEMA)
            db.executemany("insert or replace into vector values (?, ?, ?)", rows)


def installed(scratch: Path, cache: Path | None) -> CachedEmbedder | None:
    """The installed model behind the cache; by default that lies beside the model, in the platform's folder."""
    model = stores.installed_model()
    environ = stores.environment(scratch / "model", model)
    with open_engine(stores.settings_of(environ, scratch), "python") as engine:
        found = engine.embedder()
    return None if found is None else CachedEmbedder(found, cache or model.parent / "bench-vectors")


def _key(kind: str, text: str) -> bytes:
    return hashlib.sha256(f"{kind}\0{text}".encode()).digest()


def real_vectors(file: Path) -> PassageVectors:
    """The first passage of everything in a cache, in the order of the hashes."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
        found = [
            np.frombuffer(row[0], dtype="<f4")
            for row in db.execute("select numbers from vector order by hash")
        ]
    width = min(map(len, found))
    return np.stack([numbers[:width] for numbers in found])
