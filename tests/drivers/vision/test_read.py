"""`tablectl read`: one JSON line for each picture, in order; what is none is said to be none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.__main__ import main
from drivers.vision import card_recognizer
from drivers.vision.finding.card_edges import Image
from drivers.vision.frame_reading import evidence_jpeg
from tests.drivers.vision.images import DARK, felt, laid, printed
from tests.drivers.vision.network_scores import ScriptedNetworks, face, heard

TEN = replace(heard("10", "s", "10"), face=face("10", "s"))


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> ScriptedNetworks:
    """Networks that see a ten of spades in every card."""
    networks = ScriptedNetworks(TEN)
    monkeypatch.setattr(card_recognizer, "CardNetworks", lambda: networks)
    return networks


def read(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    status = main(["read", *arguments])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def ten() -> Image:
    return laid(printed("10"), felt(DARK))


def _written(path: Path, picture: Image) -> str:
    assert cv2.imwrite(str(path), picture)
    return str(path)


@pytest.mark.usefixtures("said")
def test_a_card_and_an_empty_felt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    card = _written(tmp_path / "card.png", ten())
    empty = _written(tmp_path / "empty.jpg", felt(DARK))
    status, lines = read(capsys, empty, card, card)
    assert status == 0
    assert [line["file"] for line in lines] == [empty, card, card]
    assert [list(line) for line in lines] == [["file", "card", "confidence", "why", "ms"]] * 3
    assert [line["card"] for line in lines] == [None, "Ts", "Ts"]
    assert lines[0]["why"] == "no card in the picture"
    assert lines[0]["confidence"] is None
    assert lines[1]["why"] is None
    assert 0.9 < lines[1]["confidence"] <= 1
    assert all(line["ms"] > 0 for line in lines)


@pytest.mark.usefixtures("said")
def test_files_are_named_as_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _written(tmp_path / "a b.png", ten())
    monkeypatch.chdir(tmp_path)
    assert read(capsys, "./a b.png")[1][0]["file"] == "./a b.png"


@pytest.mark.usefixtures("said")
def test_unreadable_files_are_said_to_be_and_the_rest_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "text.png"
    text.write_text("no picture")
    empty = tmp_path / "empty.png"
    empty.write_bytes(b"")
    half = tmp_path / "half.png"
    half.write_bytes(Path(_written(tmp_path / "whole.png", ten())).read_bytes()[:900])
    files = [str(each) for each in (text, empty, tmp_path / "none.png", tmp_path, half)]
    status, lines = read(capsys, *files, str(tmp_path / "whole.png"))
    assert status == 1
    assert [line["card"] for line in lines] == [None] * 5 + ["Ts"]
    for line in lines[:4]:
        assert line["why"].startswith("unreadable: ")
        assert line["confidence"] is None
    assert "No such file" in lines[2]["why"]


@pytest.mark.usefixtures("said")
@pytest.mark.parametrize(
    ("shape", "why"),
    [((1, 1), "the picture is no"), ((40, 5000), "the picture is no"), ((900, 1600), "no card")],
)
def test_odd_sizes_are_no_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: tuple[int, int], why: str
) -> None:
    odd = _written(tmp_path / "odd.png", np.full((*shape, 3), 90, np.uint8))
    status, lines = read(capsys, odd)
    assert status == 0
    assert lines[0]["card"] is None
    assert lines[0]["why"].startswith(why)


@pytest.mark.usefixtures("said")
def test_grey_alpha_deep_and_large_pictures_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = ten()
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    files = [
        _written(tmp_path / "grey.png", np.asarray(grey, np.uint8)),
        _written(tmp_path / "alpha.png", np.dstack([picture, grey])),
        _written(tmp_path / "deep.png", picture.astype(np.uint16) * 257),  # type: ignore[arg-type]
        _written(tmp_path / "large.jpg", np.asarray(cv2.resize(picture, (2560, 1920)), np.uint8)),
    ]
    status, lines = read(capsys, *files)
    assert status == 0
    assert [line["card"] for line in lines] == ["Ts"] * 4


def test_the_style_is_passed_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], said: ScriptedNetworks
) -> None:
    said.said = heard("13", "s", "court")
    card = _written(tmp_path / "card.png", ten())
    assert read(capsys, "--style", "finnish", card)[1][0]["card"] == "Ks"
    assert "style" in read(capsys, "--style", "anglo", card)[1][0]["why"]


@pytest.mark.usefixtures("said")
def test_a_folder_that_is_no_deck_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--deck", str(tmp_path), "any.png"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "deck.json" in said.err


@pytest.mark.long
def test_ten_thousand_pictures_in_one_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], said: ScriptedNetworks
) -> None:
    tiny = _written(tmp_path / "tiny.png", np.zeros((8, 8, 3), np.uint8))
    status, lines = read(capsys, *[tiny] * 10_000)
    assert status == 0
    assert len(lines) == 10_000
    assert said.asked == 0


def test_a_reading_names_no_card_in_its_repr_and_its_evidence_is_small() -> None:
    reading = card_recognizer.CardRecognizer(ScriptedNetworks(TEN)).read(ten())
    assert reading.card is not None
    assert repr(reading) == "<frame reading>"
    assert reading.rectified is not None
    assert 1000 < len(evidence_jpeg(reading.rectified.image)) < 16_000
    nothing = card_recognizer.CardRecognizer(ScriptedNetworks(TEN)).read(felt(DARK))
    assert (nothing.card, nothing.rectified) == (None, None)
    assert evidence_jpeg(felt(DARK)).startswith(b"\xff\xd8")
