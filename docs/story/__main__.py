"""Write the story into a folder, and say how to look at it."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.story.seed import seed
from memory_layer.settings import load


def main(arguments: list[str]) -> int:
    """Seed a store in a folder that is empty or missing."""
    if len(arguments) != 1:
        raise SystemExit("usage: python -m docs.story FOLDER")
    folder = Path(arguments[0]).resolve()
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty")
    model = load().model_folder
    places = seed(folder, model)
    variables = f"MEM_HOME={places.home} MEM_MODEL={model} HOME={places.person}"
    sys.stdout.write(f"cd {places.root} && {variables} mem serve\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
