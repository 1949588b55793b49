"""Sends commands to tables: signed, with an id and an expiry; and what came of each.

The pit decides nothing for a table. Without an answer a command is sent again with its id, which
acts once, until it has expired.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.bus.commands import Command, act_json, answer_in, signed
from controller.bus.messages import BadMessage
from controller.pit.accounts.roles import PitRole
from controller.pit.line.questions import NoAnswer, NobodyThere
from controller.table.inputs import PitAct

#: A table takes a command this long after it was asked for.
LASTS_MS: Final = 10_000
#: An answer that is later is asked for again.
WAIT_S: Final = 5.0
#: This many presses are known again.
REMEMBERED: Final = 1_000
_ID_DIGITS: Final = 32
#: What a table says to an id that came with other times: this pit has forgotten that press.
_ASKED_BEFORE: Final = "key-is-of-another-command"


Request = Callable[[str, bytes, float], Awaitable[bytes]]
"""Ask a table, with the seconds to wait. Raises `NobodyThere`, `NoAnswer`."""


async def no_line(table: str, body: bytes, wait_s: float) -> bytes:
    """Of a pit that reaches no table. Raises `NobodyThere`."""
    raise NobodyThere


@dataclass(frozen=True, slots=True)
class ActOutcome:
    """What came of an act: `said` in words, `done` if the table took it (None: nobody knows)."""

    done: bool | None
    said: str
    seq: int = -1


class Commander:
    """Sends what people of this pit ask for. `key` is None where the pit has none.

    `tables` are the public keys of tables by name (hex): of these no answer counts that is not
    signed.
    """

    def __init__(
        self, key: Ed25519PrivateKey | None, request: Request, clock_ms: Callable[[], int],
        tables: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self._tables = tables or {}
        self._key = key
        self._request = request
        self._clock_ms = clock_ms
        #: The newest commands, by who pressed which form: pressed twice it is sent twice, and acts
        #: once. Filled in otherwise (the browser went back to it) it asks for something else.
        self._pressed: OrderedDict[tuple[int, str, str, PitAct], tuple[Command, bytes]] = (
            OrderedDict()
        )

    @property
    def has_key(self) -> bool:
        """Whether tables could know commands of this pit."""
        return self._key is not None

    async def send(
        self, table: str, act: PitAct, user: int, role: PitRole, form: str
    ) -> ActOutcome:
        """Ask a table for an act; returns when it has decided, or nothing more is to be had.

        `form` names the form that was pressed: pressed again, it is the same command.
        """
        if self._key is None:
            return ActOutcome(False, "This pit has no key: `tablectl pit CONFIG --key` makes one")
        command, body = self._signed(self._key, table, act, user, role, form)
        while True:
            try:
                answer = await self._request(table, body, WAIT_S)
            except NobodyThere:
                return ActOutcome(False, f"{table} is offline, or does not listen to the pit")
            except NoAnswer:
                # A clock that was put back lets nobody wait for longer.
                if 0 < command.expires_ms - self._clock_ms() <= LASTS_MS:
                    continue
                return ActOutcome(None, f"{table} did not answer: look at it before you ask again")
            return _outcome(command, body, answer, self._tables.get(table, ""))

    def _signed(
        self, key: Ed25519PrivateKey, table: str, act: PitAct, user: int, role: PitRole, form: str
    ) -> tuple[Command, bytes]:
        pressed = (user, form, table, act)
        if (known := self._pressed.get(pressed)) is not None:
            return known
        now_ms = self._clock_ms()
        asked = act_json(act)
        command = Command(
            _id(user, form, table, bytes(asked)), table, user, role.value, now_ms,
            now_ms + LASTS_MS, asked,
        )  # fmt: skip
        made = self._pressed[pressed] = (command, signed(key, command))
        if len(self._pressed) > REMEMBERED:
            self._pressed.popitem(last=False)
        return made


def _id(user: int, form: str, table: str, act: bytes) -> str:
    """The id of what a form asks for: the same after a restart, and from another pit beside it."""
    pressed = f"{user} {form} {table} ".encode() + act
    return sha256(pressed).hexdigest()[:_ID_DIGITS]


def _outcome(command: Command, asked: bytes, body: bytes, key: str) -> ActOutcome:
    try:
        answer, is_signed = answer_in(body, asked, key)
    except BadMessage:
        return ActOutcome(None, f"{command.table} answered what is no answer: look at it")
    if answer.table != command.table or (answer.id and answer.id != command.id):
        return ActOutcome(None, f"the answer is not that of {command.table}: look at it")
    if key and not is_signed:
        said = f"an answer came for {command.table} that it has not signed: look at it"
        return ActOutcome(None, f"{said} ({answer.said})" if answer.said else said)
    if answer.taken and answer.id:
        return ActOutcome(True, f"{command.table} has done it", answer.seq)
    if answer.code == _ASKED_BEFORE:
        return ActOutcome(None, f"{command.table} was asked by this form before: look at it")
    unknown = answer.code == "no-answer-yet"
    return ActOutcome(None if unknown else False, f"{command.table}: {answer.said}", answer.seq)
