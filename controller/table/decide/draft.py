"""A decision in progress: the records so far, and the state after them."""

from __future__ import annotations

from controller.rules.actions import Place
from controller.rules.engine.round import Round, peeked
from controller.rules.messages import Message, message
from controller.rules.script.steps import Ask, Deal, Peek
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.decide.consequences.round_in_play import consequence
from controller.table.evolve.evolve import evolve
from controller.table.inputs import Stamp
from controller.table.irregularities.holds import Hold, Reason, Resolution
from controller.table.recorded.round import net_of
from controller.table.roles import Needs, lacking
from controller.table.state.phases import Phase
from controller.table.state.state import State


class Draft:
    """Records in order, each already evolved into `state`; nothing is true until it is written."""

    __slots__ = ("evidence", "order", "passed_ns", "reason", "records", "stamp", "state")

    def __init__(self, state: State, stamp: Stamp) -> None:
        self.state = state
        self.stamp = stamp
        self.records: list[f.Record] = []
        self.reason = ""
        self.evidence = ""
        """Names the picture of the card that this is about."""
        self.passed_ns: int | None = None
        """When that card had passed the exit, by the service's monotonic clock, if known."""
        self.order = 0
        """The place of the hold that is being settled: one that comes of it takes it over."""

    def add(self, fact: f.Fact, script: Round | None = None) -> None:
        """One more fact, and those that follow from it by themselves.

        What happens in a round gets its consequences here, from the script; `script` is the one
        after a fact that begins a round or puts another in its place. Raises `Misfit` for what the
        script did not ask for.
        """
        stamp, state = self.stamp, self.state
        script = script or state.rounds.script
        turn_goes_on = False
        if isinstance(fact, f.RoundFact) and script is not None:
            assert state.rounds.latest is not None
            turn = _turn(script)  # before it goes on: asked again, it would be played again
            fact, script = consequence(script, state.rounds.latest, fact, stamp.at_ms)
            turn_goes_on = turn is not None and turn == _turn(script)
        record = f.Record(state.seq + 1, stamp.at_ms, stamp.mono_ns, stamp.cause, fact)
        self.state = evolve(state, record, script, turn_goes_on=turn_goes_on)
        self.records.append(record)
        if self.state.phase is Phase.ROUND and self.state.rounds.script is not None:
            self._consequences()

    def branch(self) -> Draft:
        """A draft that starts from here and may be discarded."""
        branch = Draft(self.state, self.stamp)
        branch.evidence = self.evidence
        branch.passed_ns = self.passed_ns
        branch.order = self.order
        return branch

    def join(self, branch: Draft) -> None:
        """Adopt the records and the state of a branch of this draft.

        Nothing may have been added to this one since `branch`: the branch numbers from there.
        """
        self.records += branch.records
        self.state = branch.state

    def lacks(self, wanted: Needs) -> Message | None:
        """Who is missing for what takes `wanted`; nobody at a table without roles."""
        return lacking(wanted, self.stamp.by) if self.state.setup.roles else None

    def hold(
        self,
        reason: Reason,
        why: Message,
        card: Sealed | None = None,
        source: str = "",
        about: int = 0,
        *,
        is_open: bool = False,
    ) -> None:
        """Stop the table; `about` is the round that people called it about.

        `is_open`: it is about a card that lies face up, so its picture may be shown.
        """
        number = self.state.counts.holds + 1
        evidence = self.evidence if source else ""
        shown = is_open and bool(evidence)
        self.add(
            f.HoldRaised(number, reason, why, card, source, about, evidence, shown, self.order)
        )

    def release(self, hold: Hold, resolution: Resolution) -> None:
        """Settle a hold, by the people and for the reason of this draft."""
        self.add(f.HoldReleased(hold.number, resolution, self.stamp.by, self.reason))

    def _consequences(self) -> None:
        state = self.state
        step = state.step
        if step is None:
            assert state.rounds.latest is not None
            self.add(f.RoundEnded(state.rounds.latest.number, net_of(state.rounds.latest.felt)))
        elif type(step) is Deal and state.empty and not state.held_for(Reason.OUT_OF_CARDS):
            self.hold(Reason.OUT_OF_CARDS, message("all-cards-are-gone"))
        elif type(step) is Peek and (answer := peeked(step)) is not None:
            # The card was read as it was dealt: nobody has to look at it, and so nobody sees it.
            self.add(f.DealerPeeked(answer.natural))


def _turn(script: Round) -> Place | None:
    """The hand that is asked or dealt to, with nothing else between."""
    step = script.step
    return step.hand.place if isinstance(step, Ask | Deal) else None
