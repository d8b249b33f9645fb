"""`localhost` means the server at both of its addresses, or is not used."""

from __future__ import annotations

import errno
import http.client
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from memory_layer.doors.http import server
from memory_layer.doors.http.access import NAMES
from tests.doors.served import serve, served

BOTH = ("127.0.0.1", "::1")


def status(address: str, port: int, host: str, path: str = "/health") -> int:
    with closing(http.client.HTTPConnection(address, port, timeout=60)) as connection:
        connection.request("GET", path, headers={"Host": f"{host}:{port}"})
        return connection.getresponse().status


@pytest.fixture
def taken(ipv6) -> Iterator[int]:
    """A port at which another program listens on the IPv6 address only."""
    with closing(server.listening_on(0, ipv6)) as other:
        yield other.getsockname()[1]


def test_the_page_is_at_localhost_which_is_this_server_at_both_addresses(machine, mem, ipv6):
    said: list[str] = []
    with serve("--port", "0", said=said) as port:
        answers = {status(address, port, host) for address in BOTH for host in ("localhost", "127.0.0.1")}
        other_link = mem("serve", "--link", "--port", str(port)).out

    assert answers == {200}
    assert other_link.startswith(f"http://localhost:{port}/?t=")
    assert f"open http://localhost:{port}/?t=" in said[0]
    assert "[::1]" not in said[0]


def test_mcp_alone_listens_at_both_addresses(machine, ipv6):
    with served() as port:
        assert {status(address, port, "localhost", "/mcp") for address in BOTH} == {401}


def test_where_somebody_else_has_the_other_address_the_server_is_not_called_localhost(machine, mem, taken):
    said: list[str] = []
    with serve("--port", str(taken), said=said):
        answers = {host: status("127.0.0.1", taken, host) for host in ("127.0.0.1", "localhost", "[::1]")}
        other_link = mem("serve", "--link", "--port", str(taken))

    assert answers == {"127.0.0.1": 200, "localhost": 421, "[::1]": 421}
    assert f"open http://127.0.0.1:{taken}/?t=" in said[0]
    assert said[0].count("passkeys need localhost") == 1
    assert other_link.out.startswith(f"http://127.0.0.1:{taken}/?t=")
    assert "passkeys need localhost" in other_link.err


def test_a_link_for_a_port_without_a_server_says_so(mem):
    with closing(server.listening_on(0)) as free:
        port = free.getsockname()[1]
    printed = mem("serve", "--link", "--port", str(port))

    assert printed.out.startswith(f"http://localhost:{port}/?t=")
    assert f"no server answers on port {port} yet" in printed.err


def failing_for_ipv6(monkeypatch, times: int, number: int) -> None:
    bound = server._bound
    left = [times]

    def failing(port: int, address: str) -> socket.socket:
        if address == "::1" and left[0]:
            left[0] -= 1
            raise OSError(number, "no")
        return bound(port, address)

    monkeypatch.setattr(server, "_bound", failing)


@pytest.mark.parametrize("number", [errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT])
def test_without_ipv6_there_is_one_address_and_it_is_localhost(monkeypatch, number):
    failing_for_ipv6(monkeypatch, 1, number)
    with closing(server.listening_here(0)) as listening:
        assert (len(listening.sockets), listening.hosts) == (1, NAMES)


def test_a_free_port_is_free_at_both_addresses(monkeypatch, ipv6):
    failing_for_ipv6(monkeypatch, 3, errno.EADDRINUSE)
    with closing(server.listening_here(0)) as listening:
        assert [each.getsockname()[:2] for each in listening.sockets] == [
            (address, listening.port) for address in BOTH
        ]
        assert {each.proto for each in listening.sockets} == {socket.IPPROTO_TCP}
        assert listening.hosts == NAMES


def test_a_port_that_nobody_can_have_at_both_addresses_is_no_endless_search(monkeypatch):
    failing_for_ipv6(monkeypatch, 1000, errno.EADDRINUSE)
    with closing(server.listening_here(0)) as listening:
        assert (len(listening.sockets), listening.hosts) == (1, ("127.0.0.1",))
