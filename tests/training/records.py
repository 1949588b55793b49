"""A training without a table: the records of a `Pit`, and the list that a world would have kept."""

from __future__ import annotations

from collections.abc import Iterator

from controller.devices.inputs import Doubt
from controller.rules.actions import Place
from controller.rules.cards import Card
from controller.table import inputs as i
from controller.table.evolve.evolve import evolve
from controller.table.irregularities.holds import Resolution
from controller.table.recorded.hands import RecordedHand
from controller.table.state.state import State
from controller.training.moments import Moment, Transition, moments
from controller.training.report import TrainingReport, report
from controller.training.world_list import (
    Began,
    FeltLies,
    HandLies,
    Line,
    MadeTrouble,
    Word,
    world_list,
)
from tests.support.pit import Pit, setup

BEGAN = Began(0, 0, "21-24-27", "21-24-27", 3, 1, "some", 60.0, "http://127.0.0.1:1")


def transitions(pit: Pit) -> Iterator[Transition]:
    """The records of a table with the states before and after them."""
    state: State | None = None
    for record in pit.records:
        after = evolve(state, record)
        yield state, record, after
        state = after


def all_moments(pit: Pit) -> list[Moment]:
    return list(moments(transitions(pit)))


class TrainedDealer:
    """A dealer in training: `pit` is the table, `lines` what the world noted."""

    def __init__(self) -> None:
        self.pit = Pit(setup(3))
        self.lines: list[Line] = []
        self._troubles = 0
        self.pit.shuffle()

    @property
    def now_ms(self) -> int:
        return self.pit.records[-1].at_ms

    @property
    def seq(self) -> int:
        return self.pit.state.seq

    @property
    def number(self) -> int:
        return self.pit.state.in_play.number if self.pit.state.in_play else 0

    def bets(self) -> None:
        self.pit.bet(1)
        self.pit.bet(2)

    def begin(self, cards: str = "Th 9c 5d 8h 7s 6c") -> None:
        """A round of two seats, dealt as far as `cards` go."""
        self.bets()
        self.pit.no_more_bets()
        self.pit.deal(cards)

    def trouble(self, kind: str, seat: int = 0) -> int:
        self._troubles += 1
        line = MadeTrouble(self.now_ms, self.seq, self._troubles, kind, self.number, seat)
        self.lines.append(line)
        return self._troubles

    def says(self, seat: int, what: str) -> None:
        self.lines.append(Word(self.now_ms, self.seq, self.number, seat, 1, what))

    def undo(self) -> None:
        """What was chosen last was touched by mistake."""
        resolved = self.pit.state.aftermath.resolved
        assert resolved is not None
        assert not self.pit.give(i.Undo(resolved.hold.number)).refused

    def finish(self, lies: dict[Place, str] | None = None) -> None:
        """All stand, all is settled; what lay there is as recorded but for `lies`."""
        number = self.number
        while (step := self.pit.state.step) is not None:
            if type(step).__name__ == "Ask":
                self.pit.say("stand")
            elif type(step).__name__ == "Settle":
                self.pit.press("next")
            else:
                self.pit.deal("4s")
        self.note_felt(number, lies or {})

    def note_felt(self, number: int, lies: dict[Place, str]) -> None:
        latest = self.pit.state.rounds.latest
        assert latest is not None
        hands = tuple(
            HandLies(each.place.seat, each.place.hand, self._cards(each, lies))
            for each in latest.felt.all
        )
        self.lines.append(FeltLies(self.now_ms, self.seq, number, hands))

    @staticmethod
    def _cards(hand: RecordedHand, lies: dict[Place, str]) -> tuple[str, ...]:
        place = hand.place
        if place in lies:
            return tuple(each.replace("??", "") for each in lies[place].split())
        return tuple(each.code for each in hand.cards if isinstance(each, Card))

    @property
    def report(self) -> TrainingReport:
        return report(all_moments(self.pit), world_list([BEGAN, *self.lines]))

    @property
    def mistakes(self) -> list[tuple[str, int, bool]]:
        """Kind, trouble, whether mended."""
        return [(each.kind, each.trouble, each.mended) for each in self.report.mistakes]

    @property
    def verdicts(self) -> list[str]:
        return [each.verdict for each in self.report.troubles]


def trained() -> TrainedDealer:
    """A round with trouble answered wrongly, a refused press and a card too early."""
    made = TrainedDealer()
    made.bets()
    made.pit.deal("Th")
    made.pit.resolve(Resolution.SET_ASIDE)
    made.pit.no_more_bets()
    made.pit.deal("Th")
    made.trouble("garbage")
    made.pit.doubt(Doubt.GARBLED)
    made.pit.resolve(Resolution.NO_CARD)
    made.pit.deal("9c 5d Kh 7s 6c")
    made.pit.press("next")
    made.finish()
    return made
