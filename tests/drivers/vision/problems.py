"""What a camera says has drifted since its calibration, in English."""

from __future__ import annotations

from controller.devices.english import ENGLISH
from drivers.shoe.frame_reader import FrameReader


def problem_of(reader: FrameReader) -> str:
    """The words of its problem, empty where it has none."""
    problem = reader.problem()
    return "" if problem is None else ENGLISH.say(problem)
