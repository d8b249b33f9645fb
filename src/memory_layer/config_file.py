"""Read TOML files as dotted keys, and change one key at a time without losing comments."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer import options
from memory_layer.errors import InvalidInput

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

MOST_DOTS = 10  #: in a line of an untrusted file


def read(file: Path, largest: int | None = None) -> dict[str, object]:
    """Read a TOML file as dotted keys; `largest` marks it as untrusted, so links and devices are refused too."""
    import tomllib

    content = _content(file, largest)
    if largest is not None:
        _refuse_deep_keys(file, content)
    try:
        return _flat(tomllib.loads(content.decode("utf-8")))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{file} is not valid TOML: {error}") from error


def _content(file: Path, largest: int | None) -> bytes:
    """Read the file, or at most `largest` bytes of an untrusted one, without blocking on a pipe."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        status = os.stat(file, follow_symlinks=largest is None)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidInput(f"{file} is not a regular file")
        unfollowed = 0 if largest is None else getattr(os, "O_NOFOLLOW", 0)
        with open(os.open(file, flags | unfollowed), "rb") as source:
            content = source.read() if largest is None else source.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{file} cannot be read: {reason}") from error
    if largest is not None and len(content) > largest:
        raise InvalidInput(f"{file} is larger than {largest} bytes")
    return content


def _refuse_deep_keys(file: Path, content: bytes) -> None:
    """Reject keys with many dots before parsing, which takes quadratic time in them."""
    lines = (line.lstrip() for line in content.split(b"\n"))
    if any(line.count(b".") > MOST_DOTS and not line.startswith(b"#") for line in lines):
        raise InvalidInput(f"{file} has a line with more than {MOST_DOTS} dots")


def set_value(config_path: Path, key: str, text: str) -> None:
    """Set one key of the user's file; an invalid value changes nothing."""
    value = options.read(_known(key), key, text)
    document = _document(config_path)
    *tables, name = key.split(".")
    # A value of None is written as its word: off or never.
    _table(document, tables, config_path)[name] = text.strip().lower() if value is None else value
    _replace(config_path, document)


def unset_value(config_path: Path, key: str) -> None:
    """Remove one key from the user's file, even an unknown one; do nothing if a known key is not set."""
    document = _document(config_path)
    found = _holder(document, key)
    if found is None:
        _known(key)
        return
    table, name = found
    del table[name]
    _replace(config_path, document)


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in table.items():
        key = f"{prefix}{_spelled(name)}"
        flat.update(_flat(value, f"{key}.") if isinstance(value, dict) else {key: value})
    return flat


def _spelled(name: str) -> str:
    return "default_expiry" if name == "defaultExpiry" else name


def _holder(table: MutableMapping[str, object], key: str) -> tuple[MutableMapping[str, object], str] | None:
    """Find the table that holds a dotted key; return it with the key's last part as spelled there."""
    for name, value in table.items():
        if not isinstance(value, MutableMapping):
            if key == _spelled(name):
                return table, name
        elif key.startswith(f"{_spelled(name)}.") and (
            found := _holder(value, key[len(_spelled(name)) + 1 :])
        ):
            return found
    return None


def _known(key: str) -> options.Reader:
    reader = options.reader_of(key)
    if reader is None:
        raise InvalidInput(f"there is no setting {key[:60]!r}; the settings are {options.known_keys()}")
    return reader


def _document(file: Path) -> TOMLDocument:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(file.read_bytes()) if file.exists() else tomlkit.document()
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}") from error
    except (TOMLKitError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{file} is not valid TOML: {error}") from error


def _table(document: TOMLDocument, names: Sequence[str], file: Path) -> MutableMapping[str, object]:
    """Return the table with that name, creating it if it is missing."""
    import tomlkit

    table: MutableMapping[str, object] = document
    for name in names:
        inner = table.setdefault(name, tomlkit.table())
        if not isinstance(inner, MutableMapping):
            raise InvalidInput(f"{name} in {file} is a value, but it must be a table")
        table = inner
    return table


def _replace(file: Path, document: TOMLDocument) -> None:
    """Write the file atomically, readable by its owner only; a symbolic link stays a link."""
    target = Path(os.path.realpath(file))
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(document.as_string())
            out.flush()
            os.fsync(out.fileno())
        os.replace(draft, target)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
