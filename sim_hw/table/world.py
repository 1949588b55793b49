"""The physical table in one place: shoe, exit, felt, people's hands and how long things take.

The way of a card: the scanner reads it, it breaks the beam, it clears the beam, a hand puts it on
the felt. `speed` shortens what people take; what devices need (bytes on the line, the beam, a
debounced press) stays as it is.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from controller.rules.actions import Place
from controller.rules.money import amount_text
from sim_hw.devices.faults import AnyFault, Fault, FaultKind, Faults
from sim_hw.devices.pins.pin_world import PinWorld
from sim_hw.devices.shoe import PhysicalCard, PhysicalShoe, ShoeError, ShoeState
from sim_hw.devices.spot_reader import SpotReader
from sim_hw.devices.wire.pn532 import Tag
from sim_hw.settings import Settings
from sim_hw.table.changes import Changes
from sim_hw.table.felt import BANK, FACE_DOWN, PhysicalFelt, Player, name_of
from sim_hw.table.rack import PhysicalRack
from sim_hw.table.reader import TableReader

if TYPE_CHECKING:  # it draws pictures: what that takes is loaded where there is a camera
    from sim_hw.devices.camera import Camera

PINS_SOCKET: Final = "pins.sock"
LOG_LINES: Final = 12
PUSHED_BACK_MS: Final = 150
BOUNCES: Final = 5
PULL_MS: Final = 350
CARRY_MS: Final = 550
SHUFFLE_MS: Final = 6000
CUT_MS: Final = 2500
CHIPS_MS: Final = 250
#: A rack begins with what so many players would have, where nobody keeps account of chips. Where
#: somebody does, a player has this part of it and buys more often.
FLOAT_BANKS: Final = 10
POCKETS: Final = 5
#: This long after it has gone the next card of the shoe comes to rest before the camera.
TO_REST_MS: Final = 80
#: What is shorter takes no time.
SHORTEST_S: Final = 0.0005
#: People make up for this much of the time the machine took; not for a wait for something else.
CATCH_UP_S: Final = 0.05


def spot_link(seat: int) -> str:
    """The name under which the reader of a spot appears in the world's folder."""
    return f"spot-{seat}"


def _nobody(_: list[Fault]) -> None:
    """A listener that does nothing."""


class World:
    """One table, its cards and its people. `changes` tells whoever watches.

    `cut_power` ends the service as a power cut does, where somebody can. `camera` looks at the
    exit, where the set-up has one.
    """

    def __init__(
        self,
        settings: Settings,
        faults: Faults,
        changes: Changes,
        cut_power: Callable[[], None] = lambda: None,
        camera: Camera | None = None,
    ) -> None:
        self.settings = settings
        self.reader = TableReader(settings, camera, self.say)
        self.camera = camera
        self.speed = settings.speed
        self.changes = changes
        self.faults = faults
        self.cut_power = cut_power
        self.spot_readers = [
            SpotReader(settings.rundir / spot_link(seat), partial(self._tags, seat))
            for seat in range(1, settings.seats + 1)
            if settings.bet_spots
        ]
        self.board = PinWorld(settings.wiring, changes.notify)
        self.shoe = PhysicalShoe(settings.game.pack, settings.seed)
        seats = range(1, settings.seats + 1)
        #: What a player brings, and buys who has nothing left.
        self._pocket = BANK // POCKETS if settings.chips else BANK
        players = {seat: Player(seat, name_of(seat), self._pocket) for seat in seats}
        self.felt = PhysicalFelt(players)
        #: Called with what goes wrong with a card, before it does.
        self.on_faults: Callable[[list[Fault]], None] = _nobody
        chips = settings.chips
        self.rack = PhysicalRack(chips, FLOAT_BANKS * BANK) if chips else None
        self.round = 0
        self.playing = False
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self._drawn = 0
        self.in_hand: tuple[str, Place | None] | None = None
        self._exit = asyncio.Lock()
        self._exit_free_at_s = 0.0
        self._people_done_s = 0.0

    async def open(self) -> None:
        """Plug the scanner in and listen for the pins. Raises `OSError`."""
        self.settings.rundir.mkdir(mode=0o700, parents=True, exist_ok=True)
        socket = self.settings.rundir / PINS_SOCKET
        socket.unlink(missing_ok=True)  # left by a world that was killed
        await self.board.open(socket)
        await self.reader.open()
        for each in self.spot_readers:
            each.plug()

    async def close(self) -> None:
        """Take everything away that `open` put there."""
        await self.reader.close()
        for each in self.spot_readers:
            each.unplug()
        await self.board.close()
        (self.settings.rundir / PINS_SOCKET).unlink(missing_ok=True)

    def _tags(self, seat: int) -> list[Tag]:
        """The tags on a spot: one for the chips of each hand, and for those beside them."""
        player = self.felt.players[seat]
        beside = ((hand, 1) for hand in player.doubled)
        lying = sorted([*((hand, 0) for hand in player.bets), *beside])
        return [Tag(bytes((0x04, seat, hand, nth, 0, 0, 0))) for hand, nth in lying]

    def say(self, line: str) -> None:
        """A line for the log on the table's page. Never a card that lies face down."""
        self.log.append(line)
        self.changes.notify()

    async def people_take(self, ms: float) -> None:
        """Let that much of people's time go by, at the world's speed.

        What the machine took since the last time counts, so that the speed is what was asked.
        """
        now_s = asyncio.get_running_loop().time()
        done_s = max(self._people_done_s, now_s - CATCH_UP_S) + ms / 1000 / self.speed
        self._people_done_s = done_s
        # A sleep takes a millisecond at the least: at full speed people take no time at all.
        await asyncio.sleep(done_s - now_s if done_s - now_s >= SHORTEST_S else 0)

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
            self._to_rest()
            self.say(f"The pack is cut after {at} cards.")
            await self.people_take(CUT_MS)

    def place_bets(self, bets: Mapping[int, int], *, card_ready: bool = False) -> None:
        """The players put their chips down (by seat, in minor units); who has none buys some.

        `card_ready`: a card lies ready for the next round.
        """
        self.felt.collect(card_ready=card_ready)
        for player in self.felt.players.values():
            while player.bank <= 0:
                player.bank += self._pocket
                if self.rack is not None:
                    self.rack.sell(player.seat, self._pocket)
                self.say(f"{player.name} buys chips.")
        self.felt.bet(bets)
        self.changes.notify()

    def begin_round(self) -> None:
        """Bets are closed; where players play for a pot, the antes go into it and the deal passes.

        The seat on the last dealer's left deals, of those who play; the last one deals first.
        """
        self.round += 1
        self.playing = True
        self._drawn = 0
        felt = self.felt
        if self.settings.game.vying:
            antes = {seat: each.bet for seat, each in felt.players.items() if each.bet is not None}
            for seat, ante in antes.items():
                felt.players[seat].put_down(None)
                felt.stake(seat, ante)
            after = [seat for seat in antes if seat > felt.button]
            felt.button = min(after or antes) if felt.button else max(antes)
        self.say(f"Round {self.round}: no more bets.")

    def settle(self, place: Place, net: int) -> None:
        """The chips of a hand move by `net`, the player's gain; the bet is taken or given back."""
        player = self.felt.players[place.seat]
        player.bank += net
        if self.rack is not None:
            self.rack.pay(net)
        player.take_up(place.hand)
        if self.felt.pot and net + player.staked > 0:
            self.felt.pot -= net + player.staked
        if net:
            self.say(f"{player.name} {'wins' if net > 0 else 'loses'} {amount_text(abs(net))}.")

    def end_round(self) -> None:
        """The round is over; bets that still lie there go back, and what is left in the pot."""
        self.playing = False
        self.felt.pot = 0
        for player in self.felt.players.values():
            player.put_down(None)
        self.changes.notify()

    async def refill(self) -> None:
        """The shoe ran out in mid-round: shuffle what lies beside the felt and put it in."""
        if not self.shoe.left:
            self.shoe.refill(self.felt.give_back(), len(self.felt.dealt))
            self._to_rest()
            self.say("The discards are shuffled and in the shoe.")
            await self.people_take(SHUFFLE_MS)

    # The way of a card

    async def draw(self, to: Place | None, *, down: bool = False) -> bool:
        """Take the next card through the exit to `to`, face up or down (None: burn it).

        False if there is none.
        """
        async with self._exit:
            try:
                card = self.shoe.draw()
            except ShoeError as error:
                self.say(f"No card: {error}.")
                return False
            if self.playing:
                self._drawn += 1
            taken = self.faults.take(self.round, self._drawn if self.playing else 0)
            faults = {fault.kind: fault.for_s for fault in taken}
            self.on_faults(taken)
            if FaultKind.UNPLUG in faults:
                self.reader.unplug(faults[FaultKind.UNPLUG])
            if FaultKind.WRONG_RATE in faults:
                self.say("The scanner talks at a wrong rate.")
                self.reader.scanner.talk_at_wrong_rate(faults[FaultKind.WRONG_RATE])
            if FaultKind.POWER_CUT in faults:
                self.say("The service has no power.")
                self.cut_power()
            if FaultKind.BOUNCE in faults:
                self.board.bounces = BOUNCES
            if FaultKind.LEAN in faults:
                self.say("A hand leans on all the buttons.")
                await self.board.lean()
            await self.people_take(PULL_MS)
            await self._through_exit(card, faults)
            self.in_hand = FACE_DOWN if down or to is None else card.kind.code, to
            self.changes.notify()
            await self.people_take(CARRY_MS)
            self.in_hand = None
            if to is None:
                self.felt.burned.append(card)
            else:
                self.felt.put(card, to, down=down)
            self.changes.notify()
            return True

    async def _through_exit(self, card: PhysicalCard, faults: Mapping[AnyFault, float]) -> None:
        """The way of a card past scanner and beam; `faults` with how long they last, in seconds."""
        now_s = asyncio.get_running_loop().time
        await asyncio.sleep(max(0.0, self._exit_free_at_s - now_s()))
        if FaultKind.PUSH_BACK in faults:
            self.say("A card is pushed back into the shoe.")
            await self.reader.scanner.scan(card)
            await asyncio.sleep(PUSHED_BACK_MS / 1000)
        by_beam = self.settings.beam_triggers
        if by_beam:
            self.board.beam(broken=True)
            await self.reader.scanner.reading_enabled()
        if self.settings.reader.scanner:
            await self.reader.read(card, faults, self.shoe.front)
            await asyncio.sleep(self.settings.settle_ms / 1000)
        if not by_beam:
            self.board.beam(broken=True)
        if self.camera is None:
            await asyncio.sleep(self.settings.beam_ms / 1000)
        else:
            self.camera.pull(card, self.shoe.front, faults, self.say)
            await self.camera.slid()
        if FaultKind.BEAM_STUCK in faults:
            self.say("A card is stuck in the exit.")
            await asyncio.sleep(faults[FaultKind.BEAM_STUCK])
        self.board.beam(broken=False)
        self._exit_free_at_s = now_s() + self.settings.card_gap_ms / 1000
        if self.camera is not None:
            # The card that is next now: a hand may have it before it has come to rest.
            later = asyncio.get_running_loop().call_later
            later(TO_REST_MS / 1000, self.camera.lay, self.shoe.front)

    @property
    def drawing(self) -> bool:
        """Whether a card is on its way from the shoe to the felt."""
        return self._exit.locked()

    def _to_rest(self) -> None:
        """The next card of the shoe lies before the camera, as it does in many a shoe."""
        if self.camera is not None:
            self.camera.lay(self.shoe.front)
