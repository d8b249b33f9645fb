"""Determine who is calling: a person or an agent, under which name, in which session."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from memory_layer.errors import InvalidInput
from memory_layer.model.agents import AGENT_NAMES, TERMINAL_PREFIX
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.passkeys import Means
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason, Status, WriterKind
from memory_layer.rules.permissions import (
    Action,
    Permission,
    approval_of,
    check_confirmed,
    is_rule,
    is_unconfirmed,
)

AGENT_PREFIX = "agent:"
NOBODY = "agent"  #: the name of a caller about whom nothing is known
LONGEST_NAME = 64
LONGEST_SESSION = 200


#: Letters and digits that nobody takes for one another.
ALPHABET = "ACDEFGHJKMNPQRTUVWXY34679"
CODE_LENGTH = 5
#: Random bytes for one code; bytes that would favour some letters are skipped.
RANDOM_BYTES = 32
HOLDS = timedelta(minutes=15)


class CallerClues(NamedTuple):
    """Everything known about a call before its writer is determined."""

    door: str  #: cli, python, mcp, rest, hook
    stdin_is_terminal: bool = False  #: one that controls the process, and listens to it
    confirmed: bool = False  #: a code was typed at that terminal lately
    means: Means | None = None  #: how the door recognised a person who is at no terminal
    agent: str | None = (
        None  #: the known agent whose variables are present, or whose process is above this one
    )
    login: str | None = None  #: the account's name
    as_name: str | None = None  #: `--as`, or the name an MCP client gives
    env_name: str | None = None  #: `MEM_WRITER`
    session: str | None = None  #: `--session`
    env_session: str | None = None  #: `MEM_SESSION`
    agent_session: str | None = None  #: the agent's own variable or argument
    terminal_session: str | None = None


def writer_of(caller: CallerClues, *, project: str | None, now: datetime) -> Writer:
    """Determine the writer; a name can turn a person into an agent, never an agent into a person."""
    chosen = _checked("writer", LONGEST_NAME, caller.as_name, caller.env_name)
    recognised = caller.means is not None or _is_at_the_keys(caller)
    person = recognised and not (chosen and _names_an_agent(chosen))
    name = _bare(chosen) if chosen else _name_without_asking(caller, person=person)
    session = session_of(
        explicit=caller.session,
        env=caller.env_session,
        agent_session=caller.agent_session,
        terminal_session=caller.terminal_session,
        writer=name,
        project=project,
        now=now,
    )
    kind = WriterKind.PERSON if person else WriterKind.AGENT
    means = caller.means or (Means.CODE if caller.confirmed else None)
    if not person or means is None:
        return Writer(name, kind, caller.door, session)
    return Writer(name, kind, caller.door, session, confirmed=True, means=means)


def session_of(
    *,
    explicit: str | None,
    env: str | None,
    agent_session: str | None,
    terminal_session: str | None,
    writer: str,
    project: str | None,
    now: datetime,
) -> str:
    """Name the session; by default it is the writer's current hour in the project."""
    named = _checked("session", LONGEST_SESSION, explicit, env, agent_session)
    hour = now.astimezone(UTC).strftime("%Y-%m-%dT%H")
    return named or terminal_session or f"{writer} {project or 'global'} {hour}"


def is_of_shell(session: str) -> bool:
    """Is this the name of a session of commands in a shell, with no known agent around them?"""
    return session.startswith((TERMINAL_PREFIX, f"{NOBODY} "))


def usable_name(name: str) -> str | None:
    """Return the printable part of a name: no program is rejected for what it calls itself."""
    printable = "".join(letter for letter in name if letter.isprintable())
    return printable.strip()[:LONGEST_NAME].strip() or None


def _is_at_the_keys(caller: CallerClues) -> bool:
    return caller.door == "cli" and caller.stdin_is_terminal and caller.agent is None


def _names_an_agent(name: str) -> bool:
    folded = name.casefold()
    return folded.startswith(AGENT_PREFIX) or folded in AGENT_NAMES


def _bare(name: str) -> str:
    if name.casefold().startswith(AGENT_PREFIX):
        return name[len(AGENT_PREFIX) :].strip() or NOBODY
    return name


def _name_without_asking(caller: CallerClues, *, person: bool) -> str:
    if not person:
        return caller.agent or NOBODY
    # The account's name was not given for this purpose, so one that cannot serve is passed over.
    login = caller.login or ""
    return login if login.isprintable() and 0 < len(login) <= LONGEST_NAME else "person"


def _checked(what: str, longest: int, *texts: str | None) -> str | None:
    """Return the first non-empty text; refuse one that is not a valid name."""
    name = next((text.strip() for text in texts if text and text.strip()), None)
    if name and (len(name) > longest or not name.isprintable()):
        raise InvalidInput(f"the {what} {name[:40]!r} must be 1 to {longest} printable characters")
    return name


def vet(writer: Writer, before: Callable[[], Memory | None], after: Memory) -> None:
    """Refuse an unconfirmed person's change that needs a code; called before every write of a memory."""
    if is_unconfirmed(writer) and (action := strengthens(before(), after)):
        check_confirmed(writer, action)


def strengthens(before: Memory | None, after: Memory) -> Permission | None:
    """Return the permission a change needs beyond a keystroke: erasure, approval, or a rule taking effect."""
    if after.reason is Reason.FORGOTTEN:
        return Action.FORGET if before and before.reason is not Reason.FORGOTTEN else None
    if after.approved_by is not None and (before is None or approval_of(before) != approval_of(after)):
        return Action.APPROVE
    if _rules(after) and not (before and _rules(before) and _substance(before) == _substance(after)):
        return Action.MAKE_RULE
    return None


def holds(confirmed_at: datetime, now: datetime) -> bool:
    """Is a confirmation still valid? One from the future is forged, or the clock was set back."""
    return timedelta(0) <= now - confirmed_at < HOLDS


def code_from(chance: bytes) -> str:
    """Return an unpredictable code in which every letter is equally likely."""
    fair = len(ALPHABET) * (256 // len(ALPHABET))
    letters = [ALPHABET[byte % len(ALPHABET)] for byte in chance if byte < fair]
    return "".join(letters[:CODE_LENGTH])


def is_code(typed: str, code: str) -> bool:
    """Was the code typed, in either case?"""
    return len(code) == CODE_LENGTH and typed.strip().upper() == code


def _rules(memory: Memory) -> bool:
    """Does a memory bind agents now, or as soon as it is written?"""
    counts = memory.status is Status.ACTIVE or memory.reason is Reason.WRITING
    return counts and is_rule(memory.category, memory.priority)


def _substance(memory: Memory) -> tuple[object, ...]:
    return memory.content, memory.project, memory.scope
