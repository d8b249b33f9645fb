"""Locations of files: the platform's directories, or all under `MEM_HOME`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

APP = "memory-layer"
MODEL_NAME = "all-MiniLM-L6-v2"
Located = tuple[Path, str]  #: a path and what decided it
_XDG = {
    "data": ("XDG_DATA_HOME", ".local/share", APP),
    "config": ("XDG_CONFIG_HOME", ".config", APP),
    "cache": ("XDG_CACHE_HOME", ".cache", APP),
    "log": ("XDG_STATE_HOME", ".local/state", f"{APP}/log"),
    "state": ("XDG_STATE_HOME", ".local/state", APP),
}


def absolute(text: str, environ: Mapping[str, str], here: Path) -> Path:
    """Expand `~` and make the path absolute, without touching the file system."""
    if text == "~" or text.startswith(("~/", f"~{os.sep}")):
        text = home(environ) + text[1:]
    return Path(os.path.normpath(here / text))


def home(environ: Mapping[str, str]) -> str:
    value = environ.get("HOME", "")
    return value if os.path.isabs(value) and sys.platform != "win32" else os.path.expanduser("~")


def standard(environ: Mapping[str, str], here: Path) -> dict[str, Located]:
    """Return the default paths of Settings, each with what decided it."""
    places = {
        "model_folder": _join(_platform("cache", environ), MODEL_NAME),
        "huggingface_cache": _huggingface(environ, here),
    }
    if folder := environ.get("MEM_HOME"):
        base = absolute(folder, environ, here), "MEM_HOME"
        data, config, logs, state = base, base, _join(base, "logs"), _join(base, "state")
    else:
        data, config, logs, state = (_platform(kind, environ) for kind in ("data", "config", "log", "state"))
    places["database_path"] = _join(data, "memory.db")
    places["config_path"] = _join(config, "config.toml")
    places["log_folder"] = logs
    places["state_folder"] = state
    if value := environ.get("MEM_CONFIG"):
        places["config_path"] = absolute(value, environ, here), "MEM_CONFIG"
    return places


def _platform(kind: str, environ: Mapping[str, str]) -> Located:
    if sys.platform in ("darwin", "win32", "android"):
        import platformdirs

        dirs = platformdirs.PlatformDirs(APP, appauthor=False)
        return Path(str(getattr(dirs, f"user_{kind}_dir"))), "default"
    # Equivalent to platformdirs, which takes longer to import than a whole keyword search.
    variable, default, inside = _XDG[kind]
    value = environ.get(variable, "")
    if os.path.isabs(value):
        return Path(value, inside), variable
    return Path(home(environ), default, inside), "default"


def _huggingface(environ: Mapping[str, str], here: Path) -> Located:
    """Return the cache folder of Hugging Face's own tools."""
    for variable, inside in (
        ("HF_HUB_CACHE", ""),
        ("HUGGINGFACE_HUB_CACHE", ""),
        ("HF_HOME", "hub"),
        ("XDG_CACHE_HOME", "huggingface/hub"),
    ):
        if value := environ.get(variable):
            return _join((absolute(value, environ, here), variable), inside)
    return Path(home(environ), ".cache/huggingface/hub"), "default"


def _join(base: Located, inside: str) -> Located:
    path, origin = base
    return path / inside, origin
