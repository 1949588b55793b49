"""The switch to another release, the minute in which it is watched, and the way back.

`update.json` stands from before the first change until the new release is confirmed. As long as it
is there, every start of the machine, and every update, installation and `--back`, goes back to the
old release first; so whatever ends this program, and wherever, one of the two runs.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Final, NamedTuple

from systemd.releases.update.layout import Installation, Pending
from systemd.releases.update.machine import GUARD, KIOSK, PIT, SERVICE, Host, TableNow
from systemd.releases.update.package import UpdateRefused

READY_S: Final = 120
WATCH_S: Final = 60
EVERY_S: Final = 1.0
_ROUND: Final = "round"

#: Prints a line for whoever ran the update.
Say = Callable[[str], None]


class WhyBack(NamedTuple):
    """Why an update went back: one of the codes of `REASONS`, and the detail that belongs to it."""

    code: str
    what: str = ""

    @property
    def text(self) -> str:
        """For whoever ran the update."""
        return REASONS[self.code].format(self.what)


#: In words for the terminal; on record stand the codes, as `controller.assembly.software` has them.
REASONS: Final = {
    "update-broken-off": "the update was broken off",
    "update-not-ready": f"it was not ready within {READY_S} s",
    "update-ended": "its service ended",
    "update-pit-ended": "its pit did not stay up",
    "update-stopped-table": "its table stopped: {}",
    "update-lost-device": "{} worked before and does not now",
    "update-not-settled": "what its drivers need could not be installed: {}",
    "update-in-a-round": "a round had begun before the switch: try again between two rounds",
}


def try_release(
    layout: Installation,
    machine: Host,
    new: str,
    before: TableNow | None,
    ran: tuple[str, ...],
    say: Say,
) -> WhyBack | None:
    """Switch to `new` and watch it; None once it is confirmed, else why it went back.

    `ran` are the services that ran; the table's is stopped already. Raises `OSError`; it has gone
    back then, too.
    """
    old = layout.build_of(layout.current)
    running = layout.manifest_of(layout.current)
    reads = tuple(sorted(running.facts)) if running else ()
    why: WhyBack | None = WhyBack("update-broken-off")
    layout.begin(Pending(new, old, layout.build_of(layout.previous), reads, ran))
    try:
        layout.point(layout.current, new)
        if lacking := settle(layout, machine, new):
            why = WhyBack("update-not-settled", lacking)
        else:
            start(machine, ran)
            why = watch(machine, new, before) if SERVICE in ran else None
            if why is None and PIT in ran:
                why = watch_pit(machine, already_s=WATCH_S if SERVICE in ran else 0)
        if why is None:
            layout.point(layout.previous, old)
            layout.disk.sync_all()
            layout.end()
    finally:
        if layout.pending() is not None:
            go_back(layout, machine, why or WhyBack("update-broken-off"), say)
    return why


def take_release(layout: Installation, machine: Host, new: str) -> None:
    """Switch to `new` on a table that does not run: its next start brings it.

    Raises `UpdateRefused` where its drivers do not get what they need, `OSError`.
    """
    old = layout.build_of(layout.current)
    layout.begin(Pending(new, old, layout.build_of(layout.previous), ()))
    layout.point(layout.current, new)
    if lacking := settle(layout, machine, new):
        layout.point(layout.current, old)
        settle(layout, machine, old)
        layout.disk.sync_all()
        layout.end()
        raise UpdateRefused(REASONS["update-not-settled"].format(lacking))
    layout.point(layout.previous, old)
    layout.disk.sync_all()
    layout.end()


def replace_lost(layout: Installation, machine: Host, new: str, ran: tuple[str, ...]) -> str:
    """Switch to `new` from a release that is not whole: there is nothing to go back to.

    Returns what `settle` does. Raises `OSError`.
    """
    layout.point(layout.current, new)
    lacking = settle(layout, machine, new)
    start(machine, ran)
    return lacking


def watch(machine: Host, new: str, before: TableNow | None) -> WhyBack | None:
    """Watch a release that was just started; None where all is well, else why it goes back."""
    began_s = machine.now_s()
    table = machine.table()
    while table is None or table.build != new:
        if table is not None and table.stopped:
            return WhyBack("update-stopped-table", table.stopped)
        if not machine.is_active():
            return WhyBack("update-ended")
        if machine.now_s() - began_s > READY_S:
            return WhyBack("update-not-ready")
        machine.pause(EVERY_S)
        table = machine.table()
    if table.phase == _ROUND:
        return WhyBack("update-in-a-round")
    return _watch_running(machine, table, before)


def _watch_running(machine: Host, table: TableNow, before: TableNow | None) -> WhyBack | None:
    began_s = machine.now_s()
    newest: TableNow | None = table
    while machine.now_s() - began_s < WATCH_S:
        machine.pause(EVERY_S)
        newest = machine.table()
        if newest is not None and newest.stopped:
            return WhyBack("update-stopped-table", newest.stopped)
        if newest is None or not machine.is_active() or machine.restarts():
            return WhyBack("update-ended")
        table = newest
    lost = before.devices_up - table.devices_up if before else frozenset()
    return WhyBack("update-lost-device", ", ".join(sorted(lost))) if lost else None


def watch_pit(machine: Host, *, already_s: float) -> WhyBack | None:
    """Watch a pit that was just started, and ran `already_s` of its minute."""
    began_s = machine.now_s() - already_s
    while machine.is_active(PIT) and not machine.restarts(PIT):
        if machine.now_s() - began_s >= WATCH_S:
            return None
        machine.pause(EVERY_S)
    return WhyBack("update-pit-ended")


def go_back(
    layout: Installation, machine: Host, why: WhyBack, say: Say, *, at_boot: bool = False
) -> None:
    """Run the old release again, and leave word of why. May be done twice. Raises `OSError`."""
    pending = layout.pending()
    if pending is None:
        return
    # At boot it waits for this; and where somebody starts the boot unit later, it runs.
    if not at_boot or machine.is_active():
        machine.systemctl("stop", SERVICE)
    try:
        try:
            _put_back(layout, machine, pending, why, say)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            # Units are written too: the release that did not do makes room for them.
            say(f"the disk is full: {pending.new} is removed")
            layout.forget(pending.new)
            _put_back(layout, machine, pending, why, say)
    finally:
        # Whatever could not be written: the old release is there, and a table runs.
        if layout.build_of(layout.current) == pending.old:
            start(machine, pending.ran, wait=not at_boot)


def _put_back(
    layout: Installation, machine: Host, pending: Pending, why: WhyBack, say: Say
) -> None:
    """Make the old release the current one; all of it may be done twice. Raises `OSError`."""
    layout.point(layout.current, pending.old)
    if pending.previous:
        layout.point(layout.previous, pending.previous)
    if lacking := settle(layout, machine, pending.old):
        say(f"what the drivers of {pending.old} need could not be installed: {lacking}")
    layout.note_went_back(pending.new, why.code, why.what)
    # The machine is as it was set up for the old one, as far as it was.
    layout.forget_new_set_up()
    layout.disk.sync_all()
    layout.end()


def settle(layout: Installation, machine: Host, build: str) -> str:
    """Give systemd the units of a release and what its drivers need of them.

    Returns why its drivers do not have what they need, empty if they have. Raises `OSError`.
    """
    delivered = layout.release(build) / "systemd/units"
    if not delivered.is_dir():
        # A release of before they had a folder of their own, to which an update may go back.
        delivered = delivered.parent
    for name in (SERVICE, GUARD, KIOSK, PIT):
        unit = layout.units / name
        # Display and pit are there only where somebody wanted them.
        if name in (KIOSK, PIT) and not unit.exists():
            continue
        text = (delivered / name).read_bytes()
        if not unit.exists() or unit.read_bytes() != text:
            layout.disk.write(unit, text)
    said = machine.tablectl(build, "drivers", "--install", str(layout.root), str(layout.config))
    machine.systemctl("daemon-reload")
    return said.last_line or f"exit status {said.status}" if said.status else ""


def start(machine: Host, ran: tuple[str, ...], *, wait: bool = True) -> None:
    """Start what ran: the table with the guard of its lights, the pit."""
    options = () if wait else ("--no-block",)
    if SERVICE in ran:
        machine.systemctl("reset-failed", SERVICE)
        machine.systemctl("restart", *options, GUARD)
        machine.systemctl("start", *options, SERVICE)
    if PIT in ran:
        machine.systemctl("reset-failed", PIT)
        machine.systemctl("restart", *options, PIT)
