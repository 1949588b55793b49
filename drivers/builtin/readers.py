"""What reads cards: scanner and camera, alone or together, and the exit beam."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from drivers.builtin.needs import LINE_MODULES, LINES, on_pins, port_node
from drivers.code_book import code_book
from drivers.driver import Driver, DriverContext, DriverRole, Made, SystemNeeds, UsedPin
from drivers.settings.camera import CameraSettings
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings, ShoeSettings
from drivers.shoe.serial_shoe import SerialShoe

#: The section of each reader is its device's name, too.
SCANNER_NAME: Final = "scanner"
CAMERA_NAME: Final = "camera"
#: Whether the camera sees the cards as it did when it was calibrated.
VIEW: Final = "camera view"


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


def _scanner(settings: ScannerSettings, around: DriverContext) -> Made:
    scanner = resolved(settings, around.base)
    book = code_book(scanner.codes, around.pack)
    return Made(SerialShoe(scanner, book, around.beam, around.factory, SCANNER_NAME))


def _scanner_needs(settings: ScannerSettings) -> SystemNeeds:
    if settings.protocol == "keyboard":
        return SystemNeeds(
            device_classes=("char-input",), groups=("dialout", "input"), modules=("evdev", "usbhid")
        )
    if settings.protocol == "hid-pos":
        return SystemNeeds(
            device_classes=("char-hidraw",), groups=("dialout",), modules=("usbhid",)
        )
    # Behind a stable name may be any of these, and tomorrow's scanner is another one.
    return SystemNeeds(
        device_classes=LINES, groups=("dialout",),
        modules=LINE_MODULES,
    )  # fmt: skip


def _camera(settings: CameraSettings, around: DriverContext) -> Made:
    # OpenCV and the networks are loaded where there is a camera, and only there.
    from drivers.shoe.camera_shoe import CameraShoe
    from drivers.shoe.frame_reader import FrameReader
    from drivers.vision.calibrated.deck_folder import DeckError
    from drivers.vision.nets import NetworkError

    camera = resolved_camera(settings, around.base)
    try:
        frames = FrameReader(camera)
        shoe = CameraShoe(
            camera, frames, around.beam, around.factory, CAMERA_NAME, own_beam=around.owns_beam,
            passing=around.passing, opened=frames.check_surroundings,
        )  # fmt: skip
    except (DeckError, NetworkError) as error:
        raise ValueError(str(error)) from error
    return Made(shoe, {VIEW: frames.problem})


def _camera_needs(settings: CameraSettings) -> SystemNeeds:
    if settings.is_csi:
        # libcamera: the sensor's media graph, buffers, and udev's messages (not tried on a board).
        return SystemNeeds(
            device_classes=("char-video4linux", "char-media", "char-dma_heap"), groups=("video",),
            address_families=("AF_NETLINK",), modules=("videodev",),
        )  # fmt: skip
    if settings.is_device:
        return SystemNeeds(
            device_classes=("char-video4linux",), groups=("video",), modules=("videodev",)
        )
    return SystemNeeds()


def _camera_pins(settings: CameraSettings) -> Iterator[UsedPin]:
    if settings.strobe is not None:
        yield UsedPin("strobe", "", settings.strobe)


def _of_a_reader(_: Any, __: DriverContext) -> Made:
    raise AssertionError("a part is made with the reader that it belongs to")


SCANNER: Final = Driver(
    SCANNER_NAME, DriverRole.READER, ScannerSettings, _scanner, _scanner_needs, nodes=port_node
)
CAMERA: Final = Driver(
    CAMERA_NAME, DriverRole.READER, CameraSettings, _camera, _camera_needs, _camera_pins
)
SHOE: Final = Driver("shoe", DriverRole.PART, ShoeSettings, _of_a_reader)
BEAM: Final = Driver(
    "beam",
    DriverRole.PART,
    BeamSettings,
    _of_a_reader,
    on_pins,
    lambda beam: [UsedPin("pin", "", beam.pin)],
)
