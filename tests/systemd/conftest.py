"""A machine with the table installed, for every test that only looks at it."""

import shutil
from pathlib import Path

import pytest

from tests.systemd.staged import PROGRAMS, ROOT, run, tool


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine's root folder with the table installed and the distribution's units beside it."""
    tool("systemd-analyze")
    root = tmp_path_factory.mktemp("machine")
    installed = run(ROOT / "systemd/install", DESTDIR=str(root), KIOSK="1", PIT="1")
    assert installed.returncode == 0, installed.stderr
    shutil.copytree("/usr/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    for program in PROGRAMS:
        (root / program).parent.mkdir(parents=True, exist_ok=True)
        (root / program).write_text("#!/bin/sh\n")
        (root / program).chmod(0o755)
    return root
