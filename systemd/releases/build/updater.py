"""`tablectl-update` as one file: what stands beside the releases, for the system's own Python."""

from __future__ import annotations

import sys
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

    def wanted(path: Path) -> bool:
        name, folder = path.as_posix(), path.parent.as_posix()
        if folder == _FOLDERS[-1]:
            return path.suffix == ".py"
        return name in _FOLDERS or (folder in _FOLDERS and path.name == "__init__.py")

    zipapp.create_archive(ROOT, target, interpreter=INTERPRETER, main=_MAIN, filter=wanted)
    target.chmod(0o755)


if __name__ == "__main__":
    build_updater(Path(sys.argv[1]))
