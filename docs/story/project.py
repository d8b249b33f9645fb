"""The files of the invented project: code that memories cite, and the tasks of Beads and Claude Code."""

from __future__ import annotations

import json
from pathlib import Path

FILES = {
    "src/planner/night.py": '''"""The plan of one night."""

from datetime import datetime, timedelta

RUNS_AT_HOUR = 15
LOOK_AHEAD = 3


def plan_night(requests, telescope, clock):
    night = night_of(telescope, clock())
    if night is None:
        return []
    return best_order(requests, night, LOOK_AHEAD)


def night_of(telescope, now: datetime):
    dusk, dawn = telescope.site.dusk(now), telescope.site.dawn(now)
    if dawn <= dusk:  # the sun does not set
        return None
    return dusk, dawn - timedelta(minutes=10)


def best_order(requests, night, look_ahead):
    usable = [each for each in requests if each.telescope.status != "repair"]
    return sorted(usable, key=lambda each: each.altitude(night), reverse=True)
''',
    "src/common/clock.py": '''"""Time in one place."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)


def local(moment: datetime, school):
    return moment.astimezone(school.zone)
''',
    "src/dome/close.py": '''"""Close a dome."""

LIMIT_SWITCHES = 2


def close(dome):
    dome.motor.start("close")
    for switch in range(LIMIT_SWITCHES):
        dome.wait_for(switch)
    dome.motor.stop()
    return dome.is_closed
''',
    "src/pipeline/stack.py": '''"""Combine the frames of a night."""

import numpy

GROUP = 20


def stack(frames):
    groups = [frames[at : at + GROUP] for at in range(0, len(frames), GROUP)]
    return numpy.median([one(group) for group in groups], axis=0)


def one(frames):
    usable = [each for each in frames if each.width < 3 * median_width(frames)]
    return numpy.median([each.pixels for each in usable], axis=0)
''',
    "src/pipeline/headers.py": '''"""Read the headers of frames."""

BEGINS = {"isar"}


def middle_of(header):
    moment = header["DATE-OBS"]
    if header["TELESCOP"] in BEGINS:
        return moment + header["EXPTIME"] / 2
    return moment
''',
    "src/db/requests.py": '''"""Requests of schools."""


def open_requests(connection):
    return connection.query(
        """
        select id, school, target
        from request
        where state = 'open'
        order by priority, asked_at
        """
    )
''',
    "src/mount/flip.py": '''"""Pass the meridian."""

PAUSE_SECONDS = 90


def flip(mount, clock):
    mount.stop()
    mount.turn(180)
    clock.sleep(PAUSE_SECONDS)
    mount.follow()
    return mount.solve()
''',
    "src/camera/cool.py": '''"""Cool a camera in steps."""

STEP = 10


def measured(camera):
    if camera.telescope == "mur":
        return camera.sensors[1].celsius
    return camera.sensors[0].celsius


def cool(camera, target):
    while measured(camera) > target:
        camera.set(max(target, measured(camera) - STEP))
''',
    "README.md": "# meridian\n\nSix small telescopes, shared by schools.\n",
}
#: Changes of the last week: a constant is gone, a function moved, a file was removed.
CHANGES = {
    "src/mount/flip.py": ("    clock.sleep(PAUSE_SECONDS)\n", "    clock.sleep_until(mount.settled)\n"),
    "src/pipeline/headers.py": ('BEGINS = {"isar"}', 'BEGINS = {"isar", "mur"}'),
    "src/camera/cool.py": None,
}
ISSUES = (
    ("mer-118", "Close the dome of Lech in two steps", "closed", 1),
    ("mer-131", "Keep staging away from the domes in production", "in_progress", 0),
    ("mer-207", "The form keeps the target when somebody goes back", "open", 2),
    ("mer-214", "Plan comets by their rate", "open", 1),
    ("mer-220", "Thumbnails of width 320", "closed", 2),
    ("mer-231", "A new limit for the mount of Drau", "blocked", 2),
)
WAITS = {"mer-231": "mer-131"}
CLAUDE_TASKS = (
    ("1", "Replay the night of 11 February with the new stacking", "completed"),
    ("2", "Compare three pictures with the old ones", "in_progress"),
    ("3", "Write to the schools whose pictures changed", "pending"),
)
OLD_TODOS = (
    ("Finnish texts for comets", "pending"),
    ("Check every button with the Finnish texts", "completed"),
)


def write(root: Path) -> None:
    """Write the project's files as a repository."""
    for name, text in FILES.items():
        _write(root / name, text)
    _write(root / ".git" / "HEAD", "ref: refs/heads/main\n")
    for folder in ("objects", "refs"):
        (root / ".git" / folder).mkdir(exist_ok=True)


def change(root: Path) -> None:
    """Change what some memories cite."""
    for name, swap in CHANGES.items():
        if swap is None:
            (root / name).unlink()
        else:
            (root / name).write_text(FILES[name].replace(*swap), encoding="utf-8")


def write_tasks(root: Path, person: Path) -> None:
    """Write the lists of tasks that Beads and Claude Code keep."""
    issues = [
        {"id": name, "title": title, "status": status, "priority": priority}
        | ({"dependencies": [{"depends_on_id": WAITS[name]}]} if name in WAITS else {})
        for name, title, status, priority in ISSUES
    ]
    _write(root / ".beads" / "issues.jsonl", "\n".join(map(json.dumps, issues)) + "\n")
    for name, subject, status in CLAUDE_TASKS:
        task = {"id": name, "subject": subject, "status": status}
        _write(person / ".claude" / "tasks" / "open-day" / f"{name}.json", json.dumps(task))
    todos = [{"content": text, "status": status, "activeForm": text} for text, status in OLD_TODOS]
    _write(person / ".claude" / "todos" / "texts-agent-texts.json", json.dumps(todos))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
