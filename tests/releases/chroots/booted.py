"""A Debian that was started: systemd as process 1 in a container, and the power cut under it.

systemd-nspawn is the container. No machine manager is asked for it (`--register=no`), so that it
starts where none runs.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.releases.chroots.debian import Debian
from tests.releases.chroots.files import NEW, OLD
from tests.releases.chroots.rounds import RECORD

#: How long a start of the container may take.
_UP_S: Final = 120
#: The most that a unit may be exposed, as systemd-analyze counts.
EXPOSURE_TENTHS: Final = 15


@contextmanager
def booted(here: Path) -> Iterator[Debian]:
    """Start the Debian below `here`; at the end its power is cut."""
    command = [
        "systemd-nspawn", "--quiet", "--boot", f"--directory={here}", "--register=no",
        "--keep-unit", "--private-network", "--console=read-only", "--hostname=table",
        "--resolv-conf=off", f"--machine={here.name}",
    ]  # fmt: skip
    with (
        open(here.with_suffix(".console"), "wb") as console,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=console, stderr=console
        ) as container,
    ):
        leader = 0
        try:
            leader = _leader(container)
            table = Debian(here, _inside(leader))
            # The container's own number of this start: a service's fresh /proc shows the machine's,
            # and who compares the software would be told another than who reads that.
            table.run("umount", "/proc/sys/kernel/random/boot_id")
            table.run("systemctl", "is-system-running", "--wait")
            yield table
        finally:
            if leader:
                with suppress(ProcessLookupError):
                    subprocess.run(["kill", "-KILL", str(leader)], check=False)
            container.send_signal(signal.SIGTERM)


def _inside(leader: int) -> list[str]:
    spaces = ("--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd=/")
    return ["nsenter", f"--target={leader}", *spaces]


def _leader(container: subprocess.Popen[bytes]) -> int:
    """Process 1 of the container, once it answers."""
    children = Path(f"/proc/{container.pid}/task/{container.pid}/children")
    deadline = time.monotonic() + _UP_S
    while container.poll() is None and time.monotonic() < deadline:
        for each in children.read_text().split():
            asked = [*_inside(int(each)), "systemctl", "show", "--property=SystemState"]
            if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
                return int(each)
        time.sleep(0.1)
    raise AssertionError("the container did not start: see its console")


def look_at_units(table: Debian) -> None:
    """The running units: nobody of the table is root, and little of the machine is open to them."""
    show = ("systemctl", "show", "--value", "--property=MainPID", "tablectl.service")
    pid = table.expect(0, "", *show).strip()
    user = table.expect(0, "", "stat", "--format=%U", f"/proc/{pid}").strip()
    assert user == "tablectl", user
    analyze = ("systemd-analyze", "security", "--no-pager", f"--threshold={EXPOSURE_TENTHS}")
    for unit in ("tablectl.service", "tablectl-guard.service"):
        table.expect(0, "Overall exposure level", *analyze, unit)


def cut_in_trial(here: Path, file: str) -> None:
    """Cut the power while an update is on trial; after the start the release before runs."""
    print("power cut on trial, with systemd as process 1", flush=True)
    pending = here / "opt/tablectl/update.json"
    with booted(here) as table:
        table.expect(0, "active", "systemctl", "is-active", "tablectl.service")
        command = table.command("tablectl-update", file)
        with subprocess.Popen(command, stdin=subprocess.DEVNULL) as update:
            while not pending.exists():
                assert update.poll() is None, "the update ended before it switched"
                time.sleep(0.1)
            subprocess.run([*table.command("sync")], check=True)
            update.kill()
    with booted(here) as table:
        for unit in ("tablectl-update.service", "tablectl-compare.service"):
            table.run("systemctl", "--no-pager", "--lines=3", "status", unit)
        table.expect(0, "active", "systemctl", "is-active", "tablectl.service")
        table.expect(0, f"tablectl {OLD}", "tablectl", "--version")
        assert not pending.exists()
        table.expect(0, NEW, "cat", "/opt/tablectl/went-back.json")
        table.expect(0, "all hold", "tablectl", "verify", RECORD)


def cut_in_set_up(here: Path) -> None:
    """Start a machine that a power cut left half set up for its release: rules are missing."""
    print("power cut while the machine was set up", flush=True)
    rules, due = here / "etc/udev/rules.d/99-tablectl.rules", here / "opt/tablectl/set-up-due"
    whole = rules.read_text()
    rules.unlink()
    due.touch()
    with booted(here) as table:
        table.run("systemctl", "--no-pager", "status", "tablectl-update.service")
        assert not due.exists()
        assert rules.read_text() == whole
        table.expect(0, "active", "systemctl", "is-active", "tablectl.service")
