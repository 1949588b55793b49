"""Rounds of rules alone as a record would have them, and back."""

from __future__ import annotations

from controller.rules.engine.round import Round
from controller.table.decide.consequences.felt_change import difference
from controller.table.decide.consequences.round_in_play import (
    followed,
    recorded_options,
    rules_of,
)
from controller.table.recorded.round import RecordedRound
from controller.table.recorded.steps import first_felt


def as_recorded(played: Round, times_ms: tuple[int, ...] | None = None) -> RecordedRound:
    """The round as the table would have recorded it, begun at 0."""
    game, wagers = played.game, played.wagers
    script = Round(played.number, game, wagers)
    opening = difference(game, first_felt(wagers), script.felt)
    recorded = RecordedRound(
        played.number, game.name, game.revision, recorded_options(game), wagers, 0, 1, "test",
        first_felt(wagers, opening), opening,
    )  # fmt: skip
    for at_ms, answer in zip(times_ms or (0,) * len(played.answers), played.answers, strict=True):
        step, script = followed(script, recorded.felt, answer, at_ms)
        recorded = recorded.with_step(step)
    return recorded


def played_again(recorded: RecordedRound) -> Round:
    """A recorded round, played by the rules."""
    game = rules_of(recorded)
    assert game is not None
    answers = (step.answer for step in recorded.steps)
    return Round(recorded.number, game, recorded.wagers, answers)
