"""`make chroots`: installs, plays, updates, and goes back in a fresh Debian, as at a table.

    python -m tests.releases.chroots --suite bookworm --machine x86_64 --folder /tmp/chroots

Root, e2fsprogs, Debian's packages and debootstrap are needed, for another processor
qemu-user-static as well, and some ten minutes: a trial takes its minute. With `--unpacked` neither
debootstrap nor qemu-user-static is: apt and dpkg-deb do.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from tests.releases.chroots.booted import booted, cut_in_set_up, cut_in_trial, look_at_units
from tests.releases.chroots.carrier import carry, put_debs
from tests.releases.chroots.cuts import CutSpan, cut_update
from tests.releases.chroots.debian import (
    ARCHITECTURES,
    PYTHONS,
    Debian,
    DebianKind,
    bootstrap,
    debian,
    disk_of,
)
from tests.releases.chroots.doctor import ask_doctor
from tests.releases.chroots.files import NEW, BenchKeys, make_keys
from tests.releases.chroots.kiosk import put_display, walk_display
from tests.releases.chroots.pit import walk_pit
from tests.releases.chroots.stand_in import put_stand_ins
from tests.releases.chroots.tower import TowerFiles, move_line, put_towers
from tests.releases.chroots.unpacked import unpack_base, unpack_emulator
from tests.releases.chroots.walk import begin, change, put_files, update


def main() -> int:
    """Walk through it; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.releases.chroots")
    parser.add_argument("--suite", choices=PYTHONS, default="bookworm")
    parser.add_argument("--machine", choices=ARCHITECTURES, default=platform.machine())
    parser.add_argument("--booted", action="store_true", help="with systemd as process 1")
    parser.add_argument("--pit", action="store_true", help="a pit, with systemd as process 1")
    parser.add_argument("--kiosk", action="store_true", help="a display, likewise")
    parser.add_argument("--deb", action="store_true", help="by Debian packages")
    parser.add_argument(
        "--cuts", type=CutSpan.parse, nargs="?", const=CutSpan(0, None), metavar="SPAN",
        help="cut the power at each step, or at those of SPAN (0-9): emulated, each takes minutes",
    )  # fmt: skip
    parser.add_argument("--unpacked", action="store_true", help="without debootstrap and qemu here")
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    if arguments.unpacked and (
        arguments.booted or arguments.pit or arguments.deb or arguments.kiosk
    ):
        parser.error("--unpacked has no systemd as process 1 and no dpkg: leave it out")
    folder: Path = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    kind = DebianKind(arguments.suite, arguments.machine)
    if arguments.unpacked and kind.is_foreign:
        kind = replace(kind, emulator=unpack_emulator(folder))
    keys = make_keys(folder / "keys")
    with disk_of(kind, folder, unpack_base if arguments.unpacked else bootstrap) as (image, here):
        outside = Debian(here, [])
        paths = put_files(outside, kind, keys, folder / f"work-{kind}")
        towers = put_towers(outside)
        if arguments.deb:
            with debian(kind, here) as table:
                put_stand_ins(table)
                carry(table, put_debs(table, keys, paths), towers)
        elif arguments.pit:
            with booted(here) as table:
                walk_pit(table, paths, keys)
        elif arguments.kiosk:
            put_display(here)
            with booted(here) as table:
                walk_display(table, paths, keys)
        elif arguments.booted:
            _under_systemd(here, paths, keys, towers)
        else:
            cut = arguments.cuts and partial(cut_update, kind, image, arguments.cuts)
            _below_stand_ins(kind, here, paths, keys, towers, cut or update)
    print(f"{kind}: everything went as it should")
    return 0


def _below_stand_ins(
    kind: DebianKind,
    here: Path,
    paths: dict[str, str],
    keys: BenchKeys,
    towers: TowerFiles,
    updated: Callable[[Debian, str], None],
) -> None:
    """`updated` is how the table is updated: as at any, or with the power cut."""
    with debian(kind, here) as table:
        put_stand_ins(table)
        begin(table, paths, keys, towers)
        change(table, paths, towers, updated)


def _under_systemd(here: Path, paths: dict[str, str], keys: BenchKeys, towers: TowerFiles) -> None:
    with booted(here) as table:
        begin(table, paths, keys, towers)
        look_at_units(table)
        ask_doctor(table)
    cut_in_trial(here, paths[NEW])
    cut_in_set_up(here)
    with booted(here) as table:
        move_line(table)
        change(table, paths, towers)


if __name__ == "__main__":
    sys.exit(main())
