"""Extract what a person typed from a message or the transcript of a whole conversation.

Supported are the JSON lines of Claude Code, generic ones of {"role": …, "content": …}, and text with speaker names.
Of Claude Code's user lines only those that a person typed are read: no tool results, no lines of the program itself, no
sub-agents, no wrapped commands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.capture import Said, Transcript
from memory_layer.surroundings import careful_read

_PEOPLE = "user|human|you|me"
_OTHERS = "assistant|ai|claude|chatgpt|copilot|gemini"
#: "User:", "**Assistant:**", "## Human", or the mark that a terminal puts before an answer.
_SPEAKER = re.compile(
    rf"^[ ]{{0,3}}(?:(?:\*\*|__)?(?P<name>{_PEOPLE}|{_OTHERS})(?:\*\*|__)?:(?:\*\*|__)?(?:[ \t]+|$)"
    rf"|\#{{1,4}}[ ](?P<heading>{_PEOPLE}|{_OTHERS}):?[ \t]*$|(?P<mark>[⏺●])[ ]|(?P<prompt>>)[ ])",
    re.IGNORECASE | re.MULTILINE,
)
_MINE = frozenset(_PEOPLE.split("|"))
LARGEST = 64 * 1024 * 1024  #: bytes of a file
LONGEST_LINE = 4 * 1024 * 1024  #: characters; a longer one is a picture or a dump
MOST_MESSAGES = 20_000
_PROGRAM = ("toolUseResult", "isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly")
_WRAPPED = (
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-",
    "<bash-",
    "<task-notification>",
    "Caveat: The messages below were generated",
    "[Request interrupted",
    "This session is being continued from a previous conversation",
)
#: Text that programs insert into a message that a person typed.
_INJECTED = re.compile(
    r"<(system-reminder|ide_[a-z_]{1,40}|user-prompt-submit-hook)>.*?(?:</\1>|\Z)", re.DOTALL
)


def typed(text: str) -> tuple[str, ...] | None:
    """Return the turns of people in a conversation; None if the text is not a conversation."""
    found = list(_SPEAKER.finditer(text))
    names = {name.lower() for each in found if (name := each["name"] or each["heading"])}
    in_terminal = any(each["mark"] for each in found)
    if not (names & _MINE or "assistant" in names or in_terminal):
        return None
    # `>` begins a turn only where answers are marked; elsewhere it is a quotation.
    turns = [each for each in found if each["name"] or each["heading"] or in_terminal]
    ends = [*(each.start() for each in turns[1:]), len(text)]
    texts = [text[: turns[0].start()]]
    texts += [text[each.end() : end] for each, end in zip(turns, ends, strict=True) if _is_mine(each)]
    return tuple(stripped for each in texts if (stripped := each.strip()))


def _is_mine(turn: re.Match[str]) -> bool:
    name = turn["name"] or turn["heading"]
    return name.lower() in _MINE if name else bool(turn["prompt"])


def read(path: Path, whole: bool | None = None) -> Transcript:
    """Read the messages of a file; those without a time of their own get the time it was last written."""
    content = careful_read.regular(path, LARGEST)
    if content is None:
        raise InvalidInput(f"{path} is not a readable file, or has more than {LARGEST:,} bytes")
    try:
        text = content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not valid UTF-8 (byte {error.start + 1})") from None
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    found = parsed(text, whole)
    # Nothing in a file can be newer than the file, whatever its timestamps say.
    messages = (each._replace(at=min(each.at or written, written)) for each in found.messages)
    return found._replace(messages=tuple(messages))


def parsed(text: str, whole: bool | None = None) -> Transcript:
    """Parse messages: a transcript if `whole`, one message if not, detected if None."""
    if whole is None:
        whole = _is_transcript(text)
        turns = None if whole else typed(text)
        if turns is not None:
            return Transcript(tuple(map(Said, turns[:MOST_MESSAGES])), cut=len(turns) > MOST_MESSAGES)
    if not whole:
        return Transcript((Said(storable(text)),) if text.strip() else ())
    messages, damaged, lines = list[Said](), 0, 0
    for line in filter(str.strip, text.split("\n")):
        lines += 1
        entry = _entry(line)
        if entry is None:
            damaged += 1
            continue
        messages.extend(typed_in(entry))
        if len(messages) >= MOST_MESSAGES:
            return Transcript(tuple(messages[:MOST_MESSAGES]), damaged, cut=True)
    if lines and damaged == lines:
        raise InvalidInput("this is not a transcript: none of its lines is a JSON object")
    return Transcript(tuple(messages), damaged)


def _is_transcript(text: str) -> bool:
    """Return whether the first line is an entry of a transcript."""
    first = next((line for line in text.split("\n", 20)[:20] if line.strip()), "")
    entry = _entry(first) if first.lstrip().startswith("{") else None
    return entry is not None and bool(entry.keys() & {"role", "message", "sessionId", "leafUuid"})


def _entry(line: str) -> Mapping[str, object] | None:
    """Parse a line of a transcript; None if it is not a JSON object."""
    if len(line) > LONGEST_LINE:
        return None
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def typed_in(entry: Mapping[str, object]) -> Iterator[Said]:
    """Yield the messages of an entry that a person typed."""
    message = entry.get("message", entry)
    if not isinstance(message, dict) or message.get("role") not in ("user", "human"):
        return
    if entry.get("type", "user") not in ("user", "human", "message") or any(map(entry.get, _PROGRAM)):
        return
    for text in _texts(message.get("content")):
        typed_text = _INJECTED.sub("", storable(text)).strip()
        if typed_text and not typed_text.startswith(_WRAPPED):
            yield Said(typed_text, moment(entry.get("timestamp")))


def storable(text: str) -> str:
    """Replace what cannot be stored, so that one odd character does not cost the whole transcript."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and block.get("type") in ("text", "input_text"):
                text = block.get("text")
                if isinstance(text, str):
                    yield text


def moment(value: object) -> datetime | None:
    """Parse the time of an entry; None if it has none."""
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # the first and last hours of the calendar have no equivalent in UTC
        return None
