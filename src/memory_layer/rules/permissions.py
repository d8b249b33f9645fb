"""The permission table: agents, people, and people who have typed a code at the terminal."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from memory_layer.errors import NeedsConfirmation, OnlyPersons
from memory_layer.model.memory import WRITTEN_FROM, Memory, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, Priority, Reason, Status, WriterKind

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.model.context import Warrant


class Who(StrEnum):
    """The callers that may do something."""

    PERSON = "a person"
    CONFIRMED = "a person who has typed a code"
    OWNER = "a person, or the agent whose own it is"
    AGENT_OR_CONFIRMED = "an agent, or a person who has typed a code"


class Permission(NamedTuple):
    """An action, who may do it, and the message for everybody else."""

    what: str
    who: Who
    otherwise: str = ""  #: the sentence of the refusal, or what happens instead where nothing is refused
    confirming: str = ""  #: what a person confirms by the code


class Action:
    """Every action that is not open to all; a plain class, because declaring an enumeration is slow."""

    APPROVE = Permission(
        "approve a memory",
        Who.CONFIRMED,
        "only a person at a terminal can approve a memory",
        "approving a memory",
    )
    FORGET = Permission(
        "erase a memory",
        Who.CONFIRMED,
        "only a person at a terminal can erase a memory",
        "erasing a memory",
    )
    RESTORE_BACKUP = Permission(
        "replace the store by a backup",
        Who.CONFIRMED,
        "only a person at a terminal can replace the store by a backup",
        "replacing the store by a backup",
    )
    RESUME_HOOKS = Permission(
        "let the hooks of agents look again after a pause",
        Who.PERSON,
        "only a person at a terminal can end the pause of the hooks",
    )
    STORE_SECRET = Permission(
        "store a secret unredacted",
        Who.CONFIRMED,
        "only a person may store a secret unredacted",
        "storing a secret unredacted",
    )
    REGISTER_FOLDER = Permission(
        "let servers read the files of a folder",
        Who.CONFIRMED,
        "only a person at a terminal can decide whose files agents may read",
        "letting agents read the files of a project",
    )
    UNREGISTER_FOLDER = Permission(
        "stop servers from reading the files of a folder",
        Who.PERSON,
        "only a person at a terminal can decide whose files agents may read",
    )
    ADD_PASSKEY = Permission(
        "register a passkey",
        Who.CONFIRMED,
        "only a person can register a passkey",
        "registering a passkey",
    )
    REMOVE_PASSKEY = Permission(
        "remove a passkey",
        Who.CONFIRMED,
        "only a person can remove a passkey",
        "removing a passkey",
    )
    MAKE_PERSONAL_TOKEN = Permission(
        "make a token with a person's rights",
        Who.CONFIRMED,
        "only a person at a terminal can make a personal token",
        "making a personal token",
    )
    REVOKE_PERSONAL_TOKEN = Permission(
        "revoke a token with a person's rights",
        Who.PERSON,
        "only a person can revoke a personal token",
    )
    SET_PASSPHRASE = Permission(
        "set the passphrase of the page",
        Who.CONFIRMED,
        "only a person at a terminal can set the passphrase",
        "setting the passphrase",
    )
    CONFIGURE = Permission(
        "change a setting that is not for agents",
        Who.PERSON,
        "only a person at a terminal may change the setting {key}; an agent may change {others}",
    )

    MAKE_RULE = Permission(
        "store a policy or a critical memory, or make one of a memory",
        Who.CONFIRMED,
        "policies and critical memories written by agents need a person's approval",
        "storing a rule (a policy, or priority critical)",
    )
    MERGE = Permission(
        "merge a new text into a known memory",
        Who.AGENT_OR_CONFIRMED,
        confirming="merging into a known memory",
    )
    CHANGE_GUARDED = Permission(
        "change more than the labels of a memory that a person guards",
        Who.PERSON,
        "{id} {guard}; an agent may only add tags and metadata to it",
    )
    LABEL_GUARDED = Permission(
        "label a memory that a person guards with what reads like an instruction",
        Who.PERSON,
        "{id} {guard}; only a person may label it so: {doubt}",
    )
    ARCHIVE_GUARDED = Permission(
        "archive a memory that a person guards",
        Who.PERSON,
        "{id} is guarded by a person; only a person may archive it",
    )
    SUPERSEDE_GUARDED = Permission(
        "supersede a memory that a person guards",
        Who.PERSON,
        "{id} {guard}; only a person may supersede it",
    )
    PROPOSE_MORE = Permission(
        "propose more about a guarded memory that five others already wait to be compared with",
        Who.PERSON,
        "{id} already waits to be compared with {count} memories;"
        " a person decides about those in `mem review` first",
    )
    UNLINK_GUARDED = Permission(
        "remove a link of a memory that a person guards",
        Who.PERSON,
        "only a person may remove a link of a memory that a person guards",
    )
    CHANGE_ORIGIN = Permission(
        "change the metadata that says where a memory was written, or why it ends",
        Who.PERSON,
        "only a person may change the key {key} of {id}",
    )
    PROPOSE_VOUCHED = Permission(
        "propose what a person vouches for",
        Who.PERSON,
        "a person already vouches for {id}; only a person may propose it for approval",
    )
    RAISE_CONFIDENCE = Permission(
        "raise the confidence above that of the source",
        Who.PERSON,
        "only a person may raise the confidence above {most:g}, where the source {source} starts",
    )
    REWORD_SUGGESTION = Permission(
        "reword a suggestion without a review",
        Who.PERSON,
        "it was suggested, and an agent has reworded it since",
    )
    RESTORE_RETIRED = Permission(
        "restore what a person archived, or a suggestion, without a review",
        Who.PERSON,
        "a person archived it",
    )
    CONFIRM_AGAIN = Permission(
        "confirm a global memory, or any other more than once",
        Who.PERSON,
        "an agent's confirmation counts once for a memory of a project and never for a global one",
    )
    OUTLAST_PROJECT_FILE = Permission(
        "let a memory outlast the expiry of a project's file by saying it again, renewing or restoring it",
        Who.PERSON,
        "it expires as the project's file says",
    )

    DECIDE = Permission(
        "decide what waits in the review, beyond near duplicates and withdrawing what no person guards",
        Who.PERSON,
        "only a person at a terminal can decide this: {decision}",
    )
    END_REVIEW = Permission(
        "archive one of two memories that wait to be compared, or remove their link",
        Who.PERSON,
        "{id} and {other} are waiting to be compared in `mem review`;"
        " only a person may archive one of them or remove their link",
    )

    MOVE_APPROVAL = Permission(
        "give or withdraw an approval by reverting",
        Who.PERSON,
        "only a person can give or withdraw an approval",
    )
    REVERT_GUARDED = Permission(
        "revert a text or field of a memory that a person guards",
        Who.PERSON,
        "a person guards its {field}",
    )
    WEAKEN_RULE = Permission(
        "weaken a rule by reverting",
        Who.PERSON,
        "only a person can weaken a rule",
    )
    REVERT_TO_HIDDEN = Permission(
        "hide a memory that a person guards by reverting",
        Who.PERSON,
        "only a person can hide it",
    )
    REVERT_REVIEW = Permission(
        "reactivate a memory by reverting while it waits for review",
        Who.PERSON,
        "it is waiting for a person's review",
    )
    TAKE_BACK_NOTE = Permission(
        "undo links, outcomes and confirmations",
        Who.OWNER,
        "only a person may undo what {whose} reported",
    )

    HIDE_LEARNED = Permission(
        "supersede or dispute what was learned in a project (its own, if the agent works there)",
        Who.OWNER,
        "{id} was learned in another project; only a person or an agent there may {what} it",
    )
    LEARN_ELSEWHERE = Permission(
        "write for a project from elsewhere as if it had been learned there",
        Who.PERSON,
        "the memory is marked with where it was written",
    )

    BRING_APPROVALS = Permission(
        "bring approvals, what people wrote and rules by an import, as they were",
        Who.CONFIRMED,
        "only a person at a terminal can restore approvals, and what people wrote, as they were",
        "restoring approvals and rules",
    )
    BRING_UNCHECKED = Permission(
        "import without checking the history",
        Who.PERSON,
        "only a person may import without checking the history",
    )
    BRING_VECTORS = Permission(
        "bring vectors by an import",
        Who.PERSON,
        "the texts get new vectors",
    )
    BRING_COMPARED = Permission(
        "say by an import that a person has compared two memories",
        Who.PERSON,
        "the two wait to be compared",
    )
    BRING_ALIASES = Permission(
        "give a project other names by an import",
        Who.PERSON,
        "they are left out",
    )


def may(writer: Writer, action: Permission, *, own: bool = False) -> bool:
    """May a writer do this, perhaps after a code? `own` says that it concerns the writer's own work."""
    if writer.is_person:
        return True
    who = action.who
    return who is Who.AGENT_OR_CONFIRMED or (own and who is Who.OWNER)


def check_allowed(writer: Writer, action: Permission, *, own: bool = False, **about: object) -> None:
    """Refuse a writer that may not do this even with a code."""
    if not may(writer, action, own=own):
        raise OnlyPersons(sentence(action, **about))


def check_confirmed(writer: Writer, action: Permission) -> None:
    """Refuse a person who has not typed the code that an action needs."""
    if action.confirming and is_unconfirmed(writer):
        raise NeedsConfirmation(action.confirming)


def check(writer: Writer, action: Permission, *, own: bool = False, **about: object) -> None:
    """Refuse a writer that may not do this, or a person who has not typed the code."""
    check_allowed(writer, action, own=own, **about)
    check_confirmed(writer, action)


def is_unconfirmed(writer: Writer) -> bool:
    """Is a writer a person who has typed no code?"""
    return writer.is_person and not writer.confirmed


def sentence(action: Permission, **about: object) -> str:
    """Return the message for a writer that may not do this."""
    return action.otherwise.format(**about)


def may_be_given(warrant: Warrant) -> bool:
    """May a memory be given without a query: vouched for by a person, or learned right here?

    A global memory of an agent therefore reaches only the questions that it answers.
    """
    return warrant.vouched or (warrant.here and not warrant.disputed)


def scope_counts(memory: Memory, project: str | None) -> bool:
    """Do the patterns of a memory apply to files of the project with this key?

    An agent's patterns mean the files of the project they were written in: `**` would be relevant everywhere.
    """
    return is_vouched(memory) or is_learned_in(memory, project)


def is_learned_in(memory: Memory, project: str | None) -> bool:
    """Was a memory learned in the project with this key, and not written for it from elsewhere?"""
    return memory.project is not None and memory.project == project and WRITTEN_FROM not in memory.metadata


def is_vouched(memory: Memory) -> bool:
    """Did a person write or approve a memory?"""
    return memory.writer_kind is WriterKind.PERSON or memory.approved_by is not None


def is_rule(category: Category, priority: Priority | None) -> bool:
    """Does a memory of this kind bind agents, as a policy or by being critical?"""
    return category is Category.POLICY or priority is Priority.CRITICAL


def approval_of(memory: Memory) -> tuple[str | None, datetime | None]:
    """Return who approved a memory, and when."""
    return memory.approved_by, memory.approved_at


def guarded_by_a_person(memory: Memory) -> bool:
    """Is an agent barred from rewording a memory?"""
    return is_rule(memory.category, memory.priority) or is_vouched(memory)


def guard(memory: Memory) -> str:
    """Say why an agent may not change a guarded memory; perhaps nobody has looked at it yet."""
    return (
        "is guarded by a person"
        if is_vouched(memory) or memory.reason is not Reason.REVIEW
        else "waits for a person's approval"
    )


def kept_in_sight_by_a_person(memory: Memory) -> bool:
    """Is an agent barred from archiving a memory? A rule not yet approved it may withdraw."""
    return is_vouched(memory) or (memory.status is Status.ACTIVE and guarded_by_a_person(memory))


def lasts(category: Category, priority: Priority, *, vouched: bool) -> bool:
    """Must no project file shorten a memory like this: a rule, an architecture note, or vouched for by a person?"""
    return category is Category.ARCHITECTURE or is_rule(category, priority) or vouched


def is_lasting(memory: Memory) -> bool:
    """Must no project file shorten this memory?"""
    return lasts(memory.category, memory.priority, vouched=guarded_by_a_person(memory))
