"""A machine's root folder with the table installed, and its units as systemd reads them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HARDENED = ("tablectl.service", "tablectl-guard.service")
EXPOSURE_MAX_TENTHS = 15
PROGRAMS = (
    "opt/tablectl/current/env/bin/tablectl",
    "opt/tablectl/current/env/bin/tablectl-guard",
    "usr/bin/cage",
    "usr/bin/env",
    "bin/sh",
)
TOOL_TIMEOUT_S = 60


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TOOL_TIMEOUT_S,
        check=False,
    )


def tool(name: str) -> str:
    """The path of one of systemd's tools; without it the test is skipped, but never under CI."""
    path = shutil.which(name)
    if path is None and not os.environ.get("CI"):
        pytest.skip(f"{name} is not installed; `make setup` installs it with the package systemd")
    assert path is not None, f"{name} is missing: install the Debian package systemd"
    return path


def whole_unit(machine: Path, name: str) -> str:
    """A unit and its drop-ins, as systemd reads them one after the other."""
    units = machine / "etc/systemd/system"
    drop_ins = sorted((units / f"{name}.d").glob("*.conf"))
    return "\n".join(each.read_text() for each in (units / name, *drop_ins))
