"""The devices' settings: one frozen, checked value for each section of the configuration.

The names are those of the configuration file; wrong values raise `SettingsError`, all at once, each
with the remedy.
Pins are GPIO numbers (not positions on the header), durations carry their unit in the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple

PINS: Final = range(2, 28)
"""The GPIOs of the 40-pin header that are free to use (0 and 1 belong to add-on boards)."""

DEFAULT_SPOTS: Final = (
    (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23), (24, 25, 27),
)  # fmt: skip
"""The proposed wiring of seven spots: red, green and blue of seat 1, of seat 2 and so on."""

DEFAULT_NEXT: Final = 2
DEFAULT_STAND: Final = 3
DEFAULT_CALL: Final = 4
DEFAULT_BEAM: Final = 5
DEFAULT_BUZZER: Final = 26
#: The dealer's buttons by what they mean, as `[buttons]` names them.
BUTTON_NAMES: Final = ("next", "stand", "hit", "repeat", "call")
#: A button held for so long is stuck.
DEFAULT_STUCK_S: Final = 10

#: What the kernel sends at a time (4096), less the pauses around the pixels of a strip.
STRIP_BYTES_MAX: Final = 4_096 - 240
#: More spots than any table has seats.
SPOTS_MAX: Final = 12

Terminator = Literal["cr", "lf", "crlf", "etx", "idle"]
#: The longest that a scanner puts before or after a code.
AROUND_MAX: Final = 16
#: The least part of a sensor, across and down, that can make a picture.
CROP_MIN: Final = 0.1

Parity = Literal["none", "even", "odd", "mark", "space"]


class Wrong(NamedTuple):
    """A setting that cannot be, by its name in the section, and what to do."""

    name: str
    text: str


class SettingsError(ValueError):
    """Settings that cannot be: `problems` are all that are wrong in one section."""

    def __init__(self, problems: Iterable[Wrong]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{name}: {text}" for name, text in self.problems))


def _refuse(problems: Iterable[Wrong]) -> None:
    """Raises `SettingsError` where there are any."""
    if found := tuple(problems):
        raise SettingsError(found)


def _within(name: str, value: int, low: int, high: int) -> Iterator[Wrong]:
    if not low <= value <= high:
        yield Wrong(name, f"{name} is {value}: choose {low} to {high}")


def _pin(name: str, pin: int) -> Iterator[Wrong]:
    if pin not in PINS:
        text = f"{name} is {pin}: choose a GPIO of the header, {PINS[0]} to {PINS[-1]}"
        yield Wrong(name, text)


@dataclass(frozen=True, slots=True)
class ScannerSettings:
    """`[scanner]`: a line scanner on a serial port.

    `protocol`: "plain", codes as text, or "ssi", packets that are acknowledged. Of plain codes
    `terminator` is what the scanner sends after each ("idle": nothing, a pause of `idle_ms`
    ends it), `prefix` and `suffix` what else it puts before and after a code; `max_bytes` the
    longest code; `aim` whether it sends AIM identifiers before the code
    (ISO/IEC 15424), of which only the kinds in `symbologies` are taken; `codes` names the code
    book: the printed code "tablectl-1" or the path of a code book.
    """

    port: Path
    baud: int = 9_600
    bytesize: Literal[7, 8] = 8
    parity: Parity = "none"
    stopbits: Literal[1, 2] = 1
    terminator: Terminator = "cr"
    idle_ms: int = 60
    max_bytes: int = 64
    aim: Literal["absent", "required"] = "absent"
    symbologies: tuple[str, ...] = ("C",)
    codes: str = "tablectl-1"
    protocol: Literal["plain", "ssi"] = "plain"
    prefix: str = ""
    suffix: str = ""

    def __post_init__(self) -> None:
        _refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from _within("baud", self.baud, 300, 4_000_000)
        yield from _within("idle_ms", self.idle_ms, 10, 1_000)
        yield from _within("max_bytes", self.max_bytes, 4, 1_024)
        for name in ("prefix", "suffix"):
            text = getattr(self, name)
            if not text.isascii() or len(text) > AROUND_MAX:
                yield Wrong(name, f'at most {AROUND_MAX} ASCII characters, as "\\u0002" for STX')
            if text and self.protocol == "ssi":
                yield Wrong(name, "SSI packets have none: leave it out")
        if self.aim == "required" and not self.symbologies:
            yield Wrong("symbologies", "it is empty: name the kinds of code to take, as in ['C']")
        if any(len(each) != 1 or not each.isascii() for each in self.symbologies):
            yield Wrong(
                "symbologies",
                "one AIM letter for each kind, such as C for Code 128, Q for QR or d for Data"
                " Matrix",
            )


@dataclass(frozen=True, slots=True)
class BeamSettings:
    """`[beam]`: the light barrier at the exit of the shoe.

    `active_low`: the pin is low while a card is in the beam; `pull_up`: the pin is pulled high
    inside, else low. A break shorter than `glitch_ms` is no card. `late_code_ms` is how long after
    the card has gone its code may still come, which must be less than the next card's code ever
    needs; 0 where the code always comes first. After `stuck_ms` covered, something is
    wrong.
    """

    pin: int
    active_low: bool = True
    pull_up: bool = True
    glitch_ms: int = 4
    late_code_ms: int = 120
    stuck_ms: int = 3_000

    def __post_init__(self) -> None:
        _refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from _pin("pin", self.pin)
        yield from _within("glitch_ms", self.glitch_ms, 0, 100)
        yield from _within("late_code_ms", self.late_code_ms, 0, 2_000)
        yield from _within("stuck_ms", self.stuck_ms, 200, 60_000)


@dataclass(frozen=True, slots=True)
class LedSettings:
    """`[leds]`: one RGB light per bet spot, seat 1 first, as (red, green, blue) pins.

    `active_low`: a low pin lights the lamp.
    """

    spots: tuple[tuple[int, int, int], ...]
    active_low: bool = False

    def __post_init__(self) -> None:
        _refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not self.spots:
            yield Wrong("spots", "it is empty: give one [red, green, blue] for each seat")
        pins = [pin for spot in self.spots for pin in spot]
        for pin in pins:
            yield from _pin("spots", pin)
        if len(set(pins)) != len(pins):
            yield Wrong("spots", "a pin stands twice; every lamp needs a pin of its own")


@dataclass(frozen=True, slots=True)
class StripSettings:
    """`[strip]`: a strip of WS2812 or SK6812 pixels for all spots, on an SPI bus.

    `device` is the bus's node; its data line is all that is wired. `spots` lights with `pixels` in
    a row each, seat 1 first. `order` is that of the colours: "grb", "rgb" (WS2811) or "grbw"
    (SK6812 with white). `brightness` is that of a lit colour, of 255; where all that is lit takes
    more than `max_ma` (20 mA a colour at 255), the whole strip is dimmed to that.
    """

    device: str = "/dev/spidev0.0"
    spots: int = 7
    pixels: int = 4
    order: Literal["grb", "rgb", "grbw"] = "grb"
    brightness: int = 96
    max_ma: int = 2_000

    def __post_init__(self) -> None:
        _refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not self.device.startswith("/"):
            yield Wrong("device", "name the bus's node with its whole path, as /dev/spidev0.0")
        yield from _within("spots", self.spots, 1, SPOTS_MAX)
        most = STRIP_BYTES_MAX // (4 * len(self.order)) // min(max(self.spots, 1), SPOTS_MAX)
        yield from _within("pixels", self.pixels, 1, most)
        yield from _within("brightness", self.brightness, 1, 255)
        yield from _within("max_ma", self.max_ma, 100, 20_000)


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """`[buttons]`: the dealer's buttons between pin and ground, by what they mean.

    A press counts when it was steady for `debounce_ms`, a release likewise; a button held for
    `stuck_s` is stuck.
    """

    next: int | None = None
    stand: int | None = None
    hit: int | None = None
    repeat: int | None = None
    call: int | None = None
    debounce_ms: int = 25
    stuck_s: int = DEFAULT_STUCK_S

    def __post_init__(self) -> None:
        _refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        named = {name: getattr(self, name) for name in BUTTON_NAMES}
        pins = {name: pin for name, pin in named.items() if pin is not None}
        for name, pin in pins.items():
            yield from _pin(name, pin)
        if not pins:
            yield Wrong("next", "there is no button: give at least this one a pin")
        if len(set(pins.values())) != len(pins):
            twice = next(n for n, pin in pins.items() if list(pins.values()).count(pin) > 1)
            yield Wrong(twice, "its pin is another button's too: every button needs its own")
        yield from _within("debounce_ms", self.debounce_ms, 1, 500)
        yield from _within("stuck_s", self.stuck_s, 1, 600)


@dataclass(frozen=True, slots=True)
class BuzzerSettings:
    """`[buzzer]`: an active buzzer that sounds while its pin is high."""

    pin: int

    def __post_init__(self) -> None:
        _refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from _pin("pin", self.pin)


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
    style: Literal["finnish", "anglo", "any"] = "any"
    deck: Path | None = None
    keep_frames_h: int = 0

    def __post_init__(self) -> None:
        _refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from _within("keep_frames_h", self.keep_frames_h, 0, 720)
        if not self.source:
            yield Wrong("source", "it is empty: name the camera's device, its stream's URL, ...")
        yield from _within("width", self.width, 160, 4_096)
        yield from _within("height", self.height, 120, 4_096)
        yield from _within("fps", self.fps, 5, 240)
        yield from _within("open_ms", self.open_ms, 200, 60_000)
        yield from _within("read_ms", self.read_ms, 200, 60_000)
        yield from _within("latency_ms", self.latency_ms, 0, 500)
        yield from _within("frames_min", self.frames_min, 2, 20)
        yield from _within("focus_min", self.focus_min, 0, 100_000)
        yield from _within("frozen_ms", self.frozen_ms, 500, 60_000)
        yield from _within("stuck_ms", self.stuck_ms, 200, 60_000)
        if self.strobe is not None:
            yield from _pin("strobe", self.strobe)
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


@dataclass(frozen=True, slots=True)
class ShoeSettings:
    """`[shoe]`: what a card needs where there is a scanner and a camera.

    `needs`: "both" must agree, or "one" is enough where the other could not read it; two that
    differ always hold the table. `patience_ms` is how long after one reading the other may come.
    """

    needs: Literal["both", "one"] = "both"
    patience_ms: int = 500

    def __post_init__(self) -> None:
        _refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from _within("patience_ms", self.patience_ms, 50, 5_000)
