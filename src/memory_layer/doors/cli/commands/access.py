"""`mem token` and `mem passphrase`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import command, family, who_options
from memory_layer.doors.cli.call import CommandCall

if TYPE_CHECKING:
    from memory_layer.model.access import AccessToken


@family("token", "mem token create ci --role reader", "mem token list", "mem token revoke ci")
def token() -> None:
    """Make, list and revoke tokens for programs.

    A token is shown once and stored as a hash. A reader may only read, and its reads count as no use; a writer may do
    what an agent may; an admin also upkeep, exports, settings and the audit log. Revoking counts at once, also for
    servers that run.
    """


@command(
    "create",
    "mem token create ci --role reader --expires 30d",
    "mem token create ann --personal --expires 7d",
    of=token,
)
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["reader", "writer", "admin"]),
    default="writer",
    help="The rights of the token. Default: writer.",
)
@click.option(
    "--expires", metavar="WHEN", help="When it ends, such as 30d or a date. Default: 90d, at most 366d."
)
@click.option(
    "--personal", is_flag=True, help="Give it your rights, such as approving; needs a person at a terminal."
)
@who_options
@click.pass_obj
def create(call: CommandCall, name: str, role: str, expires: str | None, personal: bool) -> None:
    """Make a token and print it, once.

    Without --personal it is an agent's, whoever uses it. A personal token approves, erases and makes rules in your
    name until it ends: give it to no agent.
    """
    from memory_layer.doors import wire
    from memory_layer.verbs.access import MAKE_TOKEN

    values = {"name": name, "role": role, "expires": expires, "personal": personal}
    with call.open() as memory:
        made = call.confirmed(lambda: memory.run(MAKE_TOKEN, values))
    call.say(f"{described(made.token)}; it is not shown again")
    call.reply(wire.made_token(made), made.secret, exact=True)


@command("list", "mem token list", "mem token list --json", of=token)
@click.pass_obj
def list_tokens(call: CommandCall) -> None:
    """List the tokens, also those that have ended; never their secrets."""
    from memory_layer.doors import wire
    from memory_layer.verbs.access import TOKENS

    with call.open() as memory:
        found = memory.run(TOKENS, {})
    call.reply(wire.listed(map(wire.token, found)), "\n".join(map(described, found)))
    if not found:
        call.say("no tokens; `mem token create NAME` makes one")


@command("revoke", "mem token revoke ci", "mem token revoke acc_k3x9 --json", of=token)
@click.argument("which", metavar="NAME|ID")
@who_options
@click.pass_obj
def revoke(call: CommandCall, which: str) -> None:
    """Revoke a token; running servers refuse it at once."""
    from memory_layer.doors import wire
    from memory_layer.verbs.access import REVOKE_TOKEN

    with call.open() as memory:
        revoked = memory.run(REVOKE_TOKEN, {"token": which})
    call.reply(wire.token(revoked), described(revoked))


def described(token: AccessToken) -> str:
    """Describe a token in one line."""
    whose = f"personal, {token.person}" if token.person else "an agent's"
    ends = (
        f"revoked {token.revoked_at:%Y-%m-%d}" if token.revoked_at else f"until {token.expires_at:%Y-%m-%d}"
    )
    return f"{token.name}  {token.role}, {whose}  {ends}  {token.id}"


@family("passphrase", "mem passphrase set", "mem passphrase set --as ann")
def passphrase() -> None:
    """Set the passphrase by which you confirm on the page.

    A browser that was opened by the link of `mem serve` may do what an agent may, because agents can open links too.
    With the passphrase it has your rights for 15 minutes: approve, erase, make rules, decide reviews.
    """


@command("set", "mem passphrase set", "mem passphrase set --as ann", of=passphrase)
@who_options
@click.pass_obj
def set_passphrase(call: CommandCall) -> None:
    """Set the passphrase, or replace it; needs a person at a terminal.

    It is asked for twice, without showing it, and stored as a salted scrypt hash. Setting it ends the pause after
    wrong tries.
    """
    from memory_layer.errors import InvalidInput
    from memory_layer.verbs.access import SET_PASSPHRASE

    with call.open() as memory:
        with suppress(InvalidInput):  # too short: this asks for the code before anybody types a passphrase
            call.confirmed(lambda: memory.run(SET_PASSPHRASE, {"passphrase": "-"}))
        call.confirmed(lambda: memory.run(SET_PASSPHRASE, {"passphrase": _typed_twice()}))
    call.reply({"set": True}, "The passphrase is set. The page asks for it when it needs a person.")


def _typed_twice() -> str:
    from getpass import getpass

    from memory_layer.errors import InvalidInput

    first = getpass("New passphrase (12 characters or more): ")
    if getpass("Once more: ") != first:
        raise InvalidInput("the two passphrases differ, so nothing was changed")
    return first
