"""A printed code is read in its place alone, of its kinds alone, and must be in the book."""

from __future__ import annotations

from importlib import import_module

import cv2
import numpy as np
import pytest

from controller.devices.inputs import Doubt
from controller.rules.cards import card
from drivers.code_book import Code, PrintedCode
from drivers.vision import printed_code
from drivers.vision.calibrated.deck import CalibratedDeck
from drivers.vision.calibrated.kept_captures import DeckCapture
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from drivers.vision.printed_code import CodeArea, PrintedCodeError, PrintedCodeReader
from tests.drivers.vision.images import DARK, blank, felt, laid
from tests.drivers.vision.network_scores import ScriptedNetworks, heard

TOP = CodeArea(0.05, 0.02, 0.95, 0.3)
QUAD = np.array([[160, 30], [460, 34], [456, 456], [156, 452]], np.float32)


def coded(text: str, kind: str = "Code128", top: int = 20) -> Image:
    """A card with a code across its upper part."""
    zxing = import_module("zxingcpp")
    made = zxing.create_barcode(text, getattr(zxing.BarcodeFormat, kind))
    code = np.array(zxing.write_barcode_to_image(made, scale=2))[:80]
    card_ = image_of(cv2.resize(blank(), (420, 600)))
    at = (420 - code.shape[1]) // 2
    card_[top : top + code.shape[0], at : at + code.shape[1]] = code[:, :, None]
    return card_


def read(face: Image, kinds: tuple[str, ...] = ("C",), region: CodeArea = TOP) -> Code | Doubt:
    frame = laid(face, felt(DARK), QUAD)
    sheet = find_card(frame)
    assert isinstance(sheet, RectifiedCard)
    return PrintedCodeReader(PrintedCode(), kinds, region).read(frame, sheet)


def test_the_code_of_a_card_is_read() -> None:
    code_read = read(coded("THX"))
    assert isinstance(code_read, Code)
    assert code_read.kind is card("Th")
    code_read = read(coded("AS004217T"))
    assert isinstance(code_read, Code)
    assert (code_read.kind, code_read.serial) == (card("As"), "004217")


def test_each_decoder_reads_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_zxing", "_zbar"):
        with monkeypatch.context() as patched:
            patched.setattr(printed_code, name, lambda _kinds: None)
            code_read = read(coded("THX"))
            assert isinstance(code_read, Code), name


def test_a_code_elsewhere_on_the_card_is_not_looked_for() -> None:
    assert read(coded("THX"), region=CodeArea(0.05, 0.6, 0.95, 0.98)) is Doubt.NO_CODE


def test_a_kind_of_code_that_the_deck_has_not_is_not_read() -> None:
    assert read(coded("THX"), kinds=("Q",)) is Doubt.NO_CODE


def test_a_wrong_check_character_is_garbled() -> None:
    assert read(coded("THY")) is Doubt.GARBLED


def test_two_codes_are_a_conflict() -> None:
    face = coded("THX")
    face[110:190] = coded("9CE")[20:100]
    assert read(face) is Doubt.CONFLICT


def test_a_card_without_a_code_has_none() -> None:
    assert read(blank()) is Doubt.NO_CODE


def test_a_code_that_names_no_card_is_unknown() -> None:
    book = PrintedCode()
    assert isinstance(book.look_up("THX"), Code)
    assert read(coded("00X")) in (Doubt.UNKNOWN_CODE, Doubt.GARBLED)


def test_what_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PrintedCodeError, match="no camera reads 'E'"):
        PrintedCodeReader(PrintedCode(), ("E",), TOP)
    monkeypatch.setattr(printed_code, "_zxing", lambda _kinds: None)
    with pytest.raises(PrintedCodeError, match="zxing-cpp"):
        PrintedCodeReader(PrintedCode(), ("d",), TOP)
    with pytest.raises(ValueError, match="in this order"):
        CodeArea(0.5, 0, 0.4, 1)


def test_code_and_index_are_two_readers_of_one_card() -> None:
    face = coded("9CE")
    cv2.rectangle(face, (12, 130), (40, 170), (20, 20, 20), -1)  # the ink of an index
    frame = laid(face, felt(DARK), QUAD)
    sheet = find_card(frame)
    assert isinstance(sheet, RectifiedCard)
    nine, ten = (DeckCapture.of(card(code), sheet) for code in ("9c", "Tc"))
    codes = PrintedCodeReader(PrintedCode(), ("C",), TOP)
    index = ScriptedNetworks(heard("9", "c", "9"))
    reader = CardRecognizer(index, CalibratedDeck([nine], None, codes))
    assert reader.read(frame).card is nine.card
    index = ScriptedNetworks(heard("10", "c", "10"))
    reader = CardRecognizer(index, CalibratedDeck([ten], None))
    assert reader.read(frame).card is ten.card
    reader = CardRecognizer(index, CalibratedDeck([ten], None, codes))
    assert reader.read(frame).doubt is Doubt.CODE_DIFFERS
