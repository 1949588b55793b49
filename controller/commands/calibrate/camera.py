"""Calibrates the camera: with the extra `camera` only, for it needs OpenCV and the networks."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from calibration.camera.charuco_board import as_pdf
from calibration.camera.flow import Folders, calibrate_camera, load_reader
from calibration.camera.stills import StillCamera
from calibration.guide import Guide
from calibration.page import PageGuide
from controller.commands.calibrate.found import DRAFT, FOLDER, PART, Found
from controller.commands.terminal.status import EXIT_BAD, fail
from controller.config.configuration import Config
from drivers.builtin.readers import CAMERA_NAME, resolved_camera
from drivers.io.pins import Factory
from drivers.shoe.strobe import Strobe
from drivers.vision.alphabet import PrintedStyle


async def measure_camera(guide: Guide, config: Config, factory: Factory = None) -> Found:
    """Calibrate the camera and capture the deck; a strobe on the factory's pin shines all the time.

    Raises what its script raises.
    """
    settings = config.devices.camera
    assert settings is not None, "who asked for it looked"
    style = None if settings.style == "any" else PrintedStyle(settings.style)
    folders = Folders(config.base / FOLDER / PART, config.base / FOLDER / DRAFT)
    stills = StillCamera(resolved_camera(settings, config.base))
    if isinstance(guide, PageGuide):
        guide.live = stills.jpeg
    lamp = (
        None if settings.strobe is None
        else Strobe(settings.strobe, factory, CAMERA_NAME, stills.fail)
    )  # fmt: skip
    try:
        if lamp is not None:
            lamp.open()
        async with stills.watched():
            kinds = tuple(config.game.pack.kinds())
            found = await calibrate_camera(
                guide, stills, settings, kinds, folders, load_reader(style)
            )
    finally:
        if lamp is not None:
            lamp.close()
    settings = dataclasses.replace(found.settings, deck=Path(FOLDER, "deck"))
    return Found(settings, found.measurements, deck=folders.deck, draft=folders.draft)


def write_board(path: Path) -> int:
    """Write the board for the camera as a PDF, to be printed; the exit status."""
    try:
        with path.open("xb") as file:
            file.write(as_pdf())
    except OSError as error:
        return fail(f"{path} cannot be written ({error.strerror}): name a new file", EXIT_BAD)
    print(f"{path}: print it at 100 % on stiff paper, and cut the board out")
    return 0
