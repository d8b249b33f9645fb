"""Split a rules file for coding agents into single rules, from lists, paragraphs, tables and code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.text import scopes
from memory_layer.text.markdown import Block, BlockKind, parse_page
from memory_layer.text.rule_signs import (
    FEWEST_WORDS,
    LONGEST_LABEL,
    commands,
    is_label,
    is_link,
    label_of,
    section_skip_reason,
    skip_reason,
    stands_alone,
    strip_markup,
    with_examples,
    words,
)
from memory_layer.text.rule_wording import (
    forbidden,
    forbids,
    is_clear,
    is_condition,
    topic_of,
    under,
    without_marks,
)

_FEW_COLUMNS = 2  #: columns of a table whose rows are clear without headings

LONGEST_RULE = 1_000  #: characters of prose; longer paragraphs are split between sentences
LONGEST_LIST = 400  #: characters of short items that become one rule
LONGEST_HEADING = 200  #: characters; a heading is read again for each rule below it
_EVERYWHERE = ("*", "**", "**/*", "/")
_BOX = re.compile(r"\[[ xX]\]\s+")


def cells_of(row: Block) -> list[str]:
    return [cell.strip() for cell in row.text.strip("| \t").split("|")]


def row_sentences(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str | None]:
    """Turn each row into a sentence: the first cell, then the others; None for a row that says too little.

    Column headings are added to every row or to none: with many columns, or if most rows are short.
    """
    filled = [_filled_cells(columns, row) for row in rows]
    several = len(columns) > _FEW_COLUMNS
    short = [pairs for pairs in filled if pairs and words(_plain_row(pairs)) < FEWEST_WORDS]
    headed = not several and 2 * len(short) >= sum(pairs is not None for pairs in filled)
    form = _listed_row if several else _headed_row if headed else _plain_row
    return [form(pairs) if pairs else None for pairs in filled]


def _filled_cells(columns: Sequence[str], row: Sequence[str]) -> list[tuple[str, str]] | None:
    pairs = [(name, cell) for name, cell in zip(columns, row, strict=False) if cell.strip("-–— ")]
    return None if len(pairs) < 2 or all(is_link(cell) for _, cell in pairs) else pairs


def _plain_row(pairs: Sequence[tuple[str, str]]) -> str:
    return ": ".join(cell for _, cell in pairs)


def _headed_row(pairs: Sequence[tuple[str, str]]) -> str:
    return ": ".join(f"{name} {cell}".strip() for name, cell in pairs)


def _listed_row(pairs: Sequence[tuple[str, str]]) -> str:
    (_, first), *rest = pairs
    return f"{first}: " + "; ".join(f"{name}: {cell}" if name else cell for name, cell in rest)


class FileRule(NamedTuple):
    """A rule with its lines and the headings above it."""

    text: str
    first: int
    last: int
    headings: tuple[str, ...]


class Rules(NamedTuple):
    """The rules of a text, the skipped lines with reasons, and the paths it applies to."""

    rules: tuple[FileRule, ...]
    skipped: tuple[tuple[int, str], ...]
    scope: tuple[str, ...]
    description: str | None = None


def rules_in(text: str) -> Rules:
    """Find all rules of a text, in order."""
    parsed = parse_page(text)
    reader = _Reader()
    for block in parsed.blocks:
        reader.take(block)
    reader.finish()
    front = parsed.front
    globs = front.get("globs", ()) + front.get("applyto", ()) + front.get("paths", ())
    return Rules(
        rules=tuple(reader.rules),
        skipped=tuple(sorted(reader.skipped)),
        scope=tuple(
            dict.fromkeys(
                path for glob in globs for path in scopes.without_braces(glob) if path not in _EVERYWHERE
            )
        ),
        description=", ".join(front.get("description", ())) or None,
    )


class _Entry:
    """An item or paragraph with its code and the items below it."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.code: list[Block] = []
        self.below: list[_Entry] = []

    @property
    def is_weak(self) -> bool:
        """Tell whether the entry says too little without its neighbours."""
        return not (self.below or self.code or stands_alone(self.block.text))

    @property
    def is_introduction(self) -> bool:
        """Tell whether the entry introduces something that does not follow."""
        return not (self.below or self.code) and self.block.text.rstrip("*_ ").endswith((":", "："))

    @property
    def last(self) -> int:
        ends = (self.block.last, *(code.last for code in self.code), *(entry.last for entry in self.below))
        return max(ends)


class _Reader:
    """Reads blocks in order, tracks the headings, and collects each list before splitting it into rules."""

    def __init__(self) -> None:
        self.rules: list[FileRule] = []
        self.skipped: list[tuple[int, str]] = []
        self.headings: list[tuple[int, str, str | None]] = []  #: level, text, why nothing below it is a rule
        self.empty_heading: int | None = None
        self.intro: Block | None = None  #: a paragraph that ends with a colon
        self.list: list[_Entry] = []
        self.paragraph: _Entry | None = None
        self.table: list[Block] = []  #: the head and the rows

    def take(self, block: Block) -> None:
        if block.kind is not BlockKind.ROW:
            self._end_table()
        if block.kind is BlockKind.BREAK:
            return
        if block.kind is BlockKind.HEADING:
            self._start_section(block)
        elif block.kind is BlockKind.COMMENT:
            self.skipped.append((block.first, "an HTML comment"))
        elif block.kind is BlockKind.HUGE:
            self.skipped.append((block.first, "a line that is too long"))
        elif reason := self._section_skip_reason() or self._skip_reason(block):
            self._flush()
            self.skipped.append((block.first, reason))
            self.empty_heading = None
        else:
            self.empty_heading = None
            {BlockKind.ITEM: self._item, BlockKind.CODE: self._code, BlockKind.ROW: self._row}.get(
                block.kind, self._paragraph
            )(block)

    def finish(self) -> None:
        self._end_table()
        self._flush()
        self._close_intro()
        if self.empty_heading is not None:
            self.skipped.append((self.empty_heading, "a heading with nothing below it"))

    def _start_section(self, block: Block) -> None:
        self._flush()
        self._close_intro()
        last = self.headings[-1] if self.headings else None
        if self.empty_heading is not None and last and block.level <= last[0]:
            self.skipped.append((self.empty_heading, "a heading with nothing below it"))
        self.headings = [known for known in self.headings if known[0] < block.level]
        heading = strip_markup(block.text[:LONGEST_HEADING])
        self.headings.append((block.level, heading, section_skip_reason(heading)))
        self.empty_heading = block.first

    def _section_skip_reason(self) -> str | None:
        return next((reason for _, _, reason in self.headings if reason), None)

    def _skip_reason(self, block: Block) -> str | None:
        return skip_reason(block, stands_free=not self.list and self.paragraph is None)

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
            for text, first, last in commands(block) or [self._code_rule(block)]:
                self._add(text, first, last)

    def _code_rule(self, block: Block) -> tuple[str, int, int]:
        """Turn a free-standing code block into a rule under its heading."""
        topic = self._topic()
        return with_examples(f"{topic}:" if topic else "", [block]), block.first, block.last

    def _row(self, block: Block) -> None:
        self._flush()
        if not self.table:
            self.intro = None
        if block.text:  # the line below the head has none
            self.table.append(block)

    def _end_table(self) -> None:
        if not self.table:
            return
        (head, *rows), self.table = self.table, []
        passages = row_sentences(cells_of(head), [cells_of(row) for row in rows])
        for row, text in zip(rows, passages, strict=True):
            if text:
                self._add(text, row.first, row.last)
            else:
                self.skipped.append((row.first, "a table row that says too little"))

    def _end_paragraph(self) -> None:
        """End a paragraph: before a list, one that ends with a colon introduces it; any other is a rule."""
        entry, self.paragraph = self.paragraph, None
        if entry is None:
            return
        introduces = entry.block.text.rstrip("*_ ").endswith((":", "："))
        passages = [each for code in entry.code for each in commands(code)]
        if introduces and not entry.code and len(entry.block.text) <= LONGEST_LABEL:
            self.intro = entry.block
        elif introduces and len(passages) > 1:
            self._add(entry.block.text.rstrip(":： "), entry.block.first, entry.block.last)
            for text, first, last in passages:
                self._add(text, first, last)
        else:
            self._close_intro()
            self._add_entry(entry, "")

    def _flush(self) -> None:
        self._end_paragraph()
        if self.list:
            entries, self.list = self.list, []
            intro, self.intro = self.intro, None
            self._add_list(entries, self._context(intro))

    def _close_intro(self) -> None:
        if self.intro is not None:
            self.skipped.append((self.intro.first, "an introduction to nothing that was kept"))
            self.intro = None

    def _context(self, intro: Block | None) -> str:
        """Return the label that each item needs to keep its meaning on its own."""
        if intro and (label := label_of(intro.text)):
            return label
        own = self.headings[-1][1] if self.headings else ""
        return own if forbids(own) else topic_of(own) if is_condition(own) else ""

    def _add_list(self, entries: Sequence[_Entry], context: str) -> None:
        """Add each item that is clear on its own as a rule, and the others together."""
        kept = [entry for entry in entries if not self._leads_nowhere(entry)]
        for entry in kept:
            if not entry.is_weak:
                self._add_entry(entry, context)
        self._add_together([entry for entry in kept if entry.is_weak], context or self._topic())

    def _leads_nowhere(self, entry: _Entry) -> bool:
        if entry.is_introduction:
            self.skipped.append((entry.block.first, "an introduction to nothing that was kept"))
        return entry.is_introduction

    def _topic(self) -> str:
        """Return the nearest heading that names a topic; the title of a file names all of it."""
        own = [
            topic_of(heading) for level, heading, _ in self.headings if level > 1 or len(self.headings) == 1
        ]
        return next(filter(None, reversed(own)), "")

    def _add_together(self, entries: Sequence[_Entry], label: str) -> None:
        """Combine short items into rules, as many as fit in each."""
        group: list[_Entry] = []
        for entry in entries:
            if group and sum(len(each.block.text) + 2 for each in [*group, entry]) > LONGEST_LIST:
                self._add_group(group, label)
                group = []
            group.append(entry)
        if group:
            self._add_group(group, label)

    def _add_group(self, group: Sequence[_Entry], label: str) -> None:
        items = "; ".join(without_marks(entry.block.text)[0].rstrip(" ,;") for entry in group)
        text = under(label, items) if label else items
        if words(text) >= 3:
            self._add(text, group[0].block.first, group[-1].last)
        else:
            self.skipped.append((group[0].block.first, "too short to say anything"))

    def _add_entry(self, entry: _Entry, context: str) -> None:
        """Add an item with its code and weak sub-items, then its other sub-items."""
        text = entry.block.text
        weak = [each for each in entry.below if each.is_weak]
        strong = [each for each in entry.below if not each.is_weak]
        if entry.below and is_label(text):
            label = text.rstrip("*_:： ").lstrip("*_ ")
            label = under(context, label) if context else label
            self._add_together(weak, label)
            for each in strong:
                self._add_entry(each, label if len(label) <= LONGEST_LABEL else context)
            return
        passages = self._worded(text, context) + "".join(f"\n- {each.block.text}" for each in weak)
        last = max([entry.block.last, *(code.last for code in entry.code), *(each.last for each in weak)])
        self._add(with_examples(passages, entry.code), entry.block.first, last)
        for each in strong:
            self._add_entry(each, context)

    def _worded(self, text: str, context: str) -> str:
        """Word an item as a rule of its own: under its label, or under its heading if it is not clear without it."""
        text, crossed = without_marks(text)
        if crossed:
            text = forbidden(text)
        if context:
            return under(context, text)
        topic = "" if is_clear(text) else self._topic()
        return under(topic, text) if topic else text

    def _add(self, text: str, first: int, last: int) -> None:
        headings = tuple(heading for _, heading, _ in self.headings if heading)
        if words(text) < 2:
            self.skipped.append((first, "too short to say anything"))
            return
        for part in _parts(text):
            self.rules.append(FileRule(part, first, last, headings))


def _parts(text: str) -> Iterator[str]:
    """Split a text between sentences into parts of a rule's length; code stays whole."""
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
