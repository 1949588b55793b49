"""The command line of `tablectl-update`."""

from __future__ import annotations

import argparse
import fcntl
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType
from typing import Final

from systemd.releases.update import drivers
from systemd.releases.update.arguments import arguments_of
from systemd.releases.update.compare import compare, signature_refused
from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.install import install, set_up, set_up_due, uninstall
from systemd.releases.update.layout import HOME, Installation, UpdateDamaged
from systemd.releases.update.machine import Host
from systemd.releases.update.manifest import SIGNATURE
from systemd.releases.update.minisign import PublicKey, public_keys
from systemd.releases.update.package import AlreadyHere, UpdateRefused
from systemd.releases.update.standby import recover
from systemd.releases.update.terminal import say
from systemd.releases.update.update import WentBack, back, update

#: The public keys that sign releases, two of them: one in use, one in a safe.
KEYS: Final = f"{HOME}/release-keys"
EXIT_REFUSED: Final = 1
EXIT_WENT_BACK: Final = 2
EXIT_NOT_WHOLE: Final = 3
#: Another try may go through: a disk was full, a file could not be read.
EXIT_NOT_COMPARED: Final = 4
EXIT_BUSY: Final = 75
#: Two locks: of whoever changes what is installed, until the machine is set up for it, and of
#: whoever works on the releases. What sets the machine up compares: it has to find the second free.
_CALL, _WORK = ".call.lock", ".lock"
#: What breaks an update off, which then goes back.
_BREAK_OFF: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
#: A terminal that is closed, or asks this program to stand still, does not.
_IGNORED: Final = (signal.SIGHUP, signal.SIGTSTP, signal.SIGTTOU)


class _Busy(Exception):
    """Another call of this program is at work."""


class _BrokenOff(Exception):
    """Somebody ended this program."""


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit status."""
    arguments = arguments_of(argv)
    layout = Installation(arguments.root, DurableFiles())
    failed = EXIT_NOT_COMPARED if arguments.compare else EXIT_REFUSED
    # Both are called by what works already, or stand behind it.
    helps = arguments.compare or arguments.stand_by
    # What stands by is ended while it waits, by whoever leaves it nothing to do.
    if not arguments.stand_by:
        _handle_signals()
    try:
        layout.home.mkdir(parents=True, exist_ok=True)
        # systemd's own calls wait: whoever is before them, they have to be done.
        with nullcontext() if helps else _alone(layout, _CALL, wait=arguments.boot) as call:
            with _alone(layout, _WORK, wait=helps or arguments.boot) as lock:
                _handle_signals()
                status = _do(arguments, layout, Host(layout, lock))
            if status or not (arguments.boot or _brings_a_release(arguments)):
                return status
            return _set_up(layout, Host(layout, call))
    except UpdateRefused as error:
        return _fail(f"refused: {error}", failed)
    except WentBack as error:
        return _fail(str(error), EXIT_WENT_BACK)
    except _Busy:
        return _fail("another tablectl-update is at work: wait for it", EXIT_BUSY)
    except _BrokenOff:
        return _fail(*_broken_off(layout))
    except UpdateDamaged as error:
        return _fail(str(error), EXIT_REFUSED)
    except OSError as error:
        if isinstance(error, PermissionError) and os.geteuid() != 0:
            return _fail(f"{error.filename} is root's: run it with sudo", failed)
        return _fail(f"failed: {error}", failed)


@contextmanager
def _alone(layout: Installation, name: str, *, wait: bool) -> Iterator[int]:
    """One call works at a time; the lock's descriptor. Raises `_Busy` unless told to wait."""
    # Its owner's alone: whoever may open it could hold it.
    descriptor = os.open(layout.home / name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise _Busy from None
        yield descriptor
    finally:
        os.close(descriptor)


def _handle_signals() -> None:
    for each in _BREAK_OFF:
        signal.signal(each, _break_off)
    for each in _IGNORED:
        signal.signal(each, signal.SIG_IGN)


def _break_off(number: int, frame: FrameType | None) -> None:
    # Once is enough: the way back is not broken off.
    for each in _BREAK_OFF:
        signal.signal(each, signal.SIG_IGN)
    raise _BrokenOff


def _broken_off(layout: Installation) -> tuple[str, int]:
    """What is said of what was broken off, and the exit status."""
    current = layout.build_of(layout.current) or "no release"
    try:
        pending = layout.pending()
    except UpdateDamaged as error:
        return f"broken off; {error}", EXIT_WENT_BACK
    if pending is not None:
        return (
            f"broken off; {pending.old} is put back by the next update or --back, or when the"
            " machine is started"
        ), EXIT_WENT_BACK
    if layout.set_up_due_file.exists():
        # It stands from before a release is brought until the machine is set up for it.
        return (
            f"broken off; {current} is installed, and what it needs of this machine may not all be"
            " in place: that is done when the machine is started, or by tablectl-update --install"
            " with the same file"
        ), EXIT_NOT_WHOLE
    return f"broken off; {current} is installed", EXIT_WENT_BACK


def _brings_a_release(arguments: argparse.Namespace) -> bool:
    return bool(arguments.install or arguments.file) and not arguments.dry_run


def _set_up(layout: Installation, machine: Host) -> int:
    """Set the machine up where that is due; the exit status. Raises `OSError`."""
    if set_up(layout, machine):
        return 0
    return _fail(
        f"{layout.build_of(layout.current)} is installed, and what it needs of this machine is not"
        " all in place: mend what is said above, then tablectl-update --install with the same file",
        EXIT_NOT_WHOLE,
    )


def _do(arguments: argparse.Namespace, layout: Installation, machine: Host) -> int:
    if arguments.boot:
        recover(layout, machine, say, at_boot=True)
    elif arguments.stand_by:
        if recover(layout, machine, say):
            _compare_what_runs(layout)
    elif arguments.list:
        _list(layout)
    elif arguments.compare:
        return _compare(layout)
    elif arguments.seen:
        layout.disk.remove(layout.went_back_file)
    elif arguments.uninstall:
        uninstall(layout, machine, say)
    elif arguments.add_driver:
        drivers.add(layout, machine, arguments.add_driver, say)
        return _compare(layout)
    elif arguments.remove_driver:
        drivers.remove(layout, machine, arguments.remove_driver, say)
        return _compare(layout)
    elif arguments.back:
        with _compared_anyway(layout):
            back(layout, machine, _pinned(layout), say)
    else:
        keys = None if arguments.unsigned else _keys(layout)
        with nullcontext() if arguments.dry_run else set_up_due(layout):
            _bring(arguments, layout, machine, keys)
    return 0


def _bring(
    arguments: argparse.Namespace,
    layout: Installation,
    machine: Host,
    keys: tuple[PublicKey, ...] | None,
) -> None:
    """Install or update."""
    if not (arguments.install and install(layout, machine, arguments.install, keys, say)):
        _update(arguments, layout, machine, keys)


def _update(
    arguments: argparse.Namespace,
    layout: Installation,
    machine: Host,
    keys: tuple[PublicKey, ...] | None,
) -> None:
    """Update; whatever becomes of it, what runs then is compared with its manifest."""
    file = arguments.install or arguments.file
    try:
        with _compared_anyway(layout):
            update(layout, machine, file, keys, say, dry_run=arguments.dry_run)
    except AlreadyHere as error:
        if not arguments.install:
            raise
        # An installation that was broken off, or is to bring more of it: the rest is done anew.
        say(str(error))
    if arguments.dry_run:
        _compare(layout)


@contextmanager
def _compared_anyway(layout: Installation) -> Iterator[None]:
    """What was refused, or went back, leaves a release that runs and may not have been compared."""
    try:
        yield
    except (UpdateRefused, WentBack):
        _compare_what_runs(layout)
        raise


def _compare_what_runs(layout: Installation) -> None:
    """Compare: why it was refused or went back is said whatever becomes of that."""
    try:
        if layout.build_of(layout.current):
            _compare(layout)
    except (OSError, UpdateRefused, UpdateDamaged) as error:
        say(f"what runs could not be compared with its manifest: {error}")


def _compare(layout: Installation) -> int:
    changed = compare(layout, _pinned(layout))
    for each in changed:
        say(f"changed: {each}")
    if SIGNATURE in changed:
        why = signature_refused(layout.release(layout.build_of(layout.current)), _pinned(layout))
        say(f"{SIGNATURE}: {why or 'it was added or is gone'} (keys: /{KEYS})")
    if not changed:
        say(f"{layout.build_of(layout.current)}: every file is as it was installed")
    return EXIT_REFUSED if changed else 0


def _pinned(layout: Installation) -> tuple[PublicKey, ...]:
    """The keys that are pinned here; none where no release was ever signed."""
    return _keys(layout) if (layout.root / KEYS).exists() else ()


def _keys(layout: Installation) -> tuple[PublicKey, ...]:
    path = layout.root / KEYS
    try:
        return public_keys(path.read_text())
    except (OSError, ValueError) as error:
        raise UpdateRefused(f"the keys that sign releases cannot be read: {error}") from None


def _list(layout: Installation) -> None:
    current, previous = (layout.build_of(each) for each in (layout.current, layout.previous))
    for folder in sorted(layout.releases.iterdir()) if layout.releases.is_dir() else ():
        marks = [("current", current), ("previous", previous)]
        said = [name for name, build in marks if build == folder.name]
        if not layout.is_complete(folder.name):
            said.append("not complete")
        say(" ".join([folder.name, *said]))
    for each in drivers.listed(layout):
        say(each)


def _fail(text: str, status: int) -> int:
    with suppress(OSError):
        sys.stderr.write(f"tablectl-update: {text}\n")
    return status


def run() -> None:
    """Run as a program: what it makes can be read by the service, its status is the exit status."""
    os.umask(0o022)
    # Names of files and devices are in what it says: none that a terminal cannot show ends it.
    for each in (sys.stdout, sys.stderr):
        if isinstance(each, io.TextIOWrapper):
            each.reconfigure(errors="backslashreplace")
    sys.exit(main())
