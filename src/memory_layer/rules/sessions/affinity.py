"""Choose, among the commands after a failure, those that fit its error."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST_READ = 600  #: characters
_WORD = re.compile(r"[a-z0-9]+")
_NAME = re.compile(r"[a-z][a-z0-9]{3,}")
#: Errors, and the words of commands that fix them.
_FIXED_BY = tuple(
    (re.compile(error, re.IGNORECASE), frozenset(words.split()))
    for error, words in (
        (
            r"refused|connect|daemon|not running|docker environment|unreachable|socket",
            "up start restart enable serve daemon service services systemctl colima create launch",
        ),
        (
            r"no such (?:table|column)|relation|migrat|schema|database|column .* does not exist",
            "migrate migration migrations upgrade schema seed reset prepare load setup push create createdb",
        ),
        (
            r"not found|no module|cannot find|can't resolve|could not find|not installed|no such file|missing|import"
            r"|no required module|not in std|library|executable|present|unrecognized arguments",
            "install sync ci add restore get build generate bundle pub link submodule develop activate venv compile"
            " codegen gen pull fetch download checkout lfs init cp mkdir touch setup bootstrap update up",
        ),
        (
            r"auth|unauthori|login|logged|credential|token|denied|40[13]",
            "login auth sso configure token export source",
        ),
        (r"in use|allocated|taken", "kill stop down fuser pkill"),
        (
            r"version|requires|unsupported|newer|older|engine",
            "use install switch venv local global default set upgrade",
        ),
        (
            r"stale|cache|corrupt|mismatch|locked?\b",
            "rm clean clear prune reset find unlock update install lock",
        ),
        (r"permission|access|not permitted|eacces", "chmod chown usermod setfacl cp udevadm"),
        (r"_[A-Z]|not set|variable|key", "export source cp env set"),
    )
)


def fitting(commands: Sequence[str], error: str) -> tuple[str, ...]:
    """Return the commands that mention part of an error or do what usually fixes its kind."""
    names = frozenset(_NAME.findall(error.lower()))
    fixing = frozenset(word for pattern, words in _FIXED_BY if pattern.search(error) for word in words)
    return tuple(command for command in commands if _fits(command[:LONGEST_READ].lower(), names, fixing))


def _fits(command: str, names: frozenset[str], fixing: frozenset[str]) -> bool:
    words = frozenset(_WORD.findall(command))
    return bool(words & fixing) or any(name in command for name in names)
