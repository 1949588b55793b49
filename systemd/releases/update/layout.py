"""Where everything of an installation lies: releases side by side, `current` and `previous`.

| below /opt/tablectl | what it is |
|---|---|
| `releases/0.3.1+4f2c9a01/` | manifest, `systemd/`, `env/`; complete with `installed.json` |
| `current` -> `releases/...` | what runs; units and /usr/local/bin/tablectl go through it |
| `previous` -> `releases/...` | what ran before |
| `update.json` | an update that is not confirmed; without it there is nothing to do |
| `update.json.copy` | the same, for the case that its file is damaged |
| `drivers/` | drivers of others (`drivers.py`) |
| `compared.json` | how the comparison of files with the manifest went |
| `set-up-due` | what a release needs of the machine around it was not all put in place yet |
| `.call.lock`, `.lock` | one call at a time: until the machine is set up, while releases change |
| `went-back.json` | why the newest update went back; without it, it did not |

`/run/tablectl-update.json` says what an update stopped, and goes with the power.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.manifest import INSTALLED, Manifest, ManifestError, read

HOME: Final = "opt/tablectl"
CONFIG: Final = "etc/tablectl/table.toml"
#: Root's, outside of every folder of the service's user: root works in it by name.
BACKUP_HOME: Final = "var/lib/tablectl-update"
#: The one folder in it that the service's user writes in.
BACKUPS: Final = f"{BACKUP_HOME}/record"
UNITS: Final = "etc/systemd/system"
#: Not durable: a start of the machine starts what is enabled.
STOPPED: Final = "run/tablectl-update.json"
KEPT_RELEASES: Final = 3
#: In `set-up-due`: for the release that ran before the update, too.
_DUE_BEFORE: Final = b"before"


@dataclass(frozen=True, slots=True)
class Pending:
    """An update that is not confirmed: builds by their names; `reads` is what the old one reads.

    `previous` is where `previous` pointed before; empty: nowhere. `ran` are the units that ran, and
    run again where it goes back.
    """

    new: str
    old: str
    previous: str
    reads: tuple[str, ...]
    ran: tuple[str, ...] = ("tablectl.service",)


class UpdateDamaged(Exception):
    """`update.json` does not say from where to where; the text says which link to set."""


class Installation:
    """An installation below `root`."""

    def __init__(self, root: Path, disk: DurableFiles) -> None:
        self.root = root
        self.disk = disk
        self.home = root / HOME
        self.releases = self.home / "releases"
        self.current = self.home / "current"
        self.previous = self.home / "previous"
        self.pending_file = self.home / "update.json"
        self.pending_copy = self.home / "update.json.copy"
        self.went_back_file = self.home / "went-back.json"
        self.set_up_due_file = self.home / "set-up-due"
        self.compared_file = self.home / "compared.json"
        self.drivers = self.home / "drivers"
        #: The link to the drivers that count.
        self.drivers_now = self.drivers / "current"
        self.config = root / CONFIG
        self.backup_home = root / BACKUP_HOME
        self.backups = root / BACKUPS
        self.units = root / UNITS
        self.stopped_file = root / STOPPED

    def release(self, build: str) -> Path:
        """The folder of a release."""
        return self.releases / build

    def build_of(self, link: Path) -> str:
        """The build to which `current` or `previous` points; empty where it does not."""
        return os.readlink(link).rpartition("/")[2] if link.is_symlink() else ""

    def manifest_of(self, link: Path) -> Manifest | None:
        """The manifest of the release that `current` or `previous` points to; None without one."""
        try:
            return read(self.release(self.build_of(link))) if link.is_symlink() else None
        except ManifestError:
            return None

    def point(self, link: Path, build: str) -> None:
        """Point `current` or `previous` to a build. Raises `OSError`."""
        self.disk.link(link, f"releases/{build}")

    def is_complete(self, build: str) -> bool:
        """Whether a release was installed to its end."""
        return (self.release(build) / INSTALLED).is_file()

    # -- the update that is not confirmed --

    def pending(self) -> Pending | None:
        """The update that is not confirmed, None if there is none. Raises `UpdateDamaged`."""
        if not self.pending_file.exists():
            return None
        found = self._read_pending(self.pending_file) or self._read_pending(self.pending_copy)
        if found is None:
            raise UpdateDamaged(
                f"{self.pending_file} and its copy are damaged: which release ran before is"
                f" unknown. tablectl-update --list lists those that are here; then ln -sfn"
                f" releases/BUILD {self.current} with the one that ran, and remove"
                f" {self.pending_file}"
            )
        return found

    def _read_pending(self, path: Path) -> Pending | None:
        """The update that stands in a file; None where the file is missing or damaged."""
        try:
            plain = json.loads(path.read_text())
            new, old, previous = (str(plain[each]) for each in ("new", "old", "previous"))
            found = Pending(new, old, previous, tuple(plain["reads"]), tuple(plain["ran"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if self.is_complete(found.old) else None

    def begin(self, pending: Pending) -> None:
        """Note that an update begins. Raises `OSError`."""
        text = json.dumps(asdict(pending), indent=1).encode()
        # What counts is the file; so its copy is written before it, and removed after it.
        self.disk.write(self.pending_copy, text)
        self.disk.write(self.pending_file, text)

    def end(self) -> None:
        """Note that nothing is left to do: this confirms what `current` points to."""
        self.disk.remove(self.pending_file)
        self.disk.remove(self.pending_copy)

    def note_went_back(self, new: str, why: str, what: str) -> None:
        """Leave word for the service, for its record. Raises `OSError`."""
        text = json.dumps({"new": new, "why": why, "what": what}, indent=1)
        self.disk.write(self.went_back_file, text.encode())

    # -- the machine around a release --

    def note_set_up_due(self) -> None:
        """Note that the machine has to be set up for what comes. Raises `OSError`.

        Where it is due for what runs that is noted as well, and outlasts a way back.
        """
        due = self.set_up_due_file.exists()
        self.disk.write(self.set_up_due_file, _DUE_BEFORE if due else b"")

    def forget_new_set_up(self) -> None:
        """Note that what came is not here: due is what was due before it. Raises `OSError`."""
        if not self.set_up_due_file.exists() or self.set_up_due_file.read_bytes() != _DUE_BEFORE:
            self.disk.remove(self.set_up_due_file)

    # -- what was stopped meanwhile --

    def note_stopped(self, units: tuple[str, ...]) -> None:
        """Note what is about to be stopped, and has to run again. Raises `OSError`."""
        self.stopped_file.parent.mkdir(parents=True, exist_ok=True)
        self.disk.write(self.stopped_file, json.dumps(units).encode())

    def stopped(self) -> tuple[str, ...]:
        """What an update stopped that was broken off; empty where none was."""
        try:
            return tuple(map(str, json.loads(self.stopped_file.read_text())))
        except (OSError, ValueError, TypeError):
            return ()

    def forget_stopped(self) -> None:
        """Note that nothing is stopped any more. Raises `OSError`."""
        if self.stopped_file.exists():
            self.disk.remove(self.stopped_file)

    # -- room --

    def free_bytes(self) -> int:
        """What is free where releases are."""
        there = next(each for each in (self.home, *self.home.parents) if each.exists())
        return shutil.disk_usage(there).free

    def prune(self) -> None:
        """Keep three complete releases, those in use among them; remove the rest."""
        keep = {self.build_of(self.current), self.build_of(self.previous)}
        for folder in self._newest_first():
            if len(keep) < KEPT_RELEASES and self.is_complete(folder.name):
                keep.add(folder.name)
            if folder.name not in keep:
                self.forget(folder.name)

    def forget(self, build: str) -> None:
        """Remove a release; what is left of it by a power cut is not taken for a whole one."""
        folder = self.release(build)
        if folder.is_dir():
            self.disk.remove(folder / INSTALLED)
            self.disk.remove_tree(folder)

    def _newest_first(self) -> Iterator[Path]:
        if self.releases.is_dir():
            yield from sorted(
                self.releases.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True
            )
