"""An update from its file to the confirmed release, in the order in which it may be refused."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from systemd.releases.update.compare import changes, compare, signature_refused
from systemd.releases.update.drivers import refuse_clash_here
from systemd.releases.update.environment import sees_system_packages
from systemd.releases.update.examine import back_up, examine, record_bytes, remove_backup
from systemd.releases.update.layout import Installation, UpdateDamaged
from systemd.releases.update.machine import PIT, SERVICE, Host, TableNow
from systemd.releases.update.manifest import MANIFEST
from systemd.releases.update.minisign import PublicKey
from systemd.releases.update.package import (
    AlreadyHere,
    Package,
    UpdateRefused,
    open_package,
    refuse_spoilt,
    refuse_unfit,
    unpack,
)
from systemd.releases.update.standby import recover, standing_by
from systemd.releases.update.trial import (
    Say,
    replace_lost,
    settle,
    start,
    take_release,
    try_release,
)

#: How long an update waits for the end of a round.
ROUND_S: Final = 3_600
_ROUND: Final = "round"
_EVERY_S: Final = 0.5


class WentBack(Exception):
    """The new release did not do, and the old one runs again; the text says why."""


def update(
    layout: Installation,
    machine: Host,
    file: Path,
    keys: Iterable[PublicKey] | None,
    say: Say,
    *,
    dry_run: bool = False,
) -> None:
    """Update the table; `keys` as for `open_package`.

    Raises `UpdateRefused`, `WentBack`, `UpdateDamaged`, `OSError`.
    """
    recover(layout, machine, say)
    say(f"looking at {file.name}")
    package = open_package(file, keys)
    new = package.manifest.build
    if not dry_run:
        # What was broken off, or went back, takes the room that this one needs.
        layout.prune()
    _refuse_release_before(layout, new, keys or ())
    refuse_unfit(package, layout, machine.kind, machine.python, record_bytes(layout))
    refuse_clash_here(layout, package.manifest)
    old = layout.build_of(layout.current)
    if not old:
        raise UpdateRefused("no table is installed here: tablectl-update --install FILE")
    if new == old:
        _install_again(layout, machine, package, keys or (), say, dry_run=dry_run)
    else:
        _try(layout, machine, package, say, dry_run=dry_run)
    if not dry_run:
        _compare(layout, keys or (), say)


def _refuse_release_before(layout: Installation, new: str, keys: Iterable[PublicKey]) -> None:
    """Refuse to unpack the way back once more, which begins with removing it: where it is one."""
    is_here = new == layout.build_of(layout.previous) and layout.is_complete(new)
    if is_here and not any(changes(layout.release(new), keys)):
        raise UpdateRefused(
            f"{new} is the release before, and is here: tablectl-update --back tries it"
        )


def _try(layout: Installation, machine: Host, package: Package, say: Say, *, dry_run: bool) -> None:
    """Unpack another release, examine it and switch to it; raises as `update` does."""
    new = package.manifest.build
    put(layout, machine, package, say)
    try:
        say("its doctor and verify look at this table and its record")
        by = _examine(layout, machine, new, say)
        if not dry_run:
            switch(layout, machine, new, by, say)
    except (UpdateRefused, OSError):
        # What was refused, or did not find room, leaves none of itself.
        if layout.pending() is None and layout.build_of(layout.current) != new:
            layout.forget(new)
        raise
    if dry_run:
        layout.forget(new)
        say(f"{new} would do: nothing was changed")


def _examine(layout: Installation, machine: Host, new: str, say: Say) -> str:
    """Let a release look at this table; the one that backs its record up.

    That is the running one, or, where it does not run any more, the new. Raises `UpdateRefused`,
    `OSError`.
    """
    old = layout.build_of(layout.current)
    runs = machine.can_run(old)
    if not runs:
        say(f"{old}, which is installed here, does not run: its doctor is not asked")
    examine(layout, machine, new, old if runs else "")
    return old if runs else new


def _install_again(
    layout: Installation, machine: Host, package: Package, keys: Iterable[PublicKey], say: Say,
    *, dry_run: bool,
) -> None:  # fmt: skip
    """Install the release that is here anew, if it is not as its file has it here.

    There is no trial: it is what was confirmed. Raises `UpdateRefused`, `UpdateDamaged` where it is
    not whole afterwards, `OSError`.
    """
    build = package.manifest.build
    folder = layout.release(build)
    changed = list(changes(folder, keys))
    # lgpio may have come after the release.
    if not changed and machine.gives_system_packages() and not sees_system_packages(folder):
        changed = ["it does not see this machine's own packages"]
    if not changed and (folder / MANIFEST).read_bytes() == package.manifest_bytes:
        raise AlreadyHere(f"{build} is what runs here already")
    say(f"{build} is not as this file has it: {changed[0] if changed else 'other packages'}")
    refuse_spoilt(package)
    if dry_run:
        say(f"{build} would be installed again: nothing was changed")
        return
    ran = _ran(layout, machine)
    if SERVICE in ran:
        _wait_for_round(machine, say)
    with standing_by(layout, machine, ran, say):
        machine.systemctl("stop", SERVICE)
        try:
            put(layout, machine, package, say)
            lacking = settle(layout, machine, build)
        except (UpdateRefused, OSError) as error:
            raise UpdateDamaged(f"{build} is not whole: {error}. Install it once more") from None
        finally:
            if layout.is_complete(build):
                start(machine, ran)
    _say_lacking(lacking, say)
    say(f"{build} is installed again")


def _say_lacking(lacking: str, say: Say) -> None:
    if lacking:
        say(f"what its drivers need could not be installed: {lacking}")


def put(layout: Installation, machine: Host, package: Package, say: Say) -> None:
    """Unpack a release and make its environment. Raises `UpdateRefused`, `OSError`."""
    say(f"unpacking {package.manifest.build}")
    try:
        folder = unpack(package, layout)
        machine.make_environment(folder, layout.disk)
    except (UpdateRefused, OSError):
        # A disk that filled up on the way has to have room for the record again.
        layout.forget(package.manifest.build)
        raise


def _ran(layout: Installation, machine: Host) -> tuple[str, ...]:
    """What runs, or ran before an update stopped it that was broken off. Raises `OSError`."""
    stopped = layout.stopped()
    return tuple(each for each in (SERVICE, PIT) if each in stopped or machine.is_active(each))


def switch(layout: Installation, machine: Host, new: str, by: str, say: Say) -> None:
    """Switch to a release that was examined; the release `by` backs the record up.

    Raises `UpdateRefused`, `WentBack`, `OSError`.
    """
    ran = _ran(layout, machine)
    before = None
    if SERVICE in ran:
        _wait_for_round(machine, say)
        before = machine.table()
    with standing_by(layout, machine, ran, say):
        _switch(layout, machine, new, by, ran, before, say)


def _switch(
    layout: Installation, machine: Host, new: str, by: str, ran: tuple[str, ...],
    before: TableNow | None, say: Say,
) -> None:  # fmt: skip
    """Stop the table, which was so `before`, and let another release run; raises as `switch`."""
    old = layout.build_of(layout.current)
    say("stopping the table and backing its record up")
    backed_up = False
    try:
        machine.systemctl("stop", SERVICE)
        back_up(layout, machine, by, layout.backups / old)
        layout.disk.remove(layout.went_back_file)
        backed_up = True
    finally:
        # Whatever ended it, a signal too: nothing was switched yet.
        if SERVICE in ran and not backed_up:
            machine.systemctl("start", SERVICE)
    if not layout.is_complete(old):
        _say_lacking(replace_lost(layout, machine, new, ran), say)
        say(f"{old} was not whole, so there was nothing to go back to: {new} was not tried")
        return
    if not ran:
        take_release(layout, machine, new)
        say(f"the table does not run: {new} was not tried")
        layout.prune()
        return
    say(f"switching to {new}; it is watched for a minute, and accepts no play until then")
    why = try_release(layout, machine, new, before, ran, say)
    if why is not None:
        raise WentBack(f"{new} went back to {old}: {why.text}")
    layout.prune()
    for each in layout.backups.glob("*"):
        if each.name != old:
            remove_backup(each)
    say(f"{new} is confirmed")


def _wait_for_round(machine: Host, say: Say) -> None:
    began_s = machine.now_s()
    announced = False
    while (table := machine.table()) is not None and table.phase == _ROUND:
        if not announced:
            say("waiting for the end of the round")
            announced = True
        if machine.now_s() - began_s > ROUND_S:
            raise UpdateRefused("the round did not end within an hour: try again later")
        machine.pause(_EVERY_S)


def back(layout: Installation, machine: Host, keys: Iterable[PublicKey], say: Say) -> None:
    """Switch to the release before. Raises `UpdateRefused`, `WentBack`, `OSError`."""
    recover(layout, machine, say)
    old, new = layout.build_of(layout.current), layout.build_of(layout.previous)
    if not new or new == old or not layout.is_complete(new):
        raise UpdateRefused("there is no release before this one on this machine")
    keys = tuple(keys)
    if changed := next(changes(layout.release(new), keys), ""):
        # A key that is pinned no more, or a bad card: the table would stand, and have no way back.
        why = signature_refused(layout.release(new), keys) or f"{changed} was changed"
        raise UpdateRefused(
            f"no round would begin with {new}, the release before: {why}. Update to another one"
        )
    switch(layout, machine, new, _examine(layout, machine, new, say), say)
    _compare(layout, keys, say)


def _compare(layout: Installation, keys: Iterable[PublicKey], say: Say) -> None:
    """Compare what runs now; an update that was confirmed has not failed where that fails."""
    try:
        compare(layout, keys)
    except OSError as error:
        say(f"no round begins until tablectl-update --compare has gone through: {error}")
