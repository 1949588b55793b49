"""`make chroots`: installs, plays, updates, and goes back in a fresh Debian, as at a table.

    python -m tests.releases.chroots --suite bookworm --machine x86_64 --folder /tmp/chroots

Root, debootstrap, e2fsprogs and Debian's packages are needed, for another processor
qemu-user-static as well, and some ten minutes: a trial takes its minute.
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path

from tests.releases.chroots.debian import ARCHITECTURES, PYTHONS, Kind, debian, disk_of
from tests.releases.chroots.files import make_keys
from tests.releases.chroots.stand_in import put_stand_ins
from tests.releases.chroots.walk import put_files, walk


def main() -> int:
    """Walk through it; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.releases.chroots")
    parser.add_argument("--suite", choices=PYTHONS, default="bookworm")
    parser.add_argument("--machine", choices=ARCHITECTURES, default=platform.machine())
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    kind = Kind(arguments.suite, arguments.machine)
    folder: Path = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    keys = make_keys(folder / "keys")
    with disk_of(kind, folder) as (_, here), debian(kind, here) as table:
        put_stand_ins(table)
        paths = put_files(table, kind, keys, folder / f"work-{kind}")
        walk(table, paths, keys)
    print(f"{kind}: install, rounds, update, back, refusals and uninstall: all as they should")
    return 0


if __name__ == "__main__":
    sys.exit(main())
