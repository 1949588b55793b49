"""`tablectl calibrate camera`, as somebody at the bench does it: the board, the deck, the deck."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.camera import verdict, vote
from calibration.certificate import CertificateRefused, read
from controller.__main__ import main
from controller.assemble import load
from controller.certified import check_certificates
from controller.rules.cards import Card, card
from drivers.picture import Frame
from drivers.vision.sight import Sight
from drivers.vision.why import Why
from sim_hw.cardboard import DECKS, face
from sim_hw.lens import Lens, slide, small
from tests.calibration.bench import Bench, Said, bench
from tests.calibration.test_board import FLAT, TILTED, seen_from
from tests.support.stream import Stream, streaming

pytestmark = pytest.mark.anyio

GONE_S = 0.06
"""So long nothing lies before the camera between two cards: some frames of the stream."""


class Hands:
    """Somebody who lays boards and cards before the camera."""

    def __init__(self, stream: Stream, deck: str) -> None:
        self._stream = stream
        self._deck = DECKS[deck]
        self._lens = Lens(7)
        self.swapped: dict[Card, Card] = {}
        self._felt = self._lens.picture(0.0, None, slide(7, 0), 0.0, None)
        stream.noisy = False  # the lens has made its noise; more of it takes a core
        stream.show(self._felt)

    async def board(self, nth: int) -> None:
        await self._lay(seen_from([*TILTED, FLAT][nth - 1]))

    async def card(self, kind: Card) -> None:
        printed = small(face(self._deck, self.swapped.get(kind, kind)))
        await self._lay(self._lens.picture(0.0, printed, slide(7, 0), 0.0, None))

    async def _lay(self, frame: Frame) -> None:
        self._stream.show(self._felt)
        await asyncio.sleep(GONE_S)
        self._stream.show(frame)


@pytest.fixture
def stream() -> Iterator[Stream]:
    with streaming() as made:
        yield made


async def calibrated(table: Bench, hands: Hands, kinds: list[Card]) -> Said:
    by_name = {kind.name: kind for kind in kinds}

    async def answer(line: str) -> str | None:
        if found := re.match(r"Board, (\d) of 5: hold", line):
            await hands.board(int(found[1]))
        elif found := re.match(r"\d+ of \d+(?:, once more)?: ([^.]+)", line):
            await hands.card(by_name[found[1]])
        return "y" if line.startswith("All good. Write it") else None

    return await table.calibrate("camera", answer)


@pytest.mark.timeout(240)  # a whole deck, twice, picture by picture
async def test_a_camera_is_calibrated_with_a_board_and_a_deck(
    tmp_path: Path, stream: Stream
) -> None:
    async with bench(tmp_path) as table:
        text = table.config.read_text()
        table.config.write_text(f'{text}[camera]\nsource = "{stream.url}"  # in the shoe\n')
        kinds = list(load(table.config).game.pack.kinds())
        said = await calibrated(table, Hands(stream, "kotka"), kinds)
    assert said.status == 0, said.errors + said.text
    config = load(table.config)
    camera = config.devices["camera"]
    assert (camera.style, str(camera.deck)) == ("finnish", "certificates/deck")
    assert camera.focus_min > 0
    found = read(tmp_path / "certificates" / "camera.json")
    assert found.good
    assert {name for name, _ in found.files} == {"certificates/deck", "networks"}
    check_certificates(config, found.made_ms)
    assert not (tmp_path / "certificates" / ".deck.part").exists()
    captures = sorted((tmp_path / "certificates" / "deck").glob("*.png"))
    assert len(captures) == 2 * len(kinds)
    captures[0].write_bytes(captures[2].read_bytes())
    with pytest.raises(CertificateRefused, match="deck is not what"):
        check_certificates(config, found.made_ms)


async def test_a_table_without_a_camera_is_told_so(tmp_path: Path) -> None:
    async with bench(tmp_path) as table:

        async def answer(line: str) -> str | None:
            return None

        said = await table.calibrate("camera", answer)
    assert said.status == 1
    assert "there is no [camera]" in said.errors


def test_a_swapped_card_is_a_misread_by_name() -> None:
    ace, king, two = card("As"), card("Ks"), card("2c")
    found = verdict({(ace, king): 1, (king, king): 1, (two, None): 1}, (ace, king, two))
    assert [each.good for each in found] == [False, False]
    assert f"{ace.name} as {king.name}" in found[0].remedy
    assert two.name in found[1].remedy
    assert all(each.good for each in verdict({(ace, ace): 1}, (ace,)))


def test_a_card_is_told_by_two_frames_and_none_that_differs() -> None:
    ace, king = Sight(card("As"), 0.9, None), Sight(card("Ks"), 0.9, None)
    none = Sight(None, None, Why.UNSURE)
    assert vote([ace, none, ace]) is card("As")
    assert vote([ace, none, none]) is None
    assert vote([ace, ace, king]) is None
    assert vote([]) is None


def test_the_board_is_written_once(tmp_path: Path) -> None:
    assert main(["calibrate", "board", str(tmp_path / "board.pdf")]) == 0
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF-1.4")
    assert main(["calibrate", "board", str(tmp_path / "board.pdf")]) == 1
