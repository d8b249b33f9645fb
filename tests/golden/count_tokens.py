"""Counts the texts of `tokens.json` with the real tokenizers again: `python -m tests.golden.count_tokens FOLDER`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bench.tokenizers import PACKAGES, installed

FILE = Path(__file__).with_name("tokens.json")


def main(tools: Path) -> None:
    """Write down what the tokenizers make of each text."""
    texts = [(each["class"], each["text"]) for each in json.loads(FILE.read_text(encoding="utf-8"))["texts"]]
    counts = installed(tools).counts([text for _, text in texts])
    counted = [
        {"class": name, "tokens": found, "text": text}
        for (name, text), found in zip(texts, counts, strict=True)
    ]
    by = [f"{package.name} {package.version}" for package in PACKAGES]
    known = {"counted_by": by, "texts": counted}
    FILE.write_text(json.dumps(known, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
