"""Whether the calibrated deck is read: a handful of its cards, those that are most in danger.

The cards are chosen by what was captured: the ones that look most like another card, the ones whose
index was not read, and one of each kind that is left. A card that looks otherwise when it is turned
is read both ways round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from calibration.camera.captures import Captured
from calibration.camera.deck_pass import agreed_card, card_in, overview
from calibration.camera.look_alike import LOOK_ALIKE, Nearest, Print, lies_turned, nearest_pairs
from calibration.camera.stills import StillCamera
from calibration.guide import CardState, Choice, Guide, Step
from calibration.measure import Measurement
from controller.rules.cards import JOKER, Card, Rank, Suit
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.camera_geometry import CameraView
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.rectified_card import RectifiedCard

#: This many cards are read once more.
HANDFUL: Final = 6
#: Of those that are most alike this many pairs are among them.
PAIRS: Final = 2
#: A card that is not read is laid this often before it counts as not read.
TRIES: Final = 3
#: This many of the handful may stay unread: that one the table would ask for.
UNREAD_AT_MOST: Final = 1
_AGAIN: Final = Choice("n", "no, the right one follows")
_IS_IT: Final = Choice("y", "yes, it is")


@dataclass(frozen=True, slots=True)
class Distinctness:
    """What the camera can tell apart: the captures' prints, and which are most alike."""

    prints: Mapping[Card, Print]
    pairs: Sequence[Nearest]
    by_hand: frozenset[Card]

    @classmethod
    def of(cls, captured: Sequence[Captured], prints: Mapping[Card, Print]) -> Distinctness:
        """Compare every card with those that are most like it, either way round."""
        by_hand = frozenset(each.card for each in captured if each.by_hand)
        return cls(prints, nearest_pairs(prints), by_hand)

    @property
    def alike(self) -> list[Nearest]:
        """The pairs that look alike: no picture tells them apart, only their index can."""
        return [each for each in self.pairs if each.apart < LOOK_ALIKE]

    def measurements(self) -> list[Measurement]:
        """How far apart the nearest two are; whether look-alikes have an index that is read."""
        unread = [
            each for each in self.alike if self.by_hand & {each.card, each.other}
        ]  # fmt: skip
        names = "; ".join(f"{each.card.name} and {each.other.name}" for each in unread[:3])
        least = self.pairs[0].apart if self.pairs else None
        return [
            Measurement("most alike two cards, apart", _rounded(least), "times the noise"),
            Measurement(
                "look-alike cards without an index that is read", len(unread), "pairs", at_most=0,
                remedy=f"{names}: nothing tells them apart. Put the camera nearer, focus it, or"
                " take a deck whose indices are larger",
            ),
        ]  # fmt: skip

    def text(self) -> str:
        """Which cards will be distinguished, and by what, in lines for a person."""
        both = len(self.prints) - len(self.by_hand)
        lines = [f"{both} of {len(self.prints)} cards are told by their index and by their picture"]
        if self.by_hand:
            names = ", ".join(sorted(each.name for each in self.by_hand))
            lines.append(f"By their picture alone: {names}")
        if self.pairs and not self.alike:
            first = self.pairs[0]
            lines.append(
                f"Most alike: {first.card.name} and {first.other.name},"
                f" {first.apart:.0f} times the noise apart (alike: below {LOOK_ALIKE:.0f})"
            )
        lines += [
            f"Look alike: {each.card.name} and {each.other.name}. Only their index tells them"
            " apart; where it is not read, the table stops. To mend it: the camera nearer, better"
            " focus, or another deck"
            for each in self.alike
        ]
        return "\n".join(lines)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def handful(deck: Distinctness, kinds: Sequence[Card]) -> list[Card]:
    """The cards to read once more, the most endangered first."""
    chosen = [kind for each in deck.pairs[:PAIRS] for kind in (each.card, each.other)]
    chosen += sorted(deck.by_hand, key=lambda kind: kind.code)
    chosen += [JOKER] if JOKER in kinds else []
    alone = [kind for each in deck.pairs for kind in (each.card, each.other)]
    ranks = (Rank.ACE, Rank.SEVEN, Rank.JACK)
    suits = (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)
    for rank, suit in zip(ranks, suits, strict=True):
        chosen += [kind for kind in kinds if kind.rank is rank and kind.suit is suit]
    return list(dict.fromkeys([*chosen, *alone, *kinds]))[:HANDFUL]


@dataclass(slots=True)
class VerificationOutcome:
    """What the verification read: for each placement the card that lay there and the one read."""

    read: list[tuple[Card, Card | None]] = field(default_factory=list)

    def measurements(self) -> list[Measurement]:
        """Misreads and cards that were not read, with their limits."""
        wrong = [
            f"{lay.name} as {named.name}" for lay, named in self.read if named not in (lay, None)
        ]
        unread = [lay.name for lay, named in self.read if named is None]
        return [
            Measurement(
                "verification, misreads", len(wrong), "cards", at_most=0,
                remedy=f"{', '.join(wrong[:4])}: this deck is not for a camera, or a card was named"
                " wrongly when it was captured: take it back and capture it again",
            ),
            Measurement(
                "verification, not read", len(unread), "cards", at_most=UNREAD_AT_MOST,
                remedy=f"{', '.join(unread[:6])}: more even light, a cleaner lens, a new deck",
            ),
        ]  # fmt: skip


class Verification:
    """Reads a handful of cards as at the table."""

    def __init__(
        self, guide: Guide, stills: StillCamera, reader: CardRecognizer, view: CameraView,
        deck: Distinctness,
    ) -> None:  # fmt: skip
        self._guide = guide
        self._stills = stills
        self._reader = reader
        self._view = view
        self._deck = deck

    async def run(
        self, kinds: Sequence[Card], step: Step, style: PrintedStyle | None
    ) -> VerificationOutcome:
        """Every chosen card once or, where it matters, both ways round."""
        chosen = handful(self._deck, kinds)
        outcome, verified = VerificationOutcome(), set[Card]()
        for nth, kind in enumerate(chosen):
            states = dict.fromkeys(kinds, CardState.CAPTURED)
            states |= dict.fromkeys(verified, CardState.VERIFIED) | {kind: CardState.WANTED}
            self._guide.deck(overview(kinds, states, style))
            self._guide.step(Step(step.nth, step.of, step.name, nth, len(chosen)))
            text = f"{nth + 1} of {len(chosen)}, once more: {kind.name}"
            how = "Either way round, as at the table"
            card = await self._read(f"{text}\n{how}", kind, outcome)
            if card is not None and self._lies_as_captured(kind, card):
                turned = f"{text}, the other way round\nTurn it by half"
                await self._read(turned, kind, outcome, turned=True)
            verified.add(kind)
        self._guide.step(Step(step.nth, step.of, step.name, len(chosen), len(chosen)))
        return outcome

    def _lies_as_captured(self, kind: Card, card: RectifiedCard) -> bool:
        return lies_turned(Print.of(card), self._deck.prints[kind]) is False

    async def _read(
        self, text: str, kind: Card, outcome: VerificationOutcome, *, turned: bool = False
    ) -> RectifiedCard | None:
        """Lay a card until it is read; how it lay, None where it was not read."""
        tries = 0
        while tries < TRIES:
            still = await self._guide.watch(text, self._stills.rest(card_in, self._guide.hint))
            frames = [self._view.cut(frame) for frame in still.frames]
            named = agreed_card([self._view.placed(self._reader.read(each)) for each in frames])
            if named is kind and turned and self._lies_as_captured(kind, still.found[0]):
                self._guide.tell(f"{kind.name}: it lies as before, turn it by half")
            elif named is kind:
                outcome.read.append((kind, named))
                self._guide.tell(f"{kind.name}: read")
                return still.found[0]
            elif named is None and not self._view.holds(still.corners):
                self._guide.tell(f"{kind.name}: it lies aside of where the cards lay, once more")
            elif named is None:
                tries += 1
                self._guide.tell(f"{kind.name}: not read, lay it once more")
            elif await self._is_it(named, kind):
                outcome.read.append((kind, named))
                self._guide.tell(f"{kind.name}: read as the {named.name}")
                return None
        outcome.read.append((kind, None))
        return None

    async def _is_it(self, named: Card, kind: Card) -> bool:
        """Whether the card that was asked for lies there, which reads as another one."""
        text = f"This reads as the {named.name}. Is it the {kind.name}?"
        return await self._guide.choose(text, (_AGAIN, _IS_IT)) == _IS_IT.key
