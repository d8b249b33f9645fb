import os
import pty
import subprocess
import sys

from memory_layer.surroundings.terminal import terminal_session

ASK = "from memory_layer.surroundings.terminal import terminal_session; print(terminal_session())"


def in_a_terminal():
    """The session that two commands see in one new terminal."""
    leader, follower = pty.openpty()
    shell = f"{sys.executable} -c '{ASK}' && {sys.executable} -c '{ASK}'"
    done = subprocess.run(
        ["sh", "-c", shell],
        stdin=follower,
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,
    )
    os.close(leader)
    os.close(follower)
    return done.stdout.split()


def test_commands_in_one_terminal_share_a_session_and_terminals_differ():
    first, second = in_a_terminal()

    assert first == second
    assert first.startswith("terminal-")
    assert first not in in_a_terminal()


def test_without_a_terminal_there_is_no_session():
    done = subprocess.run(
        [sys.executable, "-c", ASK], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "None"


def test_asking_here_never_fails():
    assert terminal_session() is None or terminal_session() == terminal_session()
