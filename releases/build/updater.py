"""`tablectl-update` as one file: what stands beside the releases, for the system's own Python."""

from __future__ import annotations

import sys
import zipapp
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
#: -I: nothing of whoever calls it is imported. No compiled files are written beside it.
INTERPRETER: Final = "/usr/bin/python3 -IB"
_MAIN: Final = "releases.update.command:main"


def build_updater(target: Path) -> None:
    """Write the program. Raises `OSError`."""
    target.parent.mkdir(parents=True, exist_ok=True)

    def wanted(path: Path) -> bool:
        inside = path.as_posix() in ("releases", "releases/__init__.py", "releases/update")
        return inside or (path.parent.as_posix() == "releases/update" and path.suffix == ".py")

    zipapp.create_archive(ROOT, target, interpreter=INTERPRETER, main=_MAIN, filter=wanted)
    target.chmod(0o755)


if __name__ == "__main__":
    build_updater(Path(sys.argv[1]))
