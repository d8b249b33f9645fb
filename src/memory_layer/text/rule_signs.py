"""Classify the blocks of a rules file: what is not a rule, what only introduces others, what is clear on its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.text.markdown import Block, BlockKind
from memory_layer.text.rule_wording import IMPERATIVE

LONGEST_CODE = 2_000  #: characters; longer examples are only cited

_SHELLS = frozenset({"", "bash", "sh", "shell", "zsh", "console", "terminal", "fish", "powershell"})
_COMMENT = re.compile(r"#+\s*(.+)")
_TRAILING = re.compile(r"(\S.*?)\s{1,}#\s+(.+)")
_TREE = re.compile(r"[├└│]")

Passage = tuple[str, int, int]  #: a text and its first and last line

LONGEST_LABEL = 80
MOST_LABEL_WORDS = 5
FEWEST_WORDS = 4  #: of an item that is clear without its neighbours
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\([^()\s]{0,1000}(?:\s[^()]{0,300})?\)")
_ADDRESS = re.compile(r"\[[^\[\]]{0,300}\]\[[^\[\]]{0,300}\]|<?https?://[^\s<>]+>?")
_IMAGE = re.compile(r"!\[[^\[\]]{0,300}\]\([^()]{0,1000}\)")
_LINKED_IMAGE = re.compile(r"\[\s*\]\([^()]{0,1000}\)")
_ANCHOR = re.compile(r"\]\(#")
_TAG = re.compile(r"</?[A-Za-z][\w:.-]{0,100}(?:\s[^<>]{0,1000})?>")
_IMPORT = re.compile(r"@(?:~|\.{0,2}/)?[\w.~/-]*[\w/-](?:\.\w+)?")
_FILE = re.compile(r"[\w./-]{1,200}\.(?:md|mdc|txt)")
_DEFINITION = re.compile(r"\[[^\]]+\]:\s*\S+.*")
_WORD = re.compile(r"[^\W_][\w'’-]*")
#: Scripts without spaces; two characters are about one word.
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
#: Words of introductions that add nothing.
_GENERIC = re.compile(
    r"\b(?:following|these|rules?|guidelines?|examples?|e\.g|notes?|key points?|steps?|includes?|including|below"
    r"|principles?|conventions?|list|features?|details?|standards?)\b",
    re.IGNORECASE,
)
#: An introduction that reverses what follows, or states its condition.
_REVERSING = re.compile(
    r"\W*(?:don'?t'?s?|do not|never|avoid|anti-?patterns?|bad|wrong|not? allowed|forbidden|prohibited|what not to do"
    r"|things to avoid|when\b.*|before\b.*|after\b.*|if\b.*|while\b.*|during\b.*|unless\b.*|must not|should not"
    r"|prefer|instead of\b.*|only\b.*|for\b.*|in\b.*|on\b.*)\W*",
    re.IGNORECASE,
)


def commands(block: Block) -> list[Passage]:
    """List the explained commands of a shell block; empty if the block is anything else."""
    if block.language not in _SHELLS or _TREE.search(block.text):
        return []
    found: list[Passage] = []
    explanation, start = "", 0
    command_lines: list[str] = []
    for number, line in enumerate(block.text.split("\n"), block.first + 1):
        bare = line.strip()
        comment, trailing = _COMMENT.fullmatch(bare), _TRAILING.fullmatch(bare)
        if command_lines and not explanation and (comment or trailing):
            return []  # something without an explanation: the block is told as a whole
        if comment or trailing or not bare:
            found += _explained_command(explanation, command_lines, start)
            explanation, command_lines, start = (comment[1].strip() if comment else ""), [], number
        if trailing:
            found.append((f"{trailing[2].strip()}: `{_strip_prompt(trailing[1])}`", number, number))
        elif bare and not comment:
            command_lines.append(line.rstrip())
    return (
        []
        if command_lines and not explanation
        else found + _explained_command(explanation, command_lines, start)
    )


def _explained_command(explanation: str, lines: Sequence[str], start: int) -> list[Passage]:
    if not lines or not explanation:
        return []
    last = start + len(lines)
    label = explanation.rstrip(":. ")
    if len(lines) == 1 and "`" not in lines[0]:
        return [(f"{label}: `{_strip_prompt(lines[0])}`", start, last)]
    return [(f"{label}:\n```\n" + "\n".join(lines) + "\n```", start, last)]


def _strip_prompt(line: str) -> str:
    return line.strip().removeprefix("$ ")


def with_examples(text: str, blocks: Sequence[Block]) -> str:
    """Append the code blocks that follow a rule, except long ones."""
    for block in blocks:
        if len(block.text) <= LONGEST_CODE:
            text = f"{text}\n```{block.language}\n{block.text}\n```".lstrip("\n")
    return text


def skip_reason(block: Block, *, stands_free: bool) -> str | None:
    """Explain why a block is not a rule, if it can be told from the block; free-standing code belongs to no rule."""
    text = block.text
    if block.kind is BlockKind.CODE:
        return "a long code block" if stands_free and len(text) > LONGEST_CODE else _empty_code(text)
    if _IMAGE.search(text) and not _LINKED_IMAGE.sub("", _IMAGE.sub("", _TAG.sub("", text))).strip():
        return "an image or badge"
    if is_link(text) or _DEFINITION.fullmatch(text):
        return "part of a table of contents" if _ANCHOR.search(text) else "nothing but a link"
    if _IMPORT.fullmatch(text) and ("/" in text or "." in text):
        return "it imports another file, which can be imported by its own name"
    if block.kind is BlockKind.PARAGRAPH and _FILE.fullmatch(text):
        return "it names another file, which can be imported by its own name"
    if block.kind is BlockKind.PARAGRAPH and not _TAG.sub("", text).strip():
        return "nothing but markup"
    if block.kind is BlockKind.PARAGRAPH and _ABOUT_ITSELF.search(text[:300]) and not text.endswith(":"):
        return "it speaks about the file or the assistant itself"
    return None


def label_of(intro: str) -> str | None:
    """Turn an introduction into a prefix for each item below it; None if it adds nothing."""
    label = intro.rstrip("*_:： ").lstrip("*_ ")
    if len(intro) > LONGEST_LABEL:
        return None
    is_specific = words(label) <= MOST_LABEL_WORDS and not _GENERIC.search(label)
    return label if is_specific or _REVERSING.fullmatch(label) else None


def section_skip_reason(heading: str) -> str | None:
    """Explain why nothing in a section is a rule, if its heading tells."""
    found = (reason for pattern, reason in _SECTIONS_WITHOUT_RULES if pattern.fullmatch(heading))
    return next(found, None)


def _empty_code(text: str) -> str | None:
    return None if text.strip() else "an empty code block"


def words(text: str) -> int:
    """Count the words of a text, also in scripts without spaces."""
    return len(_WORD.findall(text)) + len(_UNSPACED.findall(text)) // 2


def strip_markup(heading: str) -> str:
    """Remove the markup of a heading."""
    bare = _LINK.sub(r"\1", heading).strip("*_#: \t")
    return (bare.strip("`") if bare.count("`") == 2 and bare[:1] == bare[-1:] == "`" else bare).strip()


def is_link(text: str) -> bool:
    """Tell whether a text consists of links only."""
    rest = _ADDRESS.sub("", _LINK.sub("", text))
    return rest != text and not _WORD.search(rest)


def is_label(text: str) -> bool:
    """Tell whether an item only names the topic of the items below it."""
    bare = text.strip()
    if bare.rstrip("*_ ").endswith((":", "：")):
        return True
    return words(bare) < FEWEST_WORDS or bool(re.fullmatch(r"\*\*[^*]+\*\*:?", bare))


def stands_alone(text: str) -> bool:
    """Tell whether an item is clear without its neighbours."""
    if words(text) >= FEWEST_WORDS:
        return True
    first = _WORD.search(text)
    return words(text) >= 2 and first is not None and first[0].lower() in IMPERATIVE
