"""`[camera]`: the camera at the shoe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from drivers.settings.checks import Wrong, pin_problem, refuse, within

#: The least part of a sensor, across and down, that can make a picture.
CROP_MIN: Final = 0.1


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """`[camera]`: the camera that looks at the cards as they leave the shoe.

    `source` is a device ("/dev/v4l/by-id/…"), "csi" for a Raspberry Pi camera by picamera2, the URL
    of an MJPEG stream, or a file. `exposure`, `gain`, `white_balance` and `focus` are locked at
    these values, in the camera's own units, and read back; left out they are as the camera has
    them. `trigger`: a card passes by the beam or, without one, by motion in the picture.
    `turn` is by how many degrees clockwise the picture is turned to have the cards upright, after
    it was flipped left to right where `mirror` is set; `crop` is the part of a Raspberry Pi
    camera's sensor that makes the picture: left, top, width and height as shares. `format` is that
    of a USB camera's frames: "grey" for a monochrome one.
    `strobe` is the pin of a lamp that shines while a card passes.
    A frame comes up to `latency_ms` after it was taken, where its sensor does not say when that
    was; `frames_min` frames of a passage must see
    the same card. `focus_min` is the least variance of the Laplacian of a card whose paper was
    made white (0: what is asked of any card); a picture that is the same for `frozen_ms` is
    frozen; by motion, something that stays for `stuck_ms` is reported. `style` is that of the
    indices, `deck` the folder of a calibrated deck. Whole frames of each card that passed are kept
    for `keep_frames_h` hours beside its picture (0: none).
    """

    source: str
    width: int = 640
    height: int = 480
    fps: int = 30
    open_ms: int = 5_000
    read_ms: int = 2_000
    exposure: int | None = None
    gain: int | None = None
    white_balance: int | None = None
    focus: int | None = None
    format: Literal["mjpg", "yuyv", "grey"] = "mjpg"
    turn: Literal[0, 90, 180, 270] = 0
    mirror: bool = False
    crop: tuple[float, float, float, float] | None = None
    strobe: int | None = None
    trigger: Literal["beam", "motion"] = "beam"
    latency_ms: int = 40
    frames_min: int = 2
    focus_min: int = 0
    frozen_ms: int = 2_000
    stuck_ms: int = 3_000
    style: Literal["finnish", "anglo", "nordic", "german", "french", "russian", "any"] = "any"
    deck: Path | None = None
    keep_frames_h: int = 0

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from within("keep_frames_h", self.keep_frames_h, 0, 720)
        if not self.source:
            yield Wrong("source", "it is empty: name the camera's device, its stream's URL, ...")
        yield from within("width", self.width, 160, 4_096)
        yield from within("height", self.height, 120, 4_096)
        yield from within("fps", self.fps, 5, 240)
        yield from within("open_ms", self.open_ms, 200, 60_000)
        yield from within("read_ms", self.read_ms, 200, 60_000)
        yield from within("latency_ms", self.latency_ms, 0, 500)
        yield from within("frames_min", self.frames_min, 2, 20)
        yield from within("focus_min", self.focus_min, 0, 100_000)
        yield from within("frozen_ms", self.frozen_ms, 500, 60_000)
        yield from within("stuck_ms", self.stuck_ms, 200, 60_000)
        if self.strobe is not None:
            yield from pin_problem("strobe", self.strobe)
            if self.trigger != "beam":
                yield Wrong("strobe", 'only a beam says when to shine: trigger = "beam"')
        if self.crop is not None:
            left, top, wide, high = self.crop
            whole = min(left, top) >= 0 and left + wide <= 1 and top + high <= 1
            if not whole or min(wide, high) < CROP_MIN:
                yield Wrong(
                    "crop",
                    f"write [left, top, width, height] as shares of the sensor, {CROP_MIN} and more"
                    " wide and high, such as [0.25, 0.25, 0.5, 0.5]",
                )
            if not self.is_csi:
                yield Wrong("crop", 'only a Raspberry Pi camera (source = "csi") is cropped')
        if self.format != "mjpg" and (self.is_csi or not self.is_device):
            yield Wrong("format", "it is for a USB camera: leave it out")
        if self.locks and not self.is_device:
            yield Wrong(
                min(self.locks),
                "exposure, gain, white_balance and focus can be locked on a device only: leave them"
                " out where source is a stream or a file",
            )

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the picture as it is read: turned by a quarter they change places."""
        size = (self.width, self.height)
        return size[::-1] if self.turn in (90, 270) else size

    @property
    def is_csi(self) -> bool:
        """Whether this is a Raspberry Pi camera on its ribbon."""
        return self.source == "csi"

    @property
    def is_stream(self) -> bool:
        """Whether the frames come over the network."""
        return self.source.startswith(("http://", "https://"))

    @property
    def is_device(self) -> bool:
        """Whether the source is a camera of this machine, whose settings can be locked."""
        return self.is_csi or self.source.startswith("/dev/")

    @property
    def locks(self) -> dict[str, int]:
        """The settings to be locked, by name."""
        wanted = {
            "exposure": self.exposure, "gain": self.gain, "white_balance": self.white_balance,
            "focus": self.focus,
        }  # fmt: skip
        return {name: value for name, value in wanted.items() if value is not None}
