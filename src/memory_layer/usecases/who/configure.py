"""Set what a user wants to be different on this machine."""

from __future__ import annotations

from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.settings import set_value
from memory_layer.text.secrets.secrets import redact


def configure(config_path: Path, key: str, value: str) -> None:
    """Set one key of the user's configuration file, unless the value holds a secret, which would stay there."""
    if kinds := redact(value).kinds:
        raise InvalidInput(
            f"the value of {key[:60]} holds a secret ({', '.join(kinds)}); give one without it"
        )
    set_value(config_path, key, value)
