"""The Python interface as declared in its source: signatures, docstrings and the fields of records."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator

import memory_layer
from docs.transcripts import WIDTH
from memory_layer.doors.python import Memories, open_memory
from memory_layer.model.changes import Edited, Neighbours, Related
from memory_layer.model.episodes import Episode, Handoff, Recorded, Timeline
from memory_layer.model.export import Exported
from memory_layer.model.history import Difference, Flaw, Piece
from memory_layer.model.imports import ImportReport, Skipped
from memory_layer.model.memory import Link
from memory_layer.model.query import Filters, Given, Recall
from memory_layer.model.review import Decided, Queue, Waiting
from memory_layer.model.runs import Procedure, Saved
from memory_layer.model.tasks import LinkedMemory, Task, TaskOrigin, Tasks, TaskView
from memory_layer.model.upkeep import Check
from memory_layer.ports.files import Contents
from memory_layer.ports.search import Generation
from memory_layer.usecases.look_up.browse import Details
from memory_layer.usecases.upkeep.doctor import Diagnosis
from memory_layer.usecases.upkeep.embed import Embedded, EmbeddingState, Pruned

#: Public names that are not records, or, like Memory, are on another page.
ELSEWHERE = {"AsyncMemories", "Memories", "Memory", "MemoryLayerError", "open", "open_async"}


def methods() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield `open` and every method of the object it returns, as a caller writes them."""
    yield "memory_layer.open", open_memory
    for name, member in vars(Memories).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            yield f"memory.{name}", member


def records() -> list[type]:
    """List the records that the methods return or take, except Memory."""
    public = [getattr(memory_layer, name) for name in memory_layer.__all__ if name not in ELSEWHERE]
    return sorted(
        [
            *(*public, Check, Contents, Decided, Details, Diagnosis, Difference, Edited, Embedded, Exported),
            *(
                Flaw,
                Generation,
                Given,
                Link,
                Neighbours,
                Piece,
                Queue,
                Recall,
                Related,
                ImportReport,
                Skipped,
            ),
            *(LinkedMemory, Task, TaskOrigin, Tasks, TaskView),
            *(Episode, Handoff, Procedure, Pruned, Recorded, Saved, EmbeddingState, Timeline, Waiting),
        ],
        key=lambda kind: kind.__name__,
    )


def method_sections() -> str:
    return "\n\n".join(
        f"### {name.rpartition('.')[2]}\n\n{sentences(verb)}\n\n```python\n{signature(name, verb)}\n```"
        for name, verb in methods()
    )


def record_sections() -> str:
    return "\n\n".join(f"### {kind.__name__}\n\n{record(kind)}" for kind in records())


def sentences(documented: object) -> str:
    """Return a docstring as unwrapped paragraphs."""
    text = inspect.getdoc(documented) or ""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def signature(name: str, function: Callable[..., object]) -> str:
    """Write the signature on one line, or on several if it is too long."""
    declared = inspect.signature(function)
    parameters = list(_parameters([each for each in declared.parameters.values() if each.name != "self"]))
    returned = _type(declared.return_annotation)
    line = f"{name}({', '.join(parameters)}) -> {returned}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {each}," for each in parameters), f") -> {returned}"])


def _parameters(parameters: list[inspect.Parameter]) -> Iterator[str]:
    starred = False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            yield "*"
        starred |= parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        default = "Filters()" if parameter.default == Filters() else _quoted(repr(parameter.default))
        end = "" if parameter.default is parameter.empty else f" = {default}"
        yield f"{star}{parameter.name}: {_type(parameter.annotation)}{end}"


def _type(annotation: object) -> str:
    """Drop module names from an annotation; `Listed` is the built-in list, which the method `list` hides."""
    return re.sub(r"\b[a-z]+\.", "", str(annotation)).replace("Listed[", "list[")


def record(kind: type) -> str:
    """Write the docstring of a record and its fields with their comments."""
    source = textwrap.dedent(inspect.getsource(kind))
    declared = ast.parse(source).body[0]
    assert isinstance(declared, ast.ClassDef)
    says = ast.get_docstring(declared)
    fields = "\n".join(_fields(declared, source.splitlines()))
    return (f"{says}\n\n" if says else "") + f"```python\n{fields}\n```"


def _fields(declared: ast.ClassDef, lines: list[str]) -> Iterator[str]:
    for field in declared.body:
        if not isinstance(field, ast.AnnAssign):
            continue
        text = f"{ast.unparse(field.target)}: {_type(ast.unparse(field.annotation))}"
        if field.value is not None:
            text += f" = {_quoted(ast.unparse(field.value))}"
        own_lines = lines[field.lineno - 1 : field.end_lineno]
        comments = [line.partition("#:")[2].strip() for line in own_lines if "#:" in line]
        yield from _commented(text, *comments)


def _commented(text: str, *comments: str) -> list[str]:
    """Add comments to a line in the way the formatter, which also checks these pages, would."""
    line = "  # ".join([text, *comments])
    return [line] if len(line) <= WIDTH else [*(f"# {each}" for each in comments), text]


def _quoted(text: str) -> str:
    return text.replace("'", '"')
