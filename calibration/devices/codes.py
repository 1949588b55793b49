"""An unknown code book, learned: one deck is scanned in a known order, then once more in any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import tomlkit
from tomlkit.items import KeyType, SingleKey

from calibration.devices.scans import Scan, ScanListener
from calibration.guide import Guide, NotGoodEnough, need, ready, yes
from calibration.measure import Measurement
from controller.devices.english import ENGLISH
from controller.devices.inputs import Doubt
from controller.rules.cards import Card, Pack
from drivers.code_book import SERIAL_DIGITS_MAX, torn_into_another

#: This many scans of one card may fail before the deck or the scanner is to blame.
TRIES: Final = 3
UNKNOWN_PERCENT: Final = 2


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
    async with scans.listening():
        await ready(guide, f"Sort one deck: {_order(kinds)}. {len(kinds)} cards")
        for nth, kind in enumerate(kinds, start=1):
            await _learn(guide, scans, book, kind, f"{nth} of {len(kinds)}: scan {kind.name}")
        await ready(guide, "All are learned. Shuffle the deck")
        measured = await _verify(guide, scans, book, kinds)
    need(guide, *measured)
    return book, measured


def _order(kinds: tuple[Card, ...]) -> str:
    return f"{kinds[0].name}, {kinds[1].name} and so on to {kinds[-1].name}"


async def _learn(
    guide: Guide, scans: ScanListener, book: LearnedCodeBook, kind: Card, text: str
) -> None:
    """Learn one card. One scan that failed costs itself, not the cards before it."""
    why = ""
    for _ in range(TRIES):
        scan = await guide.watch(text, scans.take(guide.hint))
        why = _unfit(scan, book, kind)
        if not why:
            assert isinstance(scan.text, str), "a doubt does not fit"
            book.kinds[book.key(scan.text)] = kind
            return
        guide.tell(f"Not taken: {why}")
    raise NotGoodEnough(why, since=text)


def _unfit(scan: Scan, book: LearnedCodeBook, kind: Card) -> str:
    """Why a scan cannot be the code of `kind`; empty where it can."""
    if isinstance(scan.text, Doubt):
        return (
            f"{kind.name}: {ENGLISH.say(scan.text.value)}. Check [scanner] against the scanner's"
            " manual (terminator, bits, AIM identifier), clean its glass"
        )
    if (other := book.kinds.get(book.key(scan.text))) is not None:
        return (
            f"{kind.name} has the same code as {other.name}: one of them was scanned twice, or "
            "the deck's codes end in a serial number (--serial-digits)"
        )
    if torn_into_another({**book.kinds, book.key(scan.text): kind}) is not None:
        return (
            f"{kind.name}: its code is the beginning or the end of another card's, or has one in"
            " it: a scan that loses a character could be the wrong card. Use a deck whose codes"
            " have one length"
        )
    return ""


async def _verify(
    guide: Guide, scans: ScanListener, book: LearnedCodeBook, kinds: tuple[Card, ...]
) -> list[Measurement]:
    """Each card once more in any order, until every one was read.

    A card that was read before is asked about: it was scanned twice, or another card reads as it.
    """
    read: Counter[Card] = Counter()
    misread: list[str] = []
    unknown = 0
    while len(read) < len(kinds) and not misread and unknown <= _unknown_most(kinds):
        text = f"{len(read) + 1} of {len(kinds)}: scan any card, each once"
        scan = await guide.watch(text, scans.take(guide.hint))
        kind = None if isinstance(scan.text, Doubt) else book.kinds.get(book.key(scan.text))
        if kind is None:
            unknown += 1
            guide.tell("That code is not in the book: scan that card once more")
        elif kind in read:
            if not await yes(guide, f"{kind.name} was read before. Is this the {kind.name}?"):
                misread.append(kind.name)
        else:
            read[kind] += 1
            guide.tell(kind.name)
    return verification(read, kinds, unknown, misread)


def _unknown_most(kinds: tuple[Card, ...]) -> int:
    """How many codes of a deck may need a second scan: 2 %."""
    return len(kinds) * UNKNOWN_PERCENT // 100


def verification(
    read: Mapping[Card, int], kinds: tuple[Card, ...], unknown: int, misread: Sequence[str]
) -> list[Measurement]:
    """What a pass over a deck that has each of `kinds` once says.

    `misread` are the cards that another card was read as.
    """
    missing = [kind.name for kind in kinds if not read.get(kind)]
    return [
        Measurement(
            "codes that were not known", unknown, "scans", at_most=_unknown_most(kinds),
            remedy="Clean the scanner's glass, check the deck, begin again",
        ),
        Measurement(
            "cards that were never read", len(missing), "cards", at_most=0,
            remedy=f"{', '.join(missing[:4])}: scan every card once",
        ),
        Measurement(
            "cards that were read as another", len(misread), "cards", at_most=0,
            remedy=f"another card was read as {', '.join(misread[:4])}: two cards have one code, or"
            " a code was garbled into another one's. Use codes with a check character",
        ),
    ]  # fmt: skip
