"""Normalise the address of a git remote to a project key: one spelling per repository, no password."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from memory_layer.surroundings import careful_read

LONGEST_ADDRESS = 1000
LARGEST_CONFIG = 256 * 1024  #: bytes
MOST_INCLUDES = 8

#: Forges that do not tell `Owner/Repo` from `owner/repo`. Everywhere else the case of the path is kept.
CASELESS_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})
#: Second names of a forge, for SSH through port 443.
HOST_ALIASES = {
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
#: Default ports. A server's SSH port differs from its web port, so an SSH port is ignored.
_DEFAULT_PORT = {"http": "80", "https": "443", "git": "9418"}
_SSH = frozenset({"ssh", "git+ssh", "ssh+git"})

_URL = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?#]*)([^?#]*)(.*)", re.IGNORECASE | re.DOTALL)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(?::([0-9]*))?", re.IGNORECASE)
_HELPER = re.compile(r"[\w+.-]+::")
_SCP = re.compile(r"(?:[^@:/]+@)?([\w.-]{2,}|\[[0-9a-f:.]+\]):(?!//)([^@]+)", re.IGNORECASE | re.DOTALL)
_HEADER = re.compile(r'\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_ENTRY = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)", re.DOTALL)
_VALUE = re.compile(r'"((?:[^"\\]|\\.)*)"?|\\(.)|([#;].*)|([^"\\#;]+)', re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def normalised(address: str, root: str = "/") -> str | None:
    """Return `host/path` of a remote address, the path of a local one, or None where neither is safe.

    Anything that could be a user name, password or token is dropped; an address with an `@` where a host cannot end
    is refused, because a badly quoted password looks exactly like that.
    """
    address = address.strip()
    if not address or len(address) > LONGEST_ADDRESS or not address.isprintable():
        return None
    if _HELPER.match(address):
        return None
    if url := _URL.fullmatch(address):
        return _of_url(*url.groups(), root=root)
    if ":" not in address.partition("/")[0] or re.match(r"[A-Za-z]:", address):
        return _of_path(address, root)
    scp = _SCP.fullmatch(address)
    return _joined(scp[1], "", scp[2]) if scp else None


def _of_url(scheme: str, authority: str, path: str, rest: str, *, root: str) -> str | None:
    scheme = scheme.lower()
    if scheme == "file":
        return _of_path(path, root) if authority in ("", "localhost") else None
    if scheme not in _SSH and scheme not in _DEFAULT_PORT:
        return None
    host = _HOST.fullmatch(authority.rpartition("@")[2])
    if host is None or "@" in path or "@" in rest:
        return None
    port = host[2] or ""
    suffix = "" if scheme in _SSH or port in ("", _DEFAULT_PORT[scheme]) else f":{port}"
    return _joined(host[1], suffix, path)


def _joined(host: str, port: str, path: str) -> str | None:
    host = host.lower().rstrip(".")
    host = HOST_ALIASES.get(host, host)
    parts = [part for part in path.strip().split("/") if part not in ("", ".")]
    if parts:
        parts[-1] = parts[-1].removesuffix(".git").strip()
    if not host or not all(parts) or not parts or ".." in parts:
        return None
    joined = "/".join(parts)
    return f"{host}{port}/{joined.lower() if host in CASELESS_HOSTS else joined}"


def _of_path(path: str, root: str) -> str | None:
    """Return a local remote's own git directory, so that a clone and its origin are one project."""
    if not path or ("@" in path and not os.path.isabs(path)):
        return None
    target = careful_read.real(os.path.join(root, path))
    if target is None:
        return None
    inner = os.path.join(target, ".git")
    return careful_read.printable(inner if os.path.isdir(inner) else target)


def origin(config: str) -> str | None:
    """Return the address of the remote `origin` from a git configuration file, following includes in the repository."""
    includes = 0
    for name, value in entries(config):
        if name == "remote.origin.url":
            return value
        if name == "include.path" and includes < MOST_INCLUDES:
            includes += 1
            included = _in_repository(value, os.path.dirname(config))
            for inner, address in entries(included) if included else ():
                if inner == "remote.origin.url":
                    return address
    return None


def _in_repository(path: str, git_dir: str) -> str | None:
    """Return the file an include names; None outside the repository, whose settings may be untrusted."""
    file, inside = careful_read.real(os.path.join(git_dir, path)), os.path.realpath(git_dir)
    top = os.path.dirname(inside) if os.path.basename(inside) == ".git" else inside
    return file if file and file.startswith(top.rstrip(os.sep) + os.sep) else None


def entries(config: str) -> Iterator[tuple[str, str]]:
    """Yield every setting of a git configuration file, without those it includes."""
    section = ""
    for line in _logical_lines((careful_read.text(config, LARGEST_CONFIG) or "").removeprefix("\ufeff")):
        if header := _HEADER.match(line):
            subsection = "" if header[2] is None else "." + re.sub(r"\\(.)", r"\1", header[2])
            section = header[1].lower() + subsection
            line = line[header.end() :].strip()
        if entry := _ENTRY.fullmatch(line):
            yield f"{section}.{entry[1].lower()}", _unquoted(entry[2])


def _logical_lines(content: str) -> list[str]:
    joined = re.sub(r"(?<!\\)((?:\\\\)*)\\\r?\n", r"\1", content)
    return [line for line in map(str.strip, joined.split("\n")) if line and line[0] not in "#;"]


def _unquoted(value: str) -> str:
    """Parse a value as git does: quotes and escapes undone, a trailing comment dropped."""
    out = ""
    for quoted, escaped, comment, plain in _VALUE.findall(value):
        if comment:
            break
        if escaped:
            out += _ESCAPES.get(escaped, escaped)
        else:
            out += re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), quoted) or plain
    return out.strip()
