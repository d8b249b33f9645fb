"""Lines that are no messages, or only nearly: each is answered or passed over, and none ends the server."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from memory_layer.doors.mcp.stdio import LONGEST_LINE
from tests.doors.agents import HELLO
from tests.doors.ledger import Ledger
from tests.proof import FULL

pytestmark = pytest.mark.prove
SEED = 20261116
JUNK = 500 if FULL else 30
PING = b'{"jsonrpc": "2.0", "id": "last", "method": "ping"}'


def call(number: int, arguments: bytes, name: bytes = b"memory_learn") -> bytes:
    """The line of a call, its arguments written by hand."""
    head = b'{"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": "%s", "arguments": ' % (
        number,
        name,
    )
    return head + arguments + b"}}"


NO_MESSAGES = (
    b"",
    b"\x00\xff\xfe",
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b"NaN",
    b'{"jsonrpc": "2.0"}',
    b'{"jsonrpc": "2.0", "id": {}, "method": "tools/call"}',
    b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": 7, "method": "no/such"}',
    b'{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": 5}}',
    b'{"jsonrpc": "2.0", "method": "notifications/nothing"}',
    b'{"jsonrpc": "2.0", "id": 8, "result": {}}',
    b"[" * 20_000,
    b'{"a":' * 20_000,
    b'{"jsonrpc": "2.0", "id": 9, "method": "' + b"x" * 100_000 + b'"}',
    b"x" * 2_000_000,
)
#: Calls whose JSON is broken, ambiguous, bottomless or as long as it gets.
CALLS = (
    b'{"content": "\\ud800 is half a character"}',
    b'{"content": "\\udfff\\ud800"}',
    b'{"content": "the first says this", "content": "the second says that"}',
    b'{"content": "a limit that is none", "tags": NaN}',
    b'{"content": Infinity}',
    b'{"content": -Infinity}',
    b'{"content": "not \xff UTF-8"}',
    b'{"content": "a NUL \\u0000 inside"}',
    b'{"content": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    b'{"content": ' + b'{"a":' * 300 + b"1" + b"}" * 300 + b"}",
    b'{"content": "' + b"a" * 2_000_000 + b'"}',
    b'{"content": 1e400}',
    b'{"content": ' + b"9" * 5_000 + b"}",
    b'{"tags": "' + b"[" * 100_000 + b'", "content": "wrapped"}',
    b'{"content": "trailing comma",}',
    b"[]",
    b'"text"',
)


class Wire:
    """A server, a line at a time."""

    def __init__(self, server: subprocess.Popen[bytes]) -> None:
        self._server = server

    def send(self, *lines: bytes, end: bytes = b"\n") -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(b"\n".join(lines) + end)
        self._server.stdin.flush()

    def until(self, wanted: object, field: str = "id") -> list[dict[str, Any]]:
        """What was said up to the message with this id, or with something else of its own."""
        assert self._server.stdout is not None
        answers: list[dict[str, Any]] = []
        for line in self._server.stdout:
            answers.append(json.loads(line))
            if answers[-1].get(field) == wanted:
                return answers
        pytest.fail("the server ended before it answered")


@contextmanager
def wire(**capabilities: object) -> Iterator[Wire]:
    command = [sys.executable, "-m", "memory_layer", "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        made = Wire(server)
        hello = HELLO | {"params": HELLO["params"] | {"capabilities": capabilities}}
        made.send(json.dumps(hello).encode(), b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        made.until("hello")
        yield made
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(30) == 0


def test_lines_that_are_no_messages_do_not_end_the_server():
    chance = random.Random(SEED)
    junk = [chance.choice(NO_MESSAGES[:-1]) for _ in range(JUNK)]
    last = b'{"jsonrpc": "2.0", "id": "last", "method": "tools/list"}'
    with wire() as it:
        # Every line that is no JSON is answered, so somebody has to read while the others are written.
        threading.Thread(target=it.send, args=(*NO_MESSAGES, *junk, last)).start()
        assert len(it.until("last")[-1]["result"]["tools"]) == 8


def test_a_call_of_broken_json_is_refused_or_says_what_it_kept(machine, mem):
    with wire() as it:
        it.send(call(0, b"{}", b"memory_stats"))
        it.until(0)
        ledger = Ledger(machine / "home" / "memory.db")
        refused = 0
        for number, arguments in enumerate(CALLS, 1):
            it.send(call(number, arguments))
            answer = it.until(number)[-1]
            if "error" in answer or answer["result"]["isError"]:
                refused += 1
                ledger.refused(arguments)
            else:
                ledger.answered(answer["result"]["structuredContent"], arguments, only_reads=False)
        assert ledger.everything() == list(ledger.acknowledged)
        ledger.close()
    assert (refused, len(ledger.acknowledged)) == (len(CALLS) - 2, 2)  # twice the same name, and no UTF-8
    assert mem("audit", "verify").code == 0


def test_what_cannot_be_read_is_answered_under_its_own_id(machine):
    arguments = b'{"name": "memory_get", "arguments": {"id": "mem_half", "project": "\\ud83d"}}'
    with wire() as it:
        it.send(b'{"jsonrpc": "2.0", "method": "tools/call", "params": ' + arguments + b', "id": 17}')
        told = it.until(17)[-1]["error"]
    assert told["code"] == -32700
    assert told["message"].endswith("Nothing was changed.")


@pytest.mark.parametrize(
    "line", [b"hello", b"{", b"\x00\xff", b"Content-Length: 52\r", b'{"id": 5', b"[" * 500]
)
def test_a_line_that_is_no_json_is_answered_without_an_id(line):
    with wire() as it:
        it.send(b"", line, b"  ", PING)
        told, answer = it.until("last")
    assert (told["id"], told["error"]["code"]) == (None, -32700)
    assert told["error"]["message"].startswith("this line cannot be parsed: ")
    assert answer["result"] == {}


@pytest.mark.parametrize(
    ("start", "number"),
    [(b"x", None), (b'{"jsonrpc": "2.0", "id": 6, "method": "ping", "params": {"a": "', 6)],
)
def test_a_line_without_end_is_refused_before_it_ends_and_the_next_one_counts(start, number):
    with wire() as it:
        it.send(start + b"x" * LONGEST_LINE, end=b"")
        (told,) = it.until(number)
        assert told["error"]["code"] == -32700
        assert (
            told["error"]["message"] == "this line is longer than 8,388,608 characters. Nothing was changed."
        )
        for _ in range(3):
            it.send(b"x" * LONGEST_LINE, end=b"")
        it.send(b'"}}', PING)
        assert len(it.until("last")) == 1


def test_a_message_with_something_far_behind_it_in_its_line_is_no_message(machine):
    learn = call(1, b'{"content": "The build needs Java 21"}') + b" " * LONGEST_LINE
    with wire() as it:
        it.send(learn + b"!", PING)
        assert [each.get("error", {}).get("code") for each in it.until("last")] == [-32700, None]
    assert not (machine / "home" / "memory.db").exists()


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": []}',
        b'{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": "all"}',
        b'{"jsonrpc": "1.0", "id": 5, "method": "ping"}',
        b'{"id": 5, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 5, "method": null}',
        b'{"jsonrpc": "2.0", "id": 5, "method": {"id": 6, "method": "ping"}}',
    ],
)
def test_json_that_is_no_message_is_answered_under_its_id(line):
    with wire() as it:
        it.send(line)
        assert it.until(5)[-1]["error"]["code"] == -32600


def test_of_several_requests_in_one_line_none_waits_in_vain():
    several = b'[{"jsonrpc": "2.0", "id": 5, "method": "ping"}, {"method": "m"}, {"id": "b", "method": "m"}]'
    with wire() as it:
        it.send(b'[1, null, {"id": 4}]', several)
        told = it.until("b")
        assert [(each["id"], each["error"]["code"]) for each in told] == [(5, -32600), ("b", -32600)]


def test_a_person_whose_answer_cannot_be_read_has_not_decided(with_model):
    texts = (b"The deploy script must run with Python 3.12", b"The deploy script has to run with Python 3.12")
    with wire(elicitation={}) as it:
        it.send(call(101, b'{"content": "%s"}' % texts[0]))
        it.until(101)
        it.send(call(102, b'{"content": "%s"}' % texts[1]))
        question = it.until("elicitation/create", "method")[-1]
        answer = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "perhaps"}}
        it.send(json.dumps(answer).encode())
        assert it.until(102)[-1]["result"]["structuredContent"]["status"] == "similar"


def piped(*lines: bytes) -> subprocess.Popen[bytes]:
    """A server whose input is written at once and closed."""
    server = subprocess.Popen(
        [sys.executable, "-m", "memory_layer", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin is not None
    server.stdin.write(b"\n".join([json.dumps(HELLO).encode(), *lines]) + b"\n")
    server.stdin.close()
    return server


LEARNED = [call(number, b'{"content": "Fact number %d of a pipe"}' % number) for number in range(8)]


def test_who_closes_the_input_still_gets_every_answer(mem):
    with piped(*LEARNED) as server:
        assert server.stdout is not None
        answers = [json.loads(line) for line in server.stdout]

    assert server.returncode == 0
    assert {answer["id"] for answer in answers} == {"hello", *range(len(LEARNED))}
    ids = {answer["result"]["structuredContent"]["id"] for answer in answers if answer["id"] != "hello"}
    assert {item["id"] for item in mem("list", "--json").data["items"]} == ids


def test_a_client_that_is_gone_is_no_mishap(machine, mem):
    with piped(*LEARNED) as server:
        assert server.stdout is not None
        server.stdout.readline()
        server.stdout.close()

    assert server.returncode == 0
    assert not [*machine.rglob("mem.log")]
    assert mem("audit", "verify").code == 0


def test_nobody_waits_at_the_end_for_a_question_that_nobody_will_answer(with_model):
    texts = (b"The deploy script must run with Python 3.12", b"The deploy script has to run with Python 3.12")
    with wire(elicitation={}) as it:  # which ends its server by closing the input
        it.send(call(101, b'{"content": "%s"}' % texts[0]))
        it.until(101)
        it.send(call(102, b'{"content": "%s"}' % texts[1]))
        it.until("elicitation/create", "method")
