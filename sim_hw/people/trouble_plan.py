"""Which trouble a training makes, and when: from the seed, at a rising rate (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from sim_hw.devices.faults import LASTING, CameraFault, Fault, FaultKind
from sim_hw.settings import ReaderKind


class TroubleLevel(NamedTuple):
    """How much trouble: so much in the first round, so much `more` in each, and `most` of it."""

    first: float
    more: float
    most: float


#: By the name that is asked for, from none on; a dealer may ask for less.
LEVELS: Final[dict[str, TroubleLevel]] = {
    "none": TroubleLevel(0.0, 0.0, 0.0),
    "few": TroubleLevel(0.15, 0.03, 0.5),
    "some": TroubleLevel(0.3, 0.06, 1.0),
    "many": TroubleLevel(0.6, 0.12, 2.0),
}

#: Wishes of players that a dealer must not follow.
EARLY_WISH: Final = "early_wish"
CARD_WISH: Final = "card_wish"
PAY_WISH: Final = "pay_wish"
LATE_CHIPS: Final = "late_chips"
#: What no device notices: a dealer has to report it.
CHANGED_MIND: Final = "changed_mind"
EXPOSED: Final = "exposed"
_BY_PEOPLE: Final = (EARLY_WISH, CARD_WISH, PAY_WISH, LATE_CHIPS, CHANGED_MIND)
_BY_SCANNER: Final = (
    FaultKind.GARBAGE, FaultKind.MISS_CODE, FaultKind.UNPLUG, FaultKind.DOUBLE, FaultKind.TWO_CODES,
    FaultKind.PUSH_BACK, FaultKind.MERGED,
)  # fmt: skip
_BY_CAMERA: Final = (CameraFault.HAND, CameraFault.BLUR, CameraFault.BACK, CameraFault.TWO)
#: A plug that was pulled is put back after this long.
PULLED_S: Final = 4.0
#: One of the first cards of a round: every round has as many.
_CARDS: Final = 4


class PeopleTrouble(NamedTuple):
    """Trouble of that kind by people and not by devices, in round `round` or as soon after it as it
    fits.
    """

    kind: str
    round: int


PlannedTrouble = Fault | PeopleTrouble


def kinds_at(reader: ReaderKind, *, hides: bool) -> tuple[str, ...]:
    """The kinds of trouble that there are where these devices read the cards of such a game."""
    faults = (*(_BY_SCANNER if reader.scanner else ()), *(_BY_CAMERA if reader.camera else ()))
    exposed = (EXPOSED,) if hides else ()
    return (*(each.value for each in faults), *_BY_PEOPLE, *exposed)


class TroublePlan:
    """What goes wrong in one round after the other. `level` may be changed between two rounds.

    Of every kind one comes before the first comes again, in an order of the seed.
    """

    def __init__(self, seed: int, level: str, kinds: Sequence[str]) -> None:
        self.level = level
        self._seed = seed
        self._kinds = tuple(kinds)
        self._bag: list[str] = []
        self._bags = 0
        self._due = 0.0

    def less(self) -> bool:
        """Go one level down; False where there is none below."""
        names = list(LEVELS)
        at = names.index(self.level)
        self.level = names[max(0, at - 1)]
        return at > 0

    def of_round(self, round_: int) -> list[PlannedTrouble]:
        """What goes wrong in that round; to be asked once for each, in order."""
        level = LEVELS[self.level]
        self._due += min(level.most, level.first + level.more * (round_ - 1))
        count = int(self._due)
        self._due -= count
        return [self._trouble(self._take(), round_, nth) for nth in range(count)]

    def _take(self) -> str:
        if not self._bag:
            self._bags += 1
            self._bag = list(self._kinds)
            Random(f"{self._seed}/trouble/{self._bags}").shuffle(self._bag)
        return self._bag.pop()

    def _trouble(self, kind: str, round_: int, nth: int) -> PlannedTrouble:
        if kind in (*_BY_PEOPLE, EXPOSED):
            return PeopleTrouble(kind, round_)
        card = Random(f"{self._seed}/trouble/{round_}/{nth}").randint(1, _CARDS)
        named = {each.value: each for each in (*FaultKind, *CameraFault)}
        fault = named[kind]
        return Fault(round_, card, fault, PULLED_S if fault in LASTING else 0.0)
