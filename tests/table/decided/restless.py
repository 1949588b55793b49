"""A table at which anything is asked at any moment, by whoever may and whoever may not.

Whatever is refused is on record like what is done. Everything comes from one seed: the same inputs
each time, as long as the table decides the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from controller.devices.inputs import (
    Button,
    Condition,
    Doubt,
    Health,
    Press,
    Reading,
    SpotChips,
    SpotSensed,
)
from controller.rules.actions import Action
from controller.rules.games.registry import GAMES
from controller.rules.script.steps import Deal, Peek, Reveal
from controller.rules.sealed import Sealed
from controller.service.timekeeping.calendar import Calendar
from controller.table import inputs as i
from controller.table.decide.decide import decide
from controller.table.inputs import WindowTimes
from controller.table.inputs.money import ChipCount, Moved
from controller.table.inputs.pit import PIT_ACTS
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.irregularities.procedures import PROFILES
from controller.table.queries.available import callable_now, open_resolutions
from controller.table.queries.device_failures import no_card_can_be_read
from controller.table.roles import Person, PersonId, Role, pit_person
from controller.table.state.phases import Phase
from controller.table.views.english import say
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import HELSINKI
from tests.support.dealt.journals import QuickPit
from tests.support.pit import SCANNER, PitAnswer, setup
from tests.table.money.cage import AINO, BOTH, DENOMINATIONS, FIA, chips

SEATS: Final = 5
SPOTS: Final = "bet_spots"
BO: Final = Person(PersonId("0f1e2d3c"), Role.DEALER)
PLAYERS: Final = ("srv-1", "srv-2", "srv-3")


class OpenPit(QuickPit):
    """A table with a calendar, whose inputs may come late or for a player."""

    calendar = Calendar(HELSINKI)

    def give(
        self,
        input_: i.TableInput,
        *,
        key: str = "",
        view_seq: int | None = None,
        by: tuple[Person, ...] = (),
    ) -> PitAnswer:
        self._now_ms += 1_000
        self._inputs += 1
        before = self._state
        today = self.calendar.today(self._now_ms, before.day if before else None, synchronised=True)
        mono_ns = self._now_ms * 1_000_000
        stamp = i.Stamp(
            self._now_ms, mono_ns, f"test:{self._inputs}", self._inputs.to_bytes(16, "big"),
            view_seq, by, today, mono_ns - self._waited_ms * 1_000_000, self.player,
        )  # fmt: skip
        decision = decide(before, input_, stamp)
        self.records += decision.records
        self._state = decision.state
        refused = say(decision.refused, decision.state.words)
        self.last = PitAnswer(decision.records, refused, decision.seq, decision.refused)
        return self.last

    @property
    def now_ms(self) -> int:
        """The wall clock."""
        return self._now_ms

    def leap(self, to_ms: int) -> None:
        """The wall clock, and with it the other, goes on to that time."""
        self._now_ms = max(self._now_ms, to_ms)


def house(name: str, mixed: Random) -> i.Setup:
    """A house that keeps account of everything; what it may choose is drawn."""
    vying = GAMES[name].vying
    times = WindowTimes(
        bets_ms=mixed.choice((0, 40_000)), last_call_ms=5_000, decision_ms=20_000,
        insurance_ms=10_000, opened_by_dealer=mixed.random() < 0.5,
        card_closes=mixed.random() < 0.5, no_answer=mixed.choice(((), GAMES[name].no_answer)),
    )  # fmt: skip
    short = {} if vying else {"penetration_cards": 40, "burn_on_dealer_change": 2}
    return replace(
        setup(SEATS, name, **short),
        procedures=mixed.choice(sorted(PROFILES)), chips=DENOMINATIONS, buy_ins=True,
        blind_counts=mixed.random() < 0.5, pit_acts=PIT_ACTS, roles=mixed.random() < 0.3,
        reconcile="off" if vying else mixed.choice(("off", "count")),
        windows=mixed.choice((None, times)), draw_means_hit=mixed.random() < 0.7,
    )  # fmt: skip


class Restless(Croupier):
    """Goes on with the game, or asks for anything: more of it at every other seed."""

    def __init__(self, name: str, seed: int) -> None:
        mixed = Random(seed)
        self.often: Final = (0.4, 0.15)[seed % 2]
        super().__init__(OpenPit(house(name, mixed)), mixed, serials=mixed.random() < 0.7)
        if mixed.random() < 0.7:
            self.pit.give(i.OpenRack(chips(10, 10, 10)), by=BOTH)
            self.pit.give(i.ChangeBox("A7"), by=BOTH)
        self.anything: Final[tuple[Callable[[], object], ...]] = (
            self.of_the_rack, self.of_the_rack, self.of_seats, self.of_bets, self.of_bets,
            self.of_people, self.of_the_pit, self.of_devices, self.of_a_card, self.of_rounds,
            self.of_time,
        )  # fmt: skip

    def move(self) -> None:
        """One thing more."""
        if self.mixed.random() < self.often:
            self.mixed.choice(self.anything)()
        else:
            self.go_on()

    def give(self, command: i.TableInput, *by: Person) -> PitAnswer:
        """Ask for it, most times by who may, at times late or for a player."""
        pit, mixed = self.pit, self.mixed
        pit.player = mixed.choice(PLAYERS) if mixed.random() < 0.05 else ""
        signed = by if mixed.random() < 0.9 else mixed.choice(((), (AINO,), (FIA,), (AINO, BO)))
        late_ms = mixed.choice((0, 0, 0, 700))
        pit._waited_ms = late_ms
        answer = pit.give(command, by=signed)
        pit.player, pit._waited_ms = "", 0
        return answer

    # -- the game goes on --

    def go_on(self) -> None:
        """What is next at the table, whoever is to do it."""
        pit, state, step = self.pit, self.pit.state, self.pit.state.step
        if no_card_can_be_read(state) and self.mixed.random() < 0.5:
            pit.scanner_up()
        elif state.pit.closed and self.mixed.random() < 0.5:
            self.by_the_pit(i.OpenTable())
        elif state.holds:
            self.settle_a_hold()
        elif state.phase is Phase.SHUFFLE:
            self.shuffle()
        elif state.phase is Phase.BETTING:
            for seat in range(1, state.game.seats.start + self.mixed.randint(0, 2)):
                self.give(i.PlaceWager(min(seat, SEATS), 1_000))
            pit.press("next")
            pit.press("next")
        elif state.phase is Phase.BURN or isinstance(step, Deal):
            self.draw()
        elif step is None or state.aftermath.kept_cards:
            pit.press("next")
        elif isinstance(step, Reveal):
            self.turn(step)
        elif isinstance(step, Peek):
            pit.give(i.ReportPeek(self.mixed.random() < 0.3))
        else:
            self.answer(step)

    def shuffle(self) -> None:
        """Another pack, which people may count; the shoe before it may be added up."""
        pit, mixed = self.pit, self.mixed
        kinds = pit.state.game.pack.cards()
        if pit.state.shoe.number and mixed.random() < 0.7:
            self.give(i.CloseShoe(pit.state.shoe.left + mixed.choice((0, 0, 1))))
        if len(kinds) < 60 and mixed.random() < 0.5:
            self.give(i.ScanPack())
            mixed.shuffle(kinds)
            for each in kinds[mixed.choice((0, 0, 0, 1)) :]:
                pit.give(
                    Reading(SCANNER, Sealed(each, str(self.mixed.randrange(10**6))), apart=True)
                )
        self.give(i.LoadPack(counted=mixed.choice((None, len(kinds), len(kinds) - 1))))
        pit.press("next")

    def draw(self) -> None:
        """A card leaves the shoe: read, or not, or beside the beam."""
        mixed = self.mixed
        doubt = mixed.choice((Doubt.GARBLED, Doubt.NO_CODE, Doubt.TOO_CLOSE, Doubt.CONFLICT))
        state = self.pit.state
        kind = mixed.choice(tuple(state.shoe.pack.kinds()))
        if mixed.random() < 0.1:
            self.pit.give(Reading(SCANNER, None, doubt, apart=mixed.random() < 0.5))
            return
        serial = f"{mixed.randrange(600):06}" if self.serials else ""
        self.pit.give(Reading(SCANNER, Sealed(kind, serial), apart=mixed.random() < 0.9))

    def turn(self, step: Reveal) -> None:
        seat, hand = step.hand.place
        known = step.card.known and self.mixed.random() < 0.9
        command = i.TurnCard(seat, hand, None if known else self.any_card())
        self.pit.give(command)
        if not known:
            self.pit.give(command)

    def any_card(self) -> str:
        return self.mixed.choice(tuple(self.pit.state.game.pack.kinds())).code

    def settle_a_hold(self) -> None:
        """Any open way of any hold; what it needs besides is said, at times wrongly."""
        pit, mixed, state = self.pit, self.mixed, self.pit.state
        hold = mixed.choice(state.holds)
        ways = open_resolutions(state, hold)
        if not ways:
            return
        way = mixed.choice(ways)
        shown = state.cards_shown + mixed.choice((0, 0, 0, 1))
        command = i.Resolve(
            hold.number, way, reason="seen", seat=mixed.randint(1, SEATS), cards=shown
        )
        if way in (Resolution.ENTER_CARD, Resolution.CORRECT):
            command = replace(command, card=self.any_card())
        signed = (FIA,) if way is not Resolution.NEW_SHOE else (FIA, BO)
        self.give(command, *signed)
        if command.card and mixed.random() < 0.9:
            pit.give(command, by=signed)
        if mixed.random() < 0.2:
            self.give(i.Undo(hold.number, "mistaken"), FIA)

    # -- anything --

    def of_the_rack(self) -> None:
        """Counts, slips and drop boxes; any slip is counted, or made void."""
        mixed = self.mixed
        few = [mixed.randint(10, 12) for _ in DENOMINATIONS]
        slip = mixed.randint(1, self.pit.state.money.slips + 1)
        fives = mixed.randint(1, 4)
        pieces = (ChipCount(500, fives),)
        box = mixed.choice(("A7", "A8", "A9"))
        self.give(
            mixed.choice(
                (
                    i.OpenRack(chips(*few)), i.OpenRack(chips(*few)),
                    i.CloseRack(chips(*few), mixed.random() < 0.3, mixed.choice(("", box))),
                    i.SignSlip(mixed.choice(tuple(Moved)), 500 * fives, pieces),
                    i.BuyIn(500 * fives, pieces, mixed.randint(0, SEATS + 1)),
                    i.ChangeBox(box), i.CountBox(slip, 700), i.CountBox(slip, 800),
                    i.VoidSlip(slip, "wrong"), i.VoidSlip(slip, "wrong"),
                )
            ),
            *BOTH,
        )  # fmt: skip

    def of_seats(self) -> None:
        """A player at a distance comes, goes, or bets."""
        pit, mixed = self.pit, self.mixed
        seat, player = mixed.randint(1, SEATS), mixed.choice(PLAYERS)
        pit.player = mixed.choice(("", player, mixed.choice(PLAYERS)))
        pit.give(
            mixed.choice(
                (
                    i.TakeSeat(seat, player, "Ann"), i.TakeSeat(seat, player, "Ann"),
                    i.LeaveSeat(seat), i.MarkAway(seat, away=mixed.random() < 0.5),
                    i.PlaceWager(seat, 1_000), i.Clap(), i.RepeatWagers(),
                )
            )
        )  # fmt: skip
        pit.player = ""

    def of_bets(self) -> None:
        """Bets, decisions and keys, whether it is time for them or not."""
        mixed, seat = self.mixed, self.mixed.randint(1, SEATS)
        self.give(
            mixed.choice(
                (
                    i.PlaceWager(seat, mixed.choice((None, 500, 1_000, 1_050, 3_000, 10**9))),
                    i.RemoveWager(seat), i.RepeatWagers(), i.CloseBets(), i.OpenBets(),
                    i.Decide(seat, mixed.choice(tuple(Action))), i.ConfirmWager(seat),
                    i.DeclineWager(seat), i.ConfirmSettled(seat),
                    Press("buttons", mixed.choice(tuple(Button))),
                )
            )
        )  # fmt: skip

    def of_people(self) -> None:
        """Dealers change; PINs were wrong; the day is to be closed."""
        mixed = self.mixed
        by = mixed.choice(((AINO,), (BO,), (FIA,), (FIA, AINO), (AINO, BO), ()))
        self.give(
            mixed.choice(
                (
                    i.ChangeDealer(""), i.ChangeDealer(mixed.choice((AINO.id, BO.id))),
                    i.CloseDay(), i.CallFloor(), i.Acknowledge(self.pit.state.counts.holds),
                    i.PinReport(AINO.id, 5, 60),
                )
            ),
            *by,
        )  # fmt: skip

    def of_the_pit(self) -> None:
        """The pit asks for something."""
        mixed = self.mixed
        act = mixed.choice(
            (
                i.CloseTable(), i.OpenTable(), i.OpenTable(), i.SendNote("a note"),
                i.AskFill(5_000),
                i.SetOptions((("max_bet", mixed.choice(("5000", "9000"))),)), i.ChangeDealer(BO.id),
                i.SilenceAlarms(3),
            )
        )  # fmt: skip
        self.by_the_pit(act)
        notes = self.pit.state.pit.notes
        self.pit.give(i.ReadNote(notes[0].seq if notes else 1))

    def by_the_pit(self, act: i.PitAct) -> None:
        """The pit asks for an act, in time or too late."""
        mixed, pit = self.mixed, self.pit
        assert isinstance(pit, OpenPit)
        now_ms = pit.now_ms
        expires_ms = now_ms + mixed.choice((9_000, 9_000, -9_000))
        role = mixed.choice(("pit_boss", "pit_boss", "floor"))
        pit.give(i.FromPit(act, pit_person(17), role, "0f1e2d3c", now_ms, expires_ms))

    def of_devices(self) -> None:
        """A device goes, comes back, or the service starts again; a spot senses chips."""
        mixed = self.mixed
        seen = SpotChips(present=mixed.random() < 0.6, tags=("04a1",) * (mixed.random() < 0.5))
        mixed.choice(
            (
                self.pit.scanner_down, self.pit.scanner_up, self.pit.scanner_up, self.pit.start,
                partial(self.pit.give, Health(SPOTS, mixed.choice(tuple(Condition)))),
                partial(self.pit.give, SpotSensed(SPOTS, mixed.randint(1, SEATS), seen)),
            )
        )()  # fmt: skip

    def of_a_card(self) -> None:
        """A card that nobody waits for, or that something happened to."""
        if self.mixed.random() < 0.4:
            self.draw()
            return
        callable_ = [each for each in callable_now(self.pit.state) if each[0] is not Reason.DAMAGED]
        what, number = self.mixed.choice([*callable_, (self.mixed.choice(tuple(Reason)), 0)])
        self.give(i.Happened(what, number or None))

    def of_rounds(self) -> None:
        """A round is put right."""
        mixed, counts = self.mixed, self.pit.state.counts
        edit = i.EditAsked(
            mixed.randint(0, 12), mixed.choice(tuple(EditKind)), self.any_card(),
            mixed.choice((None, Action.STAND, Action.HIT)), mixed.choice((None, 2_000)),
        )  # fmt: skip
        number = max(1, counts.rounds - mixed.randint(0, 2))
        self.give(i.Correct(number, (edit,), "misread"), FIA)
        replaced = i.EditAsked(edit.at, EditKind.REPLACE, edit.card)
        self.give(i.Correct(number, (replaced,), "misread"), FIA)

    def of_time(self) -> None:
        """Time passes; at times the gaming day is over."""
        pit, mixed = self.pit, self.mixed
        assert isinstance(pit, OpenPit)
        if mixed.random() < 0.15 and pit.state.day is not None:
            pit.leap(pit.state.day.ends_ms)
            pit.give(i.DayCheck())
        else:
            pit.wait(mixed.choice((0.5, 8, 45)))
