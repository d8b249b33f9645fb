"""Runs a command whose files may not grow beyond a size, as if the disk were full from there on.

python small_disk.py BYTES COMMAND ARGUMENT…
"""

from __future__ import annotations

import os
import resource
import signal
import sys

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write fails instead of ending the process
most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # compiled modules cut short would fail everybody afterwards
os.execv(sys.argv[2], sys.argv[2:])
