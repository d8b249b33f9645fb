"""Ask Codex which of our hooks it trusts, and have it trust them: it silently skips every other one.

Codex answers requests in JSON lines (`codex app-server`). It alone computes the hash of a hook that it trusts, and it
alone writes that to its file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from memory_layer import programs
from memory_layer.agents import files, kept
from memory_layer.agents.install import AgentMachine, entries_of, locate
from memory_layer.agents.recipes import BY_NAME
from memory_layer.model.record import NamedTuple

HOOKS, CONFIG = "~/.codex/hooks.json", "~/.codex/config.toml"
BY_HAND = "open Codex, type /hooks, and trust them"
_TRUSTED = ("trusted", "managed")
_NAME = {"name": "memory-layer", "version": "1"}


class CodexUnavailable(Exception):
    """Codex is not there, or does not answer as expected."""


class CodexHook(NamedTuple):
    """A hook of ours as Codex sees it."""

    key: str
    name: str  #: the event, as in our command
    digest: str  #: that Codex computes of it
    is_trusted: bool


class CodexServer:
    """Codex, answering requests."""

    def __init__(self, talk: programs.Talk) -> None:
        self._talk = talk
        self._last = 0

    def ask(self, method: str, params: object) -> Any:
        """Return the result of a request; notifications in between are passed over."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while line := self._talk.readline():
            answer = json.loads(line)
            if isinstance(answer, dict) and answer.get("id") == self._last and "method" not in answer:
                return answer["result"]
        raise CodexUnavailable("it ended without an answer")

    def greet(self) -> None:
        self.ask("initialize", {"clientInfo": _NAME, "capabilities": {"experimentalApi": True}})
        self._send({"method": "initialized"})

    def _send(self, message: dict[str, object]) -> None:
        self._talk.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def untrusted(machine: AgentMachine, seconds: float) -> list[str]:
    """Return the events of ours that Codex does not run because nobody told it to trust their hooks."""
    with _codex(machine, seconds) as codex:
        return [each.name for each in _our_hooks(codex, machine) if not each.is_trusted]


def trust(machine: AgentMachine, seconds: float) -> list[str]:
    """Have Codex trust exactly our hooks; return the events that it trusts now and did not before."""
    path = locate(CONFIG, machine)
    before = files.read_text(path) or ""
    with _codex(machine, seconds) as codex:
        new = [each for each in _our_hooks(codex, machine) if not each.is_trusted]
        if new:
            value = {each.key: {"trusted_hash": each.digest} for each in new}
            edit = {"keyPath": "hooks.state", "value": value, "mergeStrategy": "upsert"}
            codex.ask("config/batchWrite", {"edits": [edit]})
            if any(not each.is_trusted for each in _our_hooks(codex, machine)):
                raise CodexUnavailable("it did not take them")
    kept.follow(path, machine.state, before, files.read_text(path) or "")
    return [each.name for each in new]


@contextmanager
def _codex(machine: AgentMachine, seconds: float) -> Iterator[CodexServer]:
    program = programs.find("codex", machine.variables)
    if program is None:
        raise CodexUnavailable("`codex` is not on your PATH")
    moved = {name: machine.variables[name] for name in ("CODEX_HOME",) if name in machine.variables}
    try:
        with programs.talk([program, "app-server"], machine.variables, seconds, moved) as talk:
            server = CodexServer(talk)
            server.greet()
            yield server
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise CodexUnavailable("`codex app-server` did not answer") from None


def _our_hooks(codex: CodexServer, machine: AgentMachine) -> list[CodexHook]:
    """Return our hooks that Codex found in our file; one that differs in anything is not ours."""
    names = {command: command.rpartition(" ")[2] for command in _commands(machine)}
    file = os.path.realpath(locate(HOOKS, machine))
    folders = codex.ask("hooks/list", {"cwds": [str(machine.home)]})["data"]
    found = [each for folder in folders for each in folder["hooks"]]
    ours = [
        CodexHook(each["key"], names[each["command"]], each["currentHash"], each["trustStatus"] in _TRUSTED)
        for each in found
        if each.get("command") in names and os.path.realpath(each["sourcePath"]) == file
    ]
    if not ours:
        raise CodexUnavailable("it does not see them")
    return ours


def _commands(machine: AgentMachine) -> Sequence[str]:
    entries = entries_of(BY_NAME["codex"], machine, in_project=False, trusted=False)
    values: list[Any] = [each.value for each in entries if each.file == HOOKS]
    return [each["hooks"][0]["command"] for each in values]
