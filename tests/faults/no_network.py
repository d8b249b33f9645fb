"""Loaded by every Python that finds it as `sitecustomize`: whoever reaches for the network is noted and refused."""

from __future__ import annotations

import os
import sys

REACHING = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request")


def refuse(event: str, _arguments: tuple[object, ...]) -> None:
    if event in REACHING:
        with open(os.environ["NETWORK_LOG"], "a", encoding="utf-8") as log:
            log.write(f"{event} by {' '.join(sys.argv)}\n")
        raise OSError(f"there is no network ({event})")


sys.addaudithook(refuse)
