"""What reads the cards at a table, as a bench names it, and what can go wrong with it: what its
scanner speaks, or that it is a camera, or both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import sim_hw
from controller.config.device_sections import DeviceSections
from drivers.settings.scanner import ScannerSettings
from sim_hw.devices.faults import AnyFault, CameraFault, Fault, FaultKind, load_faults
from sim_hw.settings import ReaderKind, Settings
from tests.hil.rig.rig_line import BY_BEAM, HID_POS, SCANNERS, TYPES
from tests.hil.ways import CAMERA_SCANNERS

_RAINY: Final = Path(sim_hw.__file__).parent
SSI_BY_BEAM: Final = "ssi by beam"
CAMERA, WITH_CAMERA = CAMERA_SCANNERS
BY_CAMERA: Final = CAMERA_SCANNERS
#: By what it speaks: as what the rig plays it on its lines.
PLAYED: Final = {
    "plain": "scanner", "keyboard": TYPES, "hid-pos": HID_POS, SSI_BY_BEAM: BY_BEAM,
    WITH_CAMERA: "scanner",
    **{protocol: name for name, protocol in SCANNERS.items() if name != BY_BEAM},
}  # fmt: skip

#: USB carries packets with checks, at no rate that could be set wrong.
_OF_A_LINE: Final = frozenset({FaultKind.NOISE, FaultKind.WRONG_RATE})
#: A packet says itself where it ends.
_OF_TEXT: Final = frozenset({FaultKind.MERGED})
#: One report is one code: there is no half of it.
_OF_PIECES: Final = frozenset({FaultKind.SPLIT, FaultKind.UNPLUG_IN_CODE})
#: One that is told to read by the beam reads no card before it, and each time one code.
_OF_ITS_OWN: Final = frozenset({FaultKind.PUSH_BACK, FaultKind.DOUBLE, FaultKind.TWO_CODES})
_OF_A_SCANNER: Final = (
    _OF_A_LINE | _OF_TEXT | _OF_PIECES | _OF_ITS_OWN | {FaultKind.GARBAGE, FaultKind.MISS_CODE}
)
#: A panel before a camera has no hand in the camera itself.
_OF_THE_CAMERA: Final = frozenset({CameraFault.FROZEN, CameraFault.SMALL})
NEVER: Final[Mapping[str, frozenset[AnyFault]]] = {
    "keyboard": _OF_A_LINE, "hid-pos": _OF_A_LINE | _OF_TEXT | _OF_PIECES, "ssi": _OF_TEXT,
    SSI_BY_BEAM: _OF_TEXT | _OF_ITS_OWN, CAMERA: _OF_A_SCANNER | _OF_THE_CAMERA,
    WITH_CAMERA: _OF_THE_CAMERA,
}  # fmt: skip


def kind_of(scanner: ScannerSettings) -> str:
    """What a scanner speaks that is configured so, by its name in `bench.scanners`."""
    by_beam = scanner.protocol == "ssi" and scanner.trigger == "beam"
    return SSI_BY_BEAM if by_beam else scanner.protocol


def reader_of(devices: DeviceSections) -> str:
    """What reads the cards of a table that is configured so, by its name in `bench.scanners`."""
    if devices.camera is None:
        return "" if devices.scanner is None else kind_of(devices.scanner)
    if devices.scanner is None:
        return CAMERA
    return f"{kind_of(devices.scanner)} with camera"


def speaks_of(settings: Settings) -> str:
    """The same, of a world's settings."""
    if settings.reader is ReaderKind.CAMERA:
        return CAMERA
    if settings.reader is ReaderKind.BOTH:
        return WITH_CAMERA
    return SSI_BY_BEAM if settings.beam_triggers else settings.protocol


def can_happen(fault: AnyFault, scanner: str) -> bool:
    """Whether that can go wrong at a table whose cards are read so."""
    if isinstance(fault, CameraFault) and scanner not in BY_CAMERA:
        return False
    return fault not in NEVER.get(scanner, frozenset())


def faults_of(scanner: str) -> list[Fault]:
    """A rainy day of what can go wrong with it, its camera's troubles after all others."""
    rainy = load_faults(_RAINY / "rainy.toml")
    others = max(each.round for each in rainy)
    by_camera = load_faults(_RAINY / "rainy_camera.toml")
    planned = [*rainy, *(replace(each, round=each.round + others) for each in by_camera)]
    happen = [each for each in planned if can_happen(each.kind, scanner)]
    # A round without trouble need not be dealt: the trouble comes to the next one that is.
    rounds = {each: at for at, each in enumerate(sorted({one.round for one in happen}), start=1)}
    return [replace(each, round=rounds[each.round]) for each in happen]
