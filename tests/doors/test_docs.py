"""Every command explains itself, with examples that work as they stand."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import click
import pytest

from memory_layer.doors.cli.main import COMMANDS
from memory_layer.doors.cli.main import mem as group


def every_command() -> Iterator[tuple[str, click.Command]]:
    """All commands with their full names, families and their members."""
    root = click.Context(group)
    for name in group.list_commands(root):
        found = group.get_command(root, name)
        assert found is not None
        yield name, found
        if members := getattr(found, "commands", None):
            yield from ((f"{name} {member}", command) for member, command in members.items())


def help_of(mem, name: str) -> str:
    answer = mem(*name.split(), "--help")
    assert answer.code == 0
    return str(answer.out)


def examples_in(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip().startswith("mem ")]


NAMES = [name for name, _ in every_command()]


@pytest.mark.parametrize("name", NAMES)
def test_a_command_shows_two_examples(mem, name):
    examples = examples_in(help_of(mem, name))

    assert len(examples) >= 2
    assert all(example.startswith(f"mem {name.split()[0]}") for example in examples)


@pytest.mark.parametrize("name", NAMES)
def test_a_command_takes_json(mem, name):
    assert "--json" in help_of(mem, name)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_can_be_typed(mem, name):
    for example in examples_in(help_of(mem, name)):
        words = shlex.split(example)
        words = words[1 : next((n for n, word in enumerate(words) if word in (">", ">>", "<")), None)]
        command: click.Command = group
        while isinstance(command, click.Group) and (words or not command.invoke_without_command):
            found = command.get_command(click.Context(command), words.pop(0))
            assert found is not None, example
            command = found
        if words and (named := getattr(command, "commands", {}).get(words[0])):
            command, words = named, words[1:]

        assert command.make_context("mem", words).params is not None, example


def test_the_list_of_commands_says_what_each_command_says_itself(mem):
    listed = mem("--help").out

    for name, command in every_command():
        if name in COMMANDS:
            assert COMMANDS[name][1] == (command.help or "").splitlines()[0]
            assert COMMANDS[name][1] in listed


def test_the_help_begins_with_ten_everyday_commands_and_fits_a_terminal(mem):
    headings = [line for line in mem("--help").out.splitlines() if line.endswith(":") and line[0].isalpha()]
    everyday = mem("--help").out.partition("Everyday:\n")[2].partition("\n\n")[0].splitlines()

    assert headings[:2] == ["Options:", "Everyday:"]
    assert len(everyday) <= 10
    assert max(map(len, mem("--help").out.splitlines())) <= 80


def test_the_version_is_the_package_s(mem):
    from memory_layer import __version__

    assert mem("--version").out == f"mem {__version__}\n"


def test_a_mistyped_command_is_answered_with_a_similar_one(mem):
    answer = mem("serach", "naming conventions")

    assert answer.code == 2
    assert "Did you mean 'search'?" in answer.err
