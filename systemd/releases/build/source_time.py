"""When the sources of a release were last changed: by it a later build has a later Debian version.

A clean checkout has the time of its commit, so that the same commit makes the same release
anywhere. One with changes that are not committed, or without git, has that of its newest file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from controller.record.build import PACKAGES

_RELEASED = (*PACKAGES, "systemd")


def source_time(root: Path) -> str:
    """The time of the sources below `root`, in UTC, as `20261122235512`. Raises `OSError`."""
    committed = _committed(root)
    seconds = _newest(root) if committed is None else committed
    return f"{datetime.fromtimestamp(seconds, UTC):%Y%m%d%H%M%S}"


def _committed(root: Path) -> int | None:
    """The time of the commit; None where there is none, or the sources differ from it."""
    if not (root / ".git").exists():
        return None
    changed = _git(root, "status", "--porcelain", "--", *_RELEASED)
    time = _git(root, "log", "-1", "--format=%ct")
    return int(time) if time and changed == "" else None


def _git(root: Path, *words: str) -> str | None:
    """What git prints; None where it fails, or is not installed."""
    program = shutil.which("git")
    if program is None:
        return None
    command = (program, "-C", str(root), *words)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def _newest(root: Path) -> int:
    times = [
        (Path(folder) / name).stat().st_mtime
        for package in _RELEASED
        for folder, _, names in os.walk(root / package)
        for name in names
        if not folder.endswith("__pycache__")
    ]
    return int(max(times, default=0))
