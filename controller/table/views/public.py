"""`public`: what the pit, the API and the bus may know of a state; no sealed card is in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from controller.devices.displays import AlarmView, DeviceView, Key, Tone
from controller.devices.felt_view import GameWords, HandView, ShoeView, WindowView
from controller.rules.frozen import frozen
from controller.rules.messages import Amount, Message, Words, message
from controller.rules.options import plain_text
from controller.rules.spoken import spoken
from controller.table.alarms import Trouble
from controller.table.inputs import SetOptions
from controller.table.irregularities.holds import Hold
from controller.table.queries.prompt import Prompt
from controller.table.queries.prompts import limits, prompt
from controller.table.recorded.card_pictures import Pictures
from controller.table.recorded.round import RecordedRound
from controller.table.roles import NOBODY_NAMED, Needs, PersonId, called
from controller.table.state.parts import WrongPinsNoted
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.english import ENGLISH, say, show
from controller.table.views.ledger_view import LedgerView, ledger_view
from controller.table.views.logbook import Badge
from controller.table.views.parts.alarms import pit_alarms, who_acts
from controller.table.views.parts.device_views import device_views
from controller.table.views.parts.windows import window_view
from controller.table.views.replay import known_rounds, round_badges
from controller.table.views.scene import button, game_words, pot_text, shoe_view, shown_felt
from controller.table.views.texts import net_text, outcome_value, wager_text

HOUR_MS = 3_600_000
#: The outcome of every wager of a round that is void.
VOID: Final = "void"
_SETS_OPTIONS: Final = SetOptions(()).do


@frozen
class SeatResult:
    """What a hand of a seat won or lost in a round (hand 0: a side bet); amounts as text.

    `outcome` is win, lose, push, surrender or void, empty while it is not known.
    """

    seat: int
    hand: int
    wager: str
    outcome: str
    net: str


@frozen
class RoundSummary:
    """A round that was played, a void one included, or the one in play (`ended_ms` null).

    `dummy`: it was played without bets. `badges` are what it is to be noticed for.
    """

    number: int
    started_ms: int
    ended_ms: int | None
    void: bool
    seats: tuple[SeatResult, ...]
    net: str
    dummy: bool = False
    badges: tuple[Badge, ...] = ()


@frozen
class OpenHold:
    """A hold as the pit sees it; `owed` is what is to be paid and given back, seat by seat."""

    number: int
    title: str
    text: str
    since_ms: int
    owed: tuple[str, ...] = ()


@frozen
class DayView:
    """The gaming day that is open: its ISO date, and when it is planned to end.

    `close` is the floor's key to close it, null while a round is in play.
    """

    label: str
    ends_ms: int
    close: Key | None


@frozen
class WrongPinsView:
    """Wrong PINs for a person, by name or id; empty: for names that nobody has.

    `locked_until_ms` is the end of the lock-out that they led to, null where they led to none.
    """

    who: str
    wrong: int
    at_ms: int
    locked_until_ms: int | None


@frozen
class StatusView:
    """The status page: what the table waits for, since when, and who must act.

    Times are wall times in ms since the epoch; `rounds_per_hour` is over the last rounds, null
    until two have been played. `roles`: people are known by name and PIN. `alarms` lists whatever
    is wrong, the gravest first, `wrong_pins`
    those of today, the newest first. `day` is the gaming day, null at a table without a calendar.
    `closed`: by the pit; `notes`: how many of its messages nobody has marked as read; `pit_acts`:
    what it may ask for; `options`: the house options as it would set them, where it may;
    `set_by_pit`: the names of those that it has set. `window`: how long players at a distance have
    still, null where no clock is set. `deals` is who deals, empty where nobody has said so;
    `stakes` the least and the largest bet, in minor units.
    """

    seq: int
    table: str
    game: str
    software: str
    phase: str
    waiting_for: str
    why: str
    who: str
    since_ms: int
    tone: Tone
    round: int
    hands: tuple[HandView, ...]
    dealer: HandView | None
    shoe: ShoeView
    devices: tuple[DeviceView, ...]
    holds: tuple[OpenHold, ...]
    rounds_per_hour: float | None
    rounds_played: int
    rounds: tuple[RoundSummary, ...]
    limits: str
    rule: str
    seats: int
    pot: str
    button: int
    words: GameWords
    ledger: LedgerView
    roles: bool
    alarms: tuple[AlarmView, ...]
    day: DayView | None
    wrong_pins: tuple[WrongPinsView, ...]
    closed: bool
    notes: int
    pit_acts: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    set_by_pit: tuple[str, ...]
    window: WindowView | None
    deals: str
    stakes: tuple[int, int]


def public(state: State, names: Mapping[PersonId, str] = NOBODY_NAMED) -> StatusView:
    """The status of the table; people by `names`, else by id."""
    now = prompt(state)
    words = state.words
    felt = shown_felt(state)
    rows = state.procedures.rows
    return StatusView(
        seq=state.seq, table=state.setup.table, game=state.game.title, software=state.run.software,
        phase=state.phase.value, waiting_for=say(now.headline, words),
        why=f"{say(now.why, words)} {say(now.bonus, words)}".strip(),
        who=show(_who(state, now), words),
        since_ms=state.holds[0].since_ms if state.holds else state.clock.since_ms,
        tone=now.tone, round=felt.round, hands=felt.hands,
        dealer=felt.dealer, shoe=shoe_view(state), devices=device_views(state),
        holds=tuple(
            OpenHold(
                each.number, say(rows[each.reason].title), say(each.message, words),
                each.since_ms, _owed(each, words),
            )
            for each in state.holds
        ),
        rounds_per_hour=rounds_per_hour(state.rounds.past), rounds_played=state.counts.rounds,
        rounds=rounds(state), limits=say(limits(state), words), rule=say(state.game.rule, words),
        seats=state.setup.seats, pot=pot_text(state), button=button(state), words=game_words(state),
        ledger=ledger_view(state), roles=state.setup.roles, alarms=pit_alarms(state, names),
        day=_day_view(state),
        wrong_pins=tuple(
            _wrong_pins_view(each, names) for each in reversed(state.people.wrong_pins)
        ),
        closed=state.pit.closed, notes=len(state.pit.notes), pit_acts=state.setup.pit_acts,
        options=_options(state), set_by_pit=tuple(each.name for each in state.setup.set_by_pit),
        window=window_view(state),
        deals=called(state.people.dealer, names) if state.people.dealer else "",
        stakes=state.options.stakes,
    )  # fmt: skip


def _options(state: State) -> tuple[tuple[str, str], ...]:
    """The house options as text, by name, where the pit may set them."""
    if _SETS_OPTIONS not in state.setup.pit_acts:
        return ()
    return tuple((name, plain_text(value)) for name, value in state.setup.options)


def _wrong_pins_view(noted: WrongPinsNoted, names: Mapping[PersonId, str]) -> WrongPinsView:
    until_ms = noted.at_ms + noted.locked_s * 1_000 if noted.locked_s else None
    who = called(noted.person, names) if noted.person else ""
    return WrongPinsView(who, noted.wrong, noted.at_ms, until_ms)


def _owed(hold: Hold, words: Words) -> tuple[str, ...]:
    """What a void or a correction leaves to be paid and given back."""
    payments = dict(hold.message.params).get("payments", ())
    assert isinstance(payments, tuple)
    return tuple(say(each, words) for each in payments if isinstance(each, Message))


def _day_view(state: State) -> DayView | None:
    day = state.day
    if day is None:
        return None
    if state.phase is Phase.ROUND:
        return DayView(day.label, day.ends_ms, None)
    who = Needs.FLOOR.value if state.setup.roles else ""
    key = Key(say(message("key-close-day")), {"do": "close_day"}, who=who)
    return DayView(day.label, day.ends_ms, key)


def _who(state: State, now: Prompt) -> Message:
    """Who must act: whoever the alarm of the hold calls by now."""
    if not state.holds:
        return now.who
    about = str(state.holds[0].number)
    of = (each for each in state.alarms if each.trouble is Trouble.HOLD and each.about == about)
    return who_acts(state, next(of))


def rounds_per_hour(past: tuple[RecordedRound, ...]) -> float | None:
    """The pace of the last rounds."""
    if len(past) < 2 or past[-1].ended_ms <= past[0].ended_ms:
        return None
    return round((len(past) - 1) * HOUR_MS / (past[-1].ended_ms - past[0].ended_ms), 1)


def rounds(state: State) -> tuple[RoundSummary, ...]:
    """The rounds that can be recalled, the one in play included, newest first."""
    shown = tuple(each for each in state.rounds.pictures if each.name and each.shown)
    return tuple(_summary(each, shown) for each in reversed(known_rounds(state)))


class _TheVery:
    """A round, the very object: its fields are many, and states share it until it changes."""

    __slots__ = ("round",)

    def __init__(self, round_: RecordedRound) -> None:
        self.round = round_

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TheVery) and other.round is self.round

    def __hash__(self) -> int:
        return id(self.round)


def _summary(past: RecordedRound, pictures: Pictures) -> RoundSummary:
    net = show(Amount(past.net)) if past.ended_ms else ""
    return RoundSummary(
        past.number, past.started_ms, past.ended_ms or None, past.void,
        _seats(_TheVery(past), spoken(ENGLISH).code), net, past.dummy, round_badges(past, pictures),
    )  # fmt: skip


# The language is no argument of it, but of its cache: the amounts are in words.
@lru_cache(maxsize=64)
def _seats(of: _TheVery, _language: str) -> tuple[SeatResult, ...]:
    past = of.round
    return tuple(
        SeatResult(
            *hand.place,
            wager_text(hand),
            VOID if past.void else outcome_value(hand),
            "" if past.void else net_text(hand),
        )
        for hand in past.felt.hands
    )
