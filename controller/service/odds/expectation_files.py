"""Files of expectations for the options of this table: delivered, or computed once by a process."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from typing import Final

from controller.odds.live.files import delivered
from controller.record.reading.expected import beside, computed_path
from controller.rules.game import Game
from controller.rules.games.registry import GAMES
from controller.rules.messages import Message, message
from controller.rules.options import plain, plain_text

log = logging.getLogger(__name__)

#: So much of why a process failed is for pages, and goes with every status of the table.
_MOST_WHY: Final = 200


def command_for(plays: Game, *more: str) -> list[str]:
    """The command that computes the odds of the game with its options, and gives way to others."""
    options = [f"--option={name}={plain_text(each)}" for name, each in plain(plays.options).items()]
    odds = [sys.executable, "-m", "controller", "odds", plays.name]
    return ["nice", "-n", "19", *odds, *options, *more]


class ExpectationFiles:
    """Those beside the record in `folder`, and those that the software brings."""

    def __init__(self, folder: Path) -> None:
        self._folder = beside(folder)
        self._tasks: dict[Path, asyncio.Task[None]] = {}
        self._began_s: dict[Path, float] = {}
        self._failed: dict[Path, Message] = {}

    def path(self, plays: Game, players: int | None = None) -> Path | None:
        """The file for the game with these options, if it is there.

        Of a game for a pot: its chances among `players` players.
        """
        computed = self._computed(plays, players)
        return delivered(plays) or (computed if computed.exists() else None)

    def _computed(self, plays: Game, players: int | None) -> Path:
        path = computed_path(self._folder, plays, GAMES[plays.name])
        return path if players is None else path.with_name(f"{path.stem}-{players}.json")

    def begin(self, plays: Game, players: int | None = None) -> int | Message:
        """Have it computed, unless that is going on: for how many seconds by now; or why not."""
        path = self._computed(plays, players)
        if path in self._failed:
            return self._failed[path]
        if path not in self._tasks:
            self._began_s[path] = time.monotonic()
            self._tasks[path] = asyncio.create_task(self._compute(plays, players, path))
        return int(time.monotonic() - self._began_s[path])

    def failure(self, plays: Game) -> Message | None:
        """Why it cannot be computed; None where nothing says so."""
        return self._failed.get(computed_path(self._folder, plays, GAMES[plays.name]))

    async def computed(self, plays: Game) -> None:
        """Returns once the file is there, or cannot be made."""
        if plays.vying or self.path(plays) is not None:
            return
        self.begin(plays)
        task = self._tasks.get(computed_path(self._folder, plays, GAMES[plays.name]))
        if task is not None:
            await asyncio.shield(task)

    async def _compute(self, plays: Game, players: int | None, path: Path) -> None:
        seats = [] if players is None else [f"--seats={players}"]
        try:
            child = await asyncio.create_subprocess_exec(
                *command_for(plays, *seats, "--expectations", str(path)),
                stdout=DEVNULL,
                stderr=PIPE,
            )
        except OSError as error:
            self._failed[path] = message("odds-not-computed-why", why=str(error))
            return
        try:
            _, err = await child.communicate()
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
        if child.returncode:
            said = err.decode(errors="replace").strip()
            log.warning("%s: the odds were not computed: %s", plays.title, said)
            # Of a traceback that is its error; the rest is for the log.
            why = said.rpartition("\n")[2][:_MOST_WHY]
            self._failed[path] = (
                message("odds-not-computed-why", why=why) if why else message("odds-not-computed")
            )

    async def close(self) -> None:
        """End what is being computed."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
