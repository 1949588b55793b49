"""A Raspberry Pi camera on its ribbon: the only file that knows picamera2."""

from __future__ import annotations

import importlib
import socket
from contextlib import suppress
from typing import Any, Final

import numpy as np

from controller.devices.contracts import DeviceAbsent, DeviceLost
from controller.rules.messages import message
from drivers.io.camera_settings import check_lock, reported_settings
from drivers.io.frame_quality import Frame
from drivers.settings import CameraSettings


class PiCamera:
    """A Raspberry Pi camera on its ribbon, by picamera2, which only Debian carries."""

    def __init__(self, settings: CameraSettings, lock: socket.socket) -> None:
        self._lock = lock
        try:
            module: Any = importlib.import_module("picamera2")
        except ImportError as error:
            raise DeviceAbsent(message("picamera-missing")) from error
        try:
            self._camera = module.Picamera2()
            size = (settings.width, settings.height)
            # "RGB888" is blue, green, red in memory, as OpenCV wants it.
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": size, "format": "RGB888"}, buffer_count=3
                )
            )
            self._camera.set_controls(_csi_controls(settings))
            self._camera.start()
        except (RuntimeError, OSError, IndexError) as error:
            with suppress(AttributeError):
                self._camera.close()
            failed = message("picamera-cannot-open", detail=type(error).__name__)
            raise DeviceAbsent(failed) from error
        self._timeout_s = settings.read_ms / 1_000
        self._wanted = settings.locks
        self._frame: Frame | None = None
        self._checked = False

    def grab(self) -> None:
        """Wait for the next frame. Raises `DeviceLost`."""
        try:
            request = self._camera.capture_request(wait=self._timeout_s)
        except (RuntimeError, TimeoutError) as error:
            raise DeviceLost(message("camera-no-frame")) from error
        try:
            self._frame = np.asarray(request.make_array("main"), dtype=np.uint8)
            if not self._checked:
                self._check(request.get_metadata())
        finally:
            request.release()

    def take(self) -> Frame:
        """The frame that was grabbed. Raises `DeviceLost`."""
        if self._frame is None:
            raise DeviceLost(message("camera-no-frame"))
        return self._frame

    def has(self) -> dict[str, int]:
        """What libcamera reports of the next frame."""
        made = self._camera.capture_metadata(wait=self._timeout_s)
        names = {**_CSI_NAMES, "white_balance": "ColourTemperature"}
        return reported_settings(
            {name: float(made[key]) for name, key in names.items() if key in made}
        )

    def close(self) -> None:
        """Let go of it."""
        self._camera.stop()
        self._camera.close()
        self._lock.close()

    def _check(self, metadata: dict[str, Any]) -> None:
        for name, key in _CSI_NAMES.items():
            if name in self._wanted and key in metadata:
                check_lock(name, self._wanted[name], float(metadata[key]))
        self._checked = True


#: The settings' names in the metadata of libcamera's frames.
_CSI_NAMES: Final = {"exposure": "ExposureTime", "gain": "AnalogueGain", "focus": "LensPosition"}


def _csi_controls(settings: CameraSettings) -> dict[str, object]:
    """The locked settings in libcamera's terms: exposure in us, gain as a factor, focus in 1/m."""
    controls: dict[str, object] = {"FrameRate": float(settings.fps)}
    if settings.exposure is not None:
        controls |= {"AeEnable": False, "ExposureTime": settings.exposure}
    if settings.gain is not None:
        controls |= {"AeEnable": False, "AnalogueGain": float(settings.gain)}
    if settings.white_balance is not None:
        controls |= {"AwbEnable": False, "ColourTemperature": settings.white_balance}
    if settings.focus is not None:
        controls |= {"AfMode": 0, "LensPosition": float(settings.focus)}
    return controls
