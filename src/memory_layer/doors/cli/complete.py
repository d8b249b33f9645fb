"""Suggestions for the completion of a command line by the shell."""

from __future__ import annotations

from click.shell_completion import CompletionItem

OFFERED = 50
LONGEST_HELP = 60


def newest_ids(incomplete: str, words: tuple[str, ...] = ()) -> list[CompletionItem]:
    """Suggest matching words, or the short ids of the newest memories with their texts."""
    fitting = [CompletionItem(word) for word in words if incomplete and word.startswith(incomplete)]
    return fitting or _ids(incomplete)


def _ids(incomplete: str) -> list[CompletionItem]:
    try:
        return [
            CompletionItem(short, help=text[:LONGEST_HELP])
            for short, text in _newest()
            if short.startswith(incomplete) or short.removeprefix("mem_").startswith(incomplete)
        ]
    except Exception:  # noqa: BLE001  a shell that waits for suggestions must never see a failure
        return []


def _newest() -> list[tuple[str, str]]:
    from pathlib import Path

    from memory_layer import settings
    from memory_layer.doors.cli import render
    from memory_layer.verbs.call import Caller, Dispatcher, Target
    from memory_layer.verbs.look_up import LIST
    from memory_layer.wiring import open_engine

    loaded = settings.load()
    if not loaded.database_path.exists():  # looking must not create a store
        return []
    with open_engine(loaded, "cli") as engine:
        everything = Dispatcher(engine, Caller("cli", Path.cwd()), Target(everything=True))
        memories = everything.run(LIST, {"limit": OFFERED}).items
    short = render.short_ids([memory.id for memory in memories])
    return [(short[memory.id], render.one_line(memory.content)) for memory in memories]
