"""`make install`: a release of this checkout for this machine, not signed, for root's own use.

It needs hatchling and packaging, which the lock has, and nothing of a table's environment.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from systemd.releases.build.release import build_release
from systemd.releases.build.target import this_machine
from systemd.releases.build.wheels import ROOT, BuildFailed

#: What is installed with what each lock names.
EXTRAS: Final = {
    "requirements.lock": ("bus", "camera", "pictures"),
    "requirements-table.lock": ("bus", "pictures"),
    "requirements-pit.lock": ("bus", "oidc", "pit"),
}


def main(folder: str, *names: str) -> int:
    """Build it with what these locks name, print its file; the exit status."""
    extras = tuple(sorted({extra for name in names for extra in EXTRAS[name]}))
    locks = [ROOT / each for each in names]
    try:
        path = build_release(Path(folder), this_machine(), locks, extras, None)
    except BuildFailed as error:
        sys.stderr.write(f"install: {error}\n")
        return 1
    sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
