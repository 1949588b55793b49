"""`kill -9` of the game server, in a betting window and in a round: no bet and no cent is lost."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest

from sim_hw.studio.account import SettledBet
from sim_hw.studio.api import TableApi
from sim_hw.studio.guests import PLAY_MONEY
from sim_hw.studio.kept import KeptFile, NotKept
from tests.sim_hw.test_game_server import LEAST, StudioTable
from tests.support.patience import PATIENCE_S
from tests.web.conftest import TOKEN

pytestmark = pytest.mark.anyio
SEATS = 3


class GameServerProcess:
    """The game server as a process of its own, and a person at it."""

    def __init__(self, table_url: str, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.account = folder / "players.sqlite"
        (folder / "token").write_text(TOKEN, encoding="ascii")
        self._command = [
            "-m", "sim_hw.studio", table_url, str(folder / "token"), "--seats", str(SEATS),
            "--behind", "20", "--port", str(port), "--think", "0.02", "--account",
            str(self.account), "--camera", f"{table_url}/none",
        ]  # fmt: skip
        self._process: asyncio.subprocess.Process | None = None
        self.starts = 0

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, *self._command, stdout=asyncio.subprocess.PIPE
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            assert await self._process.stdout.readline() == b"ready\n"
        self.starts += 1

    def check(self) -> None:
        assert self._process is not None
        assert self._process.returncode is None, "the game server ended by itself"

    async def kill(self) -> None:
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.communicate()


@asynccontextmanager
async def dealt(table: StudioTable) -> AsyncIterator[None]:
    dealing = asyncio.create_task(table.run())
    try:
        yield
    finally:
        dealing.cancel()
        await asyncio.wait([dealing])


async def keep_betting(person: httpx.AsyncClient) -> None:
    """Bet in every window, whether the server is there or not."""
    while True:
        with suppress(httpx.HTTPError):
            await person.post("/act", json={"do": "bet", "amount": 2 * LEAST})
        await asyncio.sleep(0.05)


async def play(
    api: TableApi, server: GameServerProcess, rounds: int
) -> dict[tuple[int, int], list[int]]:
    """The table's own account: what was bet and what was won, by round and seat.

    The server is killed after the first bet of a window and after a card, by turns.
    """
    played: dict[tuple[int, int], list[int]] = {}
    nets: dict[int, int] = defaultdict(int)
    wagers: dict[int, int] = {}
    kinds = iter(("WagerPlaced", "CardDealt", "HandSettled", "WagerPlaced"))
    at, number, over = next(kinds), 0, 0
    async for fact in api.facts():
        server.check()
        if fact.kind == "BetsClosed":
            number, wagers = fact.fields["number"], dict(fact.fields["wagers"])
            nets.clear()
        elif fact.kind == "HandSettled":
            nets[fact.fields["seat"]] += fact.fields["net"]
        elif fact.kind == "RoundEnded":
            played |= {(number, seat): [much, nets[seat]] for seat, much in wagers.items()}
            over += 1
            if over >= rounds and not at:
                return played
        if fact.kind == at:
            await server.kill()
            await server.start()
            at = next(kinds, "")
    raise AssertionError("the feed ended")


async def settled(
    server: GameServerProcess, played: dict[tuple[int, int], list[int]]
) -> list[SettledBet]:
    """What the server has written down, once it has the newest of these rounds."""
    newest = max(played)[0]
    async with asyncio.timeout(PATIENCE_S):
        while True:
            file = KeptFile(server.account)
            bets = file.bets()
            file.close()
            if bets and bets[-1].round >= newest:
                return [each for each in bets if each.round <= newest]
            await asyncio.sleep(0.1)


@pytest.mark.long
async def test_killed_again_and_again_it_has_every_bet_to_the_cent(tmp_path: Path) -> None:
    table = StudioTable(tmp_path / "record", "blackjack", SEATS, seed=5)
    server = GameServerProcess(table.url, tmp_path)
    api = TableApi(table.url, TOKEN)
    async with dealt(table):
        async with asyncio.timeout(PATIENCE_S):
            while True:
                with suppress(Exception):
                    await api.newest()
                    break
                await asyncio.sleep(0.05)
        await server.start()
        origin = {"Origin": server.url}
        try:
            async with httpx.AsyncClient(
                base_url=server.url, headers=origin, trust_env=False, timeout=PATIENCE_S
            ) as person:
                joined = await person.post("/act", json={"do": "join", "name": "Ann"})
                assert joined.status_code == 200
                betting = asyncio.create_task(keep_betting(person))
                try:
                    async with asyncio.timeout(2 * PATIENCE_S):
                        played = await play(api, server, 4)
                    bets = await settled(server, played)
                finally:
                    betting.cancel()
                    await asyncio.wait([betting])
                async with person.stream("GET", "/events") as stream:
                    lines = (line async for line in stream.aiter_lines() if '"you"' in line)
                    assert '"name": "Ann"' in await anext(lines), "the secret is known still"
        finally:
            await server.kill()
            await api.close()
    own = {(e.round, e.seat): [e.amount, e.won] for e in bets if not e.behind}
    assert own == played
    assert any(each.player.startswith("guest-") for each in bets)
    file = KeptFile(server.account)
    saved, rows = file.load(), file.bets()
    file.close()
    assert saved is not None
    won: dict[str, int] = defaultdict(int)
    for each in rows:
        won[each.player] += each.won
    assert {k: v for k, v in saved["balances"].items() if v} == {k: v for k, v in won.items() if v}
    assert saved["guests"][0]["bought"] + PLAY_MONEY + won[saved["guests"][0]["player"]] > 0
    assert server.account.stat().st_mode & 0o077 == 0, "it holds players' secrets"


def test_a_state_is_written_with_its_bets_or_not_at_all(tmp_path: Path) -> None:
    file = KeptFile(tmp_path / "players.sqlite")
    bet = SettledBet(7, 1, "ann", 2, 1_000, behind=False, won=-1_000)
    file.save('{"seq": 7}', [bet])
    with pytest.raises(NotKept, match=r"players\.sqlite cannot be"):
        file.save('{"seq": 8}', [bet])
    assert file.load() == {"seq": 7}
    assert file.bets() == [bet]
    file.close()


@pytest.mark.parametrize("content", [b"this is no database, but a text" * 40, b"SQLite format 3\0"])
def test_a_file_that_is_none_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "players.sqlite"
    path.write_bytes(content)
    with pytest.raises(NotKept, match="move the file away"):
        KeptFile(path)
