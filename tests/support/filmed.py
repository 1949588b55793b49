"""Tables whose cards a camera reads: what it saw of each card is a picture of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table.inputs import TableInput
from controller.table.roles import Person
from controller.table.views.replay import shown_pictures
from tests.support.dealt.days import CalendarPit
from tests.support.pit import Pit, PitAnswer, setup

CAMERA = "camera"
#: Blackjack for one player, in the order in which cards leave the shoe: the fourth lies face down.
CARDS = ("Th", "9c", "8d", "7s")
HIDDEN = "7s"
#: What the dealer draws at last: 21.
DRAWN = "5c"


def name_of(jpeg: bytes) -> str:
    """The name of a picture on record."""
    return sha256(jpeg).hexdigest()


class FilmedPit(CalendarPit):
    """A table of any game whose readings come with pictures; `moments` says after each input how
    many records there are, and the names of the pictures that the table itself shows then.
    """

    def __init__(self, name: str = "blackjack", seats: int = 5) -> None:
        self.moments: list[tuple[int, frozenset[str]]] = []
        self._taken = 0
        super().__init__(name, seats)

    def give(
        self,
        input_: TableInput,
        *,
        key: str = "",
        view_seq: int | None = None,
        by: tuple[Person, ...] = (),
    ) -> PitAnswer:
        if isinstance(input_, Reading):
            self._taken += 1
            input_ = replace(input_, evidence=b"picture %d" % self._taken)
        answer = super().give(input_, key=key, view_seq=view_seq, by=by)
        self.moments.append((len(self.records), shown_pictures(self.state)))
        return answer


class FilmedTable:
    """Blackjack with one player, card by card; `kept` are its pictures by their names."""

    def __init__(self, draw: Callable[[str], bytes] = lambda code: f"{code} as seen".encode()):
        self.pit = Pit(setup(1, "blackjack"))
        self._draw = draw
        self.kept: dict[str, bytes] = {}
        self.pit.shuffle()

    def name(self, code: str) -> str:
        """The name of the picture of a card."""
        return name_of(self._draw(code))

    def deal(self, *codes: str) -> None:
        """These cards leave the shoe before the camera; `?`: one that it cannot tell."""
        for code in codes:
            jpeg = self._draw(code)
            self.kept[name_of(jpeg)] = jpeg
            known = code != "?"
            self.pit.give(
                Reading(
                    CAMERA, Sealed(card(code)) if known else None,
                    None if known else Doubt.NO_CODE, apart=True, evidence=jpeg,
                )
            )  # fmt: skip

    def begin(self) -> None:
        """A round, as far as the player's turn: the dealer's second card lies face down."""
        self.pit.bet(1)
        self.pit.no_more_bets()
        self.deal(*CARDS)

    def turn(self) -> None:
        """The player stands, and the dealer's card is turned."""
        self.pit.press("stand")
        self.pit.press("next")

    def end(self) -> None:
        """The dealer draws to 21, and the chips are moved."""
        self.deal(DRAWN)
        self.pit.settle_all()

    def whole(self) -> None:
        """A round from its first card to its last chip."""
        self.begin()
        self.turn()
        self.end()

    def first_seq(self, number: int) -> int:
        """The record with which a round begins."""
        return next(
            each.seq for each in self.pit.records
            if getattr(each.fact, "wagers", None) and getattr(each.fact, "number", 0) == number
        )  # fmt: skip
