"""From a scanned text to a card, without ever telling the text."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.inputs import Doubt
from controller.rules.cards import Card, Pack, card
from drivers.code_book import (
    PRINTED_CODE,
    Code,
    CodeBook,
    CodeBookError,
    PrintedCode,
    check_character,
    code_book,
)
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.framing import ScanDecoder

SIX_DECKS = Pack(6, 2)
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def known(got: Code | Doubt) -> tuple[str, str]:
    assert isinstance(got, Code)
    assert got.kind is not None
    return got.kind.code, got.serial


# The printed code


@pytest.mark.parametrize(
    ("text", "check"),
    [
        # Published identifiers with ISO/IEC 7064 MOD 37,36: the example of the GRid standard, and
        # an ISAN with its two check characters.
        ("A12425GABC1234002", "M"),
        ("0000000189470000", "8"),
        ("000000018947000000000000", "D"),
    ],
)
def test_check_characters_are_those_of_the_standard(text: str, check: str) -> None:
    assert check_character(text) == check


@pytest.mark.parametrize(
    ("text", "kind", "serial"),
    [
        ("THX", "Th", ""),
        ("9CE", "9c", ""),
        ("JOO", "Jo", ""),
        ("TH000123I", "Th", "000123"),
        ("AS004217T", "As", "004217"),
    ],
)
def test_printed_codes_of_the_readme(text: str, kind: str, serial: str) -> None:
    assert known(PrintedCode().look_up(text)) == (kind, serial)


@pytest.mark.parametrize(
    "text", ["", "T", "TH", "THY", "thx", "HTX", "TH0X", "TH000124I", "]C0THX"]
)
def test_a_wrong_check_is_garbled(text: str) -> None:
    assert PrintedCode().look_up(text) is Doubt.GARBLED


@pytest.mark.parametrize("body", ["XX", "T", "TH1", "TH12345", "TH1234567", "TH12345A", "JO12"])
def test_what_is_right_by_its_check_but_no_card_is_unknown(body: str) -> None:
    got = PrintedCode().look_up(body + check_character(body))
    assert isinstance(got, Code)
    assert got.kind is None


@given(
    kind=st.sampled_from(list(SIX_DECKS.kinds())),
    serial=st.one_of(st.just(""), st.from_regex(r"[0-9]{6}", fullmatch=True)),
    at=st.integers(0, 8),
    other=st.sampled_from(LETTERS),
)
def test_one_wrong_character_is_always_found(kind: Card, serial: str, at: int, other: str) -> None:
    body = kind.code.upper() + serial
    text = body + check_character(body)
    assert known(PrintedCode().look_up(text)) == (kind.code, serial)
    at %= len(text)
    wrong = text[:at] + other + text[at + 1 :]
    if wrong != text:
        assert PrintedCode().look_up(wrong) is Doubt.GARBLED


# Code books from a file


def book_file(folder: Path, head: str = "", skip: str = "", **more: str) -> Path:
    lines = [
        f'"{number:04}" = "{kind.code}"'
        for number, kind in enumerate(SIX_DECKS.kinds())
        if kind.code != skip
    ]
    lines += [f'"{text}" = {value}' for text, value in more.items()]
    path = folder / "codes.toml"
    path.write_text("\n".join([head, "[codes]", *lines]))
    return path


def test_a_code_that_is_torn_into_another_of_the_same_card_is_no_harm(tmp_path: Path) -> None:
    first = next(iter(SIX_DECKS.kinds()))
    book = code_book(book_file(tmp_path, A0000=f'"{first.code}"'), SIX_DECKS)
    assert known(book.look_up("A0000")) == known(book.look_up("0000")) == (first.code, "")


def test_a_book_tells_its_cards(tmp_path: Path) -> None:
    book = code_book(book_file(tmp_path, X900='"Th"'), SIX_DECKS)
    assert known(book.look_up("0000")) == ("Ac", "")
    assert known(book.look_up("X900")) == ("Th", "")
    unknown = book.look_up("0099")
    assert isinstance(unknown, Code)
    assert unknown.kind is None


def test_the_last_characters_may_be_the_cards_serial_number(tmp_path: Path) -> None:
    book = code_book(book_file(tmp_path, "serial_digits = 6"), SIX_DECKS)
    assert known(book.look_up("0000123456")) == ("Ac", "123456")
    assert book.look_up("123456") is Doubt.GARBLED


@pytest.mark.parametrize("head", ["", "serial_digits = 6"])
def test_a_book_may_know_the_cut_card(tmp_path: Path, head: str) -> None:
    book = code_book(book_file(tmp_path, head, CUT1='"cut"'), SIX_DECKS)
    found = book.look_up("CUT1")
    assert isinstance(found, Code)
    assert (found.kind, found.cut) == (None, True)
    card_found = book.look_up("0000123456" if head else "0000")
    assert isinstance(card_found, Code)
    assert not card_found.cut


@pytest.mark.parametrize(
    ("head", "skip", "more", "says"),
    [
        ("", "Th", {}, "no code for Ten of hearts: add one"),
        ("", "", {"X1": '"Xx"'}, "'Xx' is no card"),
        ("", "", {"X1": "7"}, 'write it as in "X1" = "Th"'),
        ("", "", {"0000": '"Th"'}, "every code stands once"),
        ("", "", {"\u00e4": '"Th"'}, "printable ASCII"),
        ("", "", {"": '"Th"'}, "printable ASCII"),
        ("", "", {"\u00e4": '"cut"'}, "printable ASCII"),
        ("serial_digits = 2", "", {"000055": '"cut"'}, "is a card's too"),
        ("", "", {"10003": '"Th"'}, "'0003' is the beginning or the end of '10003'"),
        ("", "", {"00031": '"Th"'}, "another card"),
        ("serial_digits = 6", "", {"003": '"Th"'}, "'003' is the beginning or the end of '0003'"),
        ("", "", {"03": '"cut"'}, "Give all codes one length"),
        ("digits = 6", "", {}, "unknown key 'digits'"),
        ("serial_digits = 99", "", {}, "choose 0 to 32"),
        ("serial_digits = true", "", {}, "choose 0 to 32"),
        ("[", "", {}, "is not TOML"),
    ],
)
def test_a_book_that_cannot_be_used_says_what_to_change(
    tmp_path: Path, head: str, skip: str, more: dict[str, str], says: str
) -> None:
    with pytest.raises(CodeBookError) as refused:
        code_book(book_file(tmp_path, head, skip, **more), SIX_DECKS)
    assert says in str(refused.value)
    assert "codes.toml" in str(refused.value)


def test_a_book_without_codes_or_without_a_file_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    with pytest.raises(CodeBookError, match=r"no \[codes\] table"):
        code_book(empty, SIX_DECKS)
    with pytest.raises(CodeBookError, match='"tablectl-1"'):
        code_book(tmp_path / "none.toml", SIX_DECKS)
    vast = tmp_path / "vast.toml"
    vast.write_bytes(b"#" * 1_000_001)
    with pytest.raises(CodeBookError, match="larger than"):
        code_book(vast, SIX_DECKS)
    not_text = tmp_path / "bytes.toml"
    not_text.write_bytes(b"\xff")
    with pytest.raises(CodeBookError, match="is not TOML"):
        code_book(not_text, SIX_DECKS)
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    with pytest.raises(CodeBookError, match="no regular file"):
        code_book(pipe, SIX_DECKS)


def test_the_printed_code_needs_no_file() -> None:
    assert known(code_book(PRINTED_CODE, SIX_DECKS).look_up("THX")) == ("Th", "")


# AIM identifiers


def decoder(aim: str, *symbologies: str, book: CodeBook | None = None) -> ScanDecoder:
    settings = ScannerSettings(
        Path("-"), aim="required" if aim else "absent", symbologies=symbologies or ("C",)
    )
    return ScanDecoder(settings, book or PrintedCode())


def test_the_identifier_is_taken_off_and_its_kind_must_be_allowed() -> None:
    decode = decoder("required", "C", "Q").decode
    assert known(decode(b"]C0THX")) == ("Th", "")
    assert known(decode(b"]Q1THX")) == ("Th", "")
    assert decode(b"]d1THX") is Doubt.WRONG_SYMBOLOGY
    assert decode(b"THX") is Doubt.WRONG_SYMBOLOGY
    assert decode(b"]C") is Doubt.WRONG_SYMBOLOGY
    assert decode(b"]C0THY") is Doubt.GARBLED
    assert decode(Doubt.TOO_LONG) is Doubt.TOO_LONG


def test_an_identifier_that_nobody_announced_is_garbled() -> None:
    assert decoder("").decode(b"]C0THX") is Doubt.GARBLED


# Secrecy


def test_a_code_never_shows_what_it_is() -> None:
    secret = Code("TH000123I", card("Th"), "000123")
    for shown in (repr(secret), str(secret), f"{secret}", repr([secret])):
        assert "TH" not in shown
        assert "123" not in shown
