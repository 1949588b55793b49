"""What floor and dealer sign of the chips: counts of the rack, fills, boxes, what players buy.

They look at the table's own page of chips as people do, and sign one thing at a time between
rounds. They make people's mistakes: of some fills that were asked for a chip is missing though the
slip says the whole, and some never come.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from sim_hw.people.page_link import Link, NotReached
from sim_hw.people.shift_change import AGAIN_S, ShiftChange
from sim_hw.settings import Attendant
from sim_hw.table.display_reader import Command, Display
from sim_hw.table.rack import PhysicalRack, pieces_of
from sim_hw.table.round_report import minor_units
from sim_hw.table.world import World

#: Somebody counts, or two people sign.
SIGN_MS: Final = 6_000
#: A fill is on its way for so long; a rack is counted and rolled after so long. In people's time.
FILL_S: Final = 90.0
SHIFT_S: Final = 30 * 60.0
#: This often the page of chips is looked at.
LOOK_S: Final = 5.0
#: Of its float: with less a rack asks for chips, with more than `HIGH` it sends some back.
LOW: Final = 0.5
HIGH: Final = 2.0
#: How likely a chip of a fill is missing, and how likely one that was asked for never comes.
SHORT: Final = 1 / 4
NEVER: Final = 1 / 8


@dataclass(frozen=True, slots=True)
class _Coming:
    """A fill on its way; `at_s` by the clock that nobody sets, `missing` of what its slip says."""

    amount: int
    at_s: float
    missing: int = 0


class RackWork:
    """Keeps the account of the table's chips, where the table keeps one. `steady_s` is a clock that
    nobody sets. They sign while somebody is seated: the table knows by then who they are.
    """

    def __init__(
        self, world: World, link: Link, shift: ShiftChange,
        steady_s: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._world = world
        self._link = link
        self._shift = shift
        self._steady_s = steady_s
        self._chance = Random(f"{world.settings.seed}/rack")
        self._float = world.rack.worth if world.rack else 0
        self._coming: _Coming | None = None
        self._opened_s = steady_s()
        self._look_s = 0.0
        self._boxes = 0

    async def look(self, display: Display) -> bool:
        """Sign what is to be signed between two rounds, one thing; whether that took time."""
        rack, seated = self._world.rack, self._shift.seated
        if rack is None or seated is None or display.phase != "betting" or display.holds:
            return False
        if key := display.key("read_note"):
            await self._read(key.command, display, rack)
            return True
        if self._steady_s() < self._look_s:
            return False
        self._look_s = self._steady_s() + LOOK_S / self._world.speed
        shown = await self._link.chips()
        if shown is None or not shown["denominations"]:
            return False
        return await self._see_to(shown, rack, seated)

    async def _read(self, command: Command, display: Display, rack: PhysicalRack) -> None:
        """The dealer reads what the pit says; of a fill the cage knows, too."""
        await self._world.people_take(SIGN_MS)
        try:
            answer = await self._link.send(command)
        except NotReached as error:
            self._world.say(str(error))
            return
        amount = amount_in(display.note)
        if answer.accepted and amount and self._coming is None:
            self._on_its_way(amount, rack)

    def _on_its_way(self, amount: int, rack: PhysicalRack) -> None:
        if self._chance.random() < NEVER:
            self._world.say("Nobody brings the fill that was asked for.")
            return
        missing = rack.denominations[-2] if self._chance.random() < SHORT else 0
        at_s = self._steady_s() + FILL_S / self._world.speed
        self._coming = _Coming(amount, at_s, min(missing, amount))

    async def _see_to(self, shown: Any, rack: PhysicalRack, seated: Attendant) -> bool:
        """The first thing that waits."""
        if not shown["open"]:
            self._opened_s = self._steady_s()
            return await self._sign({"do": "open_rack", "chips": rack.count()}, seated)
        if not shown["box"]:
            return await self._sign({"do": "change_box", "box": self._next_box()}, seated)
        if self._coming is not None and self._steady_s() >= self._coming.at_s:
            return await self._filled(self._coming, rack, seated)
        if rack.bought:
            return await self._bought(rack, seated)
        to_count = [slip for each in shown["shifts"] for slip in each["slips"] if slip["to_count"]]
        for slip in to_count:
            if slip["box"] in rack.boxes:  # else it was taken before this world began
                amount = rack.boxes[slip["box"]]
                command = {"do": "count_box", "taken": slip["number"], "amount": amount}
                return await self._sign(command, seated)
        if rack.worth < LOW * self._float and self._coming is None:
            self._on_its_way(self._step(rack), rack)
        elif rack.worth > HIGH * self._float:
            return await self._sent_back(self._step(rack), rack, seated)
        if (self._steady_s() - self._opened_s) * self._world.speed >= SHIFT_S:
            return await self._rolled(shown["box"], rack, seated)
        return False

    def _step(self, rack: PhysicalRack) -> int:
        """What is brought or sent back at once: half the float, in whole chips."""
        chip = rack.denominations[-2]
        return max(chip, self._float // 2 // chip * chip)

    async def _filled(self, coming: _Coming, rack: PhysicalRack, seated: Attendant) -> bool:
        self._coming = None
        if not await self._moved("fill", coming.amount, rack, seated):
            return False
        rack.worth += coming.amount - coming.missing
        if coming.missing:
            self._world.say("A chip of the fill is missing, and nobody sees it.")
        return True

    async def _sent_back(self, amount: int, rack: PhysicalRack, seated: Attendant) -> bool:
        if not await self._moved("credit", amount, rack, seated):
            return False
        rack.worth -= amount
        return True

    async def _moved(self, kind: str, amount: int, rack: PhysicalRack, seated: Attendant) -> bool:
        chips = _some(amount, rack)
        slip = {"do": "sign_slip", "kind": kind, "amount": amount, "chips": chips}
        return await self._sign(slip, seated)

    async def _bought(self, rack: PhysicalRack, seated: Attendant) -> bool:
        one = rack.bought[0]
        chips = _some(one.amount, rack)
        slip = {"do": "buy_in", "amount": one.amount, "chips": chips, "seat": one.seat}
        if not await self._sign(slip, seated):
            return False
        rack.bought.pop(0)
        return True

    async def _rolled(self, box: str, rack: PhysicalRack, seated: Attendant) -> bool:
        """The rack is counted at the end of a shift, the box goes to the count."""
        command = {
            "do": "close_rack", "chips": rack.count(), "roll": True, "box": self._next_box(),
        }  # fmt: skip
        if not await self._sign(command, seated):
            return False
        rack.take_box(box)
        self._opened_s = self._steady_s()
        return True

    def _next_box(self) -> str:
        """A box that no other table has, nor this one lately."""
        self._boxes += 1
        return f"{self._chance.randrange(100, 1_000)}-{self._boxes}"

    async def _sign(self, command: Command, seated: Attendant) -> bool:
        """Floor and dealer sign; whether the table took it."""
        floor = next(each for each in self._world.settings.people if each.role == "floor")
        await self._world.people_take(SIGN_MS)
        people = [{"name": each.name, "pin": each.pin} for each in (floor, seated)]
        try:
            answer = await self._link.send({**command, "people": people})
        except NotReached as error:
            self._world.say(str(error))
            return False
        words = str(command["do"]).replace("_", " ")
        if answer.accepted:
            self._world.say(f"{floor.name} and {seated.name} sign: {words}.")
        else:
            self._world.say(f"Not signed, {words}: {answer.refused}.")
            self._look_s = self._steady_s() + AGAIN_S  # wrong PINs in a row lock people out
        return answer.accepted


def amount_in(note: str) -> int:
    """The amount in a message on the dealer's display, in minor units; 0: it names none."""
    words = (word.strip(":;") for word in note.split())
    return next((minor_units(word) or 0 for word in words if "." in word and minor_units(word)), 0)


def _some(amount: int, rack: PhysicalRack) -> list[dict[str, int]]:
    return [each for each in pieces_of(amount, rack.denominations) if each["pieces"]]
