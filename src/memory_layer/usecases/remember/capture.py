"""Extract preferences, corrections, rules and decisions from what people say.

A known memory is confirmed instead of stored again, once for each time it is said: a message older than the memory's
last change does nothing, so the same transcript can be read any number of times.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.capture import Captured, CapturedStatement, Noticed, Said, Transcript
from memory_layer.model.memory import Project, Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.rules.permissions import Action, check_confirmed, is_rule
from memory_layer.rules.reminder import REMINDER, REMINDER_OF_MANY
from memory_layer.text.secrets.redact import redact
from memory_layer.text.statements import READ_CHARACTERS
from memory_layer.usecases.remember.listen import listen

MOST_KEPT = 200  #: by one capture; the rest is left, and it says so
_TOO_MANY = f"{{:,}} more were left: one capture changes at most {MOST_KEPT}; capture again to continue"
_LOOKED_AT = READ_CHARACTERS + 10_000
_CUT = "the transcript is too long; its end was not read"


#: In which list of the answer each result stands; the rest was skipped.
_KINDS = {
    "kept": ("created", "staged", "exists", "merged", "similar"),
    "would_keep": ("would keep", "would stage"),
    "reinforced": ("reinforced", "would reinforce"),
}


def heard(engine: Engine, text: str | None, file: Path | None, whole: bool | None = None) -> Transcript:
    """Read a text or a file: one message, or a whole transcript."""
    if (text is None) == (file is None):
        raise InvalidInput("give either a text or a file to capture from")
    if file is not None:
        from memory_layer.usecases.transfer.import_ import check_stays_inside  # a text needs no import

        check_stays_inside(engine, file)
        return engine.surroundings.read_transcript(file, whole)
    return engine.surroundings.transcript(text or "", whole)


def capture(
    engine: Engine,
    transcript: Transcript,
    writer: Writer,
    project: Project | None = None,
    *,
    overheard: bool = False,
    dry_run: bool = False,
) -> Captured:
    """Keep what is worth keeping of a transcript; no person vouches for what is only `overheard`."""
    if overheard:
        writer = writer._replace(kind=WriterKind.AGENT)
    edit = Edit(writer, engine.new_id("op"), "capture", engine.now())
    found, unsure = _listened(transcript.messages)
    if not dry_run and any(is_rule(each.category, each.priority) for each, _ in found):
        check_confirmed(writer, Action.MAKE_RULE)  # before the first is stored
    results, left = list[CapturedStatement](), 0
    if found:
        from memory_layer.usecases.remember import keep_said  # most prompts say nothing that lasts

        results, left = keep_said.keep(keep_said.Keeping(engine, edit, project, dry_run), found, MOST_KEPT)
    notice = _TOO_MANY.format(left) if left else _CUT if transcript.cut else None
    by = {name: tuple(each for each in results if each.status in words) for name, words in _KINDS.items()}
    changed = not dry_run and bool(by["kept"] or by["reinforced"])
    return Captured(
        operation=edit.operation if changed else None,
        dry_run=dry_run,
        messages=len(transcript.messages),
        **by,
        skipped=len(results) - sum(map(len, by.values())),
        damaged=transcript.damaged,
        notice=notice,
        reminder=None if not unsure else REMINDER if unsure == 1 else REMINDER_OF_MANY.format(unsure),
    )


def _listened(messages: Sequence[Said]) -> tuple[list[tuple[Noticed, datetime | None]], int]:
    """Return the statements of all messages, of repetitions the last, and how many messages may hold more."""
    before, unsure, latest = "", 0, dict[str, tuple[Noticed, datetime | None]]()
    for message in messages:
        text = redact(message.text[:_LOOKED_AT]).text  # before it is cut, for half a secret looks like none
        heard_now = listen(text, before)
        for each in heard_now.noticed:
            latest[each.content.lower()] = (each, message.at)
        unsure += heard_now.reminder is not None
        before = text
    return list(latest.values()), unsure
