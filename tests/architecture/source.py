"""The project as text: its modules, what they import, and the files that belong to it."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "memory_layer"
#: Folders that tools make beside the project's own.
FOREIGN = {".git", ".venv", "build", "dist", "node_modules", "built", "__pycache__", ".hypothesis"}


@dataclass(frozen=True)
class Import:
    """One imported module, and what happens when the file that names it is loaded."""

    module: str
    line: int
    at_load: bool  #: runs when the file is imported, neither inside a function nor for the type checker
    for_types: bool  #: stands under `if TYPE_CHECKING`
    relative: bool = False

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]


def modules_under(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if not FOREIGN & set(path.relative_to(folder).parts))


def project_files() -> Iterator[Path]:
    """Every file that belongs to the project, without what tools leave behind."""
    for folder, subfolders, names in os.walk(ROOT):
        subfolders[:] = sorted(name for name in subfolders if not _foreign(Path(folder, name)))
        for name in sorted(names):
            if not name.startswith(".coverage") and name != ".git":  # a file in a second work tree
                yield Path(folder, name)


def _foreign(folder: Path) -> bool:
    made_by_tools = folder.name in FOREIGN or folder.name.endswith(("_cache", ".egg-info"))
    return made_by_tools or (folder / "pyvenv.cfg").exists()


def text_of(path: Path) -> str | None:
    """The file's text, or None for something that is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a module; a dozen rules read it, and none changes it."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def dotted_name(path: Path) -> str:
    """`src/memory_layer/store/sqlite.py` is `memory_layer.store.sqlite`."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports_in(tree: ast.Module) -> list[Import]:
    """All imports of a module, wherever they stand."""
    return list(_walk(tree, inside_function=False, for_types=False))


def _walk(node: ast.AST, *, inside_function: bool, for_types: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        for module, relative in _targets(node):
            yield Import(module, node.lineno, not (inside_function or for_types), for_types, relative)
        return
    if isinstance(node, ast.If) and _names_type_checking(node.test):
        for statement in node.body:
            yield from _walk(statement, inside_function=inside_function, for_types=True)
        for statement in node.orelse:
            yield from _walk(statement, inside_function=inside_function, for_types=for_types)
        return
    inside_function |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):  # an import is a statement, and no expression holds one
            yield from _walk(child, inside_function=inside_function, for_types=for_types)


def _targets(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, bool]]:
    """`from a import b` may mean the module `a.b`, so it is reported under that name."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name, False
        return
    for alias in node.names:
        yield ".".join(part for part in (node.module or "", alias.name) if part), node.level > 0


def _names_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )
