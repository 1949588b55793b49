"""The models of Stream Decks: their keys, and what they take and say. Pure.

Sources: Elgato, HID API (docs.elgato.com/streamdeck/hid): General Reference, Stream Deck Neo,
Stream Deck +, Module 6, Module 15 and 32; python-elgato-streamdeck and node-elgato-stream-deck,
which agree with it, of the first model, of the Mini and of the pedal. Two families: in the main one
a report 01 00 has the number of keys at 2 and their states from 4 on, a picture is sent in reports
02 07 of 1024 bytes (key, last or not, length, page), a JPEG, and feature report 03 08 is the
brightness. In the older one the states begin at 1, a picture is a BMP in reports 02 01 (page, last
or not, key from 1), and the brightness is feature report 05 55 AA D1 01. Not here: the Studio, of
whose pictures the two programs have another size each, and the + XL, which one alone has.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from drivers.panel.displays.key_pictures import KeyFace

_IMAGE_BYTES: Final = 1_024
_HEAD: Final = 8
_OLD_HEAD: Final = 16
#: Of the first model, which takes a picture in two halves.
_HALVES_BYTES: Final = 8_191
_FEATURE_BYTES: Final = 32
_OLD_FEATURE_BYTES: Final = 17
_STATES: Final = 4
_OLD_STATES: Final = 1


class DeckModel(NamedTuple):
    """How many keys a model has in a row and in all, and their pictures (None: it has none).

    `old`: of the older family. `mirrored`: it counts each row of keys from the right.
    """

    keys: int
    columns: int
    face: KeyFace | None
    old: bool = False
    mirrored: bool = False


_FIFTEEN: Final = DeckModel(15, 5, KeyFace(72))
_XL: Final = DeckModel(32, 8, KeyFace(96))
_MINI: Final = DeckModel(6, 3, KeyFace(80, "BMP", "transposed"), old=True)
#: By the USB product number. Not the sensors of a Neo, nor dials and touch strip of a +.
MODELS: Final = {
    0x0060: DeckModel(15, 5, KeyFace(72, "BMP"), old=True, mirrored=True),  # Original
    0x006D: _FIFTEEN,  # Original V2
    0x0080: _FIFTEEN,  # MK.2
    0x00A5: _FIFTEEN,  # MK.2 with scissor keys
    0x00B9: _FIFTEEN,  # Module 15
    0x006C: _XL,  # XL
    0x008F: _XL,  # XL V2
    0x00BA: _XL,  # Module 32
    0x0063: _MINI,  # Mini
    0x0090: _MINI,  # Mini MK.2
    0x00B3: _MINI,  # Mini, Discord edition
    0x00B8: _MINI,  # Module 6
    0x009A: DeckModel(8, 4, KeyFace(96)),  # Neo
    0x0084: DeckModel(8, 4, KeyFace(120, turn="upright")),  # +
    0x0086: DeckModel(3, 3, None),  # Pedal
}


def report_bytes(model: DeckModel) -> int:
    """How far apart reports are that are read together: the kernel hands on one at a time."""
    return _OLD_STATES + model.keys if model.old else 512


def states(model: DeckModel, report: bytes) -> list[bool] | None:
    """Which keys are down, from the top left; None of a report that says nothing of keys."""
    first = _OLD_STATES if model.old else _STATES
    if report[:1] != b"\x01" or len(report) < first + model.keys:
        return None
    if not model.old and report[1]:
        return None  # a dial, or the touch strip
    said = report[first : first + model.keys]
    return [bool(said[_there(model, key)]) for key in range(model.keys)]


def picture_reports(model: DeckModel, key: int, picture: bytes) -> list[bytes]:
    """The output reports that send a picture to a key, numbered from 0 at the top left."""
    if not model.old:
        size = _IMAGE_BYTES - _HEAD
        return [
            _page(bytes((2, 7, key, last)) + _word(len(page)) + _word(number), page, _IMAGE_BYTES)
            for number, page, last in _pages(picture, size)
        ]
    # The first model counts its two pages from 1, the others as many as there are from 0.
    size = (len(picture) + 1) // 2 if model.mirrored else _IMAGE_BYTES - _OLD_HEAD
    whole = _HALVES_BYTES if model.mirrored else _IMAGE_BYTES
    there = _there(model, key) + 1
    return [
        _page(
            (bytes((2, 1)) + _word(number + model.mirrored) + bytes((last, there))).ljust(
                _OLD_HEAD, b"\0"
            ),
            page, whole,
        )
        for number, page, last in _pages(picture, size)
    ]  # fmt: skip


def brightness(model: DeckModel, percent: int) -> bytes:
    """The feature report that sets how bright the keys are; empty where they do not shine."""
    if model.face is None:
        return b""
    if model.old:
        return bytes((5, 0x55, 0xAA, 0xD1, 1, percent)).ljust(_OLD_FEATURE_BYTES, b"\0")
    return bytes((3, 8, percent)).ljust(_FEATURE_BYTES, b"\0")


def _there(model: DeckModel, key: int) -> int:
    """A key's number as the deck has it."""
    if not model.mirrored:
        return key
    row, column = divmod(key, model.columns)
    return row * model.columns + model.columns - 1 - column


def _pages(picture: bytes, size: int) -> list[tuple[int, bytes, bool]]:
    """The pages of a picture: number, bytes, and whether it is the last."""
    starts = range(0, len(picture), size)
    return [
        (number, picture[at : at + size], number == len(starts) - 1)
        for number, at in enumerate(starts)
    ]


def _word(number: int) -> bytes:
    return number.to_bytes(2, "little")


def _page(head: bytes, page: bytes, whole: int) -> bytes:
    return (head + page).ljust(whole, b"\0")
