"""What a shell offers: commands, categories and ids, in zsh and fish with their texts."""

from __future__ import annotations

import pytest

SEPARATORS = {"zsh": "\n", "fish": "\t"}


def offered(process, shell: str, line: str) -> str:
    words = line.split(" ")
    incomplete = {"COMP_CWORD": words[-1] if shell == "fish" else str(len(words) - 1)}
    answer = process(COMP_WORDS=line, _MEM_COMPLETE=f"{shell}_complete", **incomplete)
    return str(answer.out)


@pytest.mark.parametrize("shell", SEPARATORS)
def test_an_id_is_offered_with_the_text_of_its_memory(process, mem, shell):
    short = mem("add", "Retry the upload").out.split()[0]

    assert f"{short}{SEPARATORS[shell]}Retry the upload" in offered(process, shell, "mem show mem_")


def test_bash_offers_the_ids_alone(process, mem):
    short = mem("add", "Retry the upload").out.split()[0]

    assert offered(process, "bash", "mem show mem_") == f"plain,{short}\n"


@pytest.mark.parametrize("shell", SEPARATORS)
def test_a_command_is_offered_with_its_line_of_the_help(process, shell):
    assert f"search{SEPARATORS[shell]}Search the memories." in offered(process, shell, "mem sea")


@pytest.mark.parametrize("shell", SEPARATORS)
def test_a_category_and_a_family_are_offered_with_their_meanings(process, shell):
    found = offered(process, shell, "mem list -c ")

    assert f"hazards{SEPARATORS[shell]}what goes wrong" in found
    assert f"pitfall{SEPARATORS[shell]}a mistake to avoid" in found
