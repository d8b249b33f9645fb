"""Run one hook: read an event, answer it in time, and never disturb the agent.

Whatever goes wrong, the exit code is 0 and nothing but a valid answer is printed: some agents swallow a prompt or deny
a tool on any other code, and show the model whatever stands on standard output. What went wrong is in the log.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from errno import ETIMEDOUT
from functools import partial
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

from memory_layer.doors.hook.agents import BY_NAME, EventKind, kind_of
from memory_layer.doors.hook.event import MOST_FILES, HookEvent, read_event, step_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory_layer.settings import Settings
    from memory_layer.usecases.learn.journal import Journal

LARGEST_EVENT = 16 * 1024 * 1024  #: bytes; a larger one is not read
SECONDS = 4.0  #: after which the agent gets no answer
LOG_SECONDS = 0.3  #: to log that
BUSY_SECONDS = 0.5  #: for which a locked store is waited for
PROMPT_BUSY_SECONDS = 2.5  #: the same where something that a person said may have to be stored
LONGEST = 20_000  #: characters of a prompt, command or error that are looked at
LEARN = "learn"  #: in the place of an agent: learn from the sessions that have ended
_AFTERWARDS: list[Callable[[], object]] = []  #: to be started once the answer is out


def run(agent: str, event: str) -> None:
    """Answer the event on standard input, and end the process."""
    if agent == LEARN:
        _learn()
        os._exit(0)
    watchdog = Timer(SECONDS, _give_up, (agent, event))
    watchdog.daemon = True
    watchdog.start()
    text = answer_or_silence(agent, event, lambda: sys.stdin.buffer.read(LARGEST_EVENT + 1))
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):  # closed, full, or never there
        pass
    while _AFTERWARDS:
        _AFTERWARDS.pop()()
    watchdog.cancel()
    os._exit(0)


def _give_up(agent: str, event: str) -> None:
    """End the process without an answer, even if nothing can be logged either."""
    Timer(LOG_SECONDS, os._exit, (0,)).start()
    _log(TimeoutError(ETIMEDOUT, f"no answer within {SECONDS:g} seconds"), agent, event)
    os._exit(0)


def _learn() -> None:
    """Learn from the sessions that have ended, with nobody waiting."""
    from memory_layer.settings import load, variables
    from memory_layer.usecases.learn import journal

    environ = variables()
    settings = load(environ, cwd=Path.cwd())
    for each in journal.taken(settings.state_folder, datetime.now(UTC)):
        try:
            _learn_from(each, environ)
            journal.remove(each)
        except BaseException as failure:  # noqa: BLE001  the others may do better, and this one is tried again
            _log(failure, each.agent, EventKind.END)


def _learn_from(session: Journal, environ: Mapping[str, str]) -> None:
    from memory_layer.settings import load
    from memory_layer.verbs.call import Caller, Dispatcher
    from memory_layer.verbs.learn import LEARN_FROM_SESSION
    from memory_layer.wiring import open_engine

    here = Path(session.folder)
    if not here.is_dir():
        return
    settings = load(environ, cwd=here)
    caller = Caller("hook", here, session.agent, session.session)
    with open_engine(settings, "hook", own=(here,)) as engine:
        Dispatcher(engine, caller).run(LEARN_FROM_SESSION, {"file": session.path})


def answer_or_silence(agent: str, event: str, read: Callable[[], bytes]) -> str:
    """Return the answer to an event; empty, and an entry in the log, if anything goes wrong."""
    try:
        return answer_to(agent, event, read())
    except BaseException as failure:  # noqa: BLE001  nothing may reach the agent
        _log(failure, agent, event)
        return ""


def answer_to(agent: str, event: str, raw: bytes) -> str:
    """Return the answer to an event in the agent's own form; empty for most."""
    from memory_layer.settings import load, variables

    environ = variables()
    if environ.get("MEM_OFF", "0") != "0" or len(raw) > LARGEST_EVENT:
        return ""
    found = read_event(agent, event, raw, environ)
    if found is None or found.is_idle:
        return ""
    here = Path(found.folder) if found.folder and os.path.isdir(found.folder) else Path.cwd()
    settings = load(environ, cwd=here)
    if _is_private(found, here, settings):
        return ""
    if found.kind is EventKind.STATUS_LINE:
        return _status_line(found, here, settings._replace(busy_timeout_seconds=BUSY_SECONDS))
    found = _cleaned(found)
    if settings.hooks_learn and found.session:
        with suppress(OSError, ValueError):  # the answer does not depend on it
            _keep_step(found, here, settings)
    seconds = PROMPT_BUSY_SECONDS if found.kind is EventKind.PROMPT else BUSY_SECONDS
    settings = settings._replace(busy_timeout_seconds=seconds)
    if found.kind is EventKind.END:
        _end(settings)
    text = "" if found.is_silent else _text(found, here, settings)
    return found.agent.write(found.name, text) if text else ""


def _keep_step(event: HookEvent, here: Path, settings: Settings) -> None:
    """Add what an event tells to the journal of its session; have sessions learned from that have ended."""
    from memory_layer.usecases.learn import journal

    now, session = datetime.now(UTC), event.session or ""
    if step := step_of(event, now):
        journal.append(settings.state_folder, session, event.agent.name, str(here), step)
    if event.kind is EventKind.END:
        journal.end(settings.state_folder, session)
    if event.kind in (EventKind.START, EventKind.END) and journal.is_any_ended(settings.state_folder, now):
        from memory_layer.wiring import start_learning

        _AFTERWARDS.append(partial(start_learning, settings))


def _cleaned(event: HookEvent) -> HookEvent:
    """Redact what is long enough to be cut, before it is cut."""
    from memory_layer.usecases.who.privacy import cleaned

    return event._replace(
        prompt=cleaned(event.prompt, LONGEST),
        command=cleaned(event.command, LONGEST),
        output=cleaned(event.output, LONGEST, from_end=True),
        said=cleaned(event.said, LONGEST),
        files=event.files[:MOST_FILES],
    )


def _is_private(event: HookEvent, here: Path, settings: Settings) -> bool:
    """Are the hooks paused, or told to ignore the folder, a file or a path in the command of the event?"""
    if os.path.lexists(settings.state_folder / "paused"):
        from memory_layer.usecases.who.privacy import is_paused

        if is_paused(settings.state_folder, datetime.now(UTC)):
            return True
    if not settings.hooks_ignore:
        return False
    from memory_layer.usecases.who.privacy import is_ignored, named_paths

    home = os.path.expanduser("~")
    files = [*event.files, *named_paths(event.command, home)]
    return is_ignored(settings.hooks_ignore, str(here), files, home)


def _end(settings: Settings) -> None:
    """Have the store tidied if it is due: nobody waits for an answer at the end of a session."""
    if not settings.upkeep_auto or not settings.database_path.exists():
        return
    from memory_layer.wiring import claim_upkeep, open_engine, start_upkeep

    with open_engine(settings, "hook") as engine:
        if claim_upkeep(engine, after_reading=True):
            _AFTERWARDS.append(partial(start_upkeep, settings))


def _status_line(event: HookEvent, here: Path, settings: Settings) -> str:
    """Return the line for the person; it never makes a store."""
    if not settings.database_path.exists():
        return ""
    from memory_layer.doors.hook.status_line import status_line
    from memory_layer.verbs.call import Caller, Dispatcher
    from memory_layer.wiring import open_engine

    with open_engine(settings, "hook", own=(here,)) as engine:
        return status_line(Dispatcher(engine, Caller("hook", here, event.agent.name, event.session)))


def _text(event: HookEvent, here: Path, settings: Settings) -> str:
    from memory_layer.doors.hook.answer import answer
    from memory_layer.model.context import Way
    from memory_layer.verbs.call import Caller, Dispatcher
    from memory_layer.wiring import claim_upkeep, open_engine, start_upkeep

    way = Way.TOOLS if event.agent.has_tools else Way.SHELL
    caller = Caller("hook", here, event.agent.name, event.session, way=way)
    with open_engine(settings, "hook", own=(here,)) as engine:
        text = answer(event, Dispatcher(engine, caller))
        if claim_upkeep(engine):
            _AFTERWARDS.append(partial(start_upkeep, settings))
        return text


def _log(failure: BaseException, agent: str, event: str) -> None:
    """Log a failure under the known names of agent and event; others could be anything."""
    kind = kind_of(event)
    what = f"{agent if agent in BY_NAME else 'unknown-agent'} {kind.value if kind else 'unknown-event'}"
    try:
        from memory_layer.settings import places
        from memory_layer.usecases.upkeep.error_log import keep_hook_failure

        keep_hook_failure(places().log_folder, failure, datetime.now(UTC), what)
    except BaseException:  # noqa: BLE001  the log must not fail louder than what it is about
        pass
