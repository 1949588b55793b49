"""The camera's reader on frames drawn from seeds, as they are and turned by half; on photographs,
where PHOTOGRAPHS names a folder of them; on rendered passages; and a peer's detector on the same.

Without what they are drawn with (fonts and packaged art) the rows say so.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2

from calibration.draw import frames
from calibration.draw.deck_design import DrawnDeck as Drawn
from calibration.draw.fonts import DesignSplit, MissingPackage
from calibration.draw.frames import DrawnKind
from calibration.draw.lens import Distortion
from calibration.measure_frames import LabelledFrame, case_of, from_folder
from calibration.outcomes import ReadingReport
from controller.rules.cards import DECK_52, JOKER
from drivers.vision.calibrated.deck_folder import load_deck
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import image_of
from tests.bench import peer
from tests.bench.table import BenchLine, quantile
from tests.endurance.passages.__main__ import passages
from tests.endurance.passages.scene import PASSAGES_A_SHOE

FRAMES = 400
#: A folder with labels.csv (file, card) and pictures of one card each.
PHOTOGRAPHS = "PHOTOGRAPHS"
DRAWN, PHOTOGRAPHED, AS_IT_IS = "drawn frames", "photographs", "as it is"
GOALS = {DRAWN: 0.95, PHOTOGRAPHED: 0.98}
DECKS = 2
CAPTURES = 2
SEED = 7_000_000
#: Two shoes, one of the simulated world and one drawn.
PASSAGES = 2 * PASSAGES_A_SHOE
PASSAGE_FRAMES = 5


def measured() -> tuple[list[BenchLine], str]:
    """The rows for the table, and below it what was taken for what, by style."""
    cv2.setNumThreads(1)
    try:
        shown = {f"{what}, {way}": _read(CardRecognizer(), some()) for what, way, some in _sets()}
        own_deck = _own_deck()
        passed = _passed()
        by_peer, of_peer = _peer()
    except MissingPackage as missing:
        return [BenchLine("camera: not measured", str(missing))], ""
    lines = [
        *(
            line
            for what, done in shown.items()
            for line in _shares(f"camera, any deck, {what}", done, GOALS[what.split(",")[0]])
        ),
        *_times("any deck", shown[f"{DRAWN}, {AS_IT_IS}"], (6, 10)),
        *_shares("camera, calibrated deck, one frame", own_deck, 0.98),
        *_times("calibrated deck", own_deck, (10, 15)),
        *_shares(f"camera, calibrated deck, {PASSAGE_FRAMES} frames of a passage", passed, 0.999),
        *by_peer,
    ]
    more = f"calibrated deck, passages (make passages for more): {passed.bound()}"
    tables = (
        *((f"any deck, {what}", done) for what, done in shown.items()),
        ("calibrated deck, one frame", own_deck),
        (more, passed),
    )
    text = "\n\n".join(f"camera, {title}\n{done.confusion.text()}" for title, done in tables)
    return lines, f"{text}\n\n{of_peer}"


def _times(what: str, done: ReadingReport, goal: tuple[int, int]) -> Iterator[BenchLine]:
    half, last = (quantile(done.times_ms, share) for share in (0.5, 0.99))
    yield BenchLine(
        f"camera, {what}, one frame, one core", f"{half:.1f} ms", f"{last:.1f} ms",
        f"{goal[0]} / {goal[1]} ms", half <= goal[0] and last <= goal[1],
    )  # fmt: skip


def _sets() -> Iterator[tuple[str, str, Callable[[], Iterator[LabelledFrame]]]]:
    """What is shown to any deck's reader, and to the peer: its name, its way round, the frames."""
    folder = os.environ.get(PHOTOGRAPHS)
    sources: list[tuple[str, Callable[[], Iterator[LabelledFrame]]]] = [
        (DRAWN, lambda: _drawn(FRAMES))
    ]
    if folder:
        sources.append((PHOTOGRAPHED, lambda: from_folder(Path(folder).expanduser())))
    for what, shown in sources:
        yield what, AS_IT_IS, shown
        yield what, "turned", lambda shown=shown: map(_turned, shown())  # type: ignore[misc]


def _turned(frame: LabelledFrame) -> LabelledFrame:
    """The same frame turned by half, as every other card of a shuffled shoe lies."""
    return replace(frame, picture=image_of(cv2.rotate(frame.picture, cv2.ROTATE_180)))


def _own_deck() -> ReadingReport:
    done = ReadingReport()
    for number in range(DECKS):
        deck = frames.deck(number, DesignSplit.HELD)
        with tempfile.TemporaryDirectory() as folder:
            _captured(Path(folder), deck, number)
            reader = CardRecognizer(deck=load_deck(Path(folder), _unused))
            _read(reader, _of_deck(deck, SEED + 10_000 * (number + 1)), done)
    return done


def _passed() -> ReadingReport:
    done = ReadingReport()
    for passage in passages(SEED, range(PASSAGES), PASSAGE_FRAMES, calibrated=True):
        done.add(passage.case, passage.card, passage.why, passage.took_ms)
    return done


def _peer() -> tuple[list[BenchLine], str]:
    """A peer's detector on the frames of any deck, either way round, where there is one."""
    folder = os.environ.get(peer.VARIABLE)
    if not folder:
        return [], f"a peer on the same frames: {peer.HOW_TO}; known of it: {peer.KNOWN}"
    lines: list[BenchLine] = []
    failed: list[str] = []
    try:
        for shown, way, some in _sets():
            done, broken = peer.measure(peer.Peer(Path(folder).expanduser()), some())
            cards, half = done.groups["cards"], quantile(done.times_ms, 0.5)
            what = f"a peer, any deck, {shown}, {way}"
            lines += [
                BenchLine(f"{what}: right of {cards.all}", f"{cards.right / cards.all:.1%}"),
                BenchLine(f"{what}: misread, and told of none", str(len(done.misreads))),
                BenchLine(what, f"{half:.1f} ms", f"{quantile(done.times_ms, 0.99):.1f} ms"),
            ]
            failed.append(f"{broken} of {len(done.times_ms)} {shown}, {way}")
    except peer.PeerError as error:
        return [], f"a peer on the same frames: {error}"
    return lines, f"the peer broke off in {'; '.join(failed)}. Known of it: {peer.KNOWN}"


def _unused(_said: str) -> None:
    """A hand over a drawn capture: calibration would have asked for it again."""


def _shares(what: str, done: ReadingReport, goal: float) -> Iterator[BenchLine]:
    cards = done.groups["cards"]
    share = cards.right / cards.all
    yield BenchLine(
        f"{what}: right of {cards.all}", f"{share:.1%}", "", f"{goal * 100:g}%", share >= goal
    )
    wrong = len(done.misreads)
    yield BenchLine(f"{what}: misread, and told of none", str(wrong), "", "0", wrong == 0)


def _read(
    reader: CardRecognizer, shown: Iterable[LabelledFrame], done: ReadingReport | None = None
) -> ReadingReport:
    done = done or ReadingReport()
    for each in shown:
        began = time.perf_counter()
        reading = reader.read(each.picture)
        took = (time.perf_counter() - began) * 1000
        done.add(each.case, reading.card, reading.doubt.name if reading.doubt else "", took)
    return done


def _drawn(count: int) -> Iterator[LabelledFrame]:
    for seed in range(SEED, SEED + count):
        yield _shown(str(seed), *frames.frame(seed, DesignSplit.HELD))


def _of_deck(deck: Drawn, seed: int) -> Iterator[LabelledFrame]:
    for at, kind in enumerate((*DECK_52, JOKER)):
        level = list(Distortion)[at % 3]
        yield _shown(
            kind.code,
            *frames.frame(seed + at, kind=DrawnKind.CARD, level=level, of=kind, from_deck=deck),
        )


def _shown(name: str, picture: frames.Picture, truth: frames.Truth) -> LabelledFrame:
    return LabelledFrame(case_of(name, truth), picture)


def _captured(folder: Path, deck: Drawn, number: int) -> None:
    """What calibration would write: captures of every card in good light."""
    for at, kind in enumerate((*DECK_52, JOKER)):
        for nth in range(CAPTURES):
            seed = SEED + 1_000 * (number + 1) + CAPTURES * at + nth
            picture, _ = frames.frame(
                seed, kind=DrawnKind.CARD, level=Distortion.EASY, of=kind, from_deck=deck
            )
            cv2.imwrite(str(folder / f"{kind.code}-{nth + 1}.png"), picture)
    (folder / "deck.json").write_text("{}")
