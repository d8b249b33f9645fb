"""The table of commands, each loaded when it is called, and the exit codes of failures."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from memory_layer import __version__
from memory_layer.doors.cli.call import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_NOT_FOUND,
    EXIT_STORE_UNAVAILABLE,
    EXIT_USAGE,
    CommandCall,
)
from memory_layer.errors import (
    InvalidInput,
    MemoryLayerError,
    NeedsConfirmation,
    NotAllowed,
    NotFound,
    StoreUnavailable,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: Each command in the order of the help: its function, and its line in the help of `mem`.
COMMANDS = {
    "add": ("add:add", "Store a memory."),
    "search": ("search:search", "Search the memories."),
    "show": ("show:show", "Show one memory in full."),
    "list": ("show:list_command", "List memories."),
    "edit": ("edit:edit", "Change the text or the labels of a memory."),
    "outcome": ("outcome:outcome", "Report whether memories worked, partly worked or failed."),
    "context": ("context:context", "Print the memories to load before a task."),
    "review": ("review:review", "Decide what is waiting for a person, one item at a time."),
    "undo": ("history:undo", "Undo a command."),
    "stats": ("show:stats", "Show the number of memories and their outcomes."),
    "why": ("search:why", "Explain the results of a search, and what it left out."),
    "related": ("edit:related", "Find memories similar to another one."),
    "warn": ("context:warn", "Warn about known problems with a command, file or error."),
    "compose": ("compose:compose", "Build a complete prompt from parts and memories."),
    "insights": ("insights:insights", "Sum up what reports changed."),
    "recalls": ("recalls:recalls", "Show which memories were given to agents."),
    "capture": ("capture:capture", "Extract preferences and decisions from a chat or transcript."),
    "tag": ("edit:tag", "Add tags and key=value metadata to a memory."),
    "link": ("link:link", "Settle that a memory replaces, repeats or contradicts another."),
    "links": ("edit:links", "Show, add or remove links between memories."),
    "reinforce": ("outcome:reinforce", "Confirm that memories are still true."),
    "archive": ("outcome:archive", "Hide memories; they can be restored."),
    "restore": ("outcome:restore", "Restore archived memories."),
    "token": ("access:token", "Make, list and revoke tokens for programs."),
    "passphrase": ("access:passphrase", "Set the passphrase by which you confirm on the page."),
    "forget": ("outcome:forget", "Erase memories permanently; needs a person at a terminal."),
    "episode": ("episodes:episode", "Record an event."),
    "last": ("last:last", "Show what the last session was given and what it learned."),
    "replay": ("replay:replay", "Show what the memory would have done in your past sessions."),
    "timeline": ("episodes:timeline", "Show recorded events, newest last."),
    "handoff": ("episodes:handoff", "Leave notes for the next session."),
    "run": ("run:run", "Give memories to a task, and learn from its result."),
    "tasks": ("tasks:tasks", "Show tasks of Beads and Claude Code, and link memories to them."),
    "procedure": ("procedure:procedure", "Save named steps, and learn which of them work."),
    "approve": ("outcome:approve", "Approve memories; needs a person at a terminal."),
    "verify": ("upkeep:verify", "Check that the sources cited by memories still exist."),
    "consolidate": ("upkeep:consolidate", "Clean up: merge duplicates, archive stale memories."),
    "history": ("history:history", "Show every version of a memory and its changes."),
    "revert": ("history:revert", "Restore an old version of a memory."),
    "audit": ("history:audit", "Read and check the log of all changes."),
    "categories": ("categories:categories", "List the categories and their meanings, by family."),
    "projects": ("projects:projects", "List the projects, or choose whose files agents may read."),
    "export": ("transfer:export", "Write memories to a file or to standard output."),
    "import": ("transfer:import_command", "Import an export, rules files or the memory of another program."),
    "sync": ("sync:sync", "Share a project's memories through a folder in git."),
    "backup": ("backup:backup", "Back up the store, list the backups, or restore one."),
    "doctor": ("backup:doctor", "Check the store for damage, and repair it."),
    "embed": ("upkeep:embed", "Compute missing embedding vectors."),
    "map": ("map:map_command", "Compute the map that the page of `mem serve` shows."),
    "model": ("config:model", "Install or inspect the embedding model."),
    "config": ("config:config", "Read and change the settings."),
    "install": ("install:install", "Connect the memory to your agents, or list them."),
    "pause": ("hook:pause", "Stop the hooks of your agents from looking, until you resume."),
    "resume": ("hook:resume", "Let the hooks work again."),
    "hook": ("hook:hook", "Answer an event of an agent; agents call this."),
    "mcp": ("serve:mcp", "Run the MCP server for an agent."),
    "serve": ("serve:serve", "Run a server for other programs."),
    "completion": ("config:completion", "Print a completion script for your shell."),
    "demo": ("demo:demo", "Take a two-minute tour on a temporary store."),
}
#: The headings in the help of `mem`, each before a command.
HEADINGS = {
    "add": "Everyday",
    "why": "Find and explain",
    "capture": "Add and change",
    "episode": "Sessions and tasks",
    "approve": "Review and history",
    "categories": "Store",
    "model": "Set up",
}

NAME_WIDTH = max(map(len, COMMANDS))

EXIT_CODES = (
    (NotFound, EXIT_NOT_FOUND),
    (StoreUnavailable, EXIT_STORE_UNAVAILABLE),
    (InvalidInput, EXIT_USAGE),
)


class Mem(click.Group):
    """The root command, which loads only the command that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(f"memory_layer.doors.cli.commands.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or suggest similar names from the whole table."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as failure:
            harmless = [name for name in COMMANDS if name != "forget"]
            name = failure.command_name
            raise click.exceptions.NoSuchCommand(name, possibilities=harmless, ctx=ctx) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete commands with their lines of the help, without loading any of them."""
        from click.shell_completion import CompletionItem

        named = [
            CompletionItem(name, help=line)
            for name, (_, line) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return named + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, (_, line) in COMMANDS.items():
            heading = HEADINGS.get(name) or next(reversed(sections))
            sections.setdefault(heading, []).append((name, line))
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{NAME_WIDTH}}", line) for name, line in rows])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; ignore a pipe that its reader closed early."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _forget_stdout()
            return 0
        return result

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: object,
    ) -> NoReturn:
        """Run one command line and exit with its code; a user never sees a traceback."""
        arguments = list(sys.argv[1:] if args is None else args)
        call = CommandCall(as_json=_asks_for_json(arguments))
        if sys.stdout is None:
            sys.exit(_nowhere_to_answer(call))

        def run() -> int:
            code = super(Mem, self).main(
                arguments, prog_name, complete_var, standalone_mode=False, obj=call, **extra
            )
            return code if isinstance(code, int) else 0

        sys.exit(_exit_code(run, call))


def _asks_for_json(arguments: list[str]) -> bool:
    """Look for --json, which also applies to the errors of a command line that cannot be parsed."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return "--json" in arguments[:end]


def _exit_code(run: Callable[[], int], call: CommandCall) -> int:
    try:
        try:
            return run()
        except NeedsConfirmation as needed:  # raised before anything was changed, so it can be run again
            call.confirm(needed)
            return run()
    except (click.exceptions.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except click.ClickException as failure:
        return _refused(failure, call)
    except MemoryLayerError as failure:
        return _failed(failure, call)
    except Exception as failure:  # noqa: BLE001  the last place before the user
        return _unexpected(failure, call)


def _refused(failure: click.ClickException, call: CommandCall) -> int:
    """Report a command line that cannot be parsed."""
    if call.as_json:
        from memory_layer.doors import wire

        code = "usage" if isinstance(failure, click.UsageError) else "failed"
        _complain(call, wire.problem(code, failure.format_message()))
        return failure.exit_code
    from io import StringIO

    from memory_layer.doors.cli.render import brief

    message = StringIO()
    failure.show(file=message)
    call.say(brief(message.getvalue()).rstrip("\n"))
    return failure.exit_code


def _failed(failure: MemoryLayerError, call: CommandCall) -> int:
    """Report an expected failure."""
    from memory_layer.doors import wire

    problem = wire.error(failure)
    if failure.code == NotAllowed.code and (why := call.why_agent):
        problem["error"]["message"] += f"; {why}"
    _complain(call, problem)
    return next((code for kind, code in EXIT_CODES if isinstance(failure, kind)), EXIT_FAILED)


def _unexpected(failure: Exception, call: CommandCall) -> int:
    """Report a fault of the program or the machine in one sentence, and log the details."""
    from memory_layer.doors import wire

    _drop_what_cannot_be_written()
    _complain(call, wire.problem("unexpected", f"{_sentence(failure)}; {_logged(failure, call)}"))
    return EXIT_FAILED


def _nowhere_to_answer(call: CommandCall) -> int:
    """Report that standard output is closed, before anything is done."""
    from memory_layer.doors import wire

    message = "standard output is closed; nothing was done"
    _complain(call, wire.problem("failed", message))
    return EXIT_FAILED


def _complain(call: CommandCall, problem: dict[str, Any]) -> None:
    """Print an error on stderr, as JSON or as text."""
    from memory_layer.doors import wire
    from memory_layer.doors.cli.render import brief

    problem["error"]["message"] = message = brief(problem["error"]["message"])
    if call.as_json:
        click.echo(wire.text(problem), err=True)
    call.say(f"mem: {message}")


def _sentence(failure: Exception) -> str:
    if isinstance(failure, OSError) and failure.strerror:
        return f"operating system error: {failure.strerror}"
    return f"unexpected error ({type(failure).__name__})"


def _logged(failure: Exception, call: CommandCall) -> str:
    try:
        from datetime import UTC, datetime

        from memory_layer.usecases.upkeep.error_log import keep_mishap

        log = keep_mishap(call.places.log_folder, failure, datetime.now(UTC), f"mem {__version__}")
    except Exception:  # noqa: BLE001  the log must not fail louder than what it is about
        log = None
    return f"details are in {log}" if log else "the details could not be logged"


def _drop_what_cannot_be_written() -> None:
    """Discard output that cannot be written, so that Python does not complain at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        with suppress(OSError, ValueError, AttributeError):
            _forget_stdout()


def _forget_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"mem {__version__}")
        ctx.exit()


@click.group(
    cls=Mem,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`mem COMMAND --help` shows its options and examples.",
)
@click.option("--json", is_flag=True, expose_value=False, help="Print JSON; works after every command.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the version.",
)
@click.pass_context
def mem(ctx: click.Context) -> None:
    """A local memory for AI coding agents that learns what works.

    Without a command, shows an overview of the current project.
    """
    if ctx.invoked_subcommand is None:
        from memory_layer.doors.cli.overview import show_overview

        show_overview(ctx.obj)
