"""Every shell script of the house, and those of the Debian package, as shellcheck reads them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from systemd.releases.build import deb

ROOT = Path(__file__).parents[2]
FOLDERS = (".ci", "systemd", "tests/hil")
_WORDS = dict.fromkeys(("build", "home", "keys", "updater", "file"), "x")


def _scripts() -> list[Path]:
    """What begins as a shell script does."""
    found = [each for name in FOLDERS for each in (ROOT / name).rglob("*") if _is_script(each)]
    return [each for each in found if "node_modules" not in each.parts]


def _is_script(path: Path) -> bool:
    if not path.is_file() or path.suffix:
        return False
    with open(path, "rb") as file:
        line = file.readline()
    return line.startswith(b"#!") and line.rstrip().endswith((b"/sh", b"bash"))


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed here")
def test_shellcheck_finds_nothing(tmp_path: Path) -> None:
    scripts = _scripts()
    assert {"install", "kiosk", "tablectl-bench", "tablectl-data", "setup"} <= {
        each.name for each in scripts
    }
    for name in ("_POSTINST", "_PRERM", "_POSTRM"):
        path = tmp_path / name
        path.write_text(getattr(deb, name).format(**_WORDS))
        scripts.append(path)
    done = subprocess.run(
        ["shellcheck", "--external-sources", *scripts], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
