"""The updater of an installed table is killed at its worst moments, and nobody does anything."""

from __future__ import annotations

from typing import Final

from tests.releases.chroots.debian import Debian
from tests.releases.chroots.files import NEW, OLD
from tests.releases.chroots.rounds import PORT

#: When it is killed: the table is stopped and nothing switched; the new release is on trial.
MOMENTS: Final = ("stopped", "on trial")
_KILLING: Final = f"""#!/usr/bin/python3
import json, os, signal, subprocess, sys, time, urllib.request
file, moment = sys.argv[1:]
PENDING, STOPPED = "/opt/tablectl/update.json", "/run/tablectl-update.json"
def build():
    try:
        with urllib.request.urlopen("http://127.0.0.1:{PORT}/api/v1/table", timeout=5) as answer:
            return json.load(answer)["software"].partition("+")[0]
    except OSError:
        return ""
def is_it():
    if moment == "stopped":
        return os.path.exists(STOPPED) and not build() and not os.path.exists(PENDING)
    return os.path.exists(PENDING) and build() == "{NEW}"
update = subprocess.Popen(["tablectl-update", file], stdin=subprocess.DEVNULL)
while not is_it():
    assert update.poll() is None, f"the update ended before it was {{moment}}"
    time.sleep(0.05)
update.kill()
update.wait()
killed = time.monotonic()
while build() != "{OLD}" or os.path.exists(PENDING) or os.path.exists(STOPPED):
    assert time.monotonic() - killed < 1_200, f"{{build()!r}} runs"
    time.sleep(0.1)
print(f"killed while {{moment}}: {OLD} plays again after {{time.monotonic() - killed:.1f}} s")
"""


def kill_updater(table: Debian, file: str) -> None:
    """Kill the update to `file` at each of the moments; the release before plays on."""
    table.write("root/killing", _KILLING, 0o755)
    for moment in MOMENTS:
        table.expect(0, f"{OLD} plays again", "/root/killing", file, moment)
        table.expect(0, f"tablectl {OLD}", "tablectl", "--version")
        table.expect(0, "as it was installed", "tablectl-update", "--compare")
    table.expect(0, NEW, "cat", "/opt/tablectl/went-back.json")
