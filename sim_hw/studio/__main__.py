"""The game server against a table that runs: `python -m sim_hw.studio URL TOKEN_FILE`.

Robots sit, bet, bet behind and decide until `--rounds` are over; then it prints what was seen
and what everybody has won. It ends with 1 where the table's account is another one. With `--port`
it serves the page on which people join, goes on for ever, and prints `ready` once it is there.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final

import uvicorn

from sim_hw.studio.account import NotPayable
from sim_hw.studio.api import FeedReset, NotATable, TableApi
from sim_hw.studio.game_server import GameServer, OtherAccount
from sim_hw.studio.guests import Guests
from sim_hw.studio.kept import Keeper, KeptFile, NotKept
from sim_hw.studio.web import PlayersPages, listen

#: What ends it; the text is for people.
_ENDS: Final = (OSError, NotATable, FeedReset, OtherAccount, NotPayable, NotKept)


async def _play(asked: argparse.Namespace) -> GameServer:
    api = TableApi(asked.url, _token(asked))
    try:
        api.seq = await api.newest()
        server = GameServer(
            api, asked.seats, behind=asked.behind, least=asked.least, seed=asked.seed
        )
        await server.sit()
        await server.play(asked.rounds)
    finally:
        await api.close()
    return server


async def _serve(asked: argparse.Namespace) -> None:
    """Play and serve the page until it is told to end."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    api = TableApi(asked.url, _token(asked))
    pages: PlayersPages | None = None
    try:
        with listen(asked.address, asked.port) as listening:
            await api.learn_language()
            server = GameServer(
                api, asked.seats, behind=asked.behind, least=asked.least, seed=asked.seed,
                think_s=asked.think, alone=False,
            )  # fmt: skip
            guests = Guests(server)
            await _go_on(server, guests, asked.account)
            pages = PlayersPages(guests, asked.url, asked.camera)
            web = _Web(uvicorn.Config(pages.app, log_level="warning", lifespan="off"))
            at_work: list[asyncio.Task[object]] = [
                asyncio.create_task(each)
                for each in (
                    server.play(), guests.watch(), web.serve(sockets=[listening]), stop.wait(),
                    pages.watch_camera(),
                )
            ]  # fmt: skip
            print("ready", flush=True)
            try:
                done, _ = await asyncio.wait(at_work, return_when=asyncio.FIRST_COMPLETED)
                for each in done:
                    each.result()
            finally:
                web.should_exit = True
                pages.end()
                for each in (at_work[0], at_work[1], *at_work[3:]):
                    each.cancel()
                await asyncio.gather(*at_work, return_exceptions=True)
                await pages.close()
    finally:
        await api.close()


async def _go_on(server: GameServer, guests: Guests, path: Path | None) -> None:
    """From where an earlier server of this table ended, where its account is there."""
    newest = await server.api.newest()
    keeper = None if path is None else Keeper(KeptFile(path), server, guests)
    known = keeper is not None and keeper.restore()
    if keeper is not None:
        server.keep = keeper.keep
    await guests.take_over()
    if known:
        try:
            await server.catch_up(newest)
        except FeedReset as error:
            print(f"{error}: the bets that lay there are given back", file=sys.stderr)
            server.give_bets_back()
            known = False
    if not known:
        server.api.seq = server.heard = newest
        server.keep()


class _Web(uvicorn.Server):
    """A server that leaves the signals to this process as a whole."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _token(asked: argparse.Namespace) -> str:
    token: str = asked.token_file.read_text(encoding="ascii")
    return token.strip()


def main() -> int:
    """Play, and print the account; or serve."""
    parser = argparse.ArgumentParser(prog="python -m sim_hw.studio", description=__doc__)
    parser.add_argument("url", help="the table, such as http://127.0.0.1:8027")
    parser.add_argument("token_file", type=Path, help="its token")
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--behind", type=int, default=300, help="players who bet behind (300)")
    parser.add_argument("--rounds", type=int, default=20, help="then it ends (20)")
    parser.add_argument("--least", type=int, default=1_000, help="the least bet, in minor units")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, help="serve the players' page there, and go on")
    parser.add_argument("--address", default="127.0.0.1", help="of that page (127.0.0.1)")
    parser.add_argument(
        "--account",
        type=Path,
        help="with --port: the file of seats, bets and money (kept for a restart)",
    )
    parser.add_argument("--camera", default="", help="the stream of the camera above the table")
    parser.add_argument(
        "--think", type=float, default=2.0, help="with --port: the longest a robot thinks, s (2)"
    )
    asked = parser.parse_args()
    try:
        if asked.port is not None:
            asyncio.run(_serve(asked))
            return 0
        server = asyncio.run(_play(asked))
    except _ENDS as error:
        print(f"{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    for name, count in asdict(server.tally).items():
        print(f"{name:14} {dict(count) if isinstance(count, dict) else count}")
    won = server.account.balances.values()
    print(f"{'players':14} {len(won)}, who won {sum(won)} minor units in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
