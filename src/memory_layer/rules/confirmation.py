"""What a person has to confirm at the terminal, and how long a confirmation holds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from memory_layer.model.memory import Memory, Writer
from memory_layer.model.vocabulary import Category, Priority, Reason, Status
from memory_layer.rules.permissions import Action, Permission, check_confirmed, is_unconfirmed

#: Letters and digits that nobody takes for one another.
ALPHABET = "ACDEFGHJKMNPQRTUVWXY34679"
CODE_LENGTH = 5
#: How many random bytes a code needs: those that would favour some letters are passed over.
RANDOM_BYTES = 32
HOLDS = timedelta(minutes=15)


def vet(writer: Writer, before: Callable[[], Memory | None], after: Memory) -> None:
    """Refuse a person's change that nobody has confirmed; the store asks this before it writes a memory."""
    if is_unconfirmed(writer) and (action := strengthens(before(), after)):
        check_confirmed(writer, action)


def strengthens(before: Memory | None, after: Memory) -> Permission | None:
    """Return what in a change needs more than a keystroke: an erasure, an approval, or a rule that begins to count."""
    if after.reason is Reason.FORGOTTEN:
        return Action.FORGET if before and before.reason is not Reason.FORGOTTEN else None
    if after.approved_by is not None and (before is None or _approval(before) != _approval(after)):
        return Action.APPROVE
    if _rules(after) and not (before and _rules(before) and _told(before) == _told(after)):
        return Action.MAKE_RULE
    return None


def is_rule(category: Category, priority: Priority | None) -> bool:
    """Whether a memory of this kind binds agents: a policy, or anything critical."""
    return category is Category.POLICY or priority is Priority.CRITICAL


def holds(confirmed_at: datetime, now: datetime) -> bool:
    """Whether a confirmation still counts; one from the future was made up, or the clock was set back."""
    return timedelta(0) <= now - confirmed_at < HOLDS


def code_from(chance: bytes) -> str:
    """A code that nobody can know beforehand, each letter equally likely."""
    fair = len(ALPHABET) * (256 // len(ALPHABET))
    letters = [ALPHABET[byte % len(ALPHABET)] for byte in chance if byte < fair]
    return "".join(letters[:CODE_LENGTH])


def is_code(typed: str, code: str) -> bool:
    """Whether the code was typed, in capitals or not."""
    return len(code) == CODE_LENGTH and typed.strip().upper() == code


def _rules(memory: Memory) -> bool:
    """Whether a memory binds agents now, or as soon as it is written."""
    counts = memory.status is Status.ACTIVE or memory.reason is Reason.WRITING
    return counts and is_rule(memory.category, memory.priority)


def _told(memory: Memory) -> tuple[object, ...]:
    """What a rule says, and where it applies."""
    return memory.content, memory.project, memory.scope


def _approval(memory: Memory) -> tuple[str | None, datetime | None]:
    return memory.approved_by, memory.approved_at
