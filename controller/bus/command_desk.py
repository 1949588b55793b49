"""A table's answers to commands of the pit: who signed, how many at a time, what the table says.

What nobody signed whom the table knows is answered and leaves no record; what is signed goes where
a web command goes, with its id as the sender's key, and is decided and recorded there. What costs
little is asked first, so that noise and repetitions keep no honest command waiting.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from controller.bus.commands import (
    MOST_COMMAND_BYTES,
    Command,
    CommandAnswer,
    NotOurs,
    Sign,
    claimed,
    input_of,
    signed_answer,
    signer_of,
    unsigned_answer,
)
from controller.bus.connection import BusClient
from controller.bus.messages import Topic, subject
from controller.bus.server_conf import PIT, inbox
from controller.host.defects import report
from controller.record.files.database import JournalError
from controller.rules.games.registry import game
from controller.service.loop import Service
from controller.service.ports import TableStopped
from controller.table.views.english import say

log: Final = logging.getLogger(__name__)

#: Commands beyond this many that wait are dropped; the pit asks again.
WAITING: Final = 32
#: The table answers within this time, or says that it has not yet.
ANSWER_S: Final = 4.0
#: The signatures of this many messages in a row are checked, and of one more in this many seconds:
#: each costs a quarter of a millisecond. Beyond, nothing is answered.
LOOKED_AT: Final = (100, 0.01)
#: This many messages in a row that cannot be a command for this table are answered, and one more in
#: this many seconds: they take nothing from those that can.
NO_COMMANDS: Final = (50, 0.1)
#: The newest answers of the table are said again to the same message, whoever sends it.
REPEATED: Final = 256
#: This many commands in a row reach the table, and one more in this many seconds: some 43,000 a
#: day, so that a pit that is broken leaves keys to the table's own senders (`KEYS_A_DAY`).
TAKEN: Final = (20, 2.0)
#: Whatever comes this late says nothing new of the table: it leaves no record.
STALE_MS: Final = 10 * 60_000


#: Where the pit waits for answers.
_TO_PIT: Final = f"{inbox(PIT)}."


class Bucket:
    """A rate limit: a burst of messages, and then one in a number of seconds."""

    def __init__(self, most: int, every_s: float, clock_s: Callable[[], float]) -> None:
        self._most, self._every_s, self._clock_s = most, every_s, clock_s
        self._left, self._at_s = float(most), clock_s()

    def lets(self) -> bool:
        """Whether one more goes through."""
        now_s = self._clock_s()
        gained = (now_s - self._at_s) / self._every_s
        self._left, self._at_s = min(self._most, self._left + gained), now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True


class CommandDesk:
    """Takes commands to `service`, the table called `table`, that one of `keys` has signed."""

    def __init__(
        self, table: str, keys: tuple[str, ...], service: Service,
        sign: Sign, clock_s: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._sign = sign
        self._table = table
        self._keys = keys
        self._service = service
        self._no_commands = Bucket(*NO_COMMANDS, clock_s)
        self._looks = Bucket(*LOOKED_AT, clock_s)
        self._takes = Bucket(*TAKEN, clock_s)
        #: What stands on record, by the digest of the message: repeated, it costs a digest.
        self._answered: OrderedDict[bytes, bytes] = OrderedDict()
        #: What was refused last, so that a flood is one line of the log.
        self._logged = ""

    async def listen(self, client: BusClient) -> None:
        """Answer what comes over this line from now on, one command after the other."""
        await client.subscribe(
            subject(self._table, Topic.COMMAND), cb=self._came,
            pending_msgs_limit=WAITING, pending_bytes_limit=WAITING * MOST_COMMAND_BYTES,
        )  # fmt: skip

    async def _came(self, asked: Msg) -> None:
        try:
            # Nowhere else: an answer under a table's own subject would be its status, or a record.
            waits = asked.reply.startswith(_TO_PIT)
            if waits and (answer := await self.answer(asked.data)) is not None:
                await asked.respond(answer)
        except (NatsError, OSError) as error:
            log.warning("bus: an answer did not go out: %s", error)
        except Exception as error:  # noqa: BLE001  (whatever it is, the line and the table go on)
            # Its text may name a card: the client would show it as what is wrong with the line.
            report("a command of the pit was not answered", error)

    async def answer(self, body: bytes) -> bytes | None:
        """The answer to a message; None: there are too many."""
        digest = sha256(body[: MOST_COMMAND_BYTES + 1]).digest()
        if (known := self._answered.get(digest)) is not None:
            return known
        try:
            claim = claimed(body, self._table)
        except NotOurs as error:
            return self._not_ours(str(error)) if self._no_commands.lets() else None
        if not self._looks.lets():
            return None
        try:
            key = signer_of(claim, self._keys)
        except NotOurs as error:
            return self._not_ours(str(error))
        answer = await self._to(claim.command, key)
        try:
            said = signed_answer(self._sign, body, answer)
        except (JournalError, OSError) as error:
            # What stopped the table may be what keeps its key: the pit is to read why.
            log.warning("bus: an answer is not signed: %s", error)
            return unsigned_answer(answer)
        if answer.seq >= 0:
            self._answered[digest] = said
            if len(self._answered) > REPEATED:
                self._answered.popitem(last=False)
        return said

    async def _to(self, command: Command, key: str) -> CommandAnswer:
        """The answer to a command that `key` signed."""
        if self._service.clock.wall_ms() - command.expires_ms > STALE_MS:
            return self._answer(command, "this came long after its time: it is not taken")
        if not self._takes.lets():
            return self._answer(command, "the table takes no more commands for a while: wait")
        try:
            return await self._decided(command, key)
        except NotOurs as error:
            return self._answer(command, str(error))

    async def _decided(self, command: Command, key: str) -> CommandAnswer:
        """Raises `NotOurs`."""
        service, asked = self._service, input_of(command, key)
        try:
            async with asyncio.timeout(ANSWER_S):
                reply = await service.submit(asked, f"pit-{command.id}", None)
        except TableStopped as stopped:
            return self._answer(command, str(stopped))
        except TimeoutError:
            return self._answer(command, "no answer yet: look at the table", code="no-answer-yet")
        if reply.refused is None:
            return self._answer(command, "", reply.seq)
        setup = service.setup
        words = game(setup.game).words._replace(index_style=setup.index)
        return self._answer(command, say(reply.refused, words), reply.seq, reply.refused.code)

    def _answer(self, command: Command, said: str, seq: int = -1, code: str = "") -> CommandAnswer:
        at_ms = self._service.clock.wall_ms()
        taken = not said
        return CommandAnswer(command.id, self._table, taken, seq, code, said, at_ms)

    def _not_ours(self, why: str) -> bytes:
        if why != self._logged:
            log.warning("bus: a command was not taken: %s", why)
            self._logged = why
        at_ms = self._service.clock.wall_ms()
        return unsigned_answer(CommandAnswer("", self._table, False, -1, "not-ours", why, at_ms))
