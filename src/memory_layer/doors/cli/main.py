"""The table of commands, loaded one at a time, and the one place where failures become exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

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

#: Each command: where it is, and its line in the help of `mem`.
COMMANDS = {
    "add": ("add:add", "Remember something."),
    "capture": (
        "capture:capture",
        "Keep what you say in passing.",
    ),
    "search": ("search:search", "Find the memories that fit a question."),
    "why": ("search:why", "Explain what a search returns, and what it leaves out."),
    "context": ("context:context", "Give what an agent should know before it begins."),
    "compose": ("compose:compose", "Make a whole prompt of parts and memories."),
    "warn": ("context:warn", "Say what is known to go wrong here, in a line or two, or nothing."),
    "recalls": ("recalls:recalls", "Show what agents were given."),
    "show": ("show:show", "Show one memory in full."),
    "list": ("show:list_command", "List memories."),
    "edit": ("edit:edit", "Change what a memory says or how it is labelled."),
    "tag": ("edit:tag", "Label a memory with tags and key=value metadata."),
    "related": ("edit:related", "Find the memories closest to one."),
    "links": ("edit:links", "Show, add or take away how memories relate."),
    "outcome": ("outcome:outcome", "Say whether memories helped: worked, partial or failed."),
    "run": ("run:run", "Give memories to a task, and learn from how it ended."),
    "episode": ("episodes:episode", "Record what happened."),
    "timeline": ("episodes:timeline", "Show what happened, newest last."),
    "handoff": ("episodes:handoff", "Close a session with what the next one should know."),
    "procedure": ("procedure:procedure", "Keep named steps, and learn which of them work."),
    "reinforce": ("outcome:reinforce", "Confirm that memories still hold."),
    "archive": ("outcome:archive", "Take memories out of sight; they can be restored."),
    "restore": ("outcome:restore", "Bring archived memories back."),
    "review": ("review:review", "Decide what waits for a person, one thing after the other."),
    "approve": ("outcome:approve", "Vouch for memories; only a person at a terminal can."),
    "verify": ("upkeep:verify", "Check whether what memories cite is still there."),
    "consolidate": ("upkeep:consolidate", "Keep the store tidy."),
    "forget": ("outcome:forget", "Erase memories for good; only a person at a terminal can."),
    "history": ("history:history", "Show every version of a memory, with what each changed."),
    "revert": ("history:revert", "Bring an old version of a memory back."),
    "undo": ("history:undo", "Take back what one command did."),
    "audit": ("history:audit", "Read and check the log of all changes."),
    "stats": ("show:stats", "Show how much is stored and how it fared."),
    "projects": ("projects:projects", "List the known projects, or say whose files agents may read."),
    "export": ("transfer:export", "Write all memories to a file, or to standard output."),
    "import": ("transfer:import_command", "Bring in exports, rules files and the stores of other programs."),
    "mcp": ("serve:mcp", "Serve the memory to an agent by the Model Context Protocol."),
    "serve": ("serve:serve", "Serve the memory to other programs."),
    "model": ("config:model", "Install or inspect the embedding model."),
    "embed": ("upkeep:embed", "Give every memory its vectors."),
    "backup": ("backup:backup", "Save the whole store, list what was saved, or put it back."),
    "doctor": ("backup:doctor", "Examine the store for damage, and repair it."),
    "config": ("config:config", "Read and change the settings."),
    "completion": ("config:completion", "Print a completion script for your shell."),
    "demo": ("demo:demo", "A two-minute tour on a throw-away store."),
}

EXIT_CODES = (
    (NotFound, EXIT_NOT_FOUND),
    (StoreUnavailable, EXIT_STORE_UNAVAILABLE),
    (InvalidInput, EXIT_USAGE),
)


class Mem(click.Group):
    """The root: knows every command by name and loads the one that is called."""

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
        """Find the command; click suggests similar names only among those that are loaded."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as failure:
            name = failure.command_name
            raise click.exceptions.NoSuchCommand(name, possibilities=COMMANDS, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a reader that closes the pipe early got what it wanted."""
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
        """Run one command line and leave with its exit code; no traceback ever reaches a user."""
        given = list(sys.argv[1:] if args is None else args) or ["--help"]
        call = CommandCall(as_json=_asks_for_json(given))
        if sys.stdout is None:
            sys.exit(_nowhere_to_answer(call))

        def run() -> int:
            code = super(Mem, self).main(
                given, prog_name, complete_var, standalone_mode=False, obj=call, **extra
            )
            return code if isinstance(code, int) else 0

        sys.exit(_exit_code(run, call))


def _asks_for_json(arguments: list[str]) -> bool:
    """Whether errors have to be JSON, even when the command line itself cannot be understood."""
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
    """A command line that cannot be understood."""
    if call.as_json:
        from memory_layer.doors import wire

        code = "usage" if isinstance(failure, click.UsageError) else "failed"
        _complain(call, wire.problem(code, failure.format_message()))
        return failure.exit_code
    from io import StringIO

    from memory_layer.doors.cli.render import brief, visible

    said = StringIO()
    failure.show(file=said)
    click.echo(visible(brief(said.getvalue())), err=True, nl=False)
    return failure.exit_code


def _failed(failure: MemoryLayerError, call: CommandCall) -> int:
    """Something the program knows about and has a sentence for."""
    from memory_layer.doors import wire

    problem = wire.error(failure)
    if failure.code == NotAllowed.code and (why := call.why_agent):
        problem["error"]["message"] += f"; {why}"
    _complain(call, problem)
    return next((code for kind, code in EXIT_CODES if isinstance(failure, kind)), EXIT_FAILED)


def _unexpected(failure: Exception, call: CommandCall) -> int:
    """A fault of the program or the machine: one sentence, with the details in the log."""
    from memory_layer.doors import wire

    _drop_what_cannot_be_written()
    _complain(call, wire.problem("unexpected", f"{_sentence(failure)}; {_logged(failure, call)}"))
    return EXIT_FAILED


def _nowhere_to_answer(call: CommandCall) -> int:
    """Standard output is closed: say so before anything is done."""
    from memory_layer.doors import wire

    message = "standard output is closed, so there is nowhere to answer; nothing was done"
    _complain(call, wire.problem("failed", message))
    return EXIT_FAILED


def _complain(call: CommandCall, problem: dict[str, Any]) -> None:
    """One error on stderr, for a program or for a person, and no longer than it has to be."""
    from memory_layer.doors import wire
    from memory_layer.doors.cli.render import brief, visible

    problem["error"]["message"] = message = brief(problem["error"]["message"])
    click.echo(wire.text(problem) if call.as_json else f"mem: {visible(message)}", err=True)


def _sentence(failure: Exception) -> str:
    if isinstance(failure, OSError) and failure.strerror:
        return f"the system refused something: {failure.strerror}"
    return f"something unexpected happened ({type(failure).__name__})"


def _logged(failure: Exception, call: CommandCall) -> str:
    try:
        from datetime import UTC, datetime

        from memory_layer.usecases.upkeep.error_log import keep_mishap

        log = keep_mishap(call.places.log_folder, failure, datetime.now(UTC), f"mem {__version__}")
    except Exception:  # noqa: BLE001  the log must not fail louder than what it is about
        log = None
    return f"the details are in {log}" if log else "the details could not be logged"


def _drop_what_cannot_be_written() -> None:
    """If the answer could not be written, Python would try again at exit and complain on its own."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        with suppress(OSError, ValueError, AttributeError):
            _forget_stdout()


def _forget_stdout() -> None:
    """Keep Python from complaining at exit about what could not be written any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"mem {__version__}")
        ctx.exit()


@click.group(
    cls=Mem,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`mem COMMAND --help` shows the options and two examples.",
)
@click.option("--json", is_flag=True, expose_value=False, help="Answer in JSON; also after every command.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version.",
)
def mem() -> None:
    """A local memory for AI coding agents that learns what works."""
