"""Drive a peer on any texts: it stores them with their vectors and answers questions, one line of JSON for each."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path

from bench.peers.driver import Peer


def main() -> None:
    """Answer commands until the input ends; arguments: a module of this package, its class, and a folder."""
    module, name, folder = sys.argv[1:4]
    # A product's own words must not stand between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    driven = import_module(f"bench.peers.{module}")
    peer: Peer = getattr(driven, name)(Path(folder))
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["do"] == "add":
            peer.add(asked["texts"], asked["vectors"])
            found: list[str] = []
        else:
            driven.LIMIT = asked["limit"]  # type: ignore[attr-defined]
            found = peer.search("hybrid", asked["text"], asked["vector"])
        print(json.dumps({"found": found}), file=answers, flush=True)


if __name__ == "__main__":
    main()
