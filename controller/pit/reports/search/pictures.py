"""The pictures of the cards of an archived round, which its table keeps and is asked for.

The archive's records name each by the hash of its file, and say which may be shown. Nothing else
is asked for, and what comes is compared: neither table nor broker can pass another picture.
"""

from __future__ import annotations

import asyncio
import hashlib
from base64 import b64encode
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from msgspec import Struct

from controller.bus.messages import (
    MOST_PICTURES,
    BadMessage,
    CardPictures,
    PicturesRefused,
    PicturesRequest,
)
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.pit.line.questions import NoAnswer, NobodyThere, NotLet
from controller.pit.reports.search.round_steps import ArchivedRound

#: A table is asked for one round at a time; so long somebody waits for it in all.
WAIT_S: Final = 12.0
#: This many tables are asked at the same time.
MOST_ASKED: Final = 4
#: Of a round so many bytes of pictures are taken at most.
MOST_BYTES: Final = 8_000_000

AskPictures = Callable[[str, PicturesRequest], Awaitable[CardPictures | PicturesRefused]]
"""Asks a table. Raises `NobodyThere`, `NoAnswer`, `NotLet`, `BadMessage`."""


class PictureState(Enum):
    """What there is of a picture."""

    #: It is here, and the one on record.
    SHOWN = "shown"
    #: The table keeps it no longer.
    GONE = "gone"
    #: What came under its name is another file than the one on record.
    OTHER = "other"
    #: The table's own record does not let it be shown.
    HELD_BACK = "held_back"
    #: It did not come: `said` says why.
    NOT_HERE = "not_here"


class CardPictureView(Struct, frozen=True):
    """A picture by its name on record; `jpeg` in base64, empty unless it is shown."""

    name: str
    state: PictureState
    jpeg: str = ""


class RoundPictures(Struct, frozen=True):
    """What cameras saw of the cards of a round, of those that `pictures` of the round names.

    `said` is why some did not come; empty: each of them is settled.
    """

    table: str
    number: int
    said: str
    pictures: tuple[CardPictureView, ...]


async def no_pictures(table: str, request: PicturesRequest) -> CardPictures | PicturesRefused:
    """Of a pit that reaches no table. Raises `NobodyThere`."""
    raise NobodyThere


@dataclass(slots=True)
class _Come:
    """What has come of a round until now; `left` are those that nothing was said of."""

    left: list[str]
    found: dict[str, CardPictureView]
    bytes_left: int

    def take(self, answer: CardPictures) -> bool:
        """Take what a table says of those that are left; whether it said anything of them."""
        before = len(self.left)
        for each in answer.pictures:
            if each.name not in self.left:
                continue
            self.bytes_left -= len(each.jpeg)
            if self.bytes_left < 0:
                return False
            if hashlib.sha256(each.jpeg).hexdigest() == each.name:
                self._settle(each.name, PictureState.SHOWN, b64encode(each.jpeg).decode())
            else:
                self._settle(each.name, PictureState.OTHER)
        for names, state in (
            (answer.gone, PictureState.GONE), (answer.held_back, PictureState.HELD_BACK),
        ):  # fmt: skip
            for name in names:
                if name in self.left:
                    self._settle(name, state)
        return len(self.left) < before

    def _settle(self, name: str, state: PictureState, jpeg: str = "") -> None:
        self.left.remove(name)
        self.found[name] = CardPictureView(name, state, jpeg)


class TablePictures:
    """Asks tables by `ask`, each for one round at a time."""

    def __init__(self, ask: AskPictures) -> None:
        self._ask = ask
        #: By table: the archive's own names, of which there are only so many.
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._slots = asyncio.Semaphore(MOST_ASKED)

    async def of(self, round_: ArchivedRound) -> RoundPictures:
        """The pictures of a round; returns when all have come, or no more are to be had."""
        names = list(dict.fromkeys(each.name for each in round_.pictures))[:MOST_PICTURES]
        come = _Come(list(names), {}, MOST_BYTES)
        said = ""
        if names:
            try:
                async with asyncio.timeout(WAIT_S), self._turns[round_.table], self._slots:
                    said = await self._take_all(round_, come)
            except TimeoutError:
                said = f"{round_.table} did not answer in time: ask again"
        missing = {name: CardPictureView(name, PictureState.NOT_HERE) for name in come.left}
        found = come.found | missing
        return RoundPictures(
            round_.table, round_.number, said, tuple(found[name] for name in names)
        )

    async def _take_all(self, round_: ArchivedRound, come: _Come) -> str:
        """Ask until nothing is left; why something is, in words."""
        table = round_.table
        while come.left:
            request = PicturesRequest(round_.number, round_.first_seq, tuple(come.left))
            try:
                answer = await self._ask(table, request)
            except NobodyThere:
                return f"{table} is away, or its software gives no pictures"
            except NoAnswer:
                return f"{table} did not answer in time: ask again"
            except NotLet:
                return (
                    "The broker lets the pit ask for no pictures: write its configuration anew"
                    " (`tablectl broker`), and have the server read it"
                )
            except BadMessage:
                return f"{table} answered what is no answer: look at it"
            if isinstance(answer, PicturesRefused):
                return f"{table} gives no pictures of this round now: {answer.why}"
            if answer.table != table:
                return f"The answer is not that of {table}: look at it"
            if not come.take(answer):
                return f"{table} gave no more than these"
        return ""


def exchanged(round_: ArchivedRound, come: RoundPictures) -> ArchiveFinding | None:
    """What has to be looked into where a picture came that is not the one on record."""
    others = {each.name for each in come.pictures if each.state is PictureState.OTHER}
    if not others:
        return None
    seq = next(each.seq for each in round_.pictures if each.name in others)
    text = (
        f"what came as the picture of its card, in round {round_.number}, is not the file that this"
        " record names: whoever stands between table and pit has exchanged it, or the table gives"
        " what it has not recorded"
    )
    return ArchiveFinding(FindingKind.PICTURE, seq, text)


def words_of(round_: RoundPictures) -> str:
    """What somebody was shown, for the audit."""
    counts = dict.fromkeys(PictureState, 0)
    for each in round_.pictures:
        counts[each.state] += 1
    said = ", ".join(
        f"{count} {words}" for state, words in _AUDITED.items() if (count := counts[state])
    )
    return f"{round_.table}, round {round_.number}: {said or 'none is on record'}"


_AUDITED: Final = {
    PictureState.SHOWN: "shown", PictureState.GONE: "no longer kept",
    PictureState.OTHER: "not those on record", PictureState.HELD_BACK: "held back",
    PictureState.NOT_HERE: "did not come",
}  # fmt: skip
