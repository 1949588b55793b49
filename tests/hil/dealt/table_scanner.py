"""What a table's scanner speaks, as a bench names it, and what can go wrong with one that does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drivers.settings.scanner import ScannerSettings
from sim_hw.devices.faults import AnyFault, FaultKind
from sim_hw.settings import Settings
from tests.hil.rig.rig_line import BY_BEAM, HID_POS, SCANNERS, TYPES

SSI_BY_BEAM: Final = "ssi by beam"
#: By what it speaks: as what the rig plays it on its lines.
PLAYED: Final = {
    "plain": "scanner", "keyboard": TYPES, "hid-pos": HID_POS, SSI_BY_BEAM: BY_BEAM,
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
NEVER: Final[Mapping[str, frozenset[AnyFault]]] = {
    "keyboard": _OF_A_LINE, "hid-pos": _OF_A_LINE | _OF_TEXT | _OF_PIECES, "ssi": _OF_TEXT,
    SSI_BY_BEAM: _OF_TEXT | _OF_ITS_OWN,
}  # fmt: skip


def kind_of(scanner: ScannerSettings) -> str:
    """What a scanner speaks that is configured so, by its name in `bench.scanners`."""
    by_beam = scanner.protocol == "ssi" and scanner.trigger == "beam"
    return SSI_BY_BEAM if by_beam else scanner.protocol


def speaks_of(settings: Settings) -> str:
    """The same, of a world's settings."""
    return SSI_BY_BEAM if settings.beam_triggers else settings.protocol


def can_happen(fault: AnyFault, scanner: str) -> bool:
    """Whether that can go wrong with a scanner that speaks so."""
    return fault not in NEVER.get(scanner, frozenset())
