"""The bench's end of the rig's line protocol: requests and answers in order, edges as they come."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from sim_hw.rig.protocol import GREETING, LINE_MAX, VERSION
from tests.support.patience import PATIENCE_S

#: Edges that are remembered: a trace is drawn of the last ones.
EDGES_KEPT: Final = 200_000
#: Verbs whose first word is a line's name; and the line of those that have none.
_NAME_THEIR_LINE: Final = ("say", "heard", "listen", "edge", "plug")
_LINE_OF: Final = {"power": "power", "show": "panel", "grab": "display"}


def plug(name: str) -> str:
    """A plug's name among all lines: it is called as what it unplugs."""
    return f"plug {name}"


class RigRefused(Exception):
    """The rig did not do what was asked; the text is its own."""


class RigGone(Exception):
    """The rig is not there, hung up, or broke the protocol."""


class RigEdge(NamedTuple):
    """An input of the rig changed: when, by the rig's clock, which one, its level now."""

    at_ns: int
    line: str
    level: int


class RigHeard(NamedTuple):
    """What came on a line that is listened to: when the rig had it, by its clock.

    `data` is None where the line was lost.
    """

    at_ns: int
    line: str
    data: bytes | None


class RigLineInfo(NamedTuple):
    """One line of a rig: out, in, plug, relay, serial, panel or grab, and its level or size."""

    kind: str
    value: str


class _Answer(NamedTuple):
    values: tuple[str, ...]
    raw: bytes


class RigClient:
    """A connected rig. Requests are sent at once and answered in order."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._number = 0
        self._waiting: deque[tuple[str, bool, asyncio.Future[_Answer]]] = deque()
        self._watchers: list[Callable[[RigEdge], None]] = []
        self._listeners: list[Callable[[RigHeard], None]] = []
        self.edges: deque[RigEdge] = deque(maxlen=EDGES_KEPT)
        self.lost = 0
        #: Whether the table has power, as far as this bench switched it, and how often it cut it.
        self.powered, self.cuts = True, 0
        #: Why nothing is answered any more.
        self.gone: RigGone | None = None
        self._waking: list[asyncio.Event] = []
        self.about: dict[str, str] = {}
        self.levels: dict[str, int] = {}
        self.lines: dict[str, RigLineInfo] = {}
        #: The lines that something was asked of, or that an edge came from.
        self.used: set[str] = set()

    def ask(self, verb: str, *words: object, raw: bytes = b"") -> asyncio.Future[_Answer]:
        """Send a request; its answer will come. Refused, the future raises `RigRefused`.

        It raises `RigGone` where the rig is gone, or goes before it has answered.
        """
        self._number += 1
        name = str(words[0]) if verb in _NAME_THEIR_LINE else _LINE_OF.get(verb, "")
        name = plug(name) if verb == "plug" else name
        self.used |= self.lines.keys() & {name}
        if verb == "power":
            self.powered = words == ("on",)
            self.cuts += not self.powered
        line = " ".join([str(self._number), verb, *map(str, words)])
        assert len(line) < LINE_MAX
        answer = asyncio.get_running_loop().create_future()
        if self.gone is not None:
            answer.set_exception(self.gone)
            return answer
        self._waiting.append((str(self._number), verb == "grab", answer))
        self._writer.write(line.encode() + b"\n" + raw)
        return answer

    async def do(self, verb: str, *words: object, raw: bytes = b"") -> tuple[str, ...]:
        """Send a request and wait for its answer. Raises `RigRefused`, `RigGone`."""
        async with asyncio.timeout(PATIENCE_S):
            return (await self.ask(verb, *words, raw=raw)).values

    async def at(self, verb: str, *words: object) -> int:
        """The same, for what answers with its time, by the rig's clock."""
        return int((await self.do(verb, *words))[-1])

    async def grab(self) -> bytes:
        """One picture of the dealer's display. Raises `RigRefused`, `RigGone`."""
        async with asyncio.timeout(PATIENCE_S):
            return (await self.ask("grab")).raw

    async def look(self) -> dict[str, RigLineInfo]:
        """All lines anew, with their levels."""
        _, *said = await self.do("lines")
        pairs = (each.partition("=") for each in said)
        lines = ((name, RigLineInfo(*what.split(":", 1))) for name, _, what in pairs)
        self.lines = {plug(name) if each.kind == "plug" else name: each for name, each in lines}
        self.levels.update(
            {name: int(each.value) for name, each in self.lines.items() if each.kind == "in"}
        )
        return self.lines

    def watch(self, watcher: Callable[[RigEdge], None]) -> None:
        """Call `watcher` for each edge from now on."""
        self._watchers.append(watcher)

    def unwatch(self, watcher: Callable[[RigEdge], None]) -> None:
        """No longer."""
        self._watchers.remove(watcher)

    def hear(self, listener: Callable[[RigHeard], None]) -> None:
        """Call `listener` for what comes on the lines that are listened to, from now on."""
        self._listeners.append(listener)

    def unhear(self, listener: Callable[[RigHeard], None]) -> None:
        """No longer."""
        self._listeners.remove(listener)

    def note(self, edge: RigEdge) -> None:
        """A lamp changed: at an input, or as it was heard on a line."""
        self.edges.append(edge)
        self.levels[edge.line] = edge.level
        for each in list(self._watchers):
            each(edge)

    async def until(self, true: Callable[[], bool], within_s: float = PATIENCE_S) -> None:
        """Wait for edges until something is so. Raises `TimeoutError`, `RigGone`."""
        changed = asyncio.Event()

        def watcher(_: RigEdge) -> None:
            changed.set()

        self.watch(watcher)
        self._waking.append(changed)
        try:
            async with asyncio.timeout(within_s):
                while not true():
                    if self.gone is not None:
                        raise self.gone
                    changed.clear()
                    await changed.wait()
        finally:
            self._waking.remove(changed)
            self.unwatch(watcher)

    async def listen(self) -> None:
        """Take what the rig says until it hangs up."""
        try:
            while line := await self._reader.readline():
                await self._take(line.decode("ascii").strip())
        except (OSError, ValueError, IndexError, asyncio.IncompleteReadError) as error:
            self._end(RigGone(f"the rig is gone: {error}"))
            return
        self._end(RigGone("the rig hung up"))

    async def _take(self, line: str) -> None:
        first, *rest = line.split(" ")
        if first == "at":
            edge = RigEdge(int(rest[0]), rest[1], int(rest[2]))
            self.used.add(edge.line)
            self.note(edge)
        elif first in ("heard", "away"):
            data = bytes.fromhex(rest[2]) if first == "heard" else None
            heard = RigHeard(int(rest[0]), rest[1], data)
            for listener in list(self._listeners):
                listener(heard)
        elif first == "lost":
            self.lost += int(rest[0])
        else:
            await self._answered(first, rest)

    async def _answered(self, number: str, rest: list[str]) -> None:
        # It waits until it is answered whole: where the rig goes before that, it is told so.
        asked, brings_bytes, answer = self._waiting[0]
        if number not in (asked, "0"):
            raise ValueError(f"the answer to {asked} was expected, not {number}")
        ok = rest[0] == "ok"
        raw = await self._reader.readexactly(int(rest[2])) if ok and brings_bytes else b""
        self._waiting.popleft()
        if answer.done():
            return
        if ok:
            answer.set_result(_Answer(tuple(rest[1:]), raw))
        else:
            answer.set_exception(RigRefused(" ".join(rest[1:])))

    def _end(self, why: RigGone) -> None:
        self.gone = why
        for each in self._waking:
            each.set()
        for _, _, answer in self._waiting:
            if not answer.done():
                answer.set_exception(why)
        self._waiting.clear()


@asynccontextmanager
async def connected(host: str, port: int) -> AsyncIterator[RigClient]:
    """A rig that said hello. Raises `RigGone`, `RigRefused`."""
    try:
        reader, writer = await asyncio.open_connection(host, port)
    except OSError as error:
        raise RigGone(f"no rig answers at {host}:{port}: {error}") from error
    listening: asyncio.Task[None] | None = None
    try:
        async with asyncio.timeout(PATIENCE_S):
            greeting = (await reader.readline()).decode("ascii", "replace").strip()
        if greeting != GREETING:
            raise RigGone(f"what answers at {host}:{port} says {greeting!r}, not {GREETING!r}")
        client = RigClient(reader, writer)
        listening = asyncio.create_task(client.listen())
        said = await client.do("hello", VERSION)
        client.about = dict(each.split("=", 1) for each in said[1:])
        await client.look()
        yield client
    finally:
        writer.close()
        if listening is not None:
            listening.cancel()
            await asyncio.wait([listening])
        else:
            await writer.wait_closed()
