"""What becomes of a command on the way: nobody there, no answer, an answer of somebody else."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.bus.commands import (
    Command,
    CommandAnswer,
    claimed,
    public_key,
    signed_answer,
    signer_of,
    unsigned_answer,
)
from controller.pit.accounts.roles import PitRole
from controller.pit.acts.commander import LASTS_MS, ActOutcome, Commander
from controller.pit.acts.key import made_key, read_key
from controller.pit.line.questions import NoAnswer, NobodyThere
from controller.table.inputs import CloseTable, SendNote

pytestmark = pytest.mark.anyio
KEY = Ed25519PrivateKey.generate()
TABLE_KEY = Ed25519PrivateKey.generate()
FORM = "0f" * 16


def command_in(body: bytes, table: str) -> Command:
    """The command that the pit signed."""
    claim = claimed(body, table)
    signer_of(claim, (public_key(KEY),))
    return claim.command


class Far:
    """A table at the other end: what it answers, and what it was sent. Each silence takes 5 s."""

    def __init__(self, *answers: bytes | Exception) -> None:
        self.now_ms = 1_000_000
        self.sent: list[bytes] = []
        self.answers = list(answers)

    async def request(self, table: str, body: bytes, wait_s: float) -> bytes:
        self.sent.append(body)
        found = self.answers.pop(0) if self.answers else NoAnswer()
        if isinstance(found, Exception):
            self.now_ms += round(wait_s * 1_000)
            raise found
        if found == b"taken":
            asked = command_in(body, table)
            answer = CommandAnswer(asked.id, table, True, 9, "", "", self.now_ms)
            return signed_answer(TABLE_KEY.sign, body, answer)
        return found

    def commander(
        self, key: Ed25519PrivateKey | None = KEY, table: Ed25519PrivateKey | None = None
    ) -> Commander:
        tables = {} if table is None else {"T1": public_key(table)}
        return Commander(key, self.request, lambda: self.now_ms, tables)


async def test_what_the_table_took_is_done() -> None:
    far = Far(b"taken")
    came = await far.commander().send("T1", CloseTable(), 3, PitRole.PIT_BOSS, FORM)
    assert (came.done, came.seq) == (True, 9)


async def test_a_table_that_is_not_there_is_offline() -> None:
    came = await Far(NobodyThere()).commander().send("T1", CloseTable(), 3, PitRole.FLOOR, FORM)
    assert (came.done, came.said) == (False, "T1 is offline, or does not listen to the pit")


async def test_without_an_answer_the_same_command_is_sent_again_until_it_has_expired() -> None:
    far = Far(NoAnswer(), b"taken")
    assert (await far.commander().send("T1", CloseTable(), 3, PitRole.PIT_BOSS, FORM)).done
    assert far.sent[0] == far.sent[1]
    far = Far()
    began_ms = far.now_ms
    came = await far.commander().send("T1", CloseTable(), 3, PitRole.PIT_BOSS, FORM)
    assert came.done is None, "nobody knows"
    assert len(set(far.sent)) == 1
    assert far.now_ms >= began_ms + LASTS_MS


async def test_a_clock_that_is_put_back_lets_nobody_wait_for_an_hour() -> None:
    far = Far()
    request = far.request

    async def silent(table: str, body: bytes, wait_s: float) -> bytes:
        if far.sent:
            raise NobodyThere
        far.now_ms -= 3_600_000
        return await request(table, body, wait_s)

    commander = Commander(KEY, silent, lambda: far.now_ms)
    assert (await sent(commander)).done is None
    assert len(far.sent) == 1


async def test_a_form_that_is_pressed_twice_is_one_command() -> None:
    far = Far(*[b"taken"] * 4)
    commander = far.commander()
    for _ in range(2):
        await commander.send("T1", SendNote("once"), 3, PitRole.FLOOR, FORM)
    assert far.sent[0] == far.sent[1]
    await commander.send("T1", SendNote("once"), 4, PitRole.FLOOR, FORM)
    assert far.sent[2] != far.sent[0], "a form of somebody else is another"
    await commander.send("T1", SendNote("something else"), 3, PitRole.FLOOR, FORM)
    assert b"something else" in bytes(command_in(far.sent[3], "T1").act), (
        "a form that was gone back to, and changed"
    )


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"\xff", b"[" * 5_000, b"{}",
        unsigned_answer(CommandAnswer("00" * 16, "T1", True, 9, "", "", 0)),
        unsigned_answer(CommandAnswer("", "T1", True, 9, "", "", 0)),
        unsigned_answer(CommandAnswer("", "T2", False, 9, "", "no", 0)),
    ],
)  # fmt: skip
async def test_an_answer_of_nobody_we_asked_does_not_say_that_it_is_done(answer: bytes) -> None:
    came = await Far(answer).commander().send("T1", CloseTable(), 3, PitRole.PIT_BOSS, FORM)
    assert not came.done


async def test_a_table_whose_key_is_known_is_believed_by_its_signature_alone() -> None:
    """The broker sits between the two: it forges, leaves out, or says an old answer again."""
    assert (await sent(Far(b"taken").commander(table=TABLE_KEY))).done
    assert (await sent(Far(b"taken").commander(table=KEY))).done is None, "of another key"
    far = Far()
    forged = unsigned_answer(CommandAnswer("", "T1", False, -1, "", "no", 0))
    far.answers = [forged]
    came = await sent(far.commander(table=TABLE_KEY))
    assert (came.done, came.said) == (
        None, "an answer came for T1 that it has not signed: look at it (no)"
    )  # fmt: skip
    old = signed_answer(TABLE_KEY.sign, b"another", CommandAnswer("", "T1", False, 9, "", "no", 0))
    assert (await sent(Far(old).commander(table=TABLE_KEY))).done is None, "to another question"


async def sent(commander: Commander) -> ActOutcome:
    return await commander.send("T1", CloseTable(), 3, PitRole.PIT_BOSS, FORM)


async def test_a_pit_without_a_key_sends_nothing() -> None:
    far = Far(b"taken")
    came = await far.commander(None).send("T1", CloseTable(), 3, PitRole.PIT_BOSS, FORM)
    assert "--key" in came.said
    assert far.sent == []


def test_a_key_is_made_once_for_nobody_else_to_read(tmp_path: Path) -> None:
    path = tmp_path / "acts.key"
    assert read_key(path) is None
    made = public_key(made_key(path))
    assert public_key(made_key(path)) == made
    assert not path.stat().st_mode & (stat.S_IRWXO | stat.S_IWGRP)
    assert [each.name for each in tmp_path.iterdir()] == ["acts.key"]
    path.write_bytes(b"short")
    with pytest.raises(ValueError, match="32 bytes"):
        read_key(path)
