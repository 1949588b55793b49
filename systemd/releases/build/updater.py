"""`tablectl-update` as one file: what stands beside the releases, for the system's own Python."""

from __future__ import annotations

import shutil
import sys
import tempfile
import zipapp
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
#: -I: nothing of whoever calls it is imported. No compiled files are written beside it.
INTERPRETER: Final = "/usr/bin/python3 -IB"
_FOLDERS: Final = ("systemd", "systemd/releases", "systemd/releases/update")
_MAIN: Final = "systemd.releases.update.command:run"


def build_updater(target: Path) -> None:
    """Write the program. Raises `OSError`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for folder in _FOLDERS:
            names = "*.py" if folder == _FOLDERS[-1] else "__init__.py"
            (Path(scratch) / folder).mkdir()
            for each in (ROOT / folder).glob(names):
                shutil.copy2(each, Path(scratch) / folder)
        zipapp.create_archive(scratch, target, interpreter=INTERPRETER, main=_MAIN)
    target.chmod(0o755)


if __name__ == "__main__":
    build_updater(Path(sys.argv[1]))
