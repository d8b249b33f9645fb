"""Count what the code of a checkout is made of: files, lines, layers, docstrings, and what single calls pass through.

Reads the source of any checkout as text and runs seven calls with that checkout's own environment, so that two versions
can be compared by one and the same script.
"""

from __future__ import annotations

import ast
import json
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench import report, stores

HEADINGS = {"figure": "figure", "value": "value"}
PACKAGE = "memory_layer"
FILTER_FIELDS_READ = 6  #: a module that reads so many fields of a filter decides what a filter means
ONLY_PASS_FILTERS = ("doors", "verbs")
ODD_OPENINGS = ("What", "Which", "Whether", "Where", "How", "The same")
CALLS = ("add", "search", "outcome", "context", "export re-import", "rules import", "MCP recall")
COMMANDS = {
    "mem search": ["search", "--mode", "keyword", "login"],
    "mem context": ["context", "--task", "the login test"],
}
#: Runs one command in this process and tells which of our modules were loaded at its end.
LOADED = """
import json, os, sys
out, leave = sys.argv.pop(1), os._exit
def tell(code):
    open(out, "w").write(json.dumps([name for name in sys.modules if name.split(".")[0] == "memory_layer"]))
    leave(code)
os._exit = tell
from memory_layer.__main__ import main
main()
"""
#: Runs the calls through the Python door and tells which of our files each of them executes.
TRACED = """
import json, pathlib, sys, threading
import memory_layer
touched, here = set(), {}
def note(frame, event, argument):
    name = frame.f_code.co_filename
    if "/memory_layer/" in name and not name.startswith("<"):
        touched.add(name)
def traced(name, call):
    touched.clear()
    threading.setprofile(note); sys.setprofile(note)
    try:
        return call()
    finally:
        sys.setprofile(None); threading.setprofile(None)
        here[name] = len(touched)
folder = pathlib.Path(sys.argv[1])
with memory_layer.open() as memory:
    first = memory.add("The login test needs the mail container", category="troubleshooting")
    memory.search("login test")
    traced("add", lambda: memory.add("The build needs Java 21", category="environment"))
    found = traced("search", lambda: memory.search("which java"))
    traced("outcome", lambda: memory.outcome([first.id], "worked", query="login"))
    traced("context", lambda: memory.context(task="the login test hangs"))
    memory.export(folder / "export.jsonl")
    rules = folder / "CLAUDE.md"
    rules.write_text("# Rules\\n\\n- Always run make check before a push\\n- Never commit generated files\\n")
    traced("rules import", lambda: memory.import_(rules))
with memory_layer.open(folder / "other.db") as other:
    traced("export re-import", lambda: other.import_(folder / "export.jsonl"))
print(json.dumps(here))
"""
#: Serves MCP on its streams; forgets what it has seen when the file appears, and tells what was seen after it.
SERVED = """
import json, os, sys, threading, time
flag, out, leave = sys.argv.pop(1), sys.argv.pop(1), os._exit
touched = set()
def tell(code):
    sys.setprofile(None)
    open(out, "w").write(json.dumps(len(touched)))
    leave(code)
os._exit = tell
def note(frame, event, argument):
    name = frame.f_code.co_filename
    if "/memory_layer/" in name and not name.startswith("<"):
        touched.add(name)
def watch():
    while not os.path.exists(flag):
        time.sleep(0.01)
    touched.clear()
    open(flag + ".seen", "w").close()
threading.Thread(target=watch, daemon=True).start()
threading.setprofile(note); sys.setprofile(note)
from memory_layer.__main__ import main
sys.argv[1:] = ["mcp"]
main()
"""


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("structure", __doc__)
    parser.add_argument(
        "checkout", type=Path, nargs="?", default=Path(__file__).parents[1], help="default: this one"
    )
    parser.add_argument("--no-calls", action="store_true", help="read the source only, run nothing")
    options = parser.parse_args(arguments)
    root: Path = options.checkout.absolute()
    figures = in_source(root / "src" / PACKAGE)
    if not options.no_calls:
        figures |= in_calls(root)
    print(report.table([{"figure": name, "value": value} for name, value in figures.items()], HEADINGS))
    report.keep(options.json, "structure", {"figures": figures})
    return 0


def in_source(package: Path) -> dict[str, object]:
    """Count what can be read from the source alone."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(package.rglob("*.py"))}
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in trees}
    folders = Counter(path.parent for path in trees)
    functions = [
        node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    ]
    classes = [
        node.name
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    openings = Counter(_opening(text) for tree in trees.values() for text in _docstrings(tree))
    largest, files = folders.most_common(1)[0]
    longest = max(lines, key=lambda path: lines[path])
    return {
        "files of src": len(trees),
        "lines of src": sum(lines.values()),
        "largest folder": f"{largest.relative_to(package)} ({files} files)",
        "longest file": f"{longest.relative_to(package)} ({lines[longest]} lines)",
        "longest function, lines": max(_length(node) for node in functions),
        "functions over 40 lines": sum(_length(node) > 40 for node in functions),
        "import depth": import_depth(package, trees),
        "methods of all ports": len(port_methods(package, trees)),
        "classes in the store's inheritance": longest_inheritance(package, trees),
        "modules that say what a filter means": len(filter_meanings(package, trees)),
        "public class names used twice or more": sum(count > 1 for count in Counter(classes).values()),
        "docstrings": sum(openings.values()),
        **{f"docstrings that begin with {word!r}": openings[word] for word in ODD_OPENINGS},
    }


def _length(node: ast.FunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (
            text := ast.get_docstring(node)
        ):
            yield text


def _opening(text: str) -> str:
    return next((opening for opening in ODD_OPENINGS if text.startswith(f"{opening} ")), "")


def port_methods(package: Path, trees: Mapping[Path, ast.Module]) -> list[str]:
    """Return what the ports ask for; a property that only leads to another port is not counted."""
    ports = [
        node
        for path, tree in trees.items()
        if path.relative_to(package).parts[0] in ("ports", "ports.py")
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and "Protocol" in map(_name, node.bases)
    ]
    names = {node.name for node in ports}
    return [
        f"{node.name}.{each.name}"
        for node in ports
        for each in node.body
        if isinstance(each, ast.FunctionDef)
        and not ("property" in map(_name, each.decorator_list) and _name(each.returns) in names)
    ]


def _name(node: ast.expr | None) -> str:
    """Return the last name of an expression such as `Protocol`, `typing.Protocol` or `Protocol[T]`."""
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    if isinstance(node, ast.Constant):
        return str(node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def import_depth(package: Path, trees: Mapping[Path, ast.Module]) -> int:
    """Return the longest chain of our modules that import each other while they load."""
    imports = {_module(package, path): set(_loaded_by(tree)) for path, tree in trees.items()}

    known: dict[str, int] = {}
    above: list[str] = []

    def depth(module: str) -> int:
        if module not in known:
            above.append(module)
            below = [each for each in sorted(imports[module]) if each in imports and each not in above]
            deepest = max(map(depth, below), default=0)
            above.pop()
            known[module] = 1 + deepest
        return known[module]

    return max(map(depth, sorted(imports)))


def _module(package: Path, path: Path) -> str:
    parts = [PACKAGE, *path.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _loaded_by(tree: ast.Module) -> Iterator[str]:
    """Yield the names imported at the top of a module; what only type checkers read does not count."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def longest_inheritance(package: Path, trees: Mapping[Path, ast.Module]) -> int:
    """Return how many of the store's classes one of its classes is made of, itself included."""
    bases: dict[str, list[str]] = {}
    for path, tree in trees.items():
        if path.is_relative_to(package / "store"):
            module = _module(package, path)
            imported = _imported(tree)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    names = (ast.unparse(base).partition("[")[0] for base in node.bases)
                    bases[f"{module}.{node.name}"] = [_full(name, module, imported) for name in names]

    def ancestors(name: str) -> set[str]:
        return {name}.union(*(ancestors(base) for base in bases[name] if base in bases))

    return max(len(ancestors(name)) for name in bases)


def _imported(tree: ast.Module) -> dict[str, str]:
    """Return what each imported name stands for."""
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _full(name: str, module: str, imported: Mapping[str, str]) -> str:
    first, dot, rest = name.partition(".")
    return f"{imported.get(first, f'{module}.{first}')}{dot}{rest}"


def filter_meanings(package: Path, trees: Mapping[Path, ast.Module]) -> list[str]:
    """Return the modules that read most fields of a filter, but for those that only hand it on."""
    fields = {
        item.target.id
        for path, tree in trees.items()
        if path.is_relative_to(package / "model")
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == "Filters"
        for item in node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }
    found = []
    for path, tree in trees.items():
        room = path.relative_to(package).parts[0]
        read = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and "filter" in node.value.id
        }
        named = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in fields
        }
        if room not in ONLY_PASS_FILTERS and len((read | named) & fields) >= FILTER_FIELDS_READ:
            found.append(_module(package, path))
    return found


def in_calls(root: Path) -> dict[str, object]:
    """Run the calls with the checkout's own environment and count what they pass through."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        environ = stores.environment(folder, folder / "no-model")
        python = str(root / ".venv" / "bin" / "python")
        touched = json.loads(_run([python, "-c", TRACED, scratch], environ, folder))
        touched["MCP recall"] = _mcp_recall(python, environ, folder)
        figures: dict[str, object] = {f"files passed by {call}": touched[call] for call in CALLS}
        for name, command in COMMANDS.items():
            out = folder / "loaded.json"
            _run([python, "-c", LOADED, str(out), *command], environ, folder)
            figures[f"own modules loaded by {name}"] = len(json.loads(out.read_text()))
    return figures


def _run(command: Sequence[str], environ: Mapping[str, str], folder: Path) -> str:
    done = subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"a call ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def _mcp_recall(python: str, environ: Mapping[str, str], folder: Path) -> int:
    """Count the files that one `memory_recall` executes, from its line to the answer."""
    flag, out = folder / "now", folder / "touched.json"
    process = subprocess.Popen(
        [python, "-c", SERVED, str(flag), str(out)],
        env=environ,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin
    assert process.stdout

    def ask(number: int, method: str, parameters: object) -> None:
        assert process.stdin
        assert process.stdout
        line = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
        process.stdin.write(json.dumps(line) + "\n")
        process.stdin.flush()
        process.stdout.readline()

    client = {"name": "bench", "version": "1"}
    ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    process.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    recall = {"name": "memory_recall", "arguments": {"query": "which java"}}
    ask(2, "tools/call", recall)  # whatever loads late is loaded now
    flag.touch()
    while not Path(f"{flag}.seen").exists() and process.poll() is None:
        pass
    ask(3, "tools/call", recall)
    process.communicate()
    return int(out.read_text())
