"""What a client asks first is answered before the SDK is loaded, and exactly as the server on the SDK answers it."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import anyio
import pytest
from mcp.server.stdio import stdio_server
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.mcp.opening import LONGEST, Opening
from memory_layer.doors.mcp.sdk.server import server
from memory_layer.doors.mcp.sdk.streams import Answers, Due, RequestStream
from memory_layer.doors.mcp.serving import Offer, Serving
from memory_layer.doors.mcp.static_answers import HANDSHAKE_VERSIONS, LISTS, MODERN_VERSION
from memory_layer.doors.mcp.tools import CORE
from memory_layer.settings import load
from tests.proof import counted

SEED = 20261118
VARIATIONS = counted(150, 3_000)
CLIENT = {"name": "some-editor", "version": "1"}
RESERVED = "io.modelcontextprotocol/"
ENVELOPE = {
    f"{RESERVED}protocolVersion": MODERN_VERSION,
    f"{RESERVED}clientInfo": CLIENT,
    f"{RESERVED}clientCapabilities": {},
}
INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
#: Values in place of others, names and contents of capabilities: what may be well-formed in one place only.
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.0, 0.5, 1e300, 10**30, "", "x", "2.0", "é", "\u2028", "\x7f", "\ud800"),
    *([], [1], {}, {"listChanged": True}, {"listChanged": 1}, {"listChanged": "yes"}, {"listChanged": None}),
    *({"form": {}}, {"form": None}, {"form": True}, {"a": {"b": {"c": {}}}}, {"a": [1, None, 0.5]}),
    *(CLIENT, ENVELOPE, {"_meta": ENVELOPE}, {"_meta": None}, {"cursor": None}, {"cursor": "x"}),
    *(CLIENT | {"icons": []}, CLIENT | {"icons": [{"src": "x"}]}, CLIENT | {"title": None}, float("nan")),
)
NAMES = (
    *("jsonrpc", "id", "method", "params", "_meta", "cursor", "progressToken", "progress_token", "result"),
    *("error", "capabilities", "clientInfo", "client_info", "protocolVersion", "protocol_version", "name"),
    *("version", "title", "icons", "websiteUrl", "description", "roots", "sampling", "elicitation", "tasks"),
    *("experimental", "extensions", "logging", "x", *ENVELOPE, f"{RESERVED}logLevel", f"{RESERVED}x"),
)
METHODS = (
    *("initialize", "server/discover", "ping", *LISTS, "tools/call", "no/such", "notifications/initialized"),
    *("notifications/cancelled", "completion/complete", "logging/setLevel", "resources/read"),
)


def line(method: str, params: Any = None, number: Any = 1) -> str:
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method}
    return json.dumps(message | ({} if params is None else {"params": params}), ensure_ascii=False) + "\n"


def greeting(version: str = "2025-11-25", **capabilities: Any) -> str:
    return line(
        "initialize",
        {"protocolVersion": version, "capabilities": capabilities, "clientInfo": CLIENT},
        "hello",
    )


def older(version: str) -> list[str]:
    """A conversation of the era of the handshake that begins like any other."""
    asked = [line(method, number=number) for number, method in enumerate((*LISTS, "ping"), 1)]
    return [greeting(version), INITIALIZED, *asked]


def newer() -> list[str]:
    methods = ("server/discover", *LISTS)
    return [line(method, {"_meta": ENVELOPE}, number) for number, method in enumerate(methods)]


@pytest.fixture(params=[(CORE, False), (CORE, True), (FULL, False), (FULL, True)])
def serving(request, machine):
    tools, only_read = request.param
    return Serving(load(), Offer(tools, only_read=only_read, here=machine))


@pytest.fixture
def core(machine):
    return Serving(load(), Offer(CORE, here=machine))


def by_the_sdk(serving: Serving, lines: Sequence[str]) -> list[str]:
    """The answers of the whole server."""
    written = io.StringIO()

    async def run() -> None:
        whole = server(serving)
        files = (anyio.wrap_file(io.StringIO("".join(lines))), anyio.wrap_file(written))
        async with stdio_server(*files) as (read, write):
            due = Due()
            streams = RequestStream(read, write, due), Answers(write, due)
            await whole.run(*streams, whole.create_initialization_options())

    anyio.run(run)
    return [*io.StringIO(written.getvalue())]


def at_once(serving: Serving, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The answers of the opening, and the lines that the whole server gets."""
    opening, answers = Opening(serving), list[str]()
    for number, each in enumerate(lines):
        answer = opening.answer(each)
        if answer is None:
            return answers, [*opening.kept, *lines[number:]]
        answers += [answer] if answer else []
    return answers, []


def assert_nobody_can_tell(serving: Serving, lines: Sequence[str]) -> int:
    """Compare the two ways to answer; return how many of the answers came at once."""
    early, rest = at_once(serving, lines)
    late = by_the_sdk(serving, rest) if rest else []
    assert sorted(early + late) == sorted(by_the_sdk(serving, lines)), lines
    return len(early)


@pytest.mark.parametrize("lines", [*map(older, HANDSHAKE_VERSIONS), newer()], ids=lambda each: each[0][-90:])
def test_the_opening_is_answered_byte_for_byte_as_by_the_sdk(serving, lines):
    answers, rest = at_once(serving, lines)

    assert rest == []
    assert answers == by_the_sdk(serving, lines)


def test_every_version_that_the_sdk_speaks_is_answered_at_once():
    assert HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert (MODERN_VERSION,) == MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize(
    "capabilities",
    [
        {},
        {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}, "url": {}}},
        {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}}},
        {"experimental": {"x": {"y": [1, None]}}, "tasks": {"list": {}, "requests": {"sampling": {}}}},
    ],
)
def test_what_clients_can_do_keeps_none_of_them_waiting(core, capabilities):
    meta = ENVELOPE | {f"{RESERVED}clientCapabilities": capabilities, "progressToken": 0, "trace": "x"}
    modern = [line("server/discover", {"_meta": meta}), line("tools/list", {"_meta": meta}, "second")]
    plain = [greeting(**capabilities), INITIALIZED, line("tools/list", {"_meta": {"progressToken": 3}})]

    assert assert_nobody_can_tell(core, modern) == 2
    assert assert_nobody_can_tell(core, plain) == 2


#: Conversations that do not begin like any other, or do not go on like it.
UNUSUAL = {
    "a list before the handshake": [line("tools/list"), greeting()],
    "a ping before the handshake": [line("ping"), greeting(), line("ping")],
    "a notification before the handshake": [INITIALIZED, greeting(), line("tools/list")],
    "the handshake after the newer era has begun": [*newer(), greeting()],
    "the newer era after the handshake": [greeting(), *newer()],
    "a second handshake": [greeting(), greeting("2024-11-05"), INITIALIZED, line("ping")],
    "a request without its envelope": [*newer(), line("tools/list", None, "bare")],
    "an unknown version": [greeting("1999-01-01"), INITIALIZED, line("tools/list")],
    "an unknown version of the newer era": [
        line("server/discover", {"_meta": ENVELOPE | {f"{RESERVED}protocolVersion": "2999-01-01"}})
    ],
    "several in one line": [f"[{greeting().strip()},{line('ping').strip()}]\n", greeting(), line("ping")],
    "an empty line first": ["\n", greeting(), line("tools/list")],
    "lengths as in other protocols": ["Content-Length: 20\r\n", "\r\n", greeting()],
    "a carriage return inside": [greeting().replace(",", ",\r"), line("ping")],
    "carriage returns at the end": [each.replace("\n", "\r\n") for each in older("2025-06-18")],
    "a long line": [greeting(x={"y" * LONGEST: {}}), line("tools/list")],
    "a deep one": [greeting(experimental={"x": {"y": json.loads("[" * 150 + "]" * 150)}}), line("ping")],
    "a name twice": [greeting().replace("}\n", ',"id":"other"}\n'), line("ping")],
    "half a character": [greeting().replace("some-editor", "\\ud800"), greeting(), line("ping")],
    "told twice that it can begin": [greeting(), INITIALIZED, INITIALIZED, line("tools/list")],
    "a request cancelled that nobody made": [
        *newer(),
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}\n',
        line("tools/list", {"_meta": ENVELOPE}, 98),
    ],
}


@pytest.mark.parametrize("lines", UNUSUAL.values(), ids=UNUSUAL)
def test_an_unusual_conversation_goes_on_as_if_the_sdk_had_been_there_from_the_start(core, lines):
    assert_nobody_can_tell(core, lines)


def test_no_variation_of_a_conversation_is_answered_differently(core):
    chance, early = random.Random(SEED), 0
    for _ in range(VARIATIONS):
        text = "".join(varied(chance, chance.choice([*map(older, HANDSHAKE_VERSIONS), newer()])))
        cut = text[: chance.randrange(len(text))] if chance.random() < 0.2 else text
        read = cut.encode(errors="surrogatepass").decode(errors="replace")  # as from a pipe
        early += assert_nobody_can_tell(core, [*io.StringIO(read, newline=None)])

    assert early > VARIATIONS / 2  # or the comparison would say little


def varied(chance: random.Random, lines: list[str]) -> list[str]:
    """Change one or two places of a conversation, and sometimes its order."""
    messages = [json.loads(each) for each in lines[: chance.randrange(2, len(lines))]]
    for _ in range(chance.choice((1, 1, 2))):
        _change(chance, chance.choice(messages))
    ids = [each["id"] for each in messages if "id" in each]
    if any(ids.count(each) > 1 for each in ids):  # which answer wins is a matter of chance
        return varied(chance, lines)
    if chance.random() < 0.1:
        chance.shuffle(messages)
    return [json.dumps(each, ensure_ascii=chance.random() < 0.3) + "\n" for each in messages]


def _change(chance: random.Random, message: dict[str, Any]) -> None:
    inner = message
    while (deeper := [each for each in inner.values() if isinstance(each, dict)]) and chance.random() < 0.7:
        inner = chance.choice(deeper)
    if inner and chance.random() < 0.2:
        del inner[chance.choice([*inner])]
    elif chance.random() < 0.2:
        message["method"] = chance.choice(METHODS)
    else:
        # A new name as often as one that is there.
        name = chance.choice((chance.choice(NAMES), chance.choice([*inner, "x"])))
        inner[name] = deepcopy(chance.choice(ODD))


def opened(*lines: str) -> subprocess.Popen[bytes]:
    """A server process that has these lines to read."""
    command = [sys.executable, "-m", "memory_layer", "mcp"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write("".join(lines).encode())
    process.stdin.flush()
    return process


def test_a_client_that_writes_slowly_is_answered_when_its_line_ends():
    first, second = greeting()[:40], greeting()[40:]
    with opened(first) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((second + line("tools/list")).encode())
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.wait(60) == 0
    assert [each["id"] for each in answers] == ["hello", 1]


@pytest.mark.parametrize("lines", [older("2025-11-25"), newer()])
def test_a_client_that_is_gone_before_the_first_answer_is_no_mishap(machine, lines):
    with opened() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write("".join(lines).encode())
        process.stdin.close()
        assert process.wait(60) == 0
    assert not [*machine.rglob("mem.log")]


@pytest.mark.parametrize("lines", [older("2025-11-25"), newer()])
def test_a_call_after_the_opening_is_answered_once_and_nothing_else_is_repeated(lines):
    envelope = {} if INITIALIZED in lines else {"_meta": ENVELOPE}
    called = line("tools/call", {"name": "memory_stats", "arguments": {}} | envelope, "call")
    with opened(*lines, called) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        answers = [json.loads(each) for each in process.stdout]
    ids = [json.loads(each)["id"] for each in lines if each != INITIALIZED]
    assert [each["id"] for each in answers] == [*ids, "call"]
    assert answers[-1]["result"]["structuredContent"]["total"] == 0
