"""The release that runs, watched like a device: on trial after an update, or changed since.

What updates a table (`tablectl-update`) stands beside the releases and notes in files what it did.
They are read here, and what they say becomes the health of a device named `software`. A checkout
is no release: it has none of this. A file that is damaged or cannot be read ends nothing: the
software counts as not compared.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from controller.rules.messages import Message, message

#: Files are compared once a day; an hour more for a machine that is busy.
COMPARED_WITHIN_S: Final = 25 * 3_600
#: This long after its start a service says that an update went back: long enough to be on record.
WENT_BACK_S: Final = 60.0
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")

#: What reading a damaged file raises, or one that has other keys or values than it should.
_DAMAGED: Final = (OSError, ValueError, LookupError, TypeError)

#: Why an update went back, by the codes of `tablectl-update`.
_WHY: Final[Mapping[str, Callable[[str], Message]]] = {
    "update-broken-off": lambda _: message("update-broken-off"),
    "update-not-ready": lambda _: message("update-not-ready"),
    "update-ended": lambda _: message("update-ended"),
    "update-pit-ended": lambda _: message("update-pit-ended"),
    "update-stopped-table": lambda what: message("update-stopped-table", why=what),
    "update-lost-device": lambda what: message("update-lost-device", device=what),
    "update-not-settled": lambda what: message("update-not-settled", why=what),
    "update-in-a-round": lambda _: message("update-in-a-round"),
}


class Software:
    """The installed release in `folder`; calling it takes one look (blocking, some small files).

    `build` is its name.
    """

    def __init__(
        self,
        folder: Path,
        *,
        boottime_s: Callable[[], float] = lambda: time.clock_gettime(time.CLOCK_BOOTTIME),
        boot_id: Path = _BOOT_ID,
    ) -> None:
        self.build = folder.name
        self._home = folder.parent.parent
        self._boottime_s = boottime_s
        self._boot_id = boot_id
        self._began_s = boottime_s()
        self._may_be_on_trial = True
        self._reads: frozenset[str] | None = None
        self._look_at_trial()

    def __call__(self) -> Message | None:
        """What is wrong with the software, or new about it; None if nothing is."""
        try:
            if self._tried():
                return message("software-on-trial", build=self.build)
            return self._compared() or self._went_back()
        except _DAMAGED:
            return message("software-not-compared")

    @property
    def on_trial(self) -> bool:
        """Whether this release was installed by an update that is not confirmed yet."""
        with suppress(*_DAMAGED):
            return bool(self._tried())
        return False

    @property
    def reads(self) -> frozenset[str] | None:
        """On trial: what the release before reads, by kind and version; else None."""
        # Asked at every commit: a file is looked at on trial alone.
        if self._may_be_on_trial:
            self._look_at_trial()
        return self._reads

    def _look_at_trial(self) -> None:
        # A damaged file does not end a trial: what was read before holds until it can be read.
        with suppress(*_DAMAGED):
            pending = self._tried()
            self._reads = frozenset(pending["reads"]) if pending else None
            self._may_be_on_trial = bool(pending)

    def _tried(self) -> Mapping[str, Any]:
        """The update that installed this release and is not confirmed; empty if there is none."""
        pending = _read(self._home / "update.json")
        return pending if pending.get("new") == self.build else {}

    def _compared(self) -> Message | None:
        found = _read(self._home / "compared.json")
        if changed := found.get("changed"):
            return message("software-changed", file=changed[0], files=found["count"])
        age_s = self._boottime_s() - found.get("boottime_s", 0)
        this_boot = found.get("boot") == self._boot_id.read_text().strip()
        if not this_boot or found.get("build") != self.build or age_s > COMPARED_WITHIN_S:
            return message("software-not-compared")
        return None

    def _went_back(self) -> Message | None:
        if self._boottime_s() - self._began_s > WENT_BACK_S:
            return None
        found = _read(self._home / "went-back.json")
        if not found:
            return None
        why = _WHY.get(found["why"], _WHY["update-broken-off"])(found["what"])
        return message("software-went-back", build=found["new"], why=why)


def _read(path: Path) -> Mapping[str, Any]:
    """What stands in a file of `tablectl-update`; empty where there is none. Raises `_DAMAGED`."""
    try:
        return dict(json.loads(path.read_text()))
    except FileNotFoundError:
        return {}
