"""An unknown code book, learned: one deck is scanned in a known order, then once more in any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import tomlkit
from tomlkit.items import KeyType, SingleKey

from calibration.devices.scans import Scan, ScanListener
from calibration.guide import Guide, NotGoodEnough, need, ready
from calibration.measure import Measurement
from controller.devices.english import ENGLISH
from controller.devices.inputs import Doubt
from controller.rules.cards import Card, Pack
from drivers.code_book import SERIAL_DIGITS_MAX


class LearnedCodeBook:
    """The code book that was learned: the text of each card without its serial number."""

    def __init__(self, serial_digits: int) -> None:
        self.serial_digits = serial_digits
        self.kinds: dict[str, Card] = {}

    def key(self, text: str) -> str:
        """The part of a code that names the card. Raises `NotGoodEnough` for one that is short."""
        if len(text) <= self.serial_digits:
            raise NotGoodEnough(
                f"a code has {len(text)} characters, which leaves nothing beside a serial number "
                f"of {self.serial_digits}: give the right --serial-digits"
            )
        return text[: len(text) - self.serial_digits]

    def as_toml(self) -> str:
        """The code book as `drivers.code_book` reads it."""
        book = tomlkit.document()
        book.add(tomlkit.comment("Learned by `tablectl calibrate codes`."))
        if self.serial_digits:
            book.add("serial_digits", tomlkit.item(self.serial_digits))
        codes = tomlkit.table()
        for text, kind in self.kinds.items():
            codes.add(SingleKey(text, t=KeyType.Basic), kind.code)
        book.add("codes", codes)
        return tomlkit.dumps(book)


async def calibrate_codes(
    guide: Guide, scans: ScanListener, pack: Pack, serial_digits: int = 0
) -> tuple[LearnedCodeBook, list[Measurement]]:
    """Learn the codes of every card of `pack`, and verify them.

    Raises `NotGoodEnough`, `Abandoned`, `DeviceError`.
    """
    if not 0 <= serial_digits <= SERIAL_DIGITS_MAX:
        raise NotGoodEnough(f"--serial-digits: choose 0 to {SERIAL_DIGITS_MAX}")
    book = LearnedCodeBook(serial_digits)
    kinds = tuple(pack.kinds())
    with scans.listening():
        await ready(guide, f"Sort one deck: {_order(kinds)}. {len(kinds)} cards")
        for nth, kind in enumerate(kinds, start=1):
            scan = await guide.watch(f"{nth} of {len(kinds)}: scan {kind.name}", scans.take())
            _learn(book, kind, scan)
        await ready(guide, "All are learned. Shuffle the deck")
        measured = await _verify(guide, scans, book, kinds)
    need(guide, *measured)
    return book, measured


def _order(kinds: tuple[Card, ...]) -> str:
    return f"{kinds[0].name}, {kinds[1].name} and so on to {kinds[-1].name}"


def _learn(book: LearnedCodeBook, kind: Card, scan: Scan) -> None:
    if isinstance(scan.text, Doubt):
        raise NotGoodEnough(
            f"{kind.name}: {ENGLISH.say(scan.text.value)}. Check [scanner] against the scanner's"
            " manual (terminator, bits, AIM identifier), clean its glass"
        )
    key = book.key(scan.text)
    if (other := book.kinds.get(key)) is not None:
        raise NotGoodEnough(
            f"{kind.name} has the same code as {other.name}: one of them was scanned twice, or "
            "the deck's codes end in a serial number (--serial-digits)"
        )
    book.kinds[key] = kind


async def _verify(
    guide: Guide, scans: ScanListener, book: LearnedCodeBook, kinds: tuple[Card, ...]
) -> list[Measurement]:
    """Each card once more in any order: every one is read, none twice."""
    read: Counter[Card] = Counter()
    unknown = 0
    for nth in range(1, len(kinds) + 1):
        scan = await guide.watch(f"{nth} of {len(kinds)}: scan any card, each once", scans.take())
        kind = None if isinstance(scan.text, Doubt) else book.kinds.get(book.key(scan.text))
        if kind is None:
            unknown += 1
            guide.tell("That code is not in the book")
        else:
            read[kind] += 1
            guide.tell(kind.name)
    measured = verification(read, kinds, unknown)
    need(guide, *measured)
    return measured


def verification(
    read: Mapping[Card, int], kinds: tuple[Card, ...], unknown: int
) -> list[Measurement]:
    """What a pass over a deck that had each of `kinds` once says."""
    missing = [kind.name for kind in kinds if not read.get(kind)]
    double = [kind.name for kind, times in read.items() if times > 1]
    return [
        Measurement(
            "codes that were not known", unknown, "cards", at_most=0,
            remedy="Clean the scanner's glass, check the deck, begin again",
        ),
        Measurement(
            "cards that were never read", len(missing), "cards", at_most=0,
            remedy=f"{', '.join(missing[:4])}: scan every card once",
        ),
        Measurement(
            "cards that were read twice", len(double), "cards", at_most=0,
            remedy=f"{', '.join(double[:4])}: scan every card once; or two cards have one code",
        ),
    ]  # fmt: skip
