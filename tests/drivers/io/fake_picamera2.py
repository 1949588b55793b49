"""picamera2 as its manual describes it, for a machine without a ribbon: a module to be imported."""

from __future__ import annotations

import threading
import time
from types import ModuleType
from typing import Any

import numpy as np

from drivers.io.camera.sensor_time import slept_ns


class FakeRequest:
    """One finished frame."""

    def __init__(self, frame: np.ndarray[Any, Any], metadata: dict[str, Any]) -> None:
        self._frame, self._metadata = frame, metadata
        self.released = False

    def make_array(self, name: str) -> np.ndarray[Any, Any]:
        assert name == "main"
        return self._frame

    def get_metadata(self) -> dict[str, Any]:
        return self._metadata

    def release(self) -> None:
        self.released = True


class FakeSensor:
    """What is on the ribbon, and what was asked of it."""

    def __init__(self) -> None:
        self.cameras: list[dict[str, Any]] = [{"Model": "imx296", "Num": 0}]
        self.fails: Exception | None = None
        self.controls = dict.fromkeys(
            ("ExposureTime", "AnalogueGain", "ColourTemperature", "ScalerCrop", "FrameRate"), (0, 1)
        )
        self.properties: dict[str, Any] = {"PixelArraySize": (1456, 1088)}
        self.set: dict[str, Any] = {}
        self.frame = np.arange(480 * 640 * 3, dtype=np.uint8).reshape(480, 640, 3)
        #: How long before it is handed over a frame's exposure began.
        self.age_ns = 25_000_000
        #: When the newest frame was handed over, by the clock that stands while the machine sleeps.
        self.handed_ns = 0
        self.pause_s = 0.0
        self.pace = threading.Event()
        self.handed = threading.Condition()
        self.requests: list[FakeRequest] = []
        self.closed = 0

    def module(self) -> ModuleType:
        """`picamera2`, with this sensor on the ribbon."""
        sensor = self

        class Picamera2:
            @staticmethod
            def global_camera_info() -> list[dict[str, Any]]:
                return sensor.cameras

            def __init__(self) -> None:
                if sensor.fails is not None:
                    raise sensor.fails
                self.camera_controls = sensor.controls
                self.camera_properties = sensor.properties

            def create_video_configuration(self, **asked: Any) -> dict[str, Any]:
                return asked

            def configure(self, configuration: dict[str, Any]) -> None:
                assert configuration["main"]["format"] == "RGB888"

            def set_controls(self, controls: dict[str, Any]) -> None:
                sensor.set |= controls

            def start(self) -> None:
                """It runs."""

            def capture_request(self, wait: float) -> FakeRequest:
                assert wait > 0
                sensor.pace.wait(sensor.pause_s)
                sensor.handed_ns = time.monotonic_ns()
                made = FakeRequest(sensor.picture(), sensor.metadata())
                with sensor.handed:
                    sensor.requests.append(made)
                    sensor.handed.notify_all()
                return made

            def capture_metadata(self, wait: float) -> dict[str, Any]:
                assert wait > 0
                sensor.handed_ns = time.monotonic_ns()
                return sensor.metadata()

            def stop(self) -> None:
                """It stands."""

            def close(self) -> None:
                sensor.closed += 1

        module = ModuleType("picamera2")
        module.Picamera2 = Picamera2  # type: ignore[attr-defined]
        return module

    def picture(self) -> np.ndarray[Any, Any]:
        """The frame that is handed over now."""
        return self.frame

    def metadata(self) -> dict[str, Any]:
        """What is said of it: of the same moment, however late somebody asks."""
        began_ns = self.handed_ns + slept_ns() - self.age_ns
        return {"SensorTimestamp": began_ns, "ExposureTime": 400, "AnalogueGain": 2.0}
