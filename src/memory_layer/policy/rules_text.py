"""The single rules in a file that people wrote for coding agents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memory_layer.policy.markdown import Block, Kind, page
from memory_layer.policy.rules_code import LONGEST_CODE, commands, joined_code

LONGEST_RULE = 1_000  #: characters of prose; a longer paragraph is cut between sentences
LONGEST_LIST = 400  #: characters of short items that are told together
LONGEST_LABEL = 80
LONGEST_HEADING = 200  #: characters; a heading is looked at again for each rule below it
MOST_LABEL_WORDS = 5
FEWEST_WORDS = 4  #: from which an item can be understood without its neighbours

MOST_PATTERNS = 32
_EVERYWHERE = ("*", "**", "**/*", "/")

_BRACES = re.compile(r"\{([^{}]*)\}")
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\([^()\s]{0,1000}(?:\s[^()]{0,300})?\)")
_ADDRESS = re.compile(r"\[[^\[\]]{0,300}\]\[[^\[\]]{0,300}\]|<?https?://[^\s<>]+>?")
_IMAGE = re.compile(r"!\[[^\[\]]{0,300}\]\([^()]{0,1000}\)")
_LINKED_IMAGE = re.compile(r"\[\s*\]\([^()]{0,1000}\)")
_ANCHOR = re.compile(r"\]\(#")
_TAG = re.compile(r"</?[A-Za-z][\w:.-]{0,100}(?:\s[^<>]{0,1000})?>")
_IMPORT = re.compile(r"@(?:~|\.{0,2}/)?[\w.~/-]*[\w/-](?:\.\w+)?")
_FILE = re.compile(r"[\w./-]{1,200}\.(?:md|mdc|txt)")
_DEFINITION = re.compile(r"\[[^\]]+\]:\s*\S+.*")
_BOX = re.compile(r"\[[ xX]\]\s+")
_WORD = re.compile(r"[^\W_][\w'’-]*")
#: Scripts that write without spaces; two of their characters make about one word.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_ABOUT_ITSELF = re.compile(
    r"this (?:file|document|guide|page|rule file)\b.{0,40}\b(?:provides?|contains?|describes?|gives?|outlines?|defines?"
    r"|serves?|explains?|is)\b|^you are (?:an?|the)\b.{0,60}\b(?:expert|assistant|engineer|developer)\b",
    re.IGNORECASE,
)
_SECTIONS_WITHOUT_RULES = (
    (re.compile(r"\W*(?:table of )?contents?\W*|\W*toc\W*", re.IGNORECASE), "part of a table of contents"),
    (
        re.compile(r"\W*(?:licen[cs]e|copyright|credits|acknowledge?ments?)\b.*", re.IGNORECASE),
        "part of a licence",
    ),
)
#: An introduction that adds nothing to what it introduces.
_GENERIC = re.compile(
    r"\b(?:following|these|rules?|guidelines?|examples?|e\.g|notes?|key points?|steps?|includes?|including|below"
    r"|principles?|conventions?|list|features?|details?|standards?)\b",
    re.IGNORECASE,
)
#: A heading or an introduction that turns what follows into its opposite, or says when it holds.
_TURNING = re.compile(
    r"\W*(?:don'?t'?s?|do not|never|avoid|anti-?patterns?|bad|wrong|not? allowed|forbidden|prohibited|what not to do"
    r"|things to avoid|when\b.*|before\b.*|after\b.*|if\b.*|while\b.*|during\b.*|unless\b.*|must not|should not"
    r"|prefer|instead of\b.*|only\b.*|for\b.*|in\b.*|on\b.*)\W*",
    re.IGNORECASE,
)
_TURNING_HEADING = re.compile(
    r"\W*(?:don'?t'?s?|do not|never(?: do)?|avoid|anti-?patterns?(?: to avoid)?|not? allowed|forbidden|prohibited"
    r"|what not to do|things to avoid|must not|should not)\W*",
    re.IGNORECASE,
)
_IMPERATIVE = frozenset(
    "use avoid prefer keep run write add follow never always don't do ensure include make test document handle"
    " validate return name put import export check call set create define limit place store log mock wrap commit"
    " format lint read ask start build deploy install update remove delete implement".split()
)


class Rule(NamedTuple):
    """One rule with the lines it stands on."""

    text: str
    first: int
    last: int
    headings: tuple[str, ...]


class Rules(NamedTuple):
    """What a text holds: its rules, what was left out and why, and the paths it is about."""

    rules: tuple[Rule, ...]
    skipped: tuple[tuple[int, str], ...]
    scope: tuple[str, ...]
    description: str | None = None


def rules_in(text: str) -> Rules:
    """Every rule of a text in order."""
    read = page(text)
    reader = _Reader()
    for block in read.blocks:
        reader.take(block)
    reader.finish()
    front = read.front
    globs = front.get("globs", ()) + front.get("applyto", ()) + front.get("paths", ())
    return Rules(
        rules=tuple(reader.rules),
        skipped=tuple(sorted(reader.skipped)),
        scope=tuple(
            dict.fromkeys(path for glob in globs for path in _expanded(glob) if path not in _EVERYWHERE)
        ),
        description=", ".join(front.get("description", ())) or None,
    )


def _expanded(glob: str) -> list[str]:
    """A pattern without braces: `*.{ts,tsx}` is two patterns."""
    found = [glob]
    while len(found) <= MOST_PATTERNS and (braces := _BRACES.search(found[0])):
        before, after = found[0][: braces.start()], found[0][braces.end() :]
        found = [*found[1:], *(before + choice.strip() + after for choice in braces[1].split(","))]
    return found


class _Entry:
    """An item or paragraph, with the code that belongs to it and the items below it."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.code: list[Block] = []
        self.below: list[_Entry] = []

    @property
    def is_weak(self) -> bool:
        """Whether it says too little without its neighbours."""
        return not (self.below or self.code or stands_alone(self.block.text))

    @property
    def last(self) -> int:
        ends = (self.block.last, *(code.last for code in self.code), *(entry.last for entry in self.below))
        return max(ends)


class _Reader:
    """Walks over the blocks, keeps the headings, and gathers each list before it is told apart."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.skipped: list[tuple[int, str]] = []
        self.headings: list[tuple[int, str, str | None]] = []  #: level, text, why nothing below it is a rule
        self.empty_heading: int | None = None
        self.intro: Block | None = None  #: a paragraph that ends with a colon
        self.list: list[_Entry] = []
        self.paragraph: _Entry | None = None
        self.columns: list[str] | None = None

    def take(self, block: Block) -> None:
        if block.kind is Kind.BREAK:
            self.columns = None
        elif block.kind is Kind.HEADING:
            self._head(block)
        elif block.kind is Kind.COMMENT:
            self.skipped.append((block.first, "an HTML comment"))
        elif block.kind is Kind.HUGE:
            self.skipped.append((block.first, "a line that is too long"))
        elif reason := self._useless_section() or self._useless(block):
            self._flush()
            self.skipped.append((block.first, reason))
            self.empty_heading = None
        else:
            self.empty_heading = None
            {Kind.ITEM: self._item, Kind.CODE: self._code, Kind.ROW: self._row}.get(
                block.kind, self._paragraph
            )(block)

    def finish(self) -> None:
        self._flush()
        self._close_intro()
        if self.empty_heading is not None:
            self.skipped.append((self.empty_heading, "a heading with nothing below it"))

    def _head(self, block: Block) -> None:
        self._flush()
        self._close_intro()
        last = self.headings[-1] if self.headings else None
        if self.empty_heading is not None and last and block.level <= last[0]:
            self.skipped.append((self.empty_heading, "a heading with nothing below it"))
        self.headings = [known for known in self.headings if known[0] < block.level]
        heading = plain(block.text[:LONGEST_HEADING])
        self.headings.append((block.level, heading, _without_rules(heading)))
        self.empty_heading = block.first

    def _useless_section(self) -> str | None:
        return next((reason for _, _, reason in self.headings if reason), None)

    def _useless(self, block: Block) -> str | None:
        """Why a block is no rule, if that can be seen from itself."""
        text = block.text
        if block.kind is Kind.CODE:
            alone = not self.list and self.paragraph is None
            return "a long code block" if alone and len(text) > LONGEST_CODE else _empty_code(text)
        if _IMAGE.search(text) and not _LINKED_IMAGE.sub("", _IMAGE.sub("", _TAG.sub("", text))).strip():
            return "an image or badge"
        if _is_link(text) or _DEFINITION.fullmatch(text):
            return "part of a table of contents" if _ANCHOR.search(text) else "nothing but a link"
        if _IMPORT.fullmatch(text) and ("/" in text or "." in text):
            return "it imports another file, which can be imported by its own name"
        if block.kind is Kind.PARAGRAPH and _FILE.fullmatch(text):
            return "it names another file, which can be imported by its own name"
        if block.kind is Kind.PARAGRAPH and not _TAG.sub("", text).strip():
            return "nothing but markup"
        if block.kind is Kind.PARAGRAPH and _ABOUT_ITSELF.search(text[:300]) and not text.endswith(":"):
            return "it speaks about the file or the assistant itself"
        return None

    def _item(self, block: Block) -> None:
        self._end_paragraph()
        siblings = self.list
        for _ in range(block.level):
            siblings = siblings[-1].below if siblings else siblings
        siblings.append(_Entry(block._replace(text=_BOX.sub("", block.text, count=1))))

    def _paragraph(self, block: Block) -> None:
        self._flush()
        self._close_intro()
        self.paragraph = _Entry(block)

    def _code(self, block: Block) -> None:
        if self.list:
            owner = self.list[-1]
            while owner.below:
                owner = owner.below[-1]
            owner.code.append(block)
        elif self.paragraph:
            self.paragraph.code.append(block)
        else:
            self._close_intro()
            for text, first, last in commands(block) or [self._whole(block)]:
                self._add(text, first, last)

    def _whole(self, block: Block) -> tuple[str, int, int]:
        """Code that stands alone below a heading."""
        return joined_code(self._own_heading().rstrip(), [block]), block.first, block.last

    def _row(self, block: Block) -> None:
        self._flush()
        if not block.text:
            return  # the line below the head
        cells = [cell.strip() for cell in block.text.strip("| \t").split("|")]
        if self.columns is None:
            self.columns, self.intro = cells, None
            return
        told = _row_text(self.columns, cells)
        if told:
            self._add(told, block.first, block.last)
        else:
            self.skipped.append((block.first, "a table row that says too little"))

    def _end_paragraph(self) -> None:
        """A paragraph before a list introduces it if it ends with a colon; else it is a rule of its own."""
        entry, self.paragraph = self.paragraph, None
        if entry is None:
            return
        introduces = entry.block.text.rstrip("*_ ").endswith((":", "："))
        told = [each for code in entry.code for each in commands(code)]
        if introduces and not entry.code and len(entry.block.text) <= LONGEST_LABEL:
            self.intro = entry.block
        elif introduces and len(told) > 1:
            self._add(entry.block.text.rstrip(":： "), entry.block.first, entry.block.last)
            for text, first, last in told:
                self._add(text, first, last)
        else:
            self._close_intro()
            self._tell(entry, "")

    def _flush(self) -> None:
        self._end_paragraph()
        if self.list:
            gathered, self.list = self.list, []
            intro, self.intro = self.intro, None
            self._tell_list(gathered, self._context(intro))

    def _close_intro(self) -> None:
        if self.intro is not None:
            self.skipped.append((self.intro.first, "an introduction to nothing that was kept"))
            self.intro = None

    def _context(self, intro: Block | None) -> str:
        """What has to stand before each item for it to mean the same on its own."""
        if intro and len(intro.text) <= LONGEST_LABEL:
            label = intro.text.rstrip("*_:： ").lstrip("*_ ")
            if _TURNING.fullmatch(label) or (words(label) <= MOST_LABEL_WORDS and not _GENERIC.search(label)):
                return f"{label}: "
        own = self.headings[-1][1] if self.headings else ""
        return f"{own}: " if own and _TURNING_HEADING.fullmatch(own) else ""

    def _tell_list(self, entries: Sequence[_Entry], context: str) -> None:
        """Items that stand alone, each for itself; mere words all together."""
        for entry in entries:
            if not entry.is_weak:
                self._tell(entry, context)
        self._tell_together([entry for entry in entries if entry.is_weak], context or self._own_heading())

    def _own_heading(self) -> str:
        return f"{self.headings[-1][1]}: " if self.headings and self.headings[-1][1] else ""

    def _tell_together(self, entries: Sequence[_Entry], label: str) -> None:
        """Short items in one rule, as many as fit."""
        group: list[_Entry] = []
        for entry in entries:
            if group and sum(len(each.block.text) + 2 for each in [*group, entry]) > LONGEST_LIST:
                self._tell_group(group, label)
                group = []
            group.append(entry)
        if group:
            self._tell_group(group, label)

    def _tell_group(self, group: Sequence[_Entry], label: str) -> None:
        text = label + "; ".join(entry.block.text.rstrip(" ,;") for entry in group)
        if words(text) >= 3:
            self._add(text, group[0].block.first, group[-1].last)
        else:
            self.skipped.append((group[0].block.first, "too short to say anything"))

    def _tell(self, entry: _Entry, context: str) -> None:
        """One item with what belongs to it, then the items below it that stand alone."""
        text = entry.block.text
        weak = [each for each in entry.below if each.is_weak]
        strong = [each for each in entry.below if not each.is_weak]
        if entry.below and is_label(text):
            label = f"{context}{text.rstrip('*_:： ').lstrip('*_ ')}: "
            self._tell_together(weak, label)
            for each in strong:
                self._tell(each, label if len(label) <= LONGEST_LABEL else context)
            return
        told = context + text + "".join(f"\n- {each.block.text}" for each in weak)
        last = max([entry.block.last, *(code.last for code in entry.code), *(each.last for each in weak)])
        self._add(joined_code(told, entry.code), entry.block.first, last)
        for each in strong:
            self._tell(each, context)

    def _add(self, text: str, first: int, last: int) -> None:
        headings = tuple(heading for _, heading, _ in self.headings if heading)
        if words(text) < 2:
            self.skipped.append((first, "too short to say anything"))
            return
        for part in _parts(text):
            self.rules.append(Rule(part, first, last, headings))


def _without_rules(heading: str) -> str | None:
    """Why nothing in a section is a rule, if its heading tells."""
    found = (reason for pattern, reason in _SECTIONS_WITHOUT_RULES if pattern.fullmatch(heading))
    return next(found, None)


def _empty_code(text: str) -> str | None:
    return None if text.strip() else "an empty code block"


def words(text: str) -> int:
    """How many words a text has, also where words are not set apart."""
    return len(_WORD.findall(text)) + len(_UNSPACED.findall(text)) // 2


def plain(heading: str) -> str:
    """A heading without its markup."""
    return _LINK.sub(r"\1", heading).strip("*_`#: \t").strip()


def _is_link(text: str) -> bool:
    """Whether a text has links and no words beside them."""
    rest = _ADDRESS.sub("", _LINK.sub("", text))
    return rest != text and not _WORD.search(rest)


def is_label(text: str) -> bool:
    """Whether an item only names what the items below it are about."""
    bare = text.strip()
    if bare.rstrip("*_ ").endswith((":", "：")):
        return True
    return words(bare) < FEWEST_WORDS or bool(re.fullmatch(r"\*\*[^*]+\*\*:?", bare))


def stands_alone(text: str) -> bool:
    """Whether an item can be understood without its neighbours."""
    if words(text) >= FEWEST_WORDS:
        return True
    first = _WORD.search(text)
    return words(text) >= 2 and first is not None and first[0].lower() in _IMPERATIVE


def _row_text(columns: Sequence[str], cells: Sequence[str]) -> str | None:
    """A table row as a sentence: the first cell, then the others under their heads."""
    pairs = [(name, cell) for name, cell in zip(columns, cells, strict=False) if cell.strip("-–— ")]
    if len(pairs) < 2 or all(_is_link(cell) for _, cell in pairs):
        return None
    (head, first), *rest = pairs
    told = (
        rest[0][1]
        if len(rest) == 1
        else "; ".join(f"{name}: {cell}" if name else cell for name, cell in rest)
    )
    if len(rest) == 1 and words(f"{first} {told}") < FEWEST_WORDS:
        return f"{head} {first}: {rest[0][0]} {told}".strip()
    return f"{first}: {told}"


def _parts(text: str) -> Iterator[str]:
    """A text in pieces of a rule's length, cut between sentences; code stays whole."""
    if len(text) <= LONGEST_RULE or "```" in text:
        yield text
        return
    part = ""
    for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z`*])", text):
        if part and len(part) + len(sentence) > LONGEST_RULE:
            yield part
            part = ""
        part = f"{part} {sentence}".strip()
    if part:
        yield part
