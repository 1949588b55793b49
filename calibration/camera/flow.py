"""The camera of the shoe: the plane of the cards as it sees it, its light, the table's own deck.

The order: the board in five positions, every card of one deck once in any order (captures), then a
handful of them once more, read by the reader that will read at the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from calibration.camera import charuco_board as charuco
from calibration.camera import draft as drafts
from calibration.camera.captures import Captured, light, sizes, write_deck
from calibration.camera.deck_pass import DeckPass
from calibration.camera.draft import DeckDraft
from calibration.camera.look_alike import prints_of
from calibration.camera.plane import measure_plane, something_in
from calibration.camera.speed import exposure_us, measure_speed, smear
from calibration.camera.stills import StillCamera
from calibration.camera.verification import Distinctness, Verification
from calibration.guide import Choice, Guide, NotGoodEnough, Step, need
from calibration.measure import Measurement
from controller.rules.cards import Card
from drivers.settings.camera import CameraSettings
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.camera_geometry import CameraView, PixelRegion, region_of
from drivers.vision.calibrated.deck_folder import DeckError, keep_captures, load_deck
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Points

#: Of the least sharp capture's focus: blurrier at the table is not read. Captures lie still; a card
#: that slides past has far less, and is read as surely: at 0.4 seven of 101 clean passages were
#: lost, without a limit none. Drift tells of a lens out of focus: all the last cards show it.
FOCUS_SHARE: Final = 0.1

STEPS: Final = (
    "the board in five positions", "every card of one deck, once", "a handful of cards once more",
    "cards pulled as at the table",
)  # fmt: skip
_STOP: Final = Choice("s", "stop here, to write them")
_GO_ON: Final = Choice("g", "go on without")
_CONTINUE: Final = Choice("g", "go on with it")
_ANEW: Final = Choice("n", "begin anew")

MakeReader = Callable[[Path], CardRecognizer]
"""A reader for the deck in a folder; raises `DeckError`."""


@dataclass(frozen=True, slots=True)
class CameraFound:
    """What was found out: new settings, measurements, and what will be distinguished, in words."""

    settings: CameraSettings
    measurements: list[Measurement]
    distinguished: str


@dataclass(frozen=True, slots=True)
class Folders:
    """Where the deck is written that is good, and where a calibration that is not finished."""

    deck: Path
    draft: Path


async def calibrate_camera(
    guide: Guide,
    stills: StillCamera,
    settings: CameraSettings,
    kinds: Sequence[Card],
    folders: Folders,
    make_reader: MakeReader,
) -> CameraFound:
    """Calibrate an open camera with a board and one deck of `kinds`; the deck goes to its folder.

    The draft stays until whoever calls discards it. Raises `NotGoodEnough`, `Abandoned`,
    `DeviceError`, `OSError`.
    """
    draft = await _begun(guide, folders.draft, settings, kinds)
    if draft is None:
        draft = await _measured_plane(guide, stills, settings, kinds, folders.draft)
    else:
        for each in draft.measured:
            guide.measured(each)
    style = None if settings.style == "any" else PrintedStyle(settings.style)
    whole = _whole(draft.plane, settings)
    captured = await DeckPass(guide, stills, kinds, draft, whole, style).run(_step(2))
    view = view_of(draft.plane, [each.still.corners for each in captured], draft.passed, settings)
    deck = Distinctness.of(captured, prints_of([(c.card, c.still.found[0]) for c in captured]))
    guide.tell(deck.text())
    optics = [*light(captured), sizes(captured, view), *deck.measurements()]
    need(guide, *optics)
    guide.tell(f"The cards are looked for in {view.region.text}")
    found_style = await asyncio.to_thread(write_deck, folders.deck, captured, view, style)
    try:
        await asyncio.to_thread(keep_captures, folders.deck)
        reader = make_reader(folders.deck)
    except DeckError as error:
        raise NotGoodEnough(str(error)) from error
    outcome = await Verification(guide, stills, reader, view, deck).run(kinds, _step(3), style)
    verified = outcome.measurements()
    need(guide, *verified)
    timing = await _timing(guide, stills, settings, view)
    settings = with_deck(settings, folders.deck, found_style, captured)
    measured = [*draft.measured, *optics, *verified, *timing]
    return CameraFound(settings, measured, deck.text())


async def _timing(
    guide: Guide, stills: StillCamera, settings: CameraSettings, view: CameraView
) -> list[Measurement]:
    """How late frames come and how much they are smeared, where the camera lets it be known."""
    lag = stills.lag()
    measured = [] if lag is None else [lag]
    if exposure_us(settings) is not None:
        guide.deck(())
        fastest = await measure_speed(guide, stills, view, _step(4, len(STEPS)))
        measured.append(smear(settings, fastest))
    need(guide, *measured)
    return measured


def _step(nth: int, of: int = len(STEPS) - 1) -> Step:
    return Step(nth, of, STEPS[nth - 1])


async def _begun(
    guide: Guide, folder: Path, settings: CameraSettings, kinds: Sequence[Card]
) -> DeckDraft | None:
    """The draft to resume; None: begin anew."""
    draft = await asyncio.to_thread(DeckDraft.load, folder, drafts.about(settings, kinds))
    if draft is None:
        return None
    began = datetime.fromtimestamp(draft.began_ms / 1000).astimezone()
    cards = len({each.card for each in draft.captured})
    text = (
        f"A calibration of {began:%d %B, %H:%M} was broken off. Go on with it?\n{cards} of"
        f" {len(kinds)} cards are captured. If the camera or the light was touched since, begin"
        " anew."
    )
    return draft if await guide.choose(text, (_CONTINUE, _ANEW)) == _CONTINUE.key else None


async def _measured_plane(
    guide: Guide,
    stills: StillCamera,
    settings: CameraSettings,
    kinds: Sequence[Card],
    folder: Path,
) -> DeckDraft:
    """The plane of the cards by the board; it stands in a new draft."""

    def on_board(done: int) -> None:
        guide.step(replace(_step(1), done=done, total=charuco.VIEWS_AT_LEAST))

    plane, measured = await measure_plane(guide, stills, settings, on_board)
    await propose_locks(guide, stills.has(), settings)
    on_board(charuco.VIEWS_AT_LEAST)
    about = drafts.about(settings, kinds)
    draft = await asyncio.to_thread(DeckDraft.begin, folder, about, plane, measured)
    await guide.watch("Take the board away", stills.gone(something_in))
    return draft


def with_deck(
    settings: CameraSettings, folder: Path, style: PrintedStyle | None, captured: Sequence[Captured]
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
    return replace(whole, region=region_of([*lain, *flat], *settings.picture_size))


def _whole(plane: charuco.CardPlane, settings: CameraSettings) -> CameraView:
    """The view of the whole picture."""
    size = settings.picture_size
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


def load_reader(style: PrintedStyle | None) -> MakeReader:
    """Readers as the table has them."""

    def make(folder: Path) -> CardRecognizer:
        return CardRecognizer(deck=load_deck(folder), style=style)

    return make
