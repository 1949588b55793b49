"""A prompt: the one next thing that the table waits for, as a value. Who does it, and which key."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from controller.devices.displays import Tone
from controller.rules.actions import Action
from controller.rules.messages import Amount, Message, message
from controller.rules.money import Odds

DEALER: Final = message("who-dealer")
FLOOR: Final = message("who-floor")
PIT_BOSS: Final = message("who-pit-boss")
PLAYERS: Final = message("who-players")


Detail: TypeAlias = Amount | Odds | Message


class Prompt(NamedTuple):
    """The one next thing, why, who has to do it, and the seat it is about (0: the dealer's).

    It leads with `lead`; `detail`, or what there is to choose from, stands out after it. `bonus`
    is announced.
    """

    tone: Tone
    lead: Message
    why: Message | None = None
    who: Message = DEALER
    seat: int | None = None
    detail: Detail | None = None
    choices: tuple[Action | Message, ...] = ()
    bonus: Message | None = None

    @property
    def headline(self) -> Message:
        """Lead and detail, or choices, in one line."""
        if self.choices:
            return message("lead-and-choices", lead=self.lead, choices=self.choices)
        if self.detail is not None:
            return message("lead-and-detail", lead=self.lead, detail=self.detail)
        return self.lead


def both(first: Message | None, second: Message) -> Message:
    """Two sentences, one after the other."""
    return second if first is None else message("sentences", first=first, second=second)


def touch(key: Message) -> Message:
    """The instruction to touch the key of that label, which must be there."""
    return message("touch-key", key=key)
