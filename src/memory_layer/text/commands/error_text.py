"""Read an error: its class, codes and message, without what differs from one run to the next."""

from __future__ import annotations

import re

from memory_layer.model.record import NamedTuple
from memory_layer.text.words import terms

LONGEST_READ = 4_000  #: characters; an error says what it is about at its ends

#: The folders before a file, sought only where a path begins: from every character, time would grow with the square.
_FILE = r"(?:(?<![\w.-])(?<![\w.-]/)(?:[\w.-]+/)+|(?<![\w-]))"
_MODULE = r"[a-z_]\w*(?:\.|::)"
_NOISE = (
    (re.compile(r"\x1b\[[0-9;]*[A-Za-z]"), ""),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"), " "),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"), " "),
    (re.compile(r"\b0x[0-9a-fA-F]+\b"), " "),
    (re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{4,36}\b"), " "),
    (re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b"), " "),
    (re.compile(r"(?:(?<=\s)|(?<=[\"'(])|^)(?:/|~/|[A-Za-z]:\\)[^\s\"'():]+", re.MULTILINE), " "),
    (re.compile(_FILE + r"[\w-]+\.[a-z]{1,4}:\d+(?::\d+)?"), " "),
    (re.compile(r"(?<=\w)[:(]\d+(?:[:,]\d+)?\)?(?=[:\s)]|$)", re.MULTILINE), " "),
    (re.compile(r"\bline \d+\b"), " "),
    # The modules of a class; what names no class stays, and is read once.
    (re.compile(rf"\b(?:(?:{_MODULE}){{2,}}(?=[A-Z])|((?:{_MODULE}){{2,}}))"), r"\1"),
)
#: Lines that only tell where: frames of a stack, rulers, progress.
_FRAME = re.compile(
    r"\s*(?:File \"[^\"]*\"|at [^(\n]+\([^)\n]*\)|at \S+$|Traceback \(most|Backtrace:|goroutine \d|\^+|[|=+-]+\s*$"
    r"|-->|\d+ \||During handling of|The above exception"
    r"|[\w.-]+(?:/[\w.-]+)+\.[\w.()*]{1,200}\(|\d+: +\w+::|from \S+:\d+:in)"
)
_CLASS = re.compile(
    rf"\b(?:{_MODULE})?([A-Z]\w*(?:Error|Exception|Warning|Failure|Fault|Interrupt|Killed))\b"
)
_CODE = re.compile(
    r"\b(?:E[A-Z]{4,}|[A-Z]{1,4}-?\d{3,5}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|SQLSTATE\[?\s?\w+|errno \d+"
    r"|error code:? \d+|code \d{2,}|E\d{4}|[a-z]+_[a-z_]+_[a-z]+)\b|\[Errno \d+\]",
)
COMMON_CLASSES = frozenset(
    "error exception valueerror keyerror typeerror assertionerror runtimeerror attributeerror indexerror"
    " oserror ioerror importerror nameerror syntaxerror referenceerror rangeerror notimplementederror"
    " zerodivisionerror nullpointerexception illegalargumentexception illegalstateexception operationalerror"
    " programmingerror databaseerror integrityerror httperror requesterror responseerror clienterror"
    " servererror commanderror connectionerror timeouterror filenotfounderror permissionerror"
    " deprecationwarning warning userwarning unboundlocalerror lookuperror arithmeticerror systemerror"
    " dataerror dbapierror apierror validationerror notfounderror jsondecodeerror calledprocesserror"
    " parsererror configerror internalerror unicodeencodeerror unicodedecodeerror recursionerror memoryerror"
    " eoferror networkerror aggregateerror urlerror httpexception ioexception sqlexception"
    " classnotfoundexception interruptedexception unsupportedoperationexception timeoutexception"
    " notfoundexception modulenotfounderror interfaceerror protocolerror authenticationerror"
    " illegalaccessexception".split()
)
_PORT = re.compile(r"(?:localhost|\d\.\d+|\bport|::|\bon)[\s:=]{1,3}(\d{2,5})\b")
_NAME = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+\b")
_QUOTED = re.compile(r"[`'\"]([A-Za-z][\w.-]{3,60})[`'\"]")
_EXIT = re.compile(r"\b(?:exit|exited|non-zero)\b[\w\s:-]{0,20}?\b(\d{2,3})\b", re.IGNORECASE)


class ErrorText(NamedTuple):
    """An error without noise."""

    text: str
    classes: frozenset[str]  #: lower case, without those every program raises
    codes: frozenset[str]
    names: frozenset[str]  #: words with capitals inside
    quoted: frozenset[str]  #: names in quotation marks
    terms: tuple[str, ...]  #: of its message, in order
    ports: frozenset[str]  #: numbers of ports


def read_error(error: str) -> ErrorText:
    """Strip an error of what differs from run to run, and take it apart."""
    ports = frozenset(_PORT.findall(ends(error)))
    lines = [line for line in ends(error).splitlines() if not _FRAME.match(line)]
    text = "\n".join(lines)
    for pattern, instead in _NOISE:
        text = pattern.sub(instead, text)
    classes = frozenset(each.lower() for each in _CLASS.findall(text)) - COMMON_CLASSES
    text = _CLASS.sub(r"\1", text)
    codes = frozenset(each.strip("[]").lower() for each in _CODE.findall(text))
    codes |= {f"exit {number}" for number in _EXIT.findall(text)}
    quoted = frozenset(each.lower() for each in _QUOTED.findall(text) if not each.isalpha())
    names = frozenset(each.lower() for each in _NAME.findall(text)) - classes - COMMON_CLASSES
    return ErrorText(
        text, classes, codes, names, quoted, tuple(term for term in terms(text) if "_" not in term), ports
    )


def ends(text: str) -> str:
    """Cut a long error down to its beginning and end."""
    half = LONGEST_READ // 2
    return text if len(text) <= LONGEST_READ else f"{text[:half]}\n{text[-half:]}"


def is_frame(line: str) -> bool:
    """Does a line only tell where an error occurred?"""
    return _FRAME.match(line) is not None
