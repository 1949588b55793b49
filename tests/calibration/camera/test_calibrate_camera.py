"""`tablectl calibrate camera`, as somebody at the bench does it: the board, the deck, the deck."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from calibration.camera.captures import Captured, sizes, write_deck
from calibration.camera.charuco_board import CARD_MM, CardPlane
from calibration.camera.deck_pass import agreed_card
from calibration.camera.draft import DeckDraft
from calibration.camera.flow import view_of
from calibration.camera.stills import TAKE_AWAY, StillCard
from calibration.camera.verification import VerificationOutcome
from calibration.certificate import CertificateRefused, read
from controller.__main__ import main
from controller.assembly.certificates import check_certificates
from controller.assembly.wiring import load
from controller.config.configuration import Config
from controller.devices.inputs import Doubt
from controller.rules.cards import Card, card
from drivers.builtin.readers import resolved_camera
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.camera_shoe import CameraShoe
from drivers.shoe.frame_reader import FrameReader
from drivers.vision.calibrated.camera_geometry import CameraView, PixelRegion
from drivers.vision.calibrated.deck_folder import load_deck
from drivers.vision.calibrated.kept_captures import read_kept
from drivers.vision.calibrated.surroundings import surroundings_of
from drivers.vision.finding.card_edges import Points
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from drivers.vision.frame_reading import FrameReading
from sim_hw.devices.deck_art import DECKS, back, face
from sim_hw.devices.lens import CARD_PX, REST_Y, Lens, Slide, slide, small, way
from tests.calibration import few
from tests.calibration.bench import CONFIG, CalibrationBench, CalibrationOutput, bench
from tests.calibration.camera.test_charuco_board import posed, seen_from
from tests.drivers.outside import pin, watching
from tests.drivers.vision.problems import problem_of
from tests.support.stream import Stream, streaming

pytestmark = pytest.mark.anyio

FRAMES_SHOWN = 4
"""So many frames of the stream show each picture: a busy machine is slow, and misses none of them
for being so."""

#: The board lies where cards of 262 pixels lie.
AWAY_MM = 900 * CARD_MM[1] / CARD_PX
BOARDS = [
    posed(0.3, 0.0, AWAY_MM), posed(-0.3, 0.1, AWAY_MM), posed(0.1, 0.35, AWAY_MM),
    posed(0.0, -0.3, AWAY_MM), posed(away_mm=AWAY_MM),
]  # fmt: skip
#: How far a card is on its way where it comes to be seen.
COMING = 0.3
#: So many frames show nothing between two cards.
GONE_FRAMES = 8
#: A card that passes takes as long as a busy machine takes for its frames.
PASSING = BeamSettings(pin=5, stuck_ms=30_000)


class CameraHands:
    """Somebody who lays boards and cards before the camera."""

    def __init__(self, stream: Stream, deck: str) -> None:
        self._stream = stream
        self._deck = DECKS[deck]
        self._lens = Lens(7)
        self._cards = 0
        self._laid: Frame
        self._felt = self._lens.picture(0.0, None, slide(7, 0), 0.0, None)
        stream.noisy = False  # the lens has made its noise; more of it takes a core
        stream.show(self._felt)

    async def board(self, nth: int) -> None:
        await self._lay(seen_from(BOARDS[nth - 1]))

    def away(self) -> None:
        self._stream.show(self._felt)

    async def card(self, kind: Card, *, turned: bool = False) -> None:
        """A card comes down the slot, each a little further left or right, and rests."""
        printed = small(face(self._deck, kind))
        if turned:
            printed = np.ascontiguousarray(printed[::-1, ::-1])
        await self._slides(printed)

    async def back(self) -> None:
        """A card comes with its back up."""
        await self._slides(small(back()))

    async def _slides(self, printed: Frame) -> None:
        self._cards += 1
        how = slide(7, self._cards)
        coming = self._lens.picture(0.0, printed, how, COMING, None)
        await self._lay(self._lens.picture(0.0, printed, how, 0.0, None), coming)

    async def again(self) -> None:
        """Take away what lies there for longer, as a slow camera asks for, and lay it again."""
        self.away()
        await asyncio.to_thread(self._stream.wait, 5 * GONE_FRAMES)
        self._stream.show(self._laid)

    async def _lay(self, frame: Frame, coming: Frame | None = None) -> None:
        self._laid = frame
        self._stream.show(self._felt)
        await asyncio.to_thread(self._stream.wait, GONE_FRAMES)
        if coming is not None:
            self._stream.burst(coming, 1)
        self._stream.show(frame)


@pytest.fixture
def stream() -> Iterator[Stream]:
    with streaming() as made:
        yield made


class GuidedDealer:
    """Somebody who does what the command line says: cards in any order, every other one turned.

    Of the cards in `wrongly` the first one is laid twice, the second taken back and laid again.
    `stop_at`: so many captured, the program is killed.
    """

    def __init__(
        self,
        hands: CameraHands,
        kinds: list[Card],
        *,
        stop_at: int | None = None,
        resumes: bool = False,
    ) -> None:
        self._hands = hands
        self._by_name = {kind.name: kind for kind in kinds}
        self.todo = Random(5).sample(kinds, len(kinds))
        self._stop_at = stop_at
        self._resumes = resumes
        self._laid: list[Card] = []
        self._lies = ""
        """What was laid and not heard of since, by name: nothing is laid over it."""
        self._again = self._undone = False
        self.captured_first = 0

    async def __call__(self, line: str) -> str | None:
        heard = rf"{self._lies}: (not )?captured|That was the {self._lies} again"
        if self._lies and (found := re.match(heard, line)):
            self._lies = ""
            if found[1]:
                self.todo.append(self._laid[-1])
        if found := re.match(r"Board, (\d) of 5: (?:hold|lay)", line):
            assert not self._resumes, "the plane is known"
            await self._hands.board(int(found[1]))
        elif line.strip() == TAKE_AWAY:
            await self._hands.again()
        elif line == "Take the board away":
            self._hands.away()
        elif found := re.match(r"(\d+) of \d+ captured: lay another card", line):
            return await self._another(int(found[1]))
        elif found := re.match(r"\d+ of \d+, once more: ([^,.]+)(, the other way)?", line):
            await self._hands.card(self._by_name[found[1]], turned=bool(found[2]))
        elif line.startswith("Which card is this?"):
            return self._laid[-1].code
        elif line.startswith("Is this the"):
            return "y"
        elif line.startswith("A calibration of"):
            assert self._resumes
            return "g"
        return "y" if line.startswith("All good. Write it") else None

    async def _another(self, captured: int) -> str | None:
        if not self._laid:
            self.captured_first = captured
        if self._stop_at == captured:
            raise KilledError
        if self._lies:
            return None
        if captured == 3 and not self._again:
            self._again = True
            self._lies = self._laid[0].name
            await self._hands.card(self._laid[0], turned=True)
            return None
        if captured == 4 and not self._undone:
            self._undone = True
            self.todo.append(self._laid[-1])
            return "u"
        self._laid.append(self.todo.pop(0))
        self._lies = self._laid[-1].name
        await self._hands.card(self._laid[-1], turned=len(self._laid) % 2 == 0)
        return None


class KilledError(Exception):
    """The program is to be killed now."""


#: The quick form goes the whole way on the page (tests/pages/calibration/test_calibrate_camera.py).
@pytest.mark.long
async def test_a_camera_is_calibrated_with_a_board_and_a_deck(
    tmp_path: Path, stream: Stream
) -> None:
    async with bench(tmp_path) as table:
        text = table.config.read_text()
        table.config.write_text(f'{text}[camera]\nsource = "{stream.url}"  # in the shoe\n')
        kinds = list(few.kinds(load(table.config).game.pack))
        said = await calibrated(table, GuidedDealer(CameraHands(stream, "kotka"), kinds))
    assert said.status == 0, said.errors + said.text
    assert len(re.findall(r"^That was the .* again: it counts once$", said.text, re.MULTILINE)) == 1
    assert len(re.findall(r"^.*: taken back$", said.text, re.MULTILINE)) == 1
    assert len(re.findall(r"^.*: captured$", said.text, re.MULTILINE)) == len(kinds) + 1
    assert len(re.findall(r"cards are told by their index and by their picture", said.text)) == 1
    assert not (tmp_path / "certificates" / ".deck.draft").exists()
    config = load(table.config)
    camera = config.devices.camera
    assert camera
    assert (camera.style, str(camera.deck)) == ("finnish", "certificates/deck")
    assert camera.focus_min > 0
    found = read(tmp_path / "certificates" / "camera.json")
    assert found.good
    assert {name for name, _ in found.files} == {"certificates/deck", "networks"}
    check_certificates(config, found.made_ms)
    assert not (tmp_path / "certificates" / ".deck.part").exists()
    captures = sorted((tmp_path / "certificates" / "deck").glob("*.png"))
    assert len(captures) == 2 * len(kinds)
    await the_table_reads_in_the_region_only(config, stream)
    captures[0].write_bytes(captures[2].read_bytes())
    with pytest.raises(CertificateRefused, match="deck is not what"):
        check_certificates(config, found.made_ms)


@pytest.mark.long
async def test_a_calibration_that_was_killed_goes_on_where_it_was(
    tmp_path: Path, stream: Stream
) -> None:
    async with bench(tmp_path) as table:
        text = table.config.read_text()
        table.config.write_text(f'{text}[camera]\nsource = "{stream.url}"\n')
        kinds = list(few.kinds(load(table.config).game.pack))
        hands = CameraHands(stream, "kotka")
        first = GuidedDealer(hands, kinds, stop_at=6)
        with pytest.raises(KilledError):
            await calibrated(table, first)
        draft = tmp_path / "certificates" / ".deck.draft"
        frames = sorted(draft.glob("*.png"))
        assert len(frames) == 6 * 2
        frames[0].write_bytes(frames[0].read_bytes()[:2_000])  # as a disk that failed leaves it
        second = GuidedDealer(hands, kinds, resumes=True)
        said = await calibrated(table, second)
    assert second.captured_first == 5, "the damaged card is asked for again"
    assert said.status == 0, said.errors + said.text
    assert read(tmp_path / "certificates" / "camera.json").good
    assert not draft.exists()


async def calibrated(table: CalibrationBench, dealer: GuidedDealer) -> CalibrationOutput:
    return await table.calibrate("camera", dealer, program="tests.calibration.few")


async def the_table_reads_in_the_region_only(config: Config, stream: Stream) -> None:
    """Cards pass the calibrated device as they slide through the simulated shoe."""
    assert config.devices.camera
    settings = resolved_camera(config.devices.camera, config.base)
    assert settings.deck is not None
    files = sorted(settings.deck.glob("*.png"))
    kinds = [card(each.name.partition("-")[0]) for each in files]
    assert len(read_kept(settings.deck, files, kinds)) == len(files)
    view = load_deck(settings.deck).view
    assert view is not None
    at = view.region
    assert (at.left > 60, at.right < 580) == (True, True)
    lowest, highest = REST_Y + CARD_PX / 2, way(COMING) - CARD_PX / 2
    assert at.top < highest < at.top + 80
    assert lowest < at.bottom <= 480
    eyes, lens = FrameReader(settings), Lens(8)
    empty = Lens(7).picture(9.0, None, slide(7, 0), 0.0, None)
    eyes.check_surroundings(empty)
    assert eyes.problem() is None
    eyes.check_surroundings((empty // 2).astype(np.uint8))
    assert "darker" in problem_of(eyes)
    pins = MockFactory(revision="c04170")
    read: list[Card | None] = []

    def look(frame: Frame) -> FrameReading:
        reading = eyes(frame)
        read.append(reading.card)
        return reading

    device = CameraShoe(settings, look, PASSING, pins)
    async with watching(device) as watched:
        for nth, kind in enumerate((card("Th"), card("2c"), card("Ks")), start=1):
            printed, how = small(face(DECKS["kotka"], kind)), slide(8, nth)
            # The picture of the card before may be under way for as long as a busy machine likes.
            stream.show(empty)
            await asyncio.to_thread(stream.wait, GONE_FRAMES)
            stream.show(lens.picture(0.0, printed, how, 0.0, None))
            pin(pins, PASSING.pin).drive_low()
            # A busy machine looks at few frames: the card goes as slowly as it takes.
            for share in itertools.cycle((0.0, 0.1, 0.2, 0.25)):
                stream.show(lens.picture(0.0, printed, how, share, None))
                await asyncio.to_thread(stream.wait, FRAMES_SHOWN)
                if share == 0.25 and read.count(kind) >= 2:
                    break
            pin(pins, PASSING.pin).drive_high()
            reading = await watched.reading()
            assert reading.card is not None, reading.doubt
            assert reading.card.open() is kind
    assert eyes.problem() is None
    aside = Slide(x=at.left - 40, angle=0.0, high=CARD_PX)
    printed = small(face(DECKS["kotka"], card("Th")))
    assert eyes(lens.picture(0.0, printed, aside, 0.0, None)).card is None
    aside = Slide(x=(at.left + at.right) / 2, angle=0.0, high=CARD_PX)
    assert eyes(lens.picture(0.0, printed, aside, 0.0, None)).card is card("Th")
    pins.reset()


def test_captures_that_the_board_contradicts_are_refused_by_name() -> None:
    def lain(code: str, high: float) -> Captured:
        wide = high * 63 / 88
        quad = np.array([[9, 9], [9 + wide, 9], [9 + wide, 9 + high], [9, 9 + high]], np.float32)
        return Captured(card(code), StillCard((), (), quad))

    mm = 88 / CARD_PX
    view = CameraView(640, 480, PixelRegion(0, 0, 640, 480), (mm, 0, 0, 0, mm, 0, 0, 0, 1))
    assert sizes([lain("Th", CARD_PX), lain("2c", CARD_PX + 8)], view).good
    found = sizes([lain("Th", CARD_PX), lain("2c", 300)], view)
    assert (found.value, found.good) == (1, False)
    assert f"{card('2c').name} is 72 x 101 mm" in found.remedy
    assert "lay the board flat where the cards lie" in found.remedy


def test_what_lies_around_the_cards_is_kept_where_there_is_enough_to_go_by(tmp_path: Path) -> None:
    lens, captured = Lens(7), []
    for nth, code in enumerate(("2c", "9d", "6s")):
        printed = small(face(DECKS["kotka"], card(code)))
        frame = lens.picture(10.0 * nth, printed, slide(7, nth), 0.0, None)
        sheet = find_card(frame)
        assert isinstance(sheet, RectifiedCard)
        captured.append(Captured(card(code), StillCard((sheet,), (frame,), sheet.quad)))
    mm = 88 / CARD_PX
    view = CameraView(640, 480, PixelRegion(120, 60, 520, 480), (mm, 0, 0, 0, mm, 0, 0, 0, 1))
    write_deck(tmp_path, captured, view)
    deck = load_deck(tmp_path)
    assert deck.view == view
    assert deck.surroundings is not None
    later = surroundings_of(lens.picture(25.0, None, slide(7, 0), 0, None), view)
    assert deck.surroundings.problem(later) is None
    write_deck(tmp_path, captured, CameraView(640, 480, PixelRegion(0, 0, 640, 480), view.plane))
    assert load_deck(tmp_path).surroundings is None


@pytest.mark.parametrize(
    ("deck", "codes", "style"),
    [
        ("bristol", ("As", "Kc"), "any"),  # as of a German or a Nordic deck
        ("kotka", ("As",), "any"),  # as of a French one
        ("bristol", ("As", "Kc", "Qh"), "any"),
        ("bristol", ("Jc", "Qh", "Kc"), "anglo"),
        ("kotka", ("As", "Jh", "Qh", "Kc"), "finnish"),
    ],
)
def test_a_style_is_concluded_from_jack_queen_and_king_alone(
    deck: str, codes: tuple[str, ...], style: str, tmp_path: Path
) -> None:
    lens, captured = Lens(7), []
    for code in codes:
        frame = lens.picture(0.0, small(face(DECKS[deck], card(code))), slide(7, 0), 0.0, None)
        sheet = find_card(frame)
        assert isinstance(sheet, RectifiedCard)
        captured.append(Captured(card(code), StillCard((sheet,), (frame,), sheet.quad)))
    mm = 88 / CARD_PX
    view = CameraView(640, 480, PixelRegion(120, 60, 520, 480), (mm, 0, 0, 0, mm, 0, 0, 0, 1))
    found = write_deck(tmp_path, captured, view)
    assert json.loads((tmp_path / "deck.json").read_text())["style"] == style
    assert (found.value if found else "any") == style


@pytest.mark.parametrize(("old", "new"), [('"As"', '"Xs"'), ("1.0, 2.0", "1.0"), ("{", "[")])
def test_a_draft_that_is_spoilt_is_begun_anew(tmp_path: Path, old: str, new: str) -> None:
    plane = CardPlane(np.eye(3), 0.1, 0.1, 24, 240)
    draft = DeckDraft.begin(tmp_path / "draft", "this camera", plane, ())
    draft.saw(np.arange(1, 9, dtype=np.float32).reshape(4, 2))
    frame = Lens(7).picture(0.0, small(face(DECKS["kotka"], card("As"))), slide(7, 1), 0.0, None)
    sheet = find_card(frame)
    assert isinstance(sheet, RectifiedCard)
    draft.add(Captured(card("As"), StillCard((sheet,) * 2, (frame,) * 2, sheet.quad)))
    assert DeckDraft.load(tmp_path / "draft", "this camera") is not None
    path = tmp_path / "draft" / "draft.json"
    text = " ".join(path.read_text().split())
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert DeckDraft.load(tmp_path / "draft", "this camera") is None


def test_a_card_in_a_hand_makes_the_region_no_wider() -> None:
    mm = 88 / 240
    plane = CardPlane(np.diag([mm, mm, 1.0]), 0.1, 0.1, 24, 240)
    settings = CameraSettings("/dev/video0")

    def at(x: float, high: float) -> Points:
        wide = high * 63 / 88
        return np.array([[x, 120], [x + wide, 120], [x + wide, 120 + high], [x, 120 + high]], "f4")

    lain = [at(200, 240)]
    alone = view_of(plane, lain, [], settings).region
    assert view_of(plane, lain, [at(60, 290), at(400, 200)], settings).region == alone
    assert view_of(plane, lain, [at(230, 240)], settings).region.right == alone.right + 30


def test_a_table_without_a_camera_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    (tmp_path / "table.toml").write_text(CONFIG)
    assert main(["calibrate", "camera", str(tmp_path / "table.toml"), "--allow-simulated"]) == 1
    assert "there is no [camera]" in capsys.readouterr().err


def test_a_card_read_as_another_is_a_misread_by_name() -> None:
    ace, king, two = card("As"), card("Ks"), card("2c")
    found = VerificationOutcome(
        [(ace, king), (king, king), (two, None), (ace, None)]
    ).measurements()
    assert [each.good for each in found] == [False, False]
    assert f"{ace.name} as {king.name}" in found[0].remedy
    assert two.name in found[1].remedy
    assert all(each.good for each in VerificationOutcome([(ace, ace), (two, None)]).measurements())


def test_a_card_is_told_by_two_frames_and_none_that_differs() -> None:
    ace, king = FrameReading(card("As")), FrameReading(card("Ks"))
    none = FrameReading(None, Doubt.UNSURE)
    assert agreed_card([ace, none, ace]) is card("As")
    assert agreed_card([ace, none, none]) is None
    assert agreed_card([ace, ace, king]) is None
    assert agreed_card([]) is None


def test_the_board_is_written_once(tmp_path: Path) -> None:
    assert main(["calibrate", "board", str(tmp_path / "board.pdf")]) == 0
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF-1.4")
    assert main(["calibrate", "board", str(tmp_path / "board.pdf")]) == 1
