"""Other memory products as arms: each is given the texts with the vectors of the same model, and searched."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import bench
from bench import stores
from bench.agent_arms import DEPTH, Answer, ContextAnswer, asked_for, filled
from bench.agent_sets import Memory, Task
from bench.side_by_side import PeerFailed, installed
from memory_layer.ports import Embedder

MOST_IN_CONTEXT = 50  #: hits that are asked for to fill a context


class Product(NamedTuple):
    """A peer: its package, and the class that drives it."""

    package: str
    module: str
    driver: str
    needs: tuple[str, ...] = ()  #: more packages


PEERS = {
    "py-memori": Product("py-memori==0.7.1", "memori", "Memori"),
    "runtime-memory": Product("runtime-memory==4.0.1", "runtime_memory", "RuntimeMemory"),
    "mcp-memory-service": Product(
        "mcp-memory-service==12.2.0", "mcp_memory_service", "McpMemoryService", ("pysqlite3-binary",)
    ),
}


class PeerArm:
    """A peer's store, filled with the memories and asked in its hybrid way; its scores are not compared."""

    def __init__(
        self, name: str, python: Path, folder: Path, memories: Sequence[Memory], embedder: Embedder
    ) -> None:
        folder.mkdir(parents=True)
        self._embedder = embedder
        self._memories = {memory.content: memory for memory in memories}
        self._log = (folder / "driver.log").open("w", encoding="utf-8")
        product = PEERS[name]
        self._process = subprocess.Popen(
            [str(python), "-m", "bench.peers.exchange", product.module, product.driver, str(folder)],
            env=stores.inherited()
            | {"HOME": str(folder), "PYTHONPATH": str(Path(bench.__file__).parents[1])},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self._add([memory.content for memory in memories])

    def _add(self, texts: Sequence[str]) -> None:
        vectors = [passages.mean(axis=0).tolist() for passages in self._embedder.embed_memories(texts)]
        self._exchange({"do": "add", "texts": texts, "vectors": vectors})

    def search(self, text: str) -> Answer:
        names = tuple(memory.id for memory in self._found(text, DEPTH))
        return Answer(names, names)

    def context(self, task: Task, budget: int) -> ContextAnswer:
        return filled(self._found(asked_for(task), MOST_IN_CONTEXT), budget)

    def close(self) -> None:
        """End the peer's process."""
        with suppress(BrokenPipeError):
            self._process.communicate()
        self._log.close()

    def _found(self, text: str, limit: int) -> list[Memory]:
        if not text:
            return []
        vector = self._embedder.embed_query(text).tolist()
        found = self._exchange({"do": "search", "text": text, "vector": vector, "limit": limit})
        return [self._memories[each] for each in found if each in self._memories]

    def _exchange(self, message: dict[str, object]) -> list[str]:
        assert self._process.stdin
        assert self._process.stdout
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise PeerFailed(f"the driver ended with {self._process.wait()}")
        found: list[str] = json.loads(line)["found"]
        return found


def installations(names: Sequence[str], folder: Path) -> dict[str, Path]:
    """Install peers below a folder unless they are there; return the Python of each that could be had."""
    pythons = {}
    for name in names:
        product = PEERS[name]
        pythons[name] = installed(folder / product.module, product.package, *product.needs)
    for name, python in pythons.items():
        if python is None:
            print(f"{PEERS[name].package} could not be installed and was left out")
    return {name: python for name, python in pythons.items() if python is not None}
