"""`make release`: builds the releases of this checkout, for every machine and Python, and signs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from systemd.releases.build.release import build_release
from systemd.releases.build.sign import KeyRefused, new_key, read_key
from systemd.releases.build.target import MACHINES, PYTHONS, Target, all_targets
from systemd.releases.build.wheels import ROOT, BuildFailed

#: What a release carries beyond what every table needs: a table may get those devices, and a pit,
#: later; and the machine of a pit gets the same release.
RELEASED_EXTRAS: Final = ("bus", "camera", "oidc", "pictures", "pit")
LOCKS: Final = (ROOT / "requirements.lock", ROOT / "requirements-pit.lock")


def main(argv: Sequence[str] | None = None) -> int:
    """Build what is asked; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m systemd.releases.build", description=__doc__)
    parser.add_argument("--key", type=Path, help="the secret key that signs, without a password")
    parser.add_argument("--folder", type=Path, default=ROOT / "dist", help="where to (dist)")
    parser.add_argument("--machine", choices=MACHINES, help="for this processor only")
    parser.add_argument("--python", choices=PYTHONS, help="for this Python only")
    parser.add_argument(
        "--new-keys", type=Path, metavar="FOLDER",
        help="make two keys, one to be used, one for the safe, and the file that tables pin",
    )  # fmt: skip
    arguments = parser.parse_args(argv)
    try:
        if arguments.new_keys:
            return _new_keys(arguments.new_keys)
        if arguments.key is None:
            parser.error("--key is missing; --new-keys FOLDER makes two")
        key = read_key(arguments.key)
        for target in _targets(arguments):
            path = build_release(arguments.folder, target, LOCKS, RELEASED_EXTRAS, key.sign)
            sys.stdout.write(f"{path}\n")
    except (BuildFailed, KeyRefused, OSError) as error:
        sys.stderr.write(f"release: {error}\n")
        return 1
    return 0


def _targets(arguments: argparse.Namespace) -> list[Target]:
    return [
        each
        for each in all_targets()
        if arguments.machine in (None, each.machine) and arguments.python in (None, each.python)
    ]


def _new_keys(folder: Path) -> int:
    folder.mkdir(mode=0o700, parents=True)
    lines = ["# Keys that sign releases of tablectl: one is in use, one lies in a safe."]
    for name in ("in-use", "in-the-safe"):
        key = new_key()
        path = folder / f"{name}.key"
        path.touch(mode=0o600)
        path.write_text(key.file_text)
        lines.append(key.public.text)
    (folder / "release-keys").write_text("\n".join(lines) + "\n")
    sys.stdout.write(f"{folder}/release-keys goes to /opt/tablectl/release-keys of each table\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
