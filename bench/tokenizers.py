"""Real tokenizers to compare with: npm packages that bring their vocabulary, as npm/tokenizers pins them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from npm.packages import node, packages

SCRIPT = Path(__file__).with_name("count_tokens.cjs")
#: What is compared with, and beside it an older vocabulary and the only one Anthropic published (of Claude 2).
REFERENCE = "o200k_base"
NAMES = (REFERENCE, "cl100k_base", "claude_legacy")


def counts(texts: Sequence[str]) -> list[dict[str, int]]:
    """The number of tokens of each text by every tokenizer's name; fetches the tokenizers if need be."""
    tokenizers = packages("tokenizers")
    tokenizers.install()
    answered = subprocess.run(
        [str(node()), str(SCRIPT)],
        input="\n".join(json.dumps(text) for text in texts) + "\n",
        env=os.environ | {"NODE_PATH": str(tokenizers.home / "node_modules")},
        check=True,
        capture_output=True,
        text=True,
    )
    return [json.loads(line) for line in answered.stdout.splitlines()]


def versions() -> list[str]:
    """Return the tokenizers with their versions."""
    return [f"{name} {version}" for name, version in packages("tokenizers").versions().items()]
