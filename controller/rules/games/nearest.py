"""Who is nearer to the limit, and where a total stands: what several rule books share."""

from __future__ import annotations

from functools import lru_cache

from controller.rules.actions import Outcome
from controller.rules.hands import NO_END, Range, Total
from controller.rules.messages import Message, message
from controller.rules.script.felt import Result


@lru_cache(maxsize=4096)
def nearer(player: Total, dealer: Total) -> Result:
    """Who is nearer to the limit, of a player who has not bust and the dealer's complete hand."""
    mine, theirs = player.points, dealer.points
    if dealer.bust:
        return Result(Outcome.WIN, message("dealer-busts", points=theirs))
    if mine > theirs:
        return Result(Outcome.WIN, message("beats", player=mine, dealer=theirs))
    if mine < theirs:
        return Result(Outcome.LOSE, message("loses-to", player=mine, dealer=theirs))
    return Result(Outcome.PUSH, message("equals", player=mine, dealer=theirs))


@lru_cache(maxsize=256)
def bust(points: int, limit: int) -> Result:
    """A hand that has passed the limit loses."""
    return Result(Outcome.LOSE, message("bust", points=points, limit=limit))


def stands_in(held: Range, total: Total) -> Message:
    """Where `total` stands by a range that holds it: `hard 13 is under 15`."""
    if held.low and held.high < NO_END:
        return message("total-between", total=total, low=held.low, high=held.high)
    if held.low:
        return message("total-at-least", total=total, low=held.low)
    return message("total-under", total=total, limit=held.high + 1)
