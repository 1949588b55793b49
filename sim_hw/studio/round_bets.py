"""The bets of one round, as the table took them, and those behind, of which no table knows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

from sim_hw.studio.account import Stake
from sim_hw.studio.api import TableApi
from sim_hw.studio.figures import StudioFigures

#: A round is over for the table before its feed has said so here: a bet that the table took then
#: would be paid with the round before.
_TOO_LATE: Final = {
    "accepted": False, "refused": "no more bets: wait for the next round", "code": "in-play",
}  # fmt: skip


class RoundBets:
    """The bets of the round that is being bet for, or played; `changed` is called after each."""

    def __init__(self, api: TableApi, tally: StudioFigures, changed: Callable[[], None]) -> None:
        self._api = api
        self._tally = tally
        self._changed = changed
        self.stakes: list[Stake] = []
        #: Bets are closed, and the round is not over yet.
        self.in_play = False
        #: Held while a bet is on its way, so that none is counted before it is answered.
        self.placing = asyncio.Lock()

    async def bet(self, stake: Stake, key: str) -> dict[str, Any]:
        """Bet for the player of a seat, instead of what that player has bet; the table's answer."""
        command = {
            "do": "place_wager", "seat": stake.seat, "player": stake.player, "amount": stake.amount,
        }  # fmt: skip
        async with self.placing:
            if self.in_play:
                return dict(_TOO_LATE)
            (said,) = await self._api.ask([(key, command)])
            if said["accepted"]:
                self._replace(stake.player, stake)
                self._tally.bets += 1
        return said

    async def take_bet_back(self, player: str, seat: int, key: str) -> dict[str, Any]:
        """Take back what the player of a seat has bet; the table's answer."""
        command = {"do": "remove_wager", "seat": seat, "player": player}
        async with self.placing:
            if self.in_play:
                return dict(_TOO_LATE)
            (said,) = await self._api.ask([(key, command)])
            if said["accepted"]:
                self._replace(player, None)
        return said

    async def bet_behind(self, player: str, stake: Stake | None) -> Mapping[str, Any]:
        """Bet behind a seat instead of what that player has bet there; None: take it back.

        Whether that comes in time is the server's to judge: no table knows of it.
        """
        async with self.placing:
            if self.in_play:
                return _TOO_LATE
            self._replace(player, stake)
        return {"accepted": True}

    def _replace(self, player: str, stake: Stake | None) -> None:
        self.stakes = [each for each in self.stakes if each.player != player]
        if stake is not None:
            self.stakes.append(stake)
        self._changed()

    def put(self, player: str, seat: int, amount: int | None) -> None:
        """What lies at a seat is that player's bet of `amount`; None: nothing lies there."""
        self.stakes = [each for each in self.stakes if each.behind or each.seat != seat]
        if amount is not None:
            self._replace(player, Stake(player, seat, amount))

    def owner(self, seat: int) -> str:
        """Whose bet lies at a seat: that player decides there. Empty where none lies."""
        return next((e.player for e in self.stakes if e.seat == seat and not e.behind), "")

    def clear(self) -> None:
        """The round is over, or given up: no bet lies there, and the next may be bet for."""
        self.stakes = []
        self.in_play = False
