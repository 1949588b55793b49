"""A Raspberry Pi camera on its ribbon: the only file that knows picamera2.

Built against the picamera2 manual and libcamera's list of controls; no real one was at hand.
"""

from __future__ import annotations

import glob
import importlib
import os
import socket
from contextlib import suppress
from typing import Any, Final

import numpy as np

from controller.devices.contracts import (
    DeviceAbsent,
    DeviceBusy,
    DeviceDenied,
    DeviceError,
    DeviceLost,
)
from controller.rules.messages import Message, message
from drivers.io.camera.camera_settings import check_lock, reported_settings
from drivers.io.camera.frame_quality import Frame
from drivers.io.camera.sensor_time import SensorClock, SensorTime
from drivers.settings.camera import CameraSettings

#: What libcamera opens: the media controllers, and the heap that frames lie in.
NODES: Final = ("/dev/media*", "/dev/dma_heap/*")
#: What picamera2 and the kernel say where another program has the camera.
_IN_USE: Final = ("busy", "in use", "sequence did not complete")
#: The settings' names in the metadata of libcamera's frames.
_NAMES: Final = {"exposure": "ExposureTime", "gain": "AnalogueGain", "focus": "LensPosition"}
#: And the control that each of them needs; a monochrome sensor has no white balance.
_CONTROLS: Final = {**_NAMES, "white_balance": "ColourTemperature"}


class PiCamera:
    """A Raspberry Pi camera on its ribbon, by picamera2, which only Debian carries."""

    def __init__(self, settings: CameraSettings, lock: socket.socket) -> None:
        self._lock = lock
        self._timeout_s = settings.read_ms / 1_000
        self._wanted = settings.locks
        self._frame: Frame | None = None
        self._checked = False
        self._clock = SensorClock(exposure_began=True, boot_clock=True)
        module = _picamera2()
        _check_nodes()
        if not module.Picamera2.global_camera_info():
            raise DeviceAbsent(message("picamera-none"))
        try:
            self._camera = module.Picamera2()
        except (RuntimeError, OSError, IndexError) as error:
            raise _cannot_open(error) from error
        try:
            self._start(settings)
        except BaseException as error:
            with suppress(AttributeError, RuntimeError):
                self._camera.close()
            if isinstance(error, RuntimeError | OSError | IndexError):
                raise _cannot_open(error) from error
            raise

    def _start(self, settings: CameraSettings) -> None:
        camera = self._camera
        size = (settings.width, settings.height)
        # "RGB888" is blue, green, red in memory, as OpenCV wants it; of a monochrome sensor all
        # three are the same.
        camera.configure(
            camera.create_video_configuration(
                main={"size": size, "format": "RGB888"}, buffer_count=3
            )
        )
        for name in self._wanted:
            if _CONTROLS[name] not in camera.camera_controls:
                raise DeviceError(message("picamera-no-control", setting=name))
        controls = _controls(settings)
        if settings.crop is not None:
            if "ScalerCrop" not in camera.camera_controls:
                raise DeviceError(message("picamera-no-control", setting="crop"))
            controls["ScalerCrop"] = _on_sensor(settings.crop, camera.camera_properties)
        camera.set_controls(controls)
        camera.start()

    def grab(self) -> SensorTime | None:
        """Wait for the next frame; when its exposure began. Raises `DeviceError`."""
        try:
            request = self._camera.capture_request(wait=self._timeout_s)
        except (RuntimeError, TimeoutError) as error:
            raise DeviceLost(message("camera-no-frame")) from error
        try:
            self._frame = np.asarray(request.make_array("main"), dtype=np.uint8)
            metadata: dict[str, Any] = request.get_metadata()
        finally:
            request.release()
        if not self._checked:
            self._check(metadata)
        stamp = metadata.get("SensorTimestamp")
        return None if stamp is None else self._clock.time_of(int(stamp))

    def take(self) -> Frame:
        """The frame that was grabbed. Raises `DeviceLost`."""
        if self._frame is None:
            raise DeviceLost(message("camera-no-frame"))
        return self._frame

    def has(self) -> dict[str, int]:
        """What libcamera reports of the next frame. Raises `DeviceLost`."""
        try:
            made = self._camera.capture_metadata(wait=self._timeout_s)
        except (RuntimeError, TimeoutError) as error:
            raise DeviceLost(message("camera-no-frame")) from error
        return reported_settings(
            {name: float(made[key]) for name, key in _CONTROLS.items() if key in made}
        )

    def close(self) -> None:
        """Release it, also where it was pulled off and cannot be stopped."""
        try:
            with suppress(RuntimeError):
                self._camera.stop()
        finally:
            try:
                with suppress(RuntimeError):
                    self._camera.close()
            finally:
                self._lock.close()

    def _check(self, metadata: dict[str, Any]) -> None:
        for name, key in _NAMES.items():
            if name in self._wanted and key in metadata:
                check_lock(name, self._wanted[name], float(metadata[key]))
        self._checked = True


def _picamera2() -> Any:
    """The module. Raises `DeviceAbsent` with what is wrong with the one that is there."""
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        if error.name in (None, "picamera2"):
            raise DeviceAbsent(message("picamera-missing")) from error
        raise DeviceAbsent(message("picamera-incomplete", module=error.name)) from error
    except ValueError as error:
        # As Cython says it of a module that was built for numpy 1, and finds numpy 2.
        if "numpy" not in str(error):
            raise
        raise DeviceAbsent(_other_numpy()) from error


def _other_numpy() -> Message:
    if int(np.__version__.partition(".")[0]) < 2:
        return message("picamera-for-numpy-2")
    return message("picamera-for-numpy-1")


def _check_nodes() -> None:
    for node in (node for pattern in NODES for node in sorted(glob.glob(pattern))):
        if not os.access(node, os.R_OK | os.W_OK):
            raise DeviceDenied(message("picamera-denied", path=node))


def _cannot_open(error: Exception) -> DeviceError:
    said = str(error).lower()
    if any(each in said for each in _IN_USE):
        return DeviceBusy(message("camera-in-use"))
    return DeviceAbsent(message("picamera-cannot-open", detail=type(error).__name__))


def _on_sensor(
    crop: tuple[float, float, float, float], properties: dict[str, Any]
) -> tuple[int, int, int, int]:
    """The part of the sensor in its own pixels: left, top, width, height."""
    wide, high = properties["PixelArraySize"]
    left, top, width, height = crop
    return round(left * wide), round(top * high), round(width * wide), round(height * high)


def _controls(settings: CameraSettings) -> dict[str, object]:
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
