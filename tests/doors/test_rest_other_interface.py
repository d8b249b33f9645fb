"""A server on another address than 127.0.0.1 takes tokens of `mem token`, and nothing else."""

from __future__ import annotations

import http.client
from contextlib import closing, suppress

import pytest

from memory_layer.doors.http.server import listening_on
from memory_layer.errors import InvalidInput
from tests.doors.served import serve


@pytest.fixture
def address() -> str:
    """Another address of this machine than the usual one."""
    for each in ("127.0.0.2", "::1"):
        with suppress(InvalidInput, OSError), closing(listening_on(0, each)):
            return each
    raise AssertionError("this machine has no second address")


def status(address: str, port: int, path: str, **headers: str) -> tuple[int, str]:
    """The status and all the rest of an answer."""
    with closing(http.client.HTTPConnection(address, port, timeout=60)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, f"{answer.headers} {answer.read().decode()}"


def test_it_does_not_start_without_a_token_and_then_takes_only_that(machine, mem, process, address):
    refused = process("serve", "--host", address, "--port", "0")
    assert (refused.code, "mem token create" in refused.err) == (2, True)

    made = str(mem("token", "create", "ci", "--role", "reader", "--json").data["secret"])
    said: list[str] = []
    with serve("--host", address, "--port", "0", said=said) as port:
        of_file = (machine / "home" / "token").read_text().strip()
        link = mem("serve", "--link", "--port", str(port)).out.strip().partition("?")[2]

        assert status(address, port, "/api/session", Authorization=f"Bearer {made}")[0] == 200
        assert status(address, port, "/api/session", Authorization=f"Bearer {of_file}")[0] == 401
        for path in (f"/?{link}", f"/api/session?{link}", "/api/reference"):
            code, told = status(address, port, path)
            assert (code, "set-cookie" in told.lower()) == (401, False), path
        assert status(address, port, "/health")[0] == 200
        assert status(address, port, "/health", Host="evil.example")[0] == 421
        mem("token", "revoke", "ci")
        assert status(address, port, "/api/session", Authorization=f"Bearer {made}")[0] == 401
    assert not [each for each in (made, of_file, link) if each in "".join(said)]
