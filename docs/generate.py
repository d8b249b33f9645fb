"""`python -m docs.generate`: bring the generated parts of the reference and every console example up to date.

Pages are written by hand. The parts between `<!-- begin NAME -->` and `<!-- end NAME -->` are generated from the
code by the function in PARTS; in a block marked `console` the lines that begin with `$` are run again.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import fill

import click
from platformdirs.api import PlatformDirsABC
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from docs import mcp_tools, plugins, rest_routes, signatures, typescript
from docs.transcripts import WIDTH, environment, renewed
from memory_layer import errors, folders, options, settings
from memory_layer.doors import wire
from memory_layer.doors.cli import call
from memory_layer.doors.cli.main import COMMANDS, EXIT_CODES, HEADINGS, mem
from memory_layer.doors.setting_lines import MEANINGS
from memory_layer.model.vocabulary import CATEGORIES
from memory_layer.ranking import rankers
from memory_layer.ranking.explain import LeftOut, MissReason
from memory_layer.rules.permissions import Action, Permission
from memory_layer.wiring import model_status

FOLDER = Path(__file__).resolve().parent
README = FOLDER.parent / "README.md"
PAGES = sorted(page for part in ("reference", "how-to") for page in (FOLDER / part).glob("*.md"))
PROSE_WIDTH = 150
WITHOUT_THE_MODEL = {"without-the-model.md"}

_PART = re.compile(r"(<!-- begin (\S+) -->)\n.*?(<!-- end \2 -->)", re.DOTALL)

#: The default of a setting whose value depends on the machine.
UNSET = {"database_path": "`memory.db` below", "model_folder": "the model's folder below"}

#: When a command ends with each exit code.
ENDINGS = {
    0: "the answer is on stdout, also if nothing was found",
    call.EXIT_FAILED: "it failed: not allowed, no model, or an unexpected error;"
    " or `mem doctor` found problems, or `mem install --check` an agent that is not `current`",
    call.EXIT_USAGE: "the command line, or a value in it, is invalid; nothing was changed",
    call.EXIT_NOT_FOUND: "there is no such memory, project, recall, run or operation",
    call.EXIT_NEEDS_A_DECISION: "the answer is on stdout and needs a decision: `mem add` found a near duplicate,"
    " or `mem forget` or `mem backup --restore` needs `--yes`",
    call.EXIT_STORE_UNAVAILABLE: "the store cannot be opened, read or written at the moment",
    call.EXIT_INTERRUPTED: "Ctrl-C, or the end of input at a question; nothing is printed",
}


def main(arguments: list[str]) -> int:
    """Write the pages that changed; with --check only list them."""
    found = model_status(settings.load())
    if not found.installed:
        click.echo(f"the examples need the embedding model: {found.reason}", err=True)
        return 1
    stale = 0
    if "--check" not in arguments:
        for path in (*plugins.main(), *typescript.main()):
            click.echo(f"{path.relative_to(FOLDER.parent)}")
    for page in (README, *PAGES):
        text = current(page, found.folder)
        if text != page.read_text(encoding="utf-8"):
            stale += 1
            if "--check" not in arguments:
                page.write_text(text, encoding="utf-8")
            click.echo(f"{page.relative_to(FOLDER.parent)}")
    return 1 if stale and "--check" in arguments else 0


def current(page: Path, model_folder: Path) -> str:
    """Return the up-to-date text of a page."""
    text = page.read_text(encoding="utf-8")
    text = _PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]()}\n{part[3]}", text)
    return renewed(text, model_folder, installed=page.name not in WITHOUT_THE_MODEL)


def every_command() -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with their full names, each group before its members."""
    root = click.Context(mem)
    for name in COMMANDS:
        command = mem.get_command(root, name)
        assert command is not None
        yield f"mem {name}", command
        if members := getattr(command, "commands", None):
            yield from ((f"mem {name} {inner}", member) for inner, member in members.items())


def commands() -> str:
    """Write a section for each command: description, usage and examples."""
    return "\n\n".join(_command(name, command) for name, command in every_command())


def _command(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=name, terminal_width=WIDTH, **command.context_settings)
    formatter = context.make_formatter()
    command.format_usage(context, formatter)
    command.format_options(context, formatter)
    says = inspect.cleandoc(command.help or "")
    paragraphs = [_folded(_line(paragraph)) for paragraph in says.split("\n\n")]
    examples = "\n".join(getattr(command, "examples", ()))
    return "\n\n".join(
        [
            f"{'#' * (len(name.split()))} {name}",
            *paragraphs,
            f"```text\n{formatter.getvalue().strip()}\n```",
            f"```sh\n{examples}\n```",
        ]
    )


def command_list() -> str:
    rows: list[str] = []
    for name, (_, says) in COMMANDS.items():
        rows += [f"| **{HEADINGS[name]}** | |"] if name in HEADINGS else []
        rows.append(f"| [`mem {name}`](#mem-{name}) | {says} |")
    return _table("command | does", rows)


def exit_codes() -> str:
    named = {0: "ok"} | {
        code: name.removeprefix("EXIT_").replace("_", " ").lower()
        for name, code in vars(call).items()
        if name.startswith("EXIT_")
    }
    return _table("code | name | when", [f"| {code} | {named[code]} | {ENDINGS[code]} |" for code in named])


def error_codes() -> str:
    """List every error class with its code, exit code and description."""
    meanings = dict(re.findall(r"── (\w+) {2,}(.+)", errors.__doc__ or ""))
    rows = [
        f"| `{kind.code}` | {_exit_code(kind)} | `{kind.__name__}` | {meanings[kind.__name__]} |"
        for kind in _tree(errors.MemoryLayerError)
    ]
    return _table("code | exit code | in Python | meaning", rows)


def _tree(kind: type[errors.MemoryLayerError]) -> Iterator[type[errors.MemoryLayerError]]:
    for inner in kind.__subclasses__():
        yield inner
        yield from _tree(inner)


def _exit_code(kind: type[errors.MemoryLayerError]) -> int:
    return next((code for known, code in EXIT_CODES if issubclass(kind, known)), call.EXIT_FAILED)


def hit_fields() -> str:
    return _folded(", ".join(f"`{name}`" for name in wire.HIT_FIELDS))


def left_out() -> str:
    rows = [f"| `{reason}` | {MissReason('', reason).sentence} |" for reason in LeftOut]
    return _table("reason | words", rows)


def formulas() -> str:
    """List the formulas of each ranker, from the docstrings of its functions."""
    rows = [
        f"| `{ranker.name}` | {_line(ranker.terms.__doc__)}"
        f" | {_line(ranker.factors.__doc__ or rankers.balanced_with.__doc__)} |"
        for ranker in rankers.RANKERS.values()
    ]
    return _table("ranker | sum | factors", rows)


def setting_table() -> str:
    """List every setting as declared in `options.py`."""
    rows = [
        f"| {f'`{option.key}`' if option.key else '–'} | `{option.variable}` | {_default(option.field)}"
        f" | {_allowed(option.read)} | {'yes' if option.by_project else 'no'} | {MEANINGS[option.field]} |"
        for option in options.OPTIONS
    ]
    rows.append(
        f"| `{options.EXPIRY}CATEGORY` | – | see below | {_allowed(options.expiry_days)} | yes"
        " | when memories of a category expire |"
    )
    return _table("key in `config.toml` | variable | default | allowed | by a project | meaning", rows)


def _default(field: str) -> str:
    default = next(option.default for option in options.OPTIONS if option.field == field)
    return UNSET.get(field, "none") if default is None else f"`{default}`"


def _allowed(read: Callable[[object], object]) -> str:
    """Return the allowed values, taken from the error for an invalid one."""
    try:
        read(object())
    except ValueError as allowed:
        return str(allowed)
    raise AssertionError("this option accepts anything")


def permissions() -> str:
    """List the restricted actions."""
    actions = [action for action in vars(Action).values() if isinstance(action, Permission)]
    rows = [f"| {each.what} | {each.who} | {_filled(each.otherwise)} |" for each in actions]
    return _table("action | who may | otherwise", rows)


def _filled(sentence: str) -> str:
    """Fill the placeholders of a sentence with typical values, or with their names in capitals."""
    typical = {"guard": "is guarded by a person", "others": " and ".join(options.FOR_AGENTS)}
    return re.sub(r"\{(\w+)[^}]*\}", lambda gap: typical.get(gap[1], gap[1].upper()), sentence) or "–"


def expiries() -> str:
    rows = [
        f"| `{category}` | {traits.expires_days} |"
        for category, traits in CATEGORIES.items()
        if traits.expires_days is not None
    ]
    return _table("category | days", rows)


def places() -> str:
    """List the location of each file on Linux and macOS."""
    with environment({"HOME": "/~"}):
        linux, mac = (system(folders.APP, appauthor=False) for system in (Unix, MacOS))
        rows = [row.replace("/~/", "~/") for row in _places(linux, mac)]
    return _table("what | Linux | macOS | moved by", rows)


def _places(*systems: PlatformDirsABC) -> Iterator[str]:
    for what, kind, name, variables in (
        ("memories", "data", "memory.db", "`MEM_DB`, `MEM_HOME`, `XDG_DATA_HOME`"),
        ("your settings", "config", "config.toml", "`MEM_CONFIG`, `MEM_HOME`, `XDG_CONFIG_HOME`"),
        ("the embedding model", "cache", folders.MODEL_NAME, "`MEM_MODEL`, `XDG_CACHE_HOME`"),
        ("log of unexpected failures", "log", "mem.log", "`MEM_HOME`, `XDG_STATE_HOME`"),
        ("confirmations by terminal", "state", "confirmed/", "`MEM_HOME`, `XDG_STATE_HOME`"),
        ("notes of what `mem install` changed", "state", "installed/", "`MEM_HOME`, `XDG_STATE_HOME`"),
    ):
        paths = (f"`{getattr(system, f'user_{kind}_dir')}/{name}`" for system in systems)
        yield f"| {what} | {' | '.join(paths)} | {variables} |"


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _folded(text: str) -> str:
    return fill(text, PROSE_WIDTH, break_on_hyphens=False, break_long_words=False)


def _table(heads: str, rows: list[str]) -> str:
    return "\n".join([f"| {heads} |", f"|{'---|' * (heads.count(' | ') + 1)}", *rows])


#: The function for each name in the pages.
PARTS: dict[str, Callable[[], str]] = {
    "command-list": command_list,
    "commands": commands,
    "exit-codes": exit_codes,
    "error-codes": error_codes,
    "hit-fields": hit_fields,
    "left-out": left_out,
    "formulas": formulas,
    "settings": setting_table,
    "permissions": permissions,
    "expiries": expiries,
    "places": places,
    "agents": plugins.agents,
    "mcp-figures": mcp_tools.figures,
    "mcp-tools": mcp_tools.sections,
    "mcp-resources": mcp_tools.resource_table,
    "mcp-prompts": mcp_tools.prompt_table,
    "mcp-conformance": mcp_tools.conformance,
    "rest-common": rest_routes.common_table,
    "rest-filters": rest_routes.filter_table,
    "rest-paths": rest_routes.path_sections,
    "rest-problems": rest_routes.problem_table,
    "rest-types": rest_routes.types,
    "python-methods": signatures.method_sections,
    "python-records": signatures.record_sections,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
