"""The first release on a machine, and the last one off it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from systemd.releases.update.drivers import refuse_clash_here
from systemd.releases.update.environment import ENVIRONMENT
from systemd.releases.update.examine import remove_backup
from systemd.releases.update.layout import HOME, Installation
from systemd.releases.update.machine import GUARD, KIOSK, PIT, SERVICE, Host
from systemd.releases.update.minisign import PublicKey
from systemd.releases.update.package import UpdateRefused, open_package, refuse_unfit
from systemd.releases.update.standby import recover
from systemd.releases.update.trial import Say
from systemd.releases.update.update import put

#: What works for the releases: it goes back at boot, and compares once a day.
OWN_UNITS: Final = (
    "tablectl-update.service", "tablectl-compare.timer", "tablectl-compare.service",
)  # fmt: skip
#: What an installation puts outside of its home; record, configuration and users stay.
OUTSIDE: Final = (
    "etc/udev/rules.d/99-tablectl.rules", "etc/udev/rules.d/99-tablectl-kiosk.rules",
    "etc/sysusers.d/tablectl.conf", "etc/sysusers.d/tablectl-kiosk.conf",
    "etc/tmpfiles.d/tablectl.conf", "etc/modules-load.d/tablectl.conf",
    "etc/sysusers.d/tablectl-pit.conf", "etc/tmpfiles.d/tablectl-pit.conf",
    "usr/local/bin/tablectl",
    "usr/local/share/bash-completion/completions/tablectl",
    "usr/local/share/zsh/site-functions/_tablectl",
    "usr/local/share/fish/vendor_completions.d/tablectl.fish",
)  # fmt: skip
#: What the display's user may reach, by a drop-in of that user's slice.
_KIOSK_SLICE: Final = "user-*.slice.d/10-tablectl-kiosk.conf"
#: This program; the last to go, so that what was broken off can be done again.
PROGRAM: Final = "usr/local/sbin/tablectl-update"


def install(
    layout: Installation, machine: Host, file: Path, keys: Iterable[PublicKey] | None, say: Say
) -> bool:
    """Put the first release on a machine; False where one is there, which is to be updated.

    `keys` None: a release that was built here, of a checkout that root trusts, and is not signed.
    Raises `UpdateRefused`, `OSError`.
    """
    recover(layout, machine, say)
    if layout.build_of(layout.current):
        return False
    package = open_package(file, keys)
    layout.prune()
    refuse_unfit(package, layout, machine.kind, machine.python)
    refuse_clash_here(layout, package.manifest)
    put(layout, machine, package, say)
    layout.point(layout.current, package.manifest.build)
    layout.prune()
    say(f"{package.manifest.build} lies in {layout.current}")
    return True


def configure(layout: Installation, machine: Host) -> int:
    """Make users, rules, token and configuration; the exit status of the script that does it."""
    return machine.script(layout.current / "systemd/install", "machine")


@contextmanager
def set_up_due(layout: Installation) -> Iterator[None]:
    """A release that is confirmed has the machine set up next: after a power cut, by its start.

    One that is refused or goes back leaves that to do which was due before.
    """
    layout.note_set_up_due()
    try:
        yield
    except BaseException:
        with suppress(OSError):
            layout.forget_new_set_up()
        raise


def set_up(layout: Installation, machine: Host) -> bool:
    """Set the machine up where that is due; whether all is in place. Raises `OSError`."""
    if layout.set_up_due_file.exists() and layout.is_complete(layout.build_of(layout.current)):
        if configure(layout, machine):
            return False
        layout.disk.remove(layout.set_up_due_file)
    return True


def uninstall(layout: Installation, machine: Host, say: Say) -> None:
    """Take the table's software off this machine; may be done twice. Raises `OSError`.

    Record, key, configuration, token and people stay, and so do the users who own them.
    """
    if not (layout.current / ENVIRONMENT).is_dir() and not layout.home.is_dir():
        raise UpdateRefused(f"there is no table below {layout.root / HOME}")
    for unit in (KIOSK, PIT, SERVICE, GUARD, *OWN_UNITS):
        machine.systemctl("disable", "--now", unit)
        layout.disk.remove(layout.units / unit)
        layout.disk.remove_tree(layout.units / f"{unit}.d")
    for drop_in in layout.units.glob(_KIOSK_SLICE):
        layout.disk.remove(drop_in)
        with suppress(OSError):  # somebody's own lies beside it
            drop_in.parent.rmdir()
    for name in OUTSIDE:
        if (layout.root / name).is_symlink() or (layout.root / name).exists():
            layout.disk.remove(layout.root / name)
    machine.systemctl("daemon-reload")
    remove_backup(layout.backup_home)
    layout.forget_stopped()
    layout.disk.remove_tree(layout.home)
    program = layout.root / PROGRAM
    if program.exists():
        layout.disk.remove(program)
    if (archive := layout.root / "var/lib/tablectl-pit").is_dir():
        say(f"the pit's archive stays in {archive}, its configuration in /etc/tablectl-pit")
    say("removed. The record stays in /var/lib/tablectl, its key in /var/lib/tablectl-key, the")
    say("configuration in /etc/tablectl: they are yours to keep or to delete")
