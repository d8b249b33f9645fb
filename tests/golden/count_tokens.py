"""Counts the texts of `tokens.json` with the real tokenizers again: `python -m tests.golden.count_tokens`."""

from __future__ import annotations

import json
from pathlib import Path

from bench.tokenizers import counts, versions

FILE = Path(__file__).with_name("tokens.json")


def main() -> None:
    """Write down what the tokenizers make of each text."""
    texts = [(each["class"], each["text"]) for each in json.loads(FILE.read_text(encoding="utf-8"))["texts"]]
    counted = [
        {"class": name, "tokens": found, "text": text}
        for (name, text), found in zip(texts, counts([text for _, text in texts]), strict=True)
    ]
    known = {"counted_by": versions(), "texts": counted}
    FILE.write_text(json.dumps(known, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
