"""`tablectl-update` as one file: what stands beside the releases, for the system's own Python."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
#: -I: nothing of whoever calls it is imported. No compiled files are written beside it.
INTERPRETER: Final = "/usr/bin/python3 -IB"
_FOLDERS: Final = ("systemd", "systemd/releases", "systemd/releases/update")
_MAIN: Final = "from systemd.releases.update.command import run\n\nrun()\n"
#: The least that a zip can say: the same sources make the same bytes, whenever they were written.
_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)


def build_updater(target: Path) -> None:
    """Write the program. Raises `OSError`."""
    files = {"__main__.py": _MAIN.encode()}
    for folder in _FOLDERS:
        names = "*.py" if folder == _FOLDERS[-1] else "__init__.py"
        for each in (ROOT / folder).glob(names):
            files[f"{folder}/{each.name}"] = each.read_bytes()
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target, "wb") as file:
        file.write(f"#!{INTERPRETER}\n".encode())
        with zipfile.ZipFile(file, "w") as packed:
            for name, data in sorted(files.items()):
                packed.writestr(zipfile.ZipInfo(name, _NO_TIME), data)
    target.chmod(0o755)


if __name__ == "__main__":
    build_updater(Path(sys.argv[1]))
