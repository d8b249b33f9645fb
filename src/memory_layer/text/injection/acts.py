"""Acts that a text may ask an agent for, their weights, and the index of the words that signs and acts need."""

from __future__ import annotations

from collections.abc import Iterable

from memory_layer.model.record import NamedTuple
from memory_layer.text.injection.detect import FOREIGN, HEAD, LONGEST, REVERSED, Index
from memory_layer.text.injection.patterns import PATTERNS
from memory_layer.text.injection.signs import (
    CONCEALS,
    HANDS_OUT,
    LOWERS,
    MISLEADS,
    OVERRULES,
    RECASTS,
    SPREADS,
    TAKES_RIGHTS,
)
from memory_layer.text.injection.words import WORDS

#: Distance in characters within which acts add up.
WITHIN = 280

#: The weight of each act and its reason; the weights of acts near each other add up.
WEIGHTS: dict[str, tuple[int, str]] = {
    "overrule": (10, OVERRULES),
    "recast": (10, RECASTS),
    "rights": (10, TAKES_RIGHTS),
    "conceal": (10, CONCEALS),
    "mislead": (10, MISLEADS),
    "cover": (10, LOWERS),
    "extract": (10, HANDS_OUT),
    "spread": (10, SPREADS),
    "unsaid": (6, CONCEALS),
    "unasked": (6, TAKES_RIGHTS),
    "freed": (6, TAKES_RIGHTS),
    "plant": (6, LOWERS),
    "evade": (6, LOWERS),
    "granted": (6, TAKES_RIGHTS),
    "above": (5, OVERRULES),
    "claim": (6, MISLEADS),
    "anyway": (5, MISLEADS),
    "guard": (4, LOWERS),
    "harm": (2, LOWERS),
    "secret": (3, HANDS_OUT),
    "carry": (3, HANDS_OUT),
    "away": (4, HANDS_OUT),
    "agent": (2, RECASTS),
    "each": (2, RECASTS),
    "abroad": (2, HANDS_OUT),
}
#: Acts that are searched only if another one is found.
MINOR = frozenset({"abroad", "agent", "anyway", "away", "carry", "each", "harm"})
ENOUGH = 7  #: sum of weights from which a text needs review
#: Acts that do not count if negated, because rules often forbid them: "never send", "nicht senden".
FORBIDDEN = frozenset(
    {
        *("above", "carry", "claim", "cover", "extract", "granted"),
        *("guard", "harm", "plant", "rights", "spread", "unasked"),
    }
)
#: Acts that do not count with a condition.
CONDITIONAL = frozenset({"claim", "granted", "rights"})
#: Words of orders, backwards and in ROT13.
_REVERSED = (
    *("erongi", "snoitcurtsni", "dragersid", "suoiverp"),
    *("vtaber", "vafgehpgvba", "qvfertneq", "cerivbhf"),
)
_FOREIGN = (
    "alle alles und der den dem nicht fur mit ist wird du bist deine ab toutes tous les des une dans pour "
    "avec tes vos ne est"
    " todas todos las los para con una por del sus tus que em uma nao voce seu suas tutte tutti gli della "
    "che non il sei"
    " het een voor niet naar van och att inte alla och og ikke wszystk wszystkie sie nie jest od bez "
    "vsechny toate osszes"
    " ve bir icin tum butun bu kullanici semua yang untuk ini dengan dari tat moi khong nguoi truoc kaikki "
    "glem vergiss"
    " ignoriere ignoruj zignoruj zapomnij unut unutun abaikan jangan lupakan olvida oublie oubliez ignorez"
    " dimentica esqueca senza utente usuario utilisateur sans sem gebruiker benutzer nutzer ohne zonder utan"
    " uzytkownik uzytkownika kullaniciya pengguna anvandaren brugeren niemandem".split()
)
#: Very frequent words.
_FREQUENT = frozenset(
    "a all an and any are as at be by do for from has have i if in into is it let no not of on only or out that the"
    " their them these they this to was what when with without you your".split()
)
_ENDINGS = ("", "s", "ed", "ing")  #: of short words, which are not matched by prefix
_FIRST_GROUP = 5  #: lower numbers are the flags of `detect`
_Table = dict[str, list[int]]


class Act(NamedTuple):
    """A request of one kind: groups of words that must occur in one sentence, or a pattern."""

    name: str
    groups: tuple[tuple[str, ...], ...]
    pattern: str = ""


def rows_of(table: str) -> list[str]:
    """Split a table of words into rows; a line that begins with a space continues the row before it."""
    return table.replace("\n ", " ").strip().splitlines()


def groups_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Split a row into its groups: words separated by slashes, `+` for a space."""
    return tuple(
        tuple([word.replace("+", " ") if "+" in word else word for word in group.split()])
        for group in text.replace("\n", " ").split(" / ")
    )


#: All English acts.
ACTS = (
    *(Act(name, groups_of(text), pattern) for name, text, pattern in PATTERNS),
    *(Act(name, groups_of(row)) for name, table in WORDS.items() for row in rows_of(table)),
)


class AnchorRow(NamedTuple):
    """The anchors a text needs to show a sign or an act: one of each group."""

    groups: tuple[tuple[str, ...], ...]
    begin: bool = False  #: all anchors match as prefixes, not only those with `*`
    minor: bool = False  #: counts only with another act


def index_of(rows: Iterable[AnchorRow]) -> Index:
    """Build the index of rows: groups are numbered through, and rows by their position."""
    starts: _Table = {word: [REVERSED.bit_length() - 1] for word in _REVERSED}
    parts: _Table = {foreign: [FOREIGN.bit_length() - 1] for foreign in _FOREIGN}
    marks: _Table = {}
    letters: _Table = {}
    numbers: list[str] = []
    number = _FIRST_GROUP
    for row in rows:
        telling = max(range(len(row.groups)), key=lambda at: min(map(len, row.groups[at])))
        numbers.append(f"{number + telling} {number} {len(row.groups)} {row.minor:d}")
        for group in row.groups:
            for anchor in group:
                _add_anchor(row, anchor, number, (starts, parts, marks, letters))
            number += 1
    return Index(
        starts=_serialise(starts),
        parts=_serialise(parts),
        marks=_serialise(marks),
        letters=_serialise(letters),
        rows=" ".join(numbers),
    )


def _add_anchor(
    row: AnchorRow, anchor: str, number: int, tables: tuple[_Table, _Table, _Table, _Table]
) -> None:
    """Add an anchor to the table in which it is looked up; of several words, only the rarest."""
    starts, parts, marks, letters = tables
    word = anchor if anchor.isalpha() else _most_telling(anchor)
    bare = word.rstrip("*")
    begins = word != bare or (word == anchor and row.begin)
    if not bare.isascii() and is_unspaced(bare):
        forms, table = [bare], letters
    elif not bare.isalnum():
        forms, table = [bare], marks
    elif begins and len(bare) >= HEAD:
        forms, table = [bare[:LONGEST]], starts
    else:
        forms, table = [f"{bare}{ending}" for ending in _ENDINGS] if begins else [bare], parts
    for form in filter(None, forms):
        groups = table.setdefault(form, [])
        if number not in groups:
            groups.append(number)


def _serialise(table: _Table) -> str:
    return " ".join(f"{anchor} {','.join(map(str, groups))}" for anchor, groups in table.items())


def _most_telling(anchor: str) -> str:
    """Return the rarest word of an anchor with several words."""
    words = anchor.replace("_", " ").split()
    return max([word for word in words if word not in _FREQUENT] or words, key=len)


def phrases_of(row: AnchorRow) -> AnchorRow:
    """Return the groups in which every anchor has several words; the index cannot tell whether these are adjacent."""
    groups = (group for group in row.groups if all(" " in anchor for anchor in group))
    return AnchorRow(tuple(tuple(anchor.rstrip("*") for anchor in group) for group in groups))


def has_phrases(row: AnchorRow, text: str) -> bool:
    """Tell whether a text contains a phrase of each group."""
    return not row.groups or all(any(anchor in text for anchor in group) for group in row.groups)


def is_unspaced(word: str) -> bool:
    """Tell whether a word is in a script that does not separate words by spaces."""
    return any(char >= "\u0590" for char in word) and not any("\u1e00" <= char <= "\u1fff" for char in word)


def has_foreign_letters(text: str) -> bool:
    """Tell whether a text has letters beyond ASCII, so that other languages have to be checked."""
    return not text.isascii() and any(char > "\x7f" and char.isalpha() for char in text)
