"""When trouble by people fits what happens at the table, at which hand, and what is said (pure)."""

from __future__ import annotations

from typing import Final, NamedTuple

from controller.rules.actions import Action, Place
from sim_hw.people.trouble_plan import (
    CARD_WISH,
    CHANGED_MIND,
    EARLY_WISH,
    EXPOSED,
    LATE_CHIPS,
    PAY_WISH,
)
from sim_hw.table.display_reader import Display, HandShown, is_dealer
from sim_hw.table.felt import PhysicalFelt
from sim_hw.table.oracle import Announcement
from sim_hw.table.round_report import minor_units

#: What a player says then.
SAYS: Final = {
    EARLY_WISH: "My card, quick!",
    CARD_WISH: "One more card!",
    PAY_WISH: "I won, pay me!",
    LATE_CHIPS: "And these on top!",
    CHANGED_MIND: "Wait, let me think again!",
}
#: What happens where nobody says anything.
HAPPENS: Final = {
    EXPOSED: "A sleeve turned a hidden card over: all have seen it. It lies as before."
}
#: Choices that a player can take back: no card comes with them, and no chips.
_TAKEN_BACK: Final = (Action.STAND, Action.NO_CARD)


class SpokenWord(NamedTuple):
    """A player's word: the round, what was said, how many cards were out of the shoe then."""

    round: int
    said: Announcement
    gone: int

    def passed(self, display: Display, gone: int) -> Place | None:
        """Whose choice without a card that was, once the display goes on by it; else None.

        `gone` is how many cards are out of the shoe now.
        """
        if self.said.choice not in _TAKEN_BACK or self.round != display.round:
            return None
        goes_on = display.active is None or display.active.place != self.said.place
        unchanged = display.gone == gone == self.gone and display.phase == "round"
        return self.said.place if goes_on and unchanged else None


def place_of(kind: str, display: Display, felt: PhysicalFelt, passed: Place | None) -> Place | None:
    """The hand at which trouble of that kind fits what the display asks now; None: it does not.

    `passed` is whose choice has just been taken.
    """
    if kind == CHANGED_MIND:
        return passed
    if kind == EXPOSED:
        hidden = (each.place for each in felt.dealt if each.down)
        return next(hidden, None) if display.phase == "round" else None
    if kind == EARLY_WISH:
        bets = [seat for seat, each in felt.players.items() if each.entered]
        asks = display.phase == "betting" and display.key("close_bets") is not None
        return Place(bets[0]) if asks and bets else None
    if kind == LATE_CHIPS:
        others = (each.place for each in display.hands if not each.active and not each.settled)
        return next(others, None) if display.phase == "round" else None
    hand = _chips_to_move(display)
    if hand is None or (kind == PAY_WISH and (minor_units(hand.net) or 0) >= 0):
        return None
    return hand.place


class WishSaid(NamedTuple):
    """What a player has said, at which hand, and the headline of the display then."""

    kind: str
    place: Place
    headline: str

    def is_over(self, display: Display) -> bool:
        """Whether the display asks something else than what it asked then."""
        if display.holds:
            return False
        if self.kind == EARLY_WISH:
            return display.phase != "betting" or display.key("close_bets") is None
        if self.kind in (LATE_CHIPS, CHANGED_MIND):
            return display.headline != self.headline
        hand = _chips_to_move(display)
        return hand is None or hand.place != self.place


def _chips_to_move(display: Display) -> HandShown | None:
    """The player's hand whose chips are to move now."""
    hand = display.active
    return hand if hand and display.key("settle") and not is_dealer(hand.place) else None
