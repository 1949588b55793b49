"""The camera of the shoe: the plane of the cards as it sees it, its light, the table's own deck.

The order: the board in five positions, every card of one deck once in a known order (captures),
every card once more in the same order (verification by the reader that will read at the table).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from calibration.devices import charuco_board as charuco
from calibration.devices.camera_plane import measure_plane, something_in
from calibration.devices.captures import CAPTURES, Captured, light, paper, sizes, write_deck
from calibration.devices.stills import StillCamera
from calibration.guide import Choice, Guide, NotGoodEnough, Step, need
from calibration.measure import Measurement
from controller.devices.english import ENGLISH
from controller.devices.inputs import Doubt
from controller.rules.cards import Card, IndexStyle
from drivers.io.frame_quality import Frame
from drivers.settings import CameraSettings
from drivers.vision.calibrated.camera_geometry import CameraView, PixelRegion, region_of
from drivers.vision.calibrated.deck_folder import DeckError, load_deck
from drivers.vision.card_edges import Points
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.frame_reading import FrameReading
from drivers.vision.rectified_card import RectifiedCard, find_card

#: Of the least sharp capture's focus: blurrier at the table is not read. Captures lie still; a card
#: that slides past has far less, and is read as surely: at 0.4 seven of 101 clean passages were
#: lost, without a limit none. Drift tells of a lens out of focus: all the last cards show it.
FOCUS_SHARE: Final = 0.1
ABSTAINED_AT_MOST: Final = 0.02

STEPS: Final = (
    "the board in five positions", "every card of one deck, in order", "every card once more",
)  # fmt: skip
_PUSH: Final = "Take away what lies there, push this one out, let it lie"
_READ: Final = "read"
_STOP: Final = Choice("s", "stop here, to write them")
_GO_ON: Final = Choice("g", "go on without")
_AGAIN: Final = Choice("n", "no, the right one follows")
_IS_IT: Final = Choice("y", "yes, it is")

MakeReader = Callable[[Path], CardRecognizer]
"""A reader for the deck in a folder; raises `DeckError`."""


@dataclass(frozen=True, slots=True)
class CameraFound:
    """What was found out: new settings, measurements, and the deck's captures in a folder."""

    settings: CameraSettings
    measurements: list[Measurement]
    confusion: dict[tuple[Card, Card | None], int]


async def calibrate_camera(
    guide: Guide,
    stills: StillCamera,
    settings: CameraSettings,
    kinds: Sequence[Card],
    folder: Path,
    make_reader: MakeReader,
) -> CameraFound:
    """Calibrate an open camera with a board and one deck of `kinds`; captures go to `folder`.

    Raises `NotGoodEnough`, `Abandoned`, `DeviceError`, `OSError`.
    """

    def on_board(done: int) -> None:
        guide.step(Step(1, len(STEPS), STEPS[0], done, charuco.VIEWS_AT_LEAST))

    plane, measured = await measure_plane(guide, stills, settings, on_board)
    await propose_locks(guide, stills.has(), settings)
    on_board(charuco.VIEWS_AT_LEAST)
    await guide.watch("Take the board away", stills.gone(something_in))
    places: list[Points] = []
    captured = await _capture(guide, stills, kinds, places, _whole(plane, settings))
    view = view_of(plane, [each.still.corners for each in captured], places, settings)
    optics = [*light(captured), sizes(captured, view)]
    need(guide, *optics)
    measured += optics
    guide.tell(f"The cards are looked for in {view.region.text}")
    style = write_deck(folder, captured, view)
    try:
        reader = make_reader(folder)
    except DeckError as error:
        raise NotGoodEnough(str(error)) from error
    confusion = await _verify(guide, stills, kinds, reader, view)
    verified = verification(confusion, kinds)
    need(guide, *verified)
    settings = with_deck(settings, folder, style, captured)
    return CameraFound(settings, measured + verified, confusion)


def with_deck(
    settings: CameraSettings, folder: Path, style: IndexStyle | None, captured: Sequence[Captured]
) -> CameraSettings:
    """The settings of a camera that has captured its deck into `folder`."""
    focus_min = int(FOCUS_SHARE * min(each.still.found[0].focus for each in captured))
    if style is None:
        return replace(settings, deck=folder, focus_min=focus_min)
    return replace(settings, deck=folder, style=style.value, focus_min=focus_min)


def view_of(
    plane: charuco.CardPlane,
    lain: Sequence[Points],
    passed: Sequence[Points],
    settings: CameraSettings,
) -> CameraView:
    """The view in which the cards lay, and passed as far as they lay on the plane.

    A card in a hand is nearer to the camera, and larger: it makes the region no wider.
    """
    whole = _whole(plane, settings)
    flat = [each for each in passed if whole.fits(each)]
    return replace(whole, region=region_of([*lain, *flat], settings.width, settings.height))


def _whole(plane: charuco.CardPlane, settings: CameraSettings) -> CameraView:
    """The view of the whole picture."""
    size = (settings.width, settings.height)
    numbers = tuple(float(number) for number in plane.homography.ravel())
    return CameraView(*size, PixelRegion(0, 0, *size), numbers)


async def propose_locks(guide: Guide, has: Mapping[str, int], settings: CameraSettings) -> None:
    """Say what a camera of this machine sets by itself, and the values at which to lock it.

    Raises `NotGoodEnough` with them where they are to be written first.
    """
    free = {name: value for name, value in has.items() if name not in settings.locks}
    if not settings.is_device or not free:
        return
    lines = "\n".join(f"{name} = {value}" for name, value in free.items())
    text = (
        f"The camera may change its {', '.join(free)} by itself. Lock what it has now under"
        f" [camera], then begin again?\n{lines}"
    )
    if await guide.choose(text, (_STOP, _GO_ON)) == _STOP.key:
        raise NotGoodEnough(f"Write these lines under [camera], then calibrate again:\n{lines}")


async def _capture(
    guide: Guide,
    stills: StillCamera,
    kinds: Sequence[Card],
    places: list[Points],
    whole: CameraView,
) -> list[Captured]:
    """Every card at rest; `places` gets where cards were whole, on their way too.

    What is wrong with light, focus or the plane shows on the first card and is refused there.
    """

    def look(frame: Frame) -> tuple[RectifiedCard, Points] | str:
        found = _card_in(frame)
        if not isinstance(found, str):
            places.append(found[1])
        return found

    captured: list[Captured] = []
    reader = CardRecognizer()
    for nth, kind in enumerate(kinds, start=1):
        guide.step(Step(2, len(STEPS), STEPS[1], nth - 1, len(kinds)))
        text = f"{nth} of {len(kinds)}: {kind.name}\n{_PUSH}"
        while True:
            still = await guide.watch(text, stills.rest(look, guide.hint))
            named = agreed_card([reader.read(frame) for frame in still.frames[:CAPTURES]])
            if await _is_it(guide, kind, named):
                break
        captured.append(Captured(kind, still))
        if nth == 1:
            need(guide, *paper(captured), sizes(captured, whole))
        guide.tell(f"{kind.name}: captured")
    return captured


async def _is_it(guide: Guide, kind: Card, named: Card | None) -> bool:
    """Whether the card that was asked for lies there; a person decides where it reads otherwise.

    One card out of order would make a deck of wrong names, and all cards begin again.
    """
    if named is None or named is kind:
        return True
    text = f"This reads as {named.name}. Is it the {kind.name}?"
    return await guide.choose(text, (_AGAIN, _IS_IT)) == _IS_IT.key


def _card_in(frame: Frame) -> tuple[RectifiedCard, Points] | str:
    card = find_card(frame)
    if isinstance(card, Doubt):
        reason = ENGLISH.say(card.value)
        return f"{reason[0].upper()}{reason[1:]}"
    return card, card.quad


async def _verify(
    guide: Guide,
    stills: StillCamera,
    kinds: Sequence[Card],
    reader: CardRecognizer,
    view: CameraView,
) -> dict[tuple[Card, Card | None], int]:
    """Every card once more in the known order: what was read for what lay there.

    Read as at the table: in the region.
    """
    confusion: Counter[tuple[Card, Card | None]] = Counter()
    for nth, kind in enumerate(kinds, start=1):
        guide.step(Step(3, len(STEPS), STEPS[2], nth - 1, len(kinds)))
        text = f"{nth} of {len(kinds)}, once more: {kind.name}\n{_PUSH}"
        while True:
            still = await guide.watch(text, stills.rest(_card_in, guide.hint))
            named = agreed_card([view.placed(reader.read(view.cut(f))) for f in still.frames])
            if await _is_it(guide, kind, named):
                break
        confusion[kind, named] += 1
        guide.tell(f"{kind.name}: {_READ if named is kind else _as(named)}")
    guide.step(Step(3, len(STEPS), STEPS[2], len(kinds), len(kinds)))
    return dict(confusion)


def _as(named: Card | None) -> str:
    return f"read as {named.name}" if named else "not read"


def agreed_card(readings: Sequence[FrameReading]) -> Card | None:
    """The card that several frames agree on: two at least, and no other card."""
    cards = Counter(each.card for each in readings if each.card is not None)
    if len(cards) != 1:
        return None
    ((card, times),) = cards.items()
    return card if times >= 2 else None


def verification(
    confusion: dict[tuple[Card, Card | None], int], kinds: Sequence[Card]
) -> list[Measurement]:
    """The measurements of the verification pass."""
    wrong = [
        f"{shown.name} as {named.name}" for shown, named in confusion if named not in (shown, None)
    ]
    unread = [shown.name for shown, named in confusion if named is None]
    return [
        Measurement(
            "verification, misreads", len(wrong), "cards", at_most=0,
            remedy=f"{', '.join(wrong[:4])}: was a card in a wrong place? Then begin again; else "
            "this deck is not for a camera",
        ),
        Measurement(
            "verification, not read", round(len(unread) / len(kinds), 3), "of the deck",
            at_most=ABSTAINED_AT_MOST,
            remedy=f"{', '.join(unread[:6])}: more even light, a cleaner lens, a new deck",
        ),
    ]  # fmt: skip


def load_reader(style: IndexStyle | None) -> MakeReader:
    """Readers as the table has them."""

    def make(folder: Path) -> CardRecognizer:
        return CardRecognizer(deck=load_deck(folder), style=style)

    return make
