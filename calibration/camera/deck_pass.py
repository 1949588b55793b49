"""Every card of one deck before the camera, once, in any order and either way round.

A card is named by its index as at any table. Where the index is not read, a person names it; a card
that is captured already counts once; whatever was named wrongly is taken back.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from calibration.camera.captures import Captured, paper, sizes
from calibration.camera.draft import DeckDraft
from calibration.camera.look_alike import LOOK_ALIKE, Print, nearest, prints_of
from calibration.camera.stills import StillCamera, StillCard
from calibration.guide import CardState, Choice, DeckCard, Guide, Step, need, yes
from calibration.measure import Measurement
from controller.devices.english import ENGLISH
from controller.devices.inputs import Doubt
from controller.rules.cards import JOKER, Card, Suit
from drivers.io.camera.frame_quality import Frame
from drivers.vision.alphabet import PrintedStyle, label_of
from drivers.vision.calibrated.camera_geometry import CameraView
from drivers.vision.calibrated.drift import WHITE_SHARE
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Points
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from drivers.vision.frame_reading import FrameReading

HOW: Final = (
    "Any card that is missing, either way round. Let it lie until it is captured, then push the"
    " next one over it or take it away."
)
_UNDO: Final = "u"
_NONE: Final = "x"
_RED: Final = frozenset((Suit.DIAMONDS, Suit.HEARTS))


class DeckPass:
    """Captures one deck. `step` is what is shown of how far the calibration is."""

    def __init__(
        self, guide: Guide, stills: StillCamera, kinds: Sequence[Card], draft: DeckDraft,
        view: CameraView, style: PrintedStyle | None,
    ) -> None:  # fmt: skip
        self._guide = guide
        self._stills = stills
        self._kinds = kinds
        self._draft = draft
        self._view = view
        self._style = style
        self._reader = CardRecognizer(style=style)
        self._checked = False

    async def run(self, step: Step) -> list[Captured]:
        """All captures. Raises `NotGoodEnough`, `Abandoned`, `DeviceError`, `OSError`."""
        while missing := self._missing():
            self._show(step)
            done = len(self._kinds) - len(missing)
            text = f"{done} of {len(self._kinds)} captured: lay another card\n{HOW}"
            came = await self._guide.watch_or_choose(
                text, self._stills.rest(self._look, self._guide.hint), self._takebacks()
            )
            if isinstance(came, Choice):
                await self._take_back(came)
            else:
                await self._place(came)
        self._show(step)
        return self._draft.captured

    def _missing(self) -> list[Card]:
        there = {each.card for each in self._draft.captured}
        return [kind for kind in self._kinds if kind not in there]

    def _show(self, step: Step) -> None:
        captured = self._draft.captured
        last = captured[-1].card if captured else None
        states = {each.card: CardState.CAPTURED for each in captured}
        if last is not None:
            states[last] = CardState.LAST
        self._guide.deck(overview(self._kinds, states, self._style))
        done = len(self._kinds) - len(self._missing())
        self._guide.step(Step(step.nth, step.of, step.name, done, len(self._kinds)))

    def _look(self, frame: Frame) -> tuple[RectifiedCard, Points] | str:
        found = card_in(frame)
        if not isinstance(found, str) and self._view.fits(found[1]):
            self._draft.saw(found[1])
        return found

    def _takebacks(self) -> tuple[Choice, ...]:
        captured = self._draft.captured
        if not captured:
            return ()
        undo = Choice(_UNDO, f"undo: it was not the {captured[-1].card.name}")
        return (
            undo, *(Choice(key_of(kind), f"take back the {kind.name}") for kind in dict.fromkeys(
                each.card for each in captured
            )),
        )  # fmt: skip

    async def _take_back(self, choice: Choice) -> None:
        captured = self._draft.captured
        if choice.key == _UNDO:
            gone = captured[-1]
        else:
            gone = next(each for each in reversed(captured) if key_of(each.card) == choice.key)
            if not await yes(self._guide, f"Take back the {gone.card.name} and capture it again?"):
                return
        await asyncio.to_thread(self._draft.take_back, gone)
        self._guide.tell(f"{gone.card.name}: taken back")

    async def _place(self, still: StillCard[RectifiedCard]) -> None:
        """Name what lies there and keep it, unless it is captured already or is no good."""
        readings = [self._reader.read(frame) for frame in still.frames]
        named = agreed_card(readings)
        by_hand = False
        if named in self._missing():
            kind: Card | None = named
        elif named in self._kinds:
            assert named is not None
            kind, by_hand = await self._named_again(still, named)
        else:
            kind, by_hand = await self._named_by_hand(still, readings), True
        if kind is not None and self._good(kind, still):
            await asyncio.to_thread(self._draft.add, Captured(kind, still, by_hand))
            self._guide.tell(f"{kind.name}: captured")

    def _good(self, kind: Card, still: StillCard[RectifiedCard]) -> bool:
        """Whether the capture is of use; on the first card what is wrong is the camera's.

        Raises `NotGoodEnough`.
        """
        captured = [Captured(kind, still)]
        measured = [*paper(captured), sizes(captured, self._view), *self._as_before(still)]
        if not self._checked:
            self._checked = True
            need(self._guide, *measured)
        bad = [each for each in measured if not each.good]
        for each in bad:
            self._guide.tell(f"{kind.name}: not captured. {each.refusal}")
        return not bad

    def _as_before(self, still: StillCard[RectifiedCard]) -> list[Measurement]:
        """The light against that of the cards before: a draft may be of another day."""
        before = [max(each.still.found[0].white) for each in self._draft.captured]
        if not before:
            return []
        share = max(still.found[0].white) / max(median(before), 1.0)
        return [
            Measurement(
                "paper, against the cards before", round(share, 2), "of their brightness",
                at_least=WHITE_SHARE[0], at_most=WHITE_SHARE[1],
                remedy="The light has changed: put it back as it was, or begin anew",
            )
        ]  # fmt: skip

    async def _named_again(
        self, still: StillCard[RectifiedCard], named: Card
    ) -> tuple[Card | None, bool]:
        """A card reads as one that is captured: the same once more, or one of the two is another.

        The card, None where it is not to be captured; and whether a person named it.
        """
        known = self._prints()
        like = nearest(Print.of(still.found[0]), known)
        if like is not None and like.card is named and like.apart < LOOK_ALIKE:
            self._guide.tell(f"That was the {named.name} again: it counts once")
            return None, False
        if named is JOKER:
            text = "This is a Joker of another look. Has the deck two different ones?"
            return (JOKER if await yes(self._guide, text) else None), True
        text = f"This reads as the {named.name}, which looked otherwise. Which card is it?"
        wrong = Choice(key_of(named), f"the {named.name}: the first one was another card")
        same = Choice(_NONE, f"the {named.name} again")
        key = await self._guide.choose(text, (wrong, same, *self._nameable()))
        if key == wrong.key:
            (first,) = (each for each in self._draft.captured if each.card is named)
            await asyncio.to_thread(self._draft.take_back, first)
            self._guide.tell(f"{named.name}: the first one was taken back, lay that card once more")
            return named, True
        return self._by_key(key), True

    async def _named_by_hand(
        self, still: StillCard[RectifiedCard], readings: Sequence[FrameReading]
    ) -> Card | None:
        """Which card lies there, as a person says; None: one that is not to be captured."""
        like = nearest(Print.of(still.found[0]), self._prints())
        if like is not None and like.apart < LOOK_ALIKE:
            text = f"Is this the {like.card.name} again?"
            if await yes(self._guide, text):
                self._guide.tell(f"That was the {like.card.name} again: it counts once")
                return None
        choices = self._nameable()
        none = Choice(_NONE, "none of these: take it away")
        text = f"Which card is this?\n{_why(readings)} Touch it in the overview, or type it."
        return self._by_key(await self._guide.choose(text, (*choices, none)))

    def _nameable(self) -> tuple[Choice, ...]:
        """The missing cards: where a deck lies in order, the next one is the first of them."""
        return tuple(Choice(key_of(kind), kind.name) for kind in self._missing())

    def _by_key(self, key: str) -> Card | None:
        return next((kind for kind in self._kinds if key_of(kind) == key), None)

    def _prints(self) -> Mapping[Card, Print]:
        return prints_of([(each.card, each.still.found[0]) for each in self._draft.captured])


def overview(
    kinds: Sequence[Card], states: Mapping[Card, CardState], style: PrintedStyle | None
) -> list[DeckCard]:
    """The deck as it is shown, in the order of its suits."""
    return [
        DeckCard(
            key_of(kind), label_of(kind, style), kind.name, kind.suit in _RED,
            states.get(kind, CardState.MISSING),
        )
        for kind in kinds
    ]  # fmt: skip


def key_of(kind: Card) -> str:
    """The key of the choice that means this card, as it is typed: `4h`."""
    return kind.code.lower()


def card_in(frame: Frame) -> tuple[RectifiedCard, Points] | str:
    """The card in a frame and its corners, or why there is none, as a sentence."""
    card = find_card(frame)
    if isinstance(card, Doubt):
        reason = ENGLISH.say(card.value)
        return f"{reason[0].upper()}{reason[1:]}"
    return card, card.quad


def agreed_card(readings: Sequence[FrameReading]) -> Card | None:
    """The card that several frames agree on: two at least, and no other card."""
    cards = Counter(each.card for each in readings if each.card is not None)
    if len(cards) != 1:
        return None
    ((card, times),) = cards.items()
    return card if times >= 2 else None


def _why(readings: Sequence[FrameReading]) -> str:
    """Why no card was named, in words: the doubt that most frames had."""
    doubts = Counter(each.doubt for each in readings if each.doubt is not None)
    if not doubts:
        return "Its frames read differently."
    reason = ENGLISH.say(doubts.most_common(1)[0][0].value)
    return f"{reason[0].upper()}{reason[1:]}."
