"""Commands of a pit to a table: what crosses, signed by the pit's own key. Pure.

The broker is believed in nothing: a table takes what a key signed that its configuration names,
that is for it, and in time. A command is JSON in a text that is signed as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pydantic import Field, TypeAdapter, ValidationError

from controller.bus.messages import BadMessage, Said, Whole, decode
from controller.table.inputs import FromPit, PitAct
from controller.table.inputs.pit import PIT_CHARS
from controller.table.roles import pit_person

#: What is signed begins with it, so that no other signature of that key is one of a command.
_SIGNED: Final = b"tablectl pit command 1\0"
_ANSWERED: Final = b"tablectl table answer 1\0"
#: No act is longer, signature included; nothing longer is looked at.
MOST_COMMAND_BYTES: Final = 8_192
_KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 64
#: A number that nobody else draws.
CommandId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
_ACT: Final[TypeAdapter[Any]] = TypeAdapter(Annotated[PitAct, Field(discriminator="do")])


class Command(msgspec.Struct, frozen=True):
    """What a pit asks of `table`; `user` of the pit asks, as `role`. Wall times in ms.

    `id` names it: sent again with it, it acts once and gets the first answer.
    """

    id: CommandId
    table: Said
    user: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    role: Annotated[str, msgspec.Meta(max_length=32)]
    asked_ms: Whole
    expires_ms: Whole
    act: msgspec.Raw


class SignedCommand(msgspec.Struct, frozen=True):
    """The JSON of a `Command`, and the signature under it (hex)."""

    command: str
    signature: str


class CommandAnswer(msgspec.Struct, frozen=True):
    """What the table decided. `seq` is the record of it, -1 where there is none; `said` says why it
    was not `taken`, in words, `code` is the rule's name (empty where no table answered). `at_ms` is
    the table's wall time.
    """

    id: Said
    table: Said
    taken: bool
    seq: Annotated[int, msgspec.Meta(ge=-1, le=2**53)]
    code: Said
    said: Said
    at_ms: Whole


class SignedAnswer(msgspec.Struct, frozen=True):
    """The JSON of a `CommandAnswer`, and the table's signature under it and what was asked (hex;
    empty where nobody knows who asked).
    """

    answer: Annotated[str, msgspec.Meta(max_length=8_000)]
    signature: Annotated[str, msgspec.Meta(max_length=128)]


Sign = Callable[[bytes], bytes]
"""Signs with the table's own key."""


class NotOurs(ValueError):
    """No command that this table takes; the text says why."""


def signed(key: Ed25519PrivateKey, command: Command) -> bytes:
    """The command as it goes over the bus."""
    text = msgspec.json.encode(command)
    signature = key.sign(_SIGNED + text)
    return msgspec.json.encode(SignedCommand(text.decode(), signature.hex()))


class Claimed(msgspec.Struct, frozen=True):
    """A command that says to be for this table; nobody has looked at its signature."""

    command: Command
    text: bytes
    signature: bytes


def claimed(body: bytes, table: str) -> Claimed:
    """What a message says, at a fortieth of what its signature costs. Raises `NotOurs`."""
    if len(body) > MOST_COMMAND_BYTES:
        raise NotOurs(f"it is longer than {MOST_COMMAND_BYTES} bytes")
    try:
        sent = decode(body, SignedCommand)
        text, signature = sent.command.encode(), bytes.fromhex(sent.signature)
    except (BadMessage, ValueError) as error:
        raise NotOurs("this is no signed command") from error
    if len(signature) != _SIGNATURE_BYTES:
        raise NotOurs("this is no signed command")
    try:
        command = decode(text, Command)
    except BadMessage as error:
        raise NotOurs(str(error)) from error
    if command.table != table:
        raise NotOurs(f"it is for table {command.table[:32]!r}")
    return Claimed(command, text, signature)


def signer_of(claim: Claimed, keys: tuple[str, ...]) -> str:
    """Which of `keys` (hex) signed it. Raises `NotOurs`."""
    text = _SIGNED + claim.text
    key = next((each for each in keys if _is_by(each, claim.signature, text)), None)
    if key is None:
        raise NotOurs("no key of [pit] keys has signed it")
    return key


def signed_answer(sign: Sign, asked: bytes, answer: CommandAnswer) -> bytes:
    """The answer to the message `asked` as it goes over the bus; it is an answer to no other."""
    text = msgspec.json.encode(answer)
    signature = sign(_about(asked) + text)
    return msgspec.json.encode(SignedAnswer(text.decode(), signature.hex()))


def unsigned_answer(answer: CommandAnswer) -> bytes:
    """An answer to whoever it was: of no weight, and without the cost of a signature."""
    return msgspec.json.encode(SignedAnswer(msgspec.json.encode(answer).decode(), ""))


def answer_in(body: bytes, asked: bytes, key: str) -> tuple[CommandAnswer, bool]:
    """An answer to the message `asked`; and whether the table of that public key (hex) signed it.

    Raises `BadMessage`.
    """
    sent = decode(body, SignedAnswer)
    text = sent.answer.encode()
    try:
        is_signed = _is_by(key, bytes.fromhex(sent.signature), _about(asked) + text)
    except ValueError:
        is_signed = False
    return decode(text, CommandAnswer), is_signed


def _about(asked: bytes) -> bytes:
    return _ANSWERED + sha256(asked).digest()


def input_of(command: Command, key: str) -> FromPit:
    """The command, signed by `key`, as the table decides on it. Raises `NotOurs`."""
    try:
        act = _ACT.validate_json(bytes(command.act), strict=True)
    except ValidationError as error:
        raise NotOurs("this build of the table knows no such act, or not in that form") from error
    return FromPit(
        act,
        pit_person(command.user),
        command.role,
        key[:PIT_CHARS],
        command.asked_ms,
        command.expires_ms,
    )


def act_json(act: PitAct) -> msgspec.Raw:
    """An act as it stands in a command."""
    return msgspec.Raw(msgspec.json.encode(act))


def public_key(key: Ed25519PrivateKey) -> str:
    """Its other half, as a table's configuration names it."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def private_key(secret: bytes) -> Ed25519PrivateKey:
    """The key of these bytes. Raises `ValueError`."""
    if len(secret) != _KEY_BYTES:
        raise ValueError(f"a key has {_KEY_BYTES} bytes")
    return Ed25519PrivateKey.from_private_bytes(secret)


def _is_by(key: str, signature: bytes, what: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, what)
    except (InvalidSignature, ValueError):
        return False
    return True
