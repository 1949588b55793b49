"""`[studio]`: a table whose players are elsewhere, and the clocks by which they bet and decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from controller.config.problems import Problem
from controller.rules.actions import Action
from controller.rules.game import Game
from controller.table.inputs import WindowTimes

MS_PER_S = 1_000
_Seconds = Annotated[float, Field(ge=0, le=3_600, allow_inf_nan=False)]


class StudioSection(BaseModel):
    """`[studio]`: how long players who are elsewhere have; 0: as long as they like.

    `last_call_s`: how long before bets close the last call comes. `bets_open`: by themselves, as
    soon as there may be any, or when the dealer says so. `first_card_closes`: the first card of a
    round that leaves the shoe closes them too, where they are open. `insurance_s` is as
    `decision_s` where it is left out. `no_answer`: what is chosen for a player whose time has run
    out: the game's own (`default`), nothing (`wait`: the table waits on), or these actions, the
    first that is open.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    bets_s: _Seconds = 0
    last_call_s: _Seconds = 0
    decision_s: _Seconds = 0
    insurance_s: _Seconds | None = None
    bets_open: Literal["by-themselves", "by-dealer"] = "by-themselves"
    first_card_closes: bool = False
    no_answer: Literal["default", "wait"] | Annotated[tuple[str, ...], Field(min_length=1)] = (
        "default"
    )

    def times(self, game: Game) -> WindowTimes:
        """The clocks of a table that deals `game`."""
        insurance_s = self.decision_s if self.insurance_s is None else self.insurance_s
        return WindowTimes(
            bets_ms=round(self.bets_s * MS_PER_S),
            last_call_ms=round(self.last_call_s * MS_PER_S),
            decision_ms=round(self.decision_s * MS_PER_S),
            insurance_ms=round(insurance_s * MS_PER_S),
            opened_by_dealer=self.bets_open == "by-dealer",
            card_closes=self.first_card_closes,
            no_answer=self._no_answer(game),
        )

    def _no_answer(self, game: Game) -> tuple[Action, ...]:
        if isinstance(self.no_answer, str):
            return game.no_answer if self.no_answer == "default" else ()
        return tuple(Action(each) for each in self.no_answer)

    def problems(self, game: Game | None) -> Iterator[Problem]:
        """What of it makes no sense, beside that game."""
        if self.last_call_s and self.last_call_s >= self.bets_s:
            yield Problem(
                "studio.last_call_s",
                f"the last call comes before bets close: less than bets_s ({self.bets_s:g})",
            )
        clocks = (("bets_s", self.bets_s), ("decision_s", self.decision_s))
        for name, seconds in (*clocks, ("insurance_s", self.insurance_s or 0)):
            if 0 < seconds < 1:
                yield Problem(f"studio.{name}", "nobody answers in less than 1 s (0: no clock)")
        if game is None or isinstance(self.no_answer, str):
            return
        allowed = [each.value for each in game.no_answer]
        for each in self.no_answer:
            if each not in allowed:
                yield Problem(
                    "studio.no_answer",
                    f"{each!r} is not chosen for somebody who does not answer at {game.name}, since"
                    " it would take a card or chips that nobody asked for: choose from "
                    f"{', '.join(allowed)}",
                )
