"""A table over to its next gaming day, through the record's bytes and back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from controller.record.codec import VERSION, Decoder, encode, seals_in
from controller.service.timekeeping.calendar import Calendar
from controller.table import inputs as i
from controller.table.alarms import AlarmTimes
from controller.table.decide.decide import decide
from controller.table.evolve.carry_over import canonical, carry_over, hidden_form
from controller.table.evolve.evolve import evolve
from controller.table.facts import DayOpened, Record
from controller.table.gaming_day import Schedule, Today
from controller.table.roles import Person
from controller.table.state.state import State
from controller.table.views.english import say
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.journals import QuickPit
from tests.support.pit import PitAnswer, setup

HELSINKI = Schedule("06:00", "Europe/Helsinki")
NONCE = bytes(range(16))


def on_the_next_day(state: State, label: str = "2023-11-16") -> State:
    """The table as the next day begins, as a start reads it from the day's file."""
    carried = carry_over(state, NONCE)
    opened = DayOpened(label, state.clock.at_ms + 86_400_000, HELSINKI, carried)
    record = Record(state.seq + 1, state.clock.at_ms, state.clock.mono_ns, "test", opened)
    seals = {seal.digest: seal for seal in seals_in(record) if seal.digest}
    hidden = canonical(hidden_form(carried))
    decode = Decoder(seals.get, hidden=lambda digest: (NONCE, hidden)).decode
    return evolve(None, decode(record.seq, VERSION, encode(record)))


class CalendarPit(QuickPit):
    """A table with a calendar: every input has it, and the clock is set by hand."""

    def __init__(
        self, name: str = "blackjack", seats: int = 5, *, began: State | None = None
    ) -> None:
        """`began` is the state that a record came to: the service starts on it."""
        self.calendar = Calendar(HELSINKI)
        self.synchronised = True
        self._began = began
        super().__init__(setup(seats, name))

    def start(self, *, away_s: float = 0, alarms: AlarmTimes | None = None) -> PitAnswer:
        """The service starts, on the state that its record came to."""
        if self._began is not None:
            self._state, self._now_ms = self._began, self._began.clock.at_ms
            self._inputs, self.setup, self._began = self._began.seq, self._began.setup, None
        return super().start(away_s=away_s, alarms=alarms)

    def today(self) -> Today:
        """What the calendar says now."""
        day = self._state.day if self._state else None
        return self.calendar.today(self._now_ms, day, synchronised=self.synchronised)

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
        cause = f"k:{key}#{self._inputs}" if key else f"scanner:0011aabb:{self._inputs}"
        nonce = self._inputs.to_bytes(16, "big")
        mono_ns = self._now_ms * 1_000_000
        stamp = i.Stamp(self._now_ms, mono_ns, cause, nonce, view_seq, by, self.today())
        decision = decide(self._state, input_, stamp)
        self.records += decision.records
        self._state = decision.state
        refused = say(decision.refused, decision.state.words)
        self.last = PitAnswer(decision.records, refused, decision.seq, decision.refused)
        return self.last

    @property
    def now_ms(self) -> int:
        """The wall clock."""
        return self._now_ms

    def set_clock_ms(self, at_ms: int) -> None:
        """The wall clock shows another time."""
        self._now_ms = at_ms

    def close_day(self) -> PitAnswer:
        """Six in the morning has come, and the table looks at its day."""
        day = self.state.day
        assert day is not None
        self._now_ms = max(self._now_ms, day.ends_ms)
        return self.give(i.DayCheck())


def some_round(croupier: Croupier) -> None:
    """A round with some players, whoever they are."""
    pit, mixed = croupier.pit, croupier.mixed
    few, most = pit.state.game.seats.start, 1 if pit.state.game.vying else 20
    playing = sorted(mixed.sample(range(1, 6), mixed.randint(min(few, 5), 5)))
    croupier.round({seat: 1_000 * mixed.randint(1, most) for seat in playing})


def utc(text: str) -> datetime:
    """A moment in UTC, as `2026-03-29 01:30`."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def day(text: str) -> date:
    """A date."""
    return date.fromisoformat(text)


def commits(records: list[Record]) -> Iterator[list[Record]]:
    """Records by the inputs that led to them, as a service commits them."""
    batch: list[Record] = []
    for record in records:
        if batch and record.cause != batch[-1].cause:
            yield batch
            batch = []
        batch.append(record)
    if batch:
        yield batch
