"""The physical table in one place: shoe, exit, felt, people's hands and how long things take.

The way of a card: the scanner reads it, it breaks the beam, it clears the beam, a hand puts it on
the felt. `speed` shortens what people take; what devices need (bytes on the line, the beam, a
debounced press) stays as it is.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

from controller.rules.felt import DEALER_SEAT, Place
from controller.rules.money import amount_text
from sim_hw.board import Board
from sim_hw.changes import Changes
from sim_hw.faults import FaultKind, Faults
from sim_hw.felt import Felt, Player, name_of
from sim_hw.people import bets
from sim_hw.scanner import Scanner
from sim_hw.settings import Settings
from sim_hw.shoe import PhysicalCard, Shoe, ShoeError, ShoeState

SCANNER_LINK: Final = "scanner"
PINS_SOCKET: Final = "pins.sock"
LOG_LINES: Final = 12
BEAM_MS: Final = 12
SETTLE_MS: Final = 4
PUSHED_BACK_MS: Final = 150
PULL_MS: Final = 350
CARRY_MS: Final = 550
SHUFFLE_MS: Final = 6000
CUT_MS: Final = 2500
CHIPS_MS: Final = 250
FACE_DOWN: Final = "??"


class World:
    """One table, its cards and its people. `changes` tells whoever watches."""

    def __init__(self, settings: Settings, faults: Faults, changes: Changes) -> None:
        self.settings = settings
        self.speed = settings.speed
        self.changes = changes
        self.faults = faults
        self.scanner = Scanner(
            settings.rundir / SCANNER_LINK,
            baud=settings.baud,
            with_serial=settings.serial_numbers,
            seed=settings.seed,
        )
        self.board = Board(settings.wiring, changes.tell)
        self.shoe = Shoe(settings.game.pack, settings.seed)
        seats = range(1, settings.seats + 1)
        self.felt = Felt({seat: Player(seat, name_of(seat)) for seat in seats})
        self.round = 0
        self.playing = False
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self._drawn = 0
        self._hand: tuple[PhysicalCard, Place | None] | None = None
        self._exit = asyncio.Lock()
        self._exit_free_at_s = 0.0
        self._later: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Plug the scanner in and listen for the pins. Raises `OSError`."""
        self.settings.rundir.mkdir(mode=0o700, parents=True, exist_ok=True)
        socket = self.settings.rundir / PINS_SOCKET
        socket.unlink(missing_ok=True)  # left by a world that was killed
        await self.board.open(socket)
        self.scanner.plug()

    async def close(self) -> None:
        """Take everything away that `open` put there."""
        for task in self._later:
            task.cancel()
        await asyncio.gather(*self._later, return_exceptions=True)
        self.scanner.unplug()
        await self.board.close()
        (self.settings.rundir / PINS_SOCKET).unlink(missing_ok=True)

    def say(self, line: str) -> None:
        """A line for the log on the table's page. Never a card that lies face down."""
        self.log.append(line)
        self.changes.tell()

    async def people_take(self, ms: float) -> None:
        """Let so much of people's time go by, at the world's speed."""
        await asyncio.sleep(ms / 1000 / self.speed)

    # Between rounds

    async def load(self) -> None:
        """Shuffle a pack and load it, unless the one in the shoe is untouched."""
        if self.shoe.state is not ShoeState.LOADED:
            self.felt.clear_for_pack()
            self.shoe.load()
            self.say(f"Pack {self.shoe.number} is shuffled and loaded.")
            await self.people_take(SHUFFLE_MS)

    async def cut(self) -> None:
        """Cut the pack, once."""
        if self.shoe.state is ShoeState.LOADED:
            at = self.shoe.cut()
            self.say(f"The pack is cut after {at} cards.")
            await self.people_take(CUT_MS)

    def place_bets(self) -> None:
        """The players put their chips down for the round to come."""
        self.felt.collect()
        seats = range(1, self.settings.seats + 1)
        set_up = self.settings
        self.felt.bet(bets(set_up.seed, self.round + 1, seats, set_up.options, set_up.game))
        self.changes.tell()

    def begin_round(self) -> None:
        """Bets are closed."""
        self.round += 1
        self.playing = True
        self._drawn = 0
        self.say(f"Round {self.round}: no more bets.")

    def settle(self, seat: int, net: int) -> None:
        """The chips of a spot move by `net`, the player's gain; the bet is taken or given back."""
        player = self.felt.players[seat]
        player.bank += net
        player.bet = None
        if net:
            self.say(f"{player.name} {'wins' if net > 0 else 'loses'} {amount_text(abs(net))}.")

    def end_round(self) -> None:
        """The round is over; bets that still lie there go back."""
        self.playing = False
        for player in self.felt.players.values():
            player.bet = None
        self.changes.tell()

    async def refill(self) -> None:
        """The shoe ran out in mid-round: shuffle what lies beside the felt and put it in."""
        if not self.shoe.left:
            self.shoe.refill(self.felt.give_back(), len(self.felt.dealt))
            self.say("The discards are shuffled and in the shoe.")
            await self.people_take(SHUFFLE_MS)

    # The way of a card

    async def draw(self, to: Place | None) -> bool:
        """Take the next card through the exit to `to` (None: burn it); False if there is none."""
        async with self._exit:
            try:
                card = self.shoe.draw()
            except ShoeError as error:
                self.say(f"No card: {error}.")
                return False
            faults = []
            if self.playing:
                self._drawn += 1
            for fault in self.faults.take(self.round, self._drawn if self.playing else 0):
                faults.append(fault.kind)
                if fault.kind is FaultKind.UNPLUG:
                    self.unplug(fault.for_s)
            await self.people_take(PULL_MS)
            await self._through_exit(card, faults)
            self._hand = card, to
            self.changes.tell()
            await self.people_take(CARRY_MS)
            self._hand = None
            if to is None:
                self.felt.burned.append(card)
            else:
                self.felt.put(card, to)
            self.changes.tell()
            return True

    async def _through_exit(self, card: PhysicalCard, faults: list[FaultKind]) -> None:
        now_s = asyncio.get_running_loop().time
        await asyncio.sleep(max(0.0, self._exit_free_at_s - now_s()))
        if FaultKind.PUSH_BACK in faults:
            self.say("A card is pushed back into the shoe.")
            await self.scanner.scan(card)
            await asyncio.sleep(PUSHED_BACK_MS / 1000)
        if FaultKind.GARBAGE in faults:
            self.say("The scanner says rubbish.")
            await self.scanner.rubbish()
        elif FaultKind.MISS_CODE in faults:
            self.say("The scanner misses a card.")
        else:
            await self.scanner.scan(card, split=FaultKind.SPLIT in faults)
            if FaultKind.DOUBLE in faults:
                self.say("The scanner reads a card twice.")
                await self.scanner.scan(card)
        await asyncio.sleep(SETTLE_MS / 1000)
        self.board.beam(broken=True)
        await asyncio.sleep(BEAM_MS / 1000)
        self.board.beam(broken=False)
        self._exit_free_at_s = now_s() + self.settings.card_gap_ms / 1000

    # The plug

    def unplug(self, for_s: float | None = None) -> None:
        """Pull the scanner's plug; it is put back after `for_s`, or by hand if None."""
        self.scanner.unplug()
        self.say("The scanner's plug is out.")
        if for_s is not None:
            task = asyncio.get_running_loop().create_task(self._plug_later(for_s))
            self._later.add(task)
            task.add_done_callback(self._later.discard)

    def plug(self) -> None:
        """Put the scanner's plug back."""
        self.scanner.plug()
        self.say("The scanner is plugged in.")

    async def _plug_later(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        self.plug()

    # What a camera above the table would show

    def view(self) -> dict[str, Any]:
        """The table as it lies there; cards that lie face down by number only."""
        cards = {place: [each.code for each in kinds] for place, kinds in self.felt.hands().items()}
        shoe = self.shoe
        return {
            "game": self.settings.game.name,
            "title": self.settings.game.title,
            "seed": self.settings.seed,
            "speed": self.speed,
            "round": self.round,
            "scanner": {"plugged": self.scanner.plugged, "busy": self.scanner.busy},
            "buzzer": self.board.buzzing,
            "seats": [self._seat_view(each, cards) for each in self.felt.players.values()],
            "dealer_cards": cards.get(Place(DEALER_SEAT), []),
            "shoe": {
                "size": shoe.pack.size,
                "left": shoe.left,
                "cut": shoe.pack.size - self.settings.options.penetration_cards,
                "state": shoe.state.value,
                "number": shoe.number,
            },
            "discard": len(self.felt.discards) + len(self.felt.aside),
            "burned": len(self.felt.burned),
            "hand": self._hand_view(),
            "log": list(self.log),
            "rule": self.settings.game.shown_rule,
            "service_url": self.settings.service_url,
            "money": "minor units",
        }

    def _seat_view(self, player: Player, cards: dict[Place, list[str]]) -> dict[str, Any]:
        light = self.board.spot(player.seat)
        split = [
            codes for place, codes in cards.items() if place.seat == player.seat and place.hand > 1
        ]
        return {
            "seat": player.seat,
            "name": player.name,
            "bank": player.bank,
            "bet": player.bet,
            "cards": cards.get(Place(player.seat), []),
            "split": split[0] if split else [],
            "said": player.said,
            "light": {"red": light.red, "green": light.green, "blue": light.blue},
        }

    def _hand_view(self) -> dict[str, Any]:
        if self._hand is None:
            return {"card": None, "to": None}
        card, to = self._hand
        if to is None:
            return {"card": FACE_DOWN, "to": None}
        return {"card": card.kind.code, "to": to.seat}
