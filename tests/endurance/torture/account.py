"""The world's account of a day held against the record: cards, payouts, pictures, lights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from controller.devices.lights import LOOKS, OFF, Colour, Pattern
from controller.devices.scene import Light
from controller.record.journal import Journal, JournalError
from controller.rules.cards import Card
from controller.table import facts as f
from controller.table.decide.judge import judge as judge_record
from controller.table.evolve.evolve import evolve
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.scene import displays, lights
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.table.display_reader import Display
from sim_hw.table.oracle import RoundProgress
from sim_hw.table.round_report import line, played
from tests.endurance.torture.killday import Kill, WitnessedDay
from tests.endurance.torture.moments import KillMoment
from tests.support.dealt.recorded import played_again

Pins = tuple[tuple[int, int, int], ...]


class KillStage(Enum):
    """Where a kill fell, by what was on record, on the pins and on the display at that time."""

    REST = "nothing was under way"
    BEFORE = "before the write"
    WRITE = "in the write: begun, and not committed"
    CHECKPOINT = "in a checkpoint"
    COMMITTED = "after the commit, before the lights"
    LIT = "after the lights, before the display"
    ALIKE = "after the commit, before the display (the lights stay as they are)"
    RECOVERY = "in recovery"


#: With these moments an input was on its way when the service was killed.
_UNDER_WAY: Final = (
    KillMoment.BYTE,
    KillMoment.CODE,
    KillMoment.EDGE,
    KillMoment.PRESS,
    KillMoment.SEND,
)
#: A pin may still show what the table showed a few records before.
_LIGHTS_BEHIND: Final = 40


@dataclass
class DayVerdict:
    """What became of a day. All counts of what must never be are 0, and there is no problem.

    `held_ms` is the longest time from a kill to held lights, where they have a guard.
    """

    kills: int = 0
    cards: int = 0
    rounds: int = 0
    records: int = 0
    holds: int = 0
    lost: int = 0
    twice: int = 0
    other: int = 0
    wrong_pay: int = 0
    wrong_lights: int = 0
    unkept: int = 0
    unheld: int = 0
    unlocked: int = 0
    tried: int = 0
    held_ms: float = 0.0
    stages: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether nothing was wrong."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A card on record: its shoe, what it is (None: not read), whether it went out unseen."""

    shoe: int
    kind: Card | None
    hidden: bool


def judge(day: WitnessedDay, pins: Pins) -> DayVerdict:
    """Hold the record of a day against what the world saw. `pins` are those of the lights."""
    verdict = DayVerdict(kills=len(day.kills), cards=len(day.exits), holds=day.holds)
    try:
        with closing(Journal(day.folder / "record")) as journal:
            records = list(journal.newest_day.records())
    except JournalError as error:
        verdict.problems.append(f"the journal cannot be read: {error}")
        return verdict
    states = states_of(records)
    verdict.records = len(records)
    _cards(verdict, day.exits, recorded(records))
    _payouts(verdict, day.lines, records, states)
    for number, kill in enumerate(day.kills, 1):
        where = f"kill {number}, {kill.plan}"
        _check_shown(verdict, kill, records, states, where)
        if kill.lights:
            verdict.wrong_lights += 1
            verdict.problems.append(f"{where}: after the restart {kill.lights}")
        if not (day.order.form.guarded and _held(kill, pins)):
            _pins(verdict, kill, records, states, pins, where)
        _company(verdict, kill, where)
        verdict.stages[_stage(kill, records, states, pins).value] += 1
    return verdict


def states_of(records: Sequence[f.Record]) -> list[State]:
    """The state after each record, with the script of the round in play as a service has it."""
    states: list[State] = []
    for record in records:
        before = states[-1] if states else None
        states.append(evolve(before, record, judge_record(before, record).script))
    return states


# Cards

#: Resolutions that say of a card that it has left, until they are undone.
PUTS_ON_RECORD: Final = (
    Resolution.SET_ASIDE, Resolution.ENTER_CARD, Resolution.FACE_DOWN, Resolution.TWO,
)  # fmt: skip


def recorded(records: Sequence[f.Record]) -> list[_Recorded]:
    """Every card that is on record as having left the shoe, in order."""
    found, shoe = [], 0
    for fact in (record.fact for record in records):
        if isinstance(fact, f.PackLoaded):
            shoe = fact.number
        elif isinstance(fact, f.CardDealt):
            found.append(_Recorded(shoe, fact.card, False))
        elif isinstance(fact, f.CardDealtDown | f.CardBurned):
            found.append(_Recorded(shoe, fact.card.open(), True))
        elif isinstance(fact, f.ResolutionUndone) and fact.resolution in PUTS_ON_RECORD:
            found.pop()
    return found


def _cards(
    verdict: DayVerdict, exits: Sequence[tuple[int, PhysicalCard]], on_record: Sequence[_Recorded]
) -> None:
    shoes = sorted({number for number, _ in exits} | {each.shoe for each in on_record})
    for shoe in shoes:
        left = [card.kind for number, card in exits if number == shoe]
        of_shoe = [each for each in on_record if each.shoe == shoe]
        if len(left) != len(of_shoe):
            verdict.lost += max(0, len(left) - len(of_shoe))
            verdict.twice += max(0, len(of_shoe) - len(left))
            verdict.problems.append(
                f"shoe {shoe}: {len(left)} cards left it, {len(of_shoe)} are on record"
            )
        for at, (kind, each) in enumerate(zip(left, of_shoe, strict=False), 1):
            if each.kind != kind and (each.kind is not None or not each.hidden):
                verdict.other += 1
                name = each.kind.code if each.kind else "none"
                verdict.problems.append(f"shoe {shoe}, card {at}: {kind.code} left, not {name}")
                break


# Payouts


def _payouts(
    verdict: DayVerdict, lines: Sequence[str], records: Sequence[f.Record], states: Sequence[State]
) -> None:
    """The witness's lines against the rounds on record, and each settlement on record once."""
    paid: list[tuple[int, int, int | None]] = []
    for record, state in zip(records, states, strict=True):
        fact = record.fact
        if isinstance(fact, f.BetsClosed):
            paid.clear()
        elif isinstance(fact, f.HandSettled):
            paid.append((fact.seat, fact.hand, fact.net))
        elif isinstance(fact, f.RoundVoided):
            verdict.problems.append(f"round {fact.number} was voided")
        elif isinstance(fact, f.RoundEnded):
            assert state.rounds.latest is not None
            again = played_again(state.rounds.latest)
            run = again.run()
            came_to = played(again.game, RoundProgress(run, 0))
            due = [
                (*hand.place, hand.result.net(hand.wager))
                for hand in run.felt.hands
                if hand.settled
                and hand.result is not None
                and hand.wager is not None
                # Whoever does not share in a pot has nothing to get: the chips lie in it already.
                and (hand.result.share or not again.game.vying)
            ]
            if sorted(paid) != sorted(due) or fact.net != came_to.net:
                verdict.wrong_pay += 1
                verdict.problems.append(f"round {fact.number}: due {due}, paid {paid}")
    recorded = rounds_by(records, states)
    verdict.rounds = len(recorded)
    if recorded != list(lines):
        verdict.wrong_pay += 1
        apart = next(
            (
                f"the witness: {witnessed}\nthe record:  {wrote}"
                for witnessed, wrote in zip(lines, recorded, strict=False)
                if witnessed != wrote
            ),
            f"the witness saw {len(lines)} rounds, the record has {len(recorded)}",
        )
        verdict.problems.append(apart)


def rounds_by(records: Sequence[f.Record], states: Sequence[State]) -> list[str]:
    """The rounds on record in the words of the witness."""
    sums, running = [], 0
    for record, state in zip(records, states, strict=True):
        if isinstance(record.fact, f.RoundEnded):
            assert state.rounds.latest is not None
            again = played_again(state.rounds.latest)
            came_to = played(again.game, RoundProgress(again.run(), 0))
            running += came_to.net
            sums.append(line(again.game, record.fact.number, came_to, running))
    return sums


# Pictures and holds


def _check_shown(
    verdict: DayVerdict,
    kill: Kill,
    records: Sequence[f.Record],
    states: Sequence[State],
    where: str,
) -> None:
    """What was shown is on record, and what was held is held."""
    at = _last(records, kill.at_ns)
    if kill.shown is not None:
        if kill.shown.seq > at + 1:
            verdict.unkept += 1
            verdict.problems.append(
                f"{where}: record {kill.shown.seq} was shown, {at + 1} are there after the restart"
            )
        elif apart := _apart(kill.shown, states):
            verdict.unkept += 1
            verdict.problems.append(f"{where}: shown was {apart}")
    if kill.first is None:
        return
    if apart := _apart(kill.first, states):
        verdict.unkept += 1
        verdict.problems.append(f"{where}: the first picture after it was {apart}")
    before = {hold.number for hold in states[at].holds} if at >= 0 else set()
    after = {hold.number for hold in kill.first.holds}
    if missing := before - after:
        verdict.unkept += 1
        verdict.problems.append(f"{where}: holds {sorted(missing)} are gone")
    again = states[kill.first.seq - 1]
    if again.phase is not Phase.SHUFFLE and not again.held_for(Reason.RECOUNT):
        verdict.unkept += 1
        verdict.problems.append(f"{where}: no recount")


def _last(records: Sequence[f.Record], at_ns: int) -> int:
    """The index of the last record that a service stamped before that time, -1 if there is none.

    All processes of a machine share one monotonic clock.
    """
    found = -1
    for index, record in enumerate(records):
        if record.mono_ns < at_ns:
            found = index
    return found


def _apart(shown: Display, states: Sequence[State]) -> str:
    """How a picture differs from the state that it stands on, empty if it does not."""
    if shown.safe:
        return "SAFE"
    if shown.seq > len(states):
        return f"record {shown.seq}, which is not there"
    wants = displays(states[shown.seq - 1])[0]
    pictured = (shown.headline, shown.phase, shown.round, shown.gone, shown.refusal)
    recorded = (wants.headline, wants.phase, wants.round, wants.shoe.gone, wants.refusal)
    return "" if pictured == recorded else f"{pictured}, by the record {recorded}"


# Lights


def _spot(kill: Kill, pins: tuple[int, int, int]) -> Colour:
    return Colour(*(bool(kill.pins.get(pin, 0)) for pin in pins))


def _shows(colour: Colour, light: Light) -> bool:
    look = LOOKS[light]
    return colour == look.colour or (colour == OFF and look.pattern is not Pattern.STEADY)


def _all_show(kill: Kill, state: State, pins: Pins) -> bool:
    spots = zip(pins, lights(state), strict=True)
    return all(_shows(_spot(kill, each), light) for each, light in spots)


def _pins(
    verdict: DayVerdict,
    kill: Kill,
    records: Sequence[f.Record],
    states: Sequence[State],
    pins: Pins,
    where: str,
) -> None:
    """No lamp was lit that no picture on record had lit: nothing acts on what is not written."""
    at = _last(records, kill.at_ns)
    window = states[max(0, at - _LIGHTS_BEHIND) : at + 1]
    for seat, spot in enumerate(pins, 1):
        looks = [LOOKS[lights(state)[seat - 1]].colour for state in window]
        allowed = Colour(*(any(look[n] for look in looks) for n in range(3)))
        lit = _spot(kill, spot)
        if any(on and not may for on, may in zip(lit, allowed, strict=True)):
            verdict.wrong_lights += 1
            verdict.problems.append(f"{where}: seat {seat} was lit {lit}, by the record {allowed}")


# The guard of the lights, and people


def _held(kill: Kill, pins: Pins) -> bool:
    """Whether the guard had every light at "held", as it does while no service speaks to it."""
    return all(_shows(_spot(kill, each), Light.HELD) for each in pins)


def _company(verdict: DayVerdict, kill: Kill, where: str) -> None:
    """The lights were held after the kill, and what takes the floor stayed locked across it."""
    verdict.held_ms = max(verdict.held_ms, kill.held_ms)
    verdict.tried += kill.tried
    verdict.unlocked += len(kill.unlocked)
    verdict.problems += [f"{where}: {each}" for each in kill.unlocked]
    if kill.unheld:
        verdict.unheld += 1
        verdict.problems.append(f"{where}: {kill.unheld}")


# Where it fell


def _stage(
    kill: Kill, records: Sequence[f.Record], states: Sequence[State], pins: Pins
) -> KillStage:
    moment = kill.plan.moment
    if moment is KillMoment.START:
        return KillStage.RECOVERY
    if moment is KillMoment.BASE:
        return KillStage.CHECKPOINT
    at = _last(records, kill.at_ns)
    shown = kill.shown.seq if kill.shown else 0
    if shown > at:
        if moment in (KillMoment.WAL, KillMoment.SEALS):
            return KillStage.WRITE
        late = at >= 0 and kill.gone > states[at].shoe.gone
        return KillStage.BEFORE if late or moment in _UNDER_WAY else KillStage.REST
    before = states[max(0, shown - 1)]
    if lights(before) == lights(states[at]):
        return KillStage.ALIKE
    return KillStage.LIT if _all_show(kill, states[at], pins) else KillStage.COMMITTED
