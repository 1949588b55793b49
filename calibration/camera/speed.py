"""How fast cards pass the camera, and whether its exposure is short enough for that.

A card that moves while the sensor gathers light is smeared by its speed times the exposure. Built
for cameras whose exposure is locked and whose unit is known; proved with drawn frames only.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from calibration.camera.stills import REST_FRAMES, StillCamera
from calibration.guide import Guide, Step
from calibration.measure import Measurement
from controller.devices.inputs import Doubt
from drivers.settings.camera import CameraSettings
from drivers.vision.calibrated.camera_geometry import CameraView
from drivers.vision.finding.rectified_card import find_card

PULLS: Final = 3
#: A third of the least stroke of an index.
SMEAR_AT_MOST_MM: Final = 0.5
#: The last pair of frames is before the card is fastest: it leaves the picture while it speeds up.
FASTER: Final = 1.5
#: What moves less is laid, not pulled.
PULLED_MM_S: Final = 50.0
#: A ribbon camera's unit of exposure, and that of a UVC one (V4L2_CID_EXPOSURE_ABSOLUTE), us.
_UNIT_US: Final = {True: 1, False: 100}


class Sighting(NamedTuple):
    """Where the middle of a card was, on its plane, in mm, and when."""

    at_ns: int
    x_mm: float
    y_mm: float


def exposure_us(settings: CameraSettings) -> int | None:
    """The locked exposure in microseconds; None where it is not locked."""
    if settings.exposure is None:
        return None
    return settings.exposure * _UNIT_US[settings.is_csi]


def speed_mm_s(sightings: list[Sighting]) -> float:
    """The highest speed between two sightings, in mm a second."""
    return max(
        (
            float(np.hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm)) * 1e9 / (b.at_ns - a.at_ns)
            for a, b in pairwise(sightings)
            if b.at_ns > a.at_ns
        ),
        default=0.0,
    )


def smear(settings: CameraSettings, fastest_mm_s: float) -> Measurement:
    """By how much the fastest card is smeared, and the exposure that is short enough."""
    exposed = exposure_us(settings)
    unit = _UNIT_US[settings.is_csi]
    speed = fastest_mm_s * FASTER
    longest = max(int(SMEAR_AT_MOST_MM / speed * 1e6 / unit), 1)
    return Measurement(
        "smear of the fastest card",
        None if exposed is None else round(speed * exposed / 1e6, 2), "mm",
        at_most=SMEAR_AT_MOST_MM,
        remedy=f"Cards pass at {speed:.0f} mm/s: write exposure = {longest} or less under [camera],"
        " light the shoe brighter, or have a light that flashes with the sensor",
    )  # fmt: skip


async def measure_speed(
    guide: Guide, stills: StillCamera, view: CameraView, step: Step
) -> float:  # fmt: skip
    """The highest speed of several cards that are pulled as at the table, in mm a second.

    Raises `Abandoned`, `DeviceError`.
    """
    speeds: list[float] = []
    while len(speeds) < PULLS:
        guide.step(Step(step.nth, step.of, step.name, len(speeds), PULLS))
        text = f"Pull a card as at the table, {len(speeds) + 1} of {PULLS}"
        speed = speed_mm_s(await guide.watch(text, _pulled(stills, view)))
        if speed < PULLED_MM_S:
            guide.tell("It was laid, not pulled: once more")
            continue
        speeds.append(speed)
        guide.tell(f"Pulled at {speed:.0f} mm/s")
    return max(speeds)


async def _pulled(stills: StillCamera, view: CameraView) -> list[Sighting]:
    """The sightings of the next card, from its coming until it is gone."""
    sightings: list[Sighting] = []
    without = 0
    while not sightings or without < REST_FRAMES:
        frame = await stills.next()
        found = find_card(frame)
        if isinstance(found, Doubt) or not view.fits(found.quad):
            without += 1
            continue
        without = 0
        x, y = view.middle_mm(found.quad)
        sightings.append(Sighting(stills.newest_ns, x, y))
    return sightings
