"""TOML files: read as dotted keys, and changed one key at a time without losing comments."""

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


def read(file: Path, largest: int | None = None) -> dict[str, object]:
    """The file's dotted keys; with a limit the file is not trusted, so links and devices are refused too."""
    import tomllib

    try:
        status = os.stat(file, follow_symlinks=largest is None)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidInput(f"{file} is not a regular file")
        if largest is not None and status.st_size > largest:
            raise InvalidInput(f"{file} is larger than {largest} bytes")
        with open(file, "rb") as source:
            return _flat(tomllib.load(source))
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{file} is not valid TOML: {error}") from error


def set_value(config_path: Path, key: str, text: str) -> None:
    """Set one key of the user's file; a value that is not allowed changes nothing."""
    value = options.read(_known(key), key, text)
    document = _document(config_path)
    *tables, name = key.split(".")
    # What reads as None (off, never) has a word in the file.
    _table(document, tables, config_path)[name] = text.strip().lower() if value is None else value
    _replace(config_path, document)


def unset_value(config_path: Path, key: str) -> None:
    """Take one key out of the user's file; nothing happens if it is not there."""
    _known(key)
    if not config_path.exists():
        return
    document = _document(config_path)
    *tables, name = key.split(".")
    table = _table(document, tables, config_path)
    if name in table:
        del table[name]
        _replace(config_path, document)


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, given in table.items():
        key = f"{prefix}{'default_expiry' if name == 'defaultExpiry' else name}"
        flat.update(_flat(given, f"{key}.") if isinstance(given, dict) else {key: given})
    return flat


def _known(key: str) -> options.Reader:
    reader = options.reader_of(key)
    if reader is None:
        raise InvalidInput(f"{key[:60]!r} cannot be set; known are: {options.known_keys()}")
    return reader


def _document(file: Path) -> TOMLDocument:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(file.read_bytes()) if file.exists() else tomlkit.document()
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}") from error
    except (TOMLKitError, ValueError) as error:
        raise InvalidInput(f"{file} is not valid TOML: {error}") from error


def _table(document: TOMLDocument, names: Sequence[str], file: Path) -> MutableMapping[str, object]:
    """The table of that name, made if it is missing."""
    import tomlkit

    table: MutableMapping[str, object] = document
    for name in names:
        inner = table.setdefault(name, tomlkit.table())
        if not isinstance(inner, MutableMapping):
            raise InvalidInput(f"{name} in {file} is a value, but must be a table")
        table = inner
    return table


def _replace(file: Path, document: TOMLDocument) -> None:
    """Write the whole file or nothing, readable by its owner only; a link keeps pointing to it."""
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
