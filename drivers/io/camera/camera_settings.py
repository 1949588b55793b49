"""What a camera is asked to keep: its locked settings and the size of its frames, read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.devices.contracts import DeviceError
from controller.rules.messages import message
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings

#: A setting counts as kept when it reads back this close: cameras round to steps of their own.
_NEAR: Final = 0.02


def check_lock(name: str, wanted: float, got: float) -> None:
    """Raises `DeviceError` where a setting does not read back as it was set."""
    if abs(got - wanted) > max(_NEAR * abs(wanted), 0.5):
        raise DeviceError(
            message("camera-setting-not-kept", setting=name, wanted=f"{wanted:g}", got=f"{got:g}")
        )


def check_size(frame: Frame, settings: CameraSettings) -> None:
    """Raises `DeviceError` where a picture, as it is read, is not of the configured size."""
    height, width = frame.shape[:2]
    if (width, height) != settings.picture_size:
        wanted = settings.picture_size
        raise DeviceError(
            message(
                "camera-frame-size", width=width, height=height,
                wanted_width=wanted[0], wanted_height=wanted[1],
            )
        )  # fmt: skip


def reported_settings(values: Mapping[str, float]) -> dict[str, int]:
    """Those of a camera's values that mean something: drivers report -1 or 0 for what is missing.

    A gain and a focus of 0 are values as others are.
    """
    least = {"exposure": 1, "gain": 0, "white_balance": 1, "focus": 0}
    return {name: round(value) for name, value in values.items() if value >= least[name]}
