"""What a calibration found out, before it is written."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from calibration.measure import Measurement

#: Where certificates lie, seen from the configuration's folder, and captures until they are good.
FOLDER: Final = "certificates"
PART: Final = ".deck.part"
#: Beside them what is captured so far of a calibration that was broken off.
DRAFT: Final = ".deck.draft"
#: The same of a calibration of few words: its answers.
ANSWERS: Final = ".{kind}.answers"
#: And what was there before the last calibration of a kind, to be taken back.
BEFORE: Final = ".before-{kind}"
#: The same while what was found is being written: a power cut then leaves it.
WRITING: Final = ".writing-{kind}"
#: What a calibration writes beside its certificate.
WRITTEN: Final = {"codes": ("codes.toml",), "camera": ("deck",)}


@dataclasses.dataclass(frozen=True, slots=True)
class Found:
    """What a calibration found out: the section's new settings, measurements, files beside it.

    `files` are text files by their path from the configuration's folder, to be written with it;
    `deck` is the folder of a deck's captures, to be put in its place; `draft` that of what was
    kept of them until then, to be removed.
    """

    settings: Any
    measurements: Sequence[Measurement]
    files: tuple[tuple[str, str], ...] = ()
    deck: Path | None = None
    draft: Path | None = None
