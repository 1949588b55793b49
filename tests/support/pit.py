"""A table to play with in tests: `deal("Th 9c")`, `press("next")`, `expect(next=…, lights=…)`.

Every input goes through `decide`; every record through the codec and back before it is believed,
and the state is compared with the one that `evolve` makes of the records alone; now and then, in
the long form always, by what both show, which takes five times as long as all the rest. A decision
is made again, as a running table does when a card comes, and has to come out the same: in the
quick form the first of each kind, of that input at that moment of the table, in the long form each.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple, Self

from controller.devices.displays import DealerView
from controller.devices.inputs import Button, Condition, Doubt, Health, Press, Reading
from controller.devices.scene import Light
from controller.record.codec import VERSION, Decoder, encode
from controller.rules.actions import Action, Outcome
from controller.rules.cards import card
from controller.rules.games.registry import game
from controller.rules.messages import Message, message
from controller.rules.options import Plain, plain
from controller.rules.script.steps import Ask, Deal
from controller.rules.sealed import Sealed
from controller.table import inputs as i
from controller.table.alarms import AlarmTimes
from controller.table.decide.consequences.round_in_play import resumed
from controller.table.decide.decide import Decision, decide
from controller.table.evolve.evolve import evolve
from controller.table.facts import Fact, HandSettled, Record
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, PersonId, player_person
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.english import say
from controller.table.views.scene import scene
from tests.support.forms import is_long_form
from tests.support.same_state import alike, same_shoe

SCANNER = "scanner"
#: What both states show is compared after so many inputs.
LOOKED_AT_EVERY = 50
UNPLUGGED = message("device-stopped", device=SCANNER)
_INPUTS_OF_A_START: Final = 2
#: Kinds of decisions that were made again in this process.
_MADE_AGAIN: Final[set[tuple[object, ...]]] = set()
#: Tables that have started, or have burned a card as well, by their setup and that card: what is
#: decided depends on nothing else, and every table of every test begins this way.
_BEGUN: Final[dict[tuple[str, str | None], Pit]] = {}


def setup(seats: int = 5, name: str = "21-24-27", **options: Plain) -> i.Setup:
    """A table's setup with every house option spelt out."""
    named = plain(game(name).with_options(options).options)
    return i.Setup("T1", name, seats, tuple(sorted(named.items())), draw_means_hit=True)


def as_recorded(state: State) -> State:
    """A state without the script of its round in play, as `evolve` makes it of records alone."""
    return replace(state, rounds=replace(state.rounds, script=None))


class PitAnswer(NamedTuple):
    """What `decide` made of an input; `refused` is why it is refused, in English."""

    records: tuple[Record, ...]
    refused: str
    seq: int
    why: Message | None

    @property
    def code(self) -> str:
        """The code of the refusal, empty where the input was accepted."""
        return self.why.code if self.why else ""


class Pit:
    """One table, its records, and the last decision."""

    def __init__(self, setup: i.Setup) -> None:
        self.setup = setup
        self.records: list[Record] = []
        self.bytes: list[bytes] = []
        self._seals: dict[str, Sealed] = {}
        self._drawn: tuple[State, dict[PersonId, str], DealerView] | None = None
        self._decoder = Decoder(self._seals.get)
        self._state: State | None = None
        #: Names of players at a distance, as the service keeps them beside the record.
        self.names: dict[PersonId, str] = {}
        self._recorded: State | None = None
        self._now_ms = 1_700_000_000_000
        self._mono_ms = 0
        self._waited_ms = 0
        #: For whom a game server sends what is given.
        self.player = ""
        self._inputs = 0
        self.last: PitAnswer | None = None
        begun = _BEGUN.get((repr(setup), None)) if type(self) is Pit else None
        if begun is not None:
            self._go_on_as(begun)
            return
        self.start()
        if type(self) is Pit:
            _BEGUN[repr(setup), None] = self.copied()

    def copied(self) -> Self:
        """The same table, to go on another way."""
        again = copy(self)
        again._go_on_as(self)
        return again

    def _go_on_as(self, other: Pit) -> None:
        """Be where `other` is, which goes on for itself."""
        self.__dict__.update(other.__dict__)
        self.records, self.bytes, self.names = [*other.records], [*other.bytes], {**other.names}
        self._seals = {**other._seals}
        self._decoder = Decoder(self._seals.get)

    # -- what happens --

    def give(
        self,
        input_: i.TableInput,
        *,
        key: str = "",
        view_seq: int | None = None,
        by: tuple[Person, ...] = (),
    ) -> PitAnswer:
        """Any input, a second after the one before."""
        self._now_ms += 1_000
        self._mono_ms += 1_000
        self._inputs += 1
        cause = f"k:{key}#{input_!r}" if key else f"test:{self._inputs}"
        nonce = self._inputs.to_bytes(16, "big")
        mono_ns = self._mono_ms * 1_000_000
        arrived_ns = mono_ns - self._waited_ms * 1_000_000
        stamp = i.Stamp(
            self._now_ms, mono_ns, cause, nonce, view_seq, by, None, arrived_ns, self.player
        )
        decision = decide(self._state, input_, stamp)
        if self._is_made_again(input_, decision):
            again = decide(self._state, input_, stamp)
            assert [*map(encode, again.records)] == [*map(encode, decision.records)]
            shown, shown_again = scene(decision.state), scene(again.state)
            assert (shown.lights, shown.sound) == (shown_again.lights, shown_again.sound)
        for record in decision.records:
            self._recorded = evolve(self._recorded, self._through_the_codec(record))
            self.records.append(record)
        assert self._recorded is not None
        assert self._recorded.rounds.script is None
        state, live = resumed(self._recorded), decision.state
        looked_at = is_long_form() or self._inputs % LOOKED_AT_EVERY == 0
        if looked_at or not alike(state, live):
            assert scene(state) == scene(live)
            assert state.alarms == live.alarms
            assert state.shoe == live.shoe or same_shoe(state, live)
        if isinstance(input_, i.TakeSeat) and decision.records and not decision.refused:
            self.names[player_person(input_.player)] = input_.name.strip()
        self._state = live
        refused = say(decision.refused, state.game.words)
        self.last = PitAnswer(decision.records, refused, decision.seq, decision.refused)
        return self.last

    def _is_made_again(self, input_: i.TableInput, decision: Decision) -> bool:
        state, facts = self._state, (type(record.fact) for record in decision.records)
        moment = (
            (state.game.name, state.phase, type(state.step), *(each.reason for each in state.holds))
            if state is not None
            else ()
        )
        code = decision.refused.code if decision.refused else ""
        kind = (type(input_), moment, code, *facts)
        if kind in _MADE_AGAIN and not is_long_form():
            return False
        _MADE_AGAIN.add(kind)
        return True

    def give_late(
        self, input_: i.TableInput, *, waited_ms: int = 0, after_s: float = 1
    ) -> PitAnswer:
        """An input `after_s` after the one before, that waited for so long to be judged."""
        self._now_ms += round(1_000 * after_s) - 1_000
        self._mono_ms += round(1_000 * after_s) - 1_000
        self._waited_ms = waited_ms
        answer = self.give(input_)
        self._waited_ms = 0
        return answer

    def wait(self, seconds: float, *, wall_s: float | None = None) -> PitAnswer:
        """Time passes, and a timer fires. `wall_s`: what the wall clock does meanwhile."""
        self._now_ms += round(1_000 * (seconds if wall_s is None else wall_s)) - 1_000
        self._mono_ms += round(1_000 * seconds) - 1_000
        return self.give(i.TimerFired())

    def _through_the_codec(self, record: Record) -> Record:
        for name in type(record.fact).__dataclass_fields__:
            value = getattr(record.fact, name)
            if isinstance(value, Sealed) and value.digest:
                self._seals[value.digest] = value
        body = encode(record)
        self.bytes.append(body)
        return self._decoder.decode(record.seq, VERSION, body)

    def start(self, *, away_s: float = 0, alarms: AlarmTimes | None = None) -> PitAnswer:
        """The service starts (again); `away_s` went by on the wall clock meanwhile."""
        self._now_ms += round(1_000 * away_s)
        self._mono_ms = 0
        times = alarms or AlarmTimes()
        decision = self.give(i.Start(self.setup, "0.0-test", (SCANNER,), alarms=times))
        self.give(Health(SCANNER, Condition.UP))
        return decision

    def scanner_down(self) -> None:
        self.give(Health(SCANNER, Condition.DOWN, UNPLUGGED))

    def scanner_up(self) -> None:
        self.give(Health(SCANNER, Condition.UP))

    def shuffle(self, burn: str = "2c") -> None:
        """Load, cut and burn."""
        just_started = type(self) is Pit and self._inputs == _INPUTS_OF_A_START and not self.player
        if just_started and (begun := _BEGUN.get((repr(self.setup), burn))):
            self._go_on_as(begun)
            return
        self.give(i.LoadPack())
        self.give(i.CutShoe())
        if self.state.shoe.to_burn:
            self.deal(burn)
        if just_started:
            _BEGUN[repr(self.setup), burn] = self.copied()

    def bet(self, seat: int, amount: int | None = 1_000) -> PitAnswer:
        return self.give(i.PlaceWager(seat, amount))

    def no_more_bets(self) -> PitAnswer:
        return self.give(i.CloseBets())

    def deal(self, codes: str, *, apart: bool = True, serial: str = "") -> PitAnswer:
        """Cards leave the shoe, in order."""
        for code in codes.split():
            self.give(Reading(SCANNER, Sealed(card(code), serial), apart=apart))
        assert self.last is not None
        return self.last

    def doubt(self, doubt: Doubt = Doubt.NO_CODE) -> PitAnswer:
        """A card leaves the shoe that the reader cannot tell."""
        return self.give(Reading(SCANNER, None, doubt))

    def press(self, button: str) -> PitAnswer:
        return self.give(Press("buttons", Button(button)))

    def resolve(
        self,
        resolution: Resolution,
        card: str | None = None,
        hold: int | None = None,
        cards: int | None = None,
    ) -> PitAnswer:
        """A way on from the first open hold; `cards` were counted, by default as are shown."""
        number = self.state.holds[0].number if hold is None else hold
        if resolution is Resolution.COUNT and cards is None:
            cards = self.state.cards_shown
        command = i.Resolve(number, resolution, card, cards=cards)
        return self.enter(command) if resolution is Resolution.ENTER_CARD else self.give(command)

    def give_back(self) -> PitAnswer:
        """People have paid and given back what the table says is owed."""
        owed = next(each for each in self.state.holds if each.reason is Reason.DIFFERENCE)
        return self.give(i.Resolve(owed.number, Resolution.SQUARED))

    def enter(self, command: i.Resolve | i.TurnCard, *, by: tuple[Person, ...] = ()) -> PitAnswer:
        """Name a card, and say the same once more."""
        named = self.give(command, by=by)
        return named if named.refused else self.give(command, by=by)

    def say(self, action: str, amount: int | None = None) -> PitAnswer:
        """The player in turn says it."""
        step = self.state.step
        assert step is not None
        seat, hand = step.hand.place
        return self.give(i.Decide(seat, Action(action), hand, amount))

    def settle_all(self) -> None:
        """Press Next until the round is over."""
        while self.state.step is not None:
            assert not self.press("next").refused

    # -- what is to be seen --

    @property
    def state(self) -> State:
        assert self._state is not None
        return self._state

    @property
    def display(self) -> DealerView:
        """The dealer display, drawn once for as long as nothing happens."""
        drawn = self._drawn
        if drawn is None or drawn[0] is not self.state or drawn[1] != self.names:
            shown = scene(self.state, self.names).dealer
            drawn = self._drawn = (self.state, {**self.names}, shown)
        return drawn[2]

    @property
    def lights(self) -> list[str]:
        return [each.value for each in scene(self.state).lights]

    @property
    def facts(self) -> list[Fact]:
        return [record.fact for record in self.records]

    @property
    def settled(self) -> list[tuple[int, int, Outcome, int | None]]:
        """Every settlement on record: seat, hand, outcome and net."""
        return [
            (each.seat, each.hand, each.outcome, each.net)
            for each in self.facts
            if isinstance(each, HandSettled)
        ]

    def expect(
        self,
        *,
        next: str | None = None,
        why: str | None = None,
        lights: list[Light] | None = None,
        refusal: str | None = None,
    ) -> None:
        """What the display says and the lights show."""
        if next is not None:
            shown = self.display
            assert (shown.holds[0].title if shown.holds else shown.headline) == next
        if why is not None:
            assert f"{self.display.why} {self.display.bonus}".rstrip() == why
        if lights is not None:
            assert self.lights == [each.value for each in lights]
        if refusal is not None:
            assert refusal in self.display.refusal


def opened(seats: int = 5, name: str = "21-24-27", **options: Plain) -> Pit:
    """A table with a fresh shoe, bets open."""
    pit = Pit(setup(seats, name, **options))
    pit.shuffle()
    return pit


def out_of_cards() -> Pit:
    """A table whose shoe was played to its last card: one seat bets and stands, round by round."""
    return _out_of_cards().copied()


@cache
def _out_of_cards() -> Pit:
    pit = Pit(setup(3, penetration_cards=323, burn_after_shuffle=0))
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    cards = pit.state.shoe.pack.cards()
    while not pit.state.holds:
        if pit.state.phase is Phase.BETTING:
            pit.bet(1)
            pit.no_more_bets()
        elif isinstance(pit.state.step, Deal):
            pit.deal(cards.pop().code)
        else:
            pit.press("stand" if isinstance(pit.state.step, Ask) else "next")
    return pit
