"""One embedder in a process of its own: it loads, answers one question, and then does what it is told, timing itself.

python embedder_process.py ours|onnx|torch FOLDER_OF_THE_MODEL THREADS

Runs in the environments of other products too, so it imports nothing but what it measures.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

MOST_TOKENS = 256
AT_ONCE = {"onnx": 8, "torch": 32}  #: texts in one padded batch; few are faster there, many here


class Embedder(NamedTuple):
    query: Callable[[str], Any]
    bulk: Callable[[Sequence[str]], Any]  #: one vector a text


def ours(folder: Path, threads: int) -> Embedder:
    """The shipped one, as every use case gets it."""
    from memory_layer.settings import load
    from memory_layer.wiring import open_engine

    environ = {"MEM_HOME": str(Path.cwd()), "HOME": str(Path.cwd()), "MEM_MODEL": str(folder)}
    with open_engine(load(environ, cwd=Path.cwd()), "python", trial=True) as engine:
        embedder = engine.embedder()
    assert embedder is not None
    return Embedder(embedder.embed_query, lambda texts: [each[0] for each in embedder.embed_memories(texts)])


def onnx(file: Path, threads: int) -> Embedder:
    """onnxruntime with the reference's tokenizer: batches of similar length, padded to the longest."""
    import numpy as np
    import onnxruntime  # type: ignore[import-not-found]
    from tokenizers import Tokenizer  # type: ignore[import-not-found]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    wanted = {each.name for each in session.get_inputs()}
    tokenizer = Tokenizer.from_file(str(file.with_name("tokenizer.json")))
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.enable_padding()

    def batch(texts: Sequence[str]) -> Any:
        encoded = tokenizer.encode_batch(list(texts))
        ids = np.array([each.ids for each in encoded], np.int64)
        mask = np.array([each.attention_mask for each in encoded], np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = session.run(None, {name: array for name, array in given.items() if name in wanted})[0]
        pooled = (hidden * mask[..., None]).sum(1) if hidden.ndim == 3 else hidden
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def bulk(texts: Sequence[str]) -> Any:
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        found = [None] * len(texts)
        for first in range(0, len(order), AT_ONCE["onnx"]):
            places = order[first : first + AT_ONCE["onnx"]]
            for place, vector in zip(places, batch([texts[place] for place in places]), strict=True):
                found[place] = vector
        return found

    return Embedder(lambda text: batch([text])[0], bulk)


def torch(folder: Path, threads: int) -> Embedder:
    """sentence-transformers over the same weights."""
    import torch as library  # type: ignore[import-not-found]
    from sentence_transformers import SentenceTransformer, models  # type: ignore[import-not-found]

    library.set_num_threads(threads)
    words = models.Transformer(str(folder), max_seq_length=MOST_TOKENS)
    model = SentenceTransformer(modules=[words, models.Pooling(384), models.Normalize()], device="cpu")

    def encode(texts: Any) -> Any:
        return model.encode(texts, batch_size=AT_ONCE["torch"], show_progress_bar=False)

    return Embedder(encode, lambda texts: encode(list(texts)))


def main(kind: str, place: str, threads: str) -> None:
    """Say what starting took, then answer one line of JSON with another."""
    embedder = {"ours": ours, "onnx": onnx, "torch": torch}[kind](Path(place), int(threads))
    embedder.query("how long does the first question take?")
    _say(start_cpu_ms=1000 * time.process_time())
    for line in sys.stdin:
        told = json.loads(line)
        if told["do"] == "vectors":
            _say(vectors=[[float(value) for value in vector] for vector in embedder.bulk(told["texts"])])
            continue
        verb = embedder.query if told["do"] == "query" else embedder.bulk
        costs = [_cost(verb, given) for given in told["given"]]
        peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        _say(
            wall_ms=min(wall for wall, _ in costs),
            cpu_ms=min(cpu for _, cpu in costs),
            peak_mb=peak_kb / 1024,
        )


def _cost(verb: Callable[[Any], object], given: object) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    verb(given)
    return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)


def _say(**told: object) -> None:
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
