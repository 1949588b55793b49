"""What reads the cards of a table: a scanner, a camera or both, as its configuration says."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from controller.config.load import Parts
from controller.config.problems import Problem
from controller.config.sections import Config, DeviceSections
from controller.devices.contracts import InputDevice
from controller.record.disk_space import Check
from drivers.code_book import code_book
from drivers.io.pins import Factory
from drivers.settings import CameraSettings, ScannerSettings, ShoeSettings
from drivers.shoe.serial_shoe import SerialShoe

SCANNER: Final = "scanner"
CAMERA: Final = "camera"
#: Scanner and camera together are one device: a card needs both.
SHOE: Final = "shoe"
#: Whether the camera sees the cards as it did when it was calibrated.
VIEW: Final = "camera view"


class ReaderRefused(Exception):
    """What reads the cards cannot be used as configured; the text says what to change."""


def source(devices: DeviceSections) -> str:
    """The name of the device that reads the cards of a table with these devices."""
    if devices.camera is None:
        return SCANNER
    return SHOE if devices.scanner else CAMERA


def problems(parts: Parts) -> Iterator[Problem]:
    """Where the sections of the readers do not go together."""
    devices = parts.devices
    if devices.scanner is None and devices.camera is None and not parts.named & {SCANNER, CAMERA}:
        yield Problem(
            SCANNER,
            "missing. A table needs something that reads cards: write [scanner], [camera] or both",
        )
    both = devices.scanner is not None and devices.camera is not None
    if SHOE in parts.named and not parts.named >= {SCANNER, CAMERA}:
        yield Problem(SHOE, "it is for a scanner and a camera together: remove it")
    if both and "beam" not in parts.named:
        yield Problem(
            "beam", "missing. Only an exit beam tells which code and which picture are of one card"
        )


class Readers(NamedTuple):
    """What reads the cards, and its periodic health checks, by name."""

    device: InputDevice
    checks: dict[str, Check]


def build(
    config: Config, factory: Factory, passing: Callable[[bool], None] = lambda _: None
) -> Readers:
    """What reads the cards, not opened yet; `passing` is called when one passes the camera.

    Raises `CodeBookError`, `ReaderRefused`.
    """
    devices = config.devices
    try:
        scanner = _scanner(config, devices.scanner, factory) if devices.scanner else None
    except ValueError as error:
        raise ReaderRefused(f"scanner and beam: {error}") from None
    if devices.camera is None:
        assert scanner is not None, "the configuration was checked"
        return Readers(scanner, {})
    camera = resolved_camera(devices.camera, config.base)
    return _with_camera(config, camera, factory, scanner, passing)


def _scanner(config: Config, settings: ScannerSettings, factory: Factory) -> SerialShoe:
    scanner = resolved(settings, config.base)
    book = code_book(scanner.codes, config.game.pack)
    return SerialShoe(scanner, book, config.devices.beam, factory, SCANNER)


def _with_camera(
    config: Config,
    camera: CameraSettings,
    factory: Factory,
    scanner: SerialShoe | None,
    passing: Callable[[bool], None],
) -> Readers:
    # OpenCV and the networks are loaded where there is a camera, and only there.
    if missing := camera_libraries_missing():
        raise ReaderRefused(f"camera: {missing}, or take [camera] out of the configuration")
    from drivers.shoe.camera_shoe import CameraShoe
    from drivers.shoe.frame_reader import FrameReader
    from drivers.shoe.fused_shoe import FusedShoe
    from drivers.vision.calibrated.deck_folder import DeckError
    from drivers.vision.nets import NetworkError

    beam = config.devices.beam
    try:
        frame_reader = FrameReader(camera)
        camera_shoe = CameraShoe(
            camera, frame_reader, beam, factory, CAMERA,
            own_beam=scanner is None, passing=passing, opened=frame_reader.check_surroundings,
        )  # fmt: skip
    except (DeckError, NetworkError, ValueError) as error:
        raise ReaderRefused(f"camera: {error}") from None
    if scanner is None:
        return Readers(camera_shoe, {VIEW: frame_reader.problem})
    shoe = config.devices.shoe or ShoeSettings()
    fused = FusedShoe(scanner, camera_shoe, shoe.needs, shoe.patience_ms, SHOE)
    return Readers(fused, {VIEW: frame_reader.problem})


def camera_libraries_missing() -> str:
    """What to install before a camera can be used; empty where it is there."""
    missing = [name for name in ("cv2", "numpy", "pyzbar") if find_spec(name) is None]
    if not missing:
        return ""
    return (
        f"{', '.join(missing)} cannot be found: install the extra `camera`"
        " (pip install 'tablectl[camera]')"
    )


def resolved(scanner: ScannerSettings, base: Path) -> ScannerSettings:
    """The settings with paths as seen from the configuration's folder."""
    codes = scanner.codes
    if codes.endswith(".toml"):
        codes = str(base / codes)
    return dataclasses.replace(scanner, port=base / scanner.port, codes=codes)


def resolved_camera(camera: CameraSettings, base: Path) -> CameraSettings:
    """The settings with paths as seen from the configuration's folder."""
    is_file = not camera.is_device and not camera.is_stream
    return dataclasses.replace(
        camera,
        source=str(base / camera.source) if is_file else camera.source,
        deck=None if camera.deck is None else base / camera.deck,
    )
