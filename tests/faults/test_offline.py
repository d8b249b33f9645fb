"""Without a network, with and without the model, from the first command on."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.faults.machine import Machine, finished

NOTICE = "mem model install"


@pytest.fixture
def unplugged(tmp_path: Path):
    """Cuts a machine off: every process on it that reaches for the network is noted and refused."""
    traps = tmp_path / "traps"
    traps.mkdir()
    shutil.copy(Path(__file__).with_name("no_network.py"), traps / "sitecustomize.py")
    log = tmp_path / "network.log"

    def unplug(machine: Machine) -> tuple[Machine, Path]:
        return machine.told(PYTHONPATH=str(traps), NETWORK_LOG=str(log)), log

    return unplug


def test_the_trap_notices_who_reaches_for_the_network(unplugged, plain_machine):
    machine, log = unplugged(plain_machine)
    reach = "import socket; socket.create_connection(('127.0.0.1', 9))"
    answer = finished(machine.start(sys.executable, "-c", reach))

    assert "there is no network" in answer.err
    assert "socket.getaddrinfo" in log.read_text()


def test_the_first_commands_work_without_model_and_network(unplugged, plain_machine):
    machine, log = unplugged(plain_machine)
    added = machine.mem("add", "Retry the flaky upload with a growing pause")
    found = machine.mem("search", "flaky upload")
    data = machine.mem("search", "flaky upload", "--json")

    assert (added.code, found.code) == (0, 0), (added, found)
    assert "Retry the flaky upload with a growing pause" in found.out
    assert [line for line in found.err.splitlines() if line] == [found.err.strip()]
    assert NOTICE in found.err
    assert added.err.count(NOTICE) <= 1
    assert data.data["mode"] == "keyword"
    assert not log.exists()


def test_nothing_connects_when_the_model_is_there(unplugged, machine):
    machine, log = unplugged(machine)
    added = machine.mem("add", "Retry the flaky upload with a growing pause")
    found = machine.mem("search", "try again when sending files breaks", "--json")
    judged = machine.mem("outcome", found.data["hits"][0]["id"], "worked", "--json")

    assert (added.code, judged.code) == (0, 0), (added, judged)
    assert found.data["mode"] == "hybrid"
    assert (added.err, found.err, judged.err) == ("", "", "")
    assert json.loads(judged.out)["data"][0]["result"] == "worked"
    assert not log.exists()
