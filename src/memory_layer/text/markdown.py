"""Parse Markdown into the blocks that matter for rules: headings, items, paragraphs, tables and code.

Not a renderer: it reads line by line, never backtracks, and runs in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from memory_layer.model.record import NamedTuple

DEEPEST = 8  #: nesting levels of lists
LONGEST_LINE = 20_000  #: characters; nobody writes longer lines by hand
_FRONT_MATTER_LINES = 60
_TAB = 4

_FENCE = re.compile(r" *(?:[-*+] +|\d{1,9}[.)] +)?(`{3,}|~{3,})\s*([\w+#.-]*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(\S.*)")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,})")
_ROW = re.compile(r" {0,3}\|.*\|[ \t]*")
_ROW_LINE = re.compile(r"[ \t|:-]+")
_FRONT_KEY = re.compile(r"([A-Za-z][\w-]{0,40}):[ \t]*(.*)")
_FRONT_ENTRY = re.compile(r"[ \t]*-[ \t]+(.+)")


class BlockKind(Enum):
    HEADING = "heading"
    ITEM = "item"
    PARAGRAPH = "paragraph"
    ROW = "row"
    CODE = "code"
    COMMENT = "comment"
    BREAK = "break"  #: a blank line or a rule
    HUGE = "huge"


class Block(NamedTuple):
    """A block with its first and last line, counted from 1."""

    kind: BlockKind
    text: str
    first: int
    last: int
    level: int = 0  #: 1 to 6 for a heading, from 0 for an item
    language: str = ""  #: of code


class MarkdownPage(NamedTuple):
    """A parsed text: its blocks and its front matter."""

    blocks: tuple[Block, ...]
    front: dict[str, tuple[str, ...]]


def parse_page(text: str) -> MarkdownPage:
    """Parse a Markdown text."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    front, start = _front_matter(lines)
    return MarkdownPage(tuple(_merge_lines(_blocks(lines, start))), front)


def _front_matter(lines: list[str]) -> tuple[dict[str, tuple[str, ...]], int]:
    """Parse the plain `key: value` lines between two `---` at the top; return them and the line after them."""
    if lines[0].rstrip() != "---":
        return {}, 0
    ends = (at for at, line in enumerate(lines[1:_FRONT_MATTER_LINES], 1) if line.rstrip() in ("---", "..."))
    end = next(ends, None)
    if end is None:
        return {}, 0
    found: dict[str, tuple[str, ...]] = {}
    key = None
    for line in lines[1:end]:
        if pair := _FRONT_KEY.fullmatch(line[:LONGEST_LINE].lstrip(" ")):
            key = pair[1].lower()
            nested = line.startswith(" ") and key in found
            found[key] = found[key] if nested else tuple(_values(pair[2]))
        elif key and (entry := _FRONT_ENTRY.fullmatch(line[:LONGEST_LINE])):
            found[key] += tuple(_values(entry[1]))
    return found, end + 1


def _values(text: str) -> Iterator[str]:
    """Split `a, b` or `["a", "b"]` into its values; commas in braces do not split."""
    for part in re.findall(r"(?:\{[^{}]*\}|[^,{}]|[{}])+", text.strip().removeprefix("[").removesuffix("]")):
        if bare := part.strip().strip("\"'").strip():
            yield bare


def _blocks(lines: list[str], start: int) -> Iterator[Block]:
    """Yield each line as a block; code and comments are one block each."""
    at, indents, in_list = start, [0], False
    while at < len(lines):
        line = lines[at]
        if len(line) > LONGEST_LINE:
            yield Block(BlockKind.HUGE, "", at + 1, at + 1)
        elif not in_list and _is_indented(line) and (at == start or not lines[at - 1].strip()):
            end = at
            while end + 1 < len(lines) and _is_indented(lines[end + 1]):
                end += 1
            yield Block(BlockKind.CODE, _dedent(lines[at : end + 1]), at + 1, end + 1)
            at = end
        elif fence := _FENCE.match(line):
            end = _end_of_code(lines, at, fence[1])
            yield Block(
                BlockKind.CODE, _dedent(lines[at + 1 : end]), at + 1, end + 1, language=fence[2].lower()
            )
            at = end
        elif line.lstrip().startswith("<!--"):
            end = next((n for n in range(at, len(lines)) if "-->" in lines[n]), len(lines) - 1)
            yield Block(BlockKind.COMMENT, "", at + 1, end + 1)
            if rest := lines[end].partition("-->")[2].strip():
                yield _read_line(rest, end + 1, indents)
            at = end
        else:
            block = _read_line(line, at + 1, indents)
            if block.kind is not BlockKind.BREAK:
                in_list = block.kind is BlockKind.ITEM or (in_list and line[:1].isspace())
            yield block
        at += 1


def _is_indented(line: str) -> bool:
    return line.startswith(("    ", "\t")) and bool(line.strip())


def _read_line(line: str, number: int, indents: list[int]) -> Block:
    bare = line.strip()
    if not bare or _RULE.fullmatch(line):
        return Block(BlockKind.BREAK, bare, number, number)
    if heading := _HEADING.fullmatch(line):
        indents[:] = [0]
        return Block(
            BlockKind.HEADING,
            _strip_closing_signs((heading[2] or "").strip()),
            number,
            number,
            len(heading[1]),
        )
    if item := _ITEM.fullmatch(line):
        return Block(BlockKind.ITEM, item[2].strip(), number, number, _level(item[1], indents))
    if _ROW.fullmatch(line):
        return Block(BlockKind.ROW, "" if _ROW_LINE.fullmatch(bare) else bare, number, number)
    return Block(BlockKind.PARAGRAPH, bare.lstrip("> ").strip(), number, number)


def _strip_closing_signs(heading: str) -> str:
    """Remove the optional closing signs of a heading; by hand, since a pattern would backtrack."""
    bare = heading.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else heading


def _level(space: str, indents: list[int]) -> int:
    """Return the nesting level of an item, by the indentations before it in this list."""
    indent = len(space.expandtabs(_TAB))
    while len(indents) > 1 and indent < indents[-1]:
        indents.pop()
    if indent > indents[-1] + 1 and len(indents) <= DEEPEST:
        indents.append(indent)
    return len(indents) - 1


def _end_of_code(lines: list[str], start: int, fence: str) -> int:
    """Return the line that closes a fence, or the last line if it is never closed."""
    for at in range(start + 1, len(lines)):
        bare = lines[at].strip()
        if bare.startswith(fence) and not bare.strip(fence[0]):
            return at
    return len(lines) - 1


def _dedent(lines: list[str]) -> str:
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    cut = min(indents, default=0)
    return "\n".join(line[cut:].rstrip() for line in lines).strip("\n")


def _merge_lines(blocks: Iterator[Block]) -> Iterator[Block]:
    """Merge the lines of wrapped items and paragraphs, and of underlined headings."""
    current: Block | None = None
    for block in blocks:
        if current and _continues(current, block):
            current = current._replace(text=f"{current.text} {block.text}", last=block.last)
        elif (
            block.kind is BlockKind.BREAK
            and current
            and current.kind is BlockKind.PARAGRAPH
            and _underlines(block)
        ):
            yield current._replace(
                kind=BlockKind.HEADING, level=1 if "=" in block.text else 2, last=block.last
            )
            current = None
        else:
            if current:
                yield current
            current = block
    if current:
        yield current


def _continues(current: Block, block: Block) -> bool:
    """Tell whether a line belongs to the block before it; a block that is too long ends."""
    wrapped = block.kind is BlockKind.PARAGRAPH and current.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH)
    return wrapped and len(current.text) + len(block.text) < LONGEST_LINE


def _underlines(block: Block) -> bool:
    return bool(block.text) and set(block.text) in ({"="}, {"-"})
