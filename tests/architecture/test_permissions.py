"""Who may do what is decided in one module; the others ask it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.source import PACKAGE, dotted_name, modules_under, parsed

TABLE = "memory_layer.rules.permissions"
_RECALLS = "what a person looks at is not recorded as a recall or a use"
_ASKING = "a person at the terminal is asked, and a program is answered"
#: The modules that read whether a writer is a person for something else than a right.
READERS = {
    "memory_layer.model.memory": "says it of a writer",
    "memory_layer.usecases.recall.search": _RECALLS,
    "memory_layer.usecases.look_up.browse": _RECALLS,
    "memory_layer.usecases.give.compose": _RECALLS,
    "memory_layer.usecases.give.context": _RECALLS,
    "memory_layer.usecases.give.warn": _RECALLS,
    "memory_layer.usecases.remember.new_memory": "the source of a memory is human or agent",
    "memory_layer.store.chain": "an entry of the log says that a person made it",
    "memory_layer.verbs.call": "what waits for a person is shown to a person",
    "memory_layer.doors.cli.commands.add": _ASKING,
    "memory_layer.doors.cli.commands.last": _ASKING,
    "memory_layer.doors.cli.commands.review": _ASKING,
    "memory_layer.doors.rest.session_routes": "the page shows who the caller is",
}
_HELP = "the help of a command says beforehand who can run it"
#: The modules with a text about what only a person may do that refuses nothing.
TELLERS = {
    "memory_layer.usecases.transfer.import_merge": "an import tells how many approvals, vectors and links it left out",
    "memory_layer.doors.cli.commands.transfer": _HELP,
}
#: The modules that refuse something for another reason than who calls, or in words around the table's.
REFUSERS = {
    "memory_layer.rules.passkeys": "an answer of a passkey that is not valid",
    "memory_layer.usecases.govern.signing": "a confirmation that is too old, or of no registered passkey",
    "memory_layer.signatures": "an answer of a passkey that is not valid",
    "memory_layer.usecases.govern.history": "names the memory before the table's sentence",
    "memory_layer.usecases.transfer.export": "a reader is not shown what waits for a person",
    "memory_layer.doors.cli.confirm": "the code was not typed",
    "memory_layer.doors.mcp.serving": "a server that may only read",
    "memory_layer.doors.mcp.tool": "a server that may only read",
    "memory_layer.doors.rest.signing": "a signature from elsewhere than the page, or of another request",
    "memory_layer.doors.rest.serving": "a server that may only read",
}


def reads_kind(tree: ast.Module) -> bool:
    """Whether a module asks if a writer is a person, by the property or by what lies behind it."""
    return any(
        node.attr == "is_person" or (node.attr == "kind" and ast.unparse(node.value).endswith("writer"))
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
    ) or any(isinstance(node, ast.FunctionDef) and node.name == "is_person" for node in ast.walk(tree))


def says_only_a_person(tree: ast.Module) -> bool:
    """Whether a text of a module, other than a docstring, says what only a person may do."""
    docstrings = set(_docstrings(tree))
    return any(
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and "only a person" in node.value.lower()
        and node not in docstrings
        for node in ast.walk(tree)
    )


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def refuses(tree: ast.Module) -> bool:
    """Whether a module makes an error of rights itself."""
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return any(
        ast.unparse(call).rpartition(".")[2] in ("NotAllowed", "OnlyPersons", "NeedsConfirmation")
        for call in calls
    )


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {dotted_name(path): parsed(path) for path in modules_under(PACKAGE)}


@pytest.mark.parametrize(
    ("does", "others"), [(reads_kind, READERS), (says_only_a_person, TELLERS), (refuses, REFUSERS)]
)
def test_only_the_table_decides_who_may_do_what(trees, does, others):
    found = {name for name, tree in trees.items() if does(tree)}

    assert found - {TABLE} - others.keys() == set(), "ask memory_layer.rules.permissions"
    assert found == {TABLE, *others}, "the list names modules that need not be there"


@pytest.mark.parametrize(
    ("does", "code"),
    [
        (reads_kind, "if not writer.is_person: pass"),
        (reads_kind, "if work.edit.writer.is_person: pass"),
        (reads_kind, "if edit.writer.kind is WriterKind.PERSON: pass"),
        (reads_kind, "may = self._writer().is_person"),
        (says_only_a_person, "x = 'only a person may do this'"),
        (says_only_a_person, "x = f'{memory.id} is mine; Only a person may do this'"),
        (refuses, "raise NotAllowed('no')"),
        (refuses, "raise errors.NeedsConfirmation('no')"),
    ],
)
def test_the_rule_finds_a_decision(does, code):
    assert does(ast.parse(code))


def test_the_rule_passes_over_docstrings_and_other_kinds():
    tree = ast.parse('"""Refuse what only a person may do."""\nif item.kind is Matter.HELD: pass')

    assert not any(does(tree) for does in (reads_kind, says_only_a_person, refuses))
