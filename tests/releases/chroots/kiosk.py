"""The dealer's display under systemd: cage and Chromium as installed, with a screen in memory.

A container has no screen, no console and no login on it: a drop-in says so to the unit, and changes
nothing else of it. That a page is shown is said by the table, which counts who looks at it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from controller.commands.doctor.board import KIOSK_PROGRAMS
from systemd.releases.update.machine import KIOSK
from tests.releases.chroots.debian import Debian, quietly, title
from tests.releases.chroots.files import NEW, OLD, UPDATE, BenchKeys
from tests.releases.chroots.rounds import CONFIG, CONFIG_FILE, PORT, SCANNER
from tests.releases.chroots.walk import put_installer, start

_USER: Final = "tablectl-kiosk"
#: The most that a display may be exposed, as systemd-analyze counts.
_EXPOSURE_TENTHS: Final = 23
#: A login session comes by it, as on any Debian but the smallest.
_PACKAGES: Final = (*KIOSK_PROGRAMS, "fonts-dejavu-core", "libpam-systemd")
_HEADLESS: Final = f"""\
[Unit]
ConditionPathExists=
[Service]
StandardInput=null
TTYPath=
Environment=WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman
Environment=TABLECTL_PORT={PORT}
LoadCredential=
LoadCredential=api-token:/etc/tablectl/service-token
"""
_STARTED_AGAIN: Final = f"""
until [ "$(systemctl show --value --property=NRestarts {KIOSK})" = 1 ]; do sleep 0.2; done
until systemctl --quiet is-active {KIOSK}; do sleep 0.2; done
"""
_LOOKED_AT: Final = f"""#!/usr/bin/python3
import re, sys, time, urllib.request
began = time.monotonic()
while time.monotonic() - began < 600:
    try:
        with urllib.request.urlopen("http://127.0.0.1:{PORT}/metrics", timeout=5) as answer:
            found = re.search(r'tablectl_viewers{{page="dealer"}} (\\S+)', answer.read().decode())
    except OSError:
        found = None
    if found and (float(found[1]) >= 1) == (sys.argv[1] == "shown"):
        sys.exit(print("the dealer's page is", sys.argv[1]))
    time.sleep(0.5)
sys.exit(f"the dealer's page is not {{sys.argv[1]}}: {{found and found[0]}}")
"""


def put_display(here: Path) -> None:
    """Install cage, Chromium and what they need into the Debian below `here`, not started yet."""
    shutil.copy2("/etc/resolv.conf", here / "etc/resolv.conf")
    apt = ("chroot", str(here), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y")
    (here / "var/cache/apt/archives/partial").mkdir(parents=True, exist_ok=True)
    quietly(*apt, "update")
    quietly(*apt, "install", "--no-install-recommends", *_PACKAGES)
    quietly(*apt, "clean")


def walk_display(table: Debian, paths: dict[str, str], keys: BenchKeys) -> None:
    """From the installation of a table with a display to the end of both."""
    title("a table with a display")
    put_installer(table, keys, paths[OLD])
    table.write(CONFIG_FILE, CONFIG + SCANNER)
    table.write(f"etc/systemd/system/{KIOSK}.d/90-headless.conf", _HEADLESS)
    table.expect(0, "as it was installed", "env", "KIOSK=1", f"/root/{UPDATE}", "--install",
                 paths[OLD])  # fmt: skip
    start(table)
    table.write("root/looked-at", _LOOKED_AT, 0o755)
    table.expect(0, "", "systemctl", "enable", "--now", KIOSK)
    _look(table)
    title("stopped, killed, and the release is another")
    table.expect(0, "", "systemctl", "stop", KIOSK)
    table.expect(0, "is gone", "/root/looked-at", "gone")
    table.expect(0, "", "systemctl", "start", KIOSK)
    _look(table)
    table.expect(0, "", "systemctl", "kill", "--signal=KILL", KIOSK)
    table.expect(0, "", "sh", "-c", _STARTED_AGAIN)
    _look(table)
    table.expect(0, "is confirmed", UPDATE, paths[NEW])
    _look(table)
    title("removed")
    user = table.expect(0, "", "id", "--user", _USER).strip()
    slice_ = table.folder / f"etc/systemd/system/user-{user}.slice.d"
    assert slice_.is_dir()
    table.expect(0, "removed", UPDATE, "--uninstall")
    assert not slice_.exists()


def _look(table: Debian) -> None:
    """The page is shown, by a user who can do little and reaches this machine alone."""
    table.expect(0, "is shown", "/root/looked-at", "shown")
    pid = table.expect(0, "", "systemctl", "show", "--value", "--property=MainPID", KIOSK).strip()
    assert table.expect(0, "", "stat", "--format=%U", f"/proc/{pid}").strip() == _USER
    user = table.expect(0, "", "id", "--user", _USER).strip()
    for name, those in (("Allow", {"127.0.0.0/8", "::1/128"}), ("Deny", {"0.0.0.0/0", "::/0"})):
        asked = ("show", "--value", f"--property=IPAddress{name}", f"user-{user}.slice")
        assert set(table.expect(0, "", "systemctl", *asked).split()) == those
    table.expect(0, f"user-{user}.slice", "cat", f"/proc/{pid}/cgroup")
    table.expect(0, "Overall exposure level", "systemd-analyze", "security", "--no-pager",
                 f"--threshold={_EXPOSURE_TENTHS}", KIOSK)  # fmt: skip
