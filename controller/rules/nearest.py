"""Who is closer: the comparison of totals that several rule books share, and its words."""

from __future__ import annotations

from functools import lru_cache

from controller.rules.felt import Outcome, Result
from controller.rules.hands import Total


@lru_cache(maxsize=4096)
def closer(player: Total, dealer: Total) -> Result:
    """Who is closer to the limit, of a player who has not bust and the dealer's complete hand."""
    if dealer.bust:
        return Result(Outcome.WIN, f"the dealer busts with {dealer.points}")
    if player.points > dealer.points:
        return Result(Outcome.WIN, f"{player.points} beats {dealer.points}")
    if player.points < dealer.points:
        return Result(Outcome.LOSE, f"{player.points} loses to {dealer.points}")
    return Result(Outcome.PUSH, f"{player.points} equals {dealer.points}")
