"""Acts that a text may ask an agent for, their weights, and the index of the words that signs and acts need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memory_layer.model.record import NamedTuple
from memory_layer.text import read_columns, read_tables
from memory_layer.text.injection.detect import FOREIGN, HEAD, LONGEST, REVERSED, Index
from memory_layer.text.injection.signs import REASONS, groups_of

#: Distance in characters within which acts add up.
WITHIN = 280

#: The weight of each act and its reason; the weights of acts near each other add up.
WEIGHTS: dict[str, tuple[int, str]] = {
    "overrule": (10, REASONS["overrules"]),
    "recast": (10, REASONS["recasts"]),
    "rights": (10, REASONS["takes_rights"]),
    "conceal": (10, REASONS["conceals"]),
    "mislead": (10, REASONS["misleads"]),
    "cover": (10, REASONS["lowers"]),
    "extract": (10, REASONS["hands_out"]),
    "spread": (10, REASONS["spreads"]),
    "unsaid": (6, REASONS["conceals"]),
    "unasked": (6, REASONS["takes_rights"]),
    "freed": (6, REASONS["takes_rights"]),
    "plant": (6, REASONS["lowers"]),
    "evade": (6, REASONS["lowers"]),
    "granted": (6, REASONS["takes_rights"]),
    "above": (5, REASONS["overrules"]),
    "claim": (6, REASONS["misleads"]),
    "anyway": (5, REASONS["misleads"]),
    "guard": (4, REASONS["lowers"]),
    "harm": (2, REASONS["lowers"]),
    "secret": (3, REASONS["hands_out"]),
    "carry": (3, REASONS["hands_out"]),
    "away": (4, REASONS["hands_out"]),
    "agent": (2, REASONS["recasts"]),
    "each": (2, REASONS["recasts"]),
    "abroad": (2, REASONS["hands_out"]),
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


#: All English acts.
ACTS = (
    *(
        Act(name, groups_of(anchors), pattern)
        for name, anchors, pattern in read_columns("injection/patterns", 3)["patterns"]
    ),
    *(
        Act(name, groups_of(row))
        for name, table in read_tables("injection/english").items()
        for row in rows_of(table)
    ),
)


def foreign_acts() -> Iterator[Act]:
    """Yield the acts of other languages; weak ones also need a word that identifies the language."""
    tables = read_tables("injection/languages")
    by_language = {row[:2]: tuple(row[3:].split()) for row in rows_of(tables.pop("languages"))}
    for name, table in tables.items():
        for row in rows_of(table):
            groups = groups_of(row[3:])
            language_words = by_language.get(row[:2]) if WEIGHTS[name][0] < ENOUGH else None
            yield Act(name, (*groups, language_words) if language_words else groups)


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
