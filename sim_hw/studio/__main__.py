"""The game server against a table that runs: `python -m sim_hw.studio URL TOKEN_FILE`.

Robots sit, bet, bet behind and decide until so many rounds are over; then it prints what was seen
and what everybody has won. It ends with 1 where the table's account is another one.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import asdict
from pathlib import Path

from sim_hw.studio.account import NotPayable
from sim_hw.studio.api import FeedReset, NotATable, TableApi
from sim_hw.studio.game_server import GameServer, OtherAccount


async def _play(asked: argparse.Namespace) -> GameServer:
    token = asked.token_file.read_text(encoding="ascii").strip()
    api = TableApi(asked.url, token)
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


def main() -> int:
    """Play, and print the account."""
    parser = argparse.ArgumentParser(prog="python -m sim_hw.studio", description=__doc__)
    parser.add_argument("url", help="the table, such as http://127.0.0.1:8027")
    parser.add_argument("token_file", type=Path, help="its token")
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--behind", type=int, default=300, help="players who bet behind (300)")
    parser.add_argument("--rounds", type=int, default=20, help="then it ends (20)")
    parser.add_argument("--least", type=int, default=1_000, help="the least bet, in minor units")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        server = asyncio.run(_play(asked))
    except (OSError, NotATable, FeedReset, OtherAccount, NotPayable) as error:
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
