"""Commands of the pit, to a running table: signed, for it, in time, once; of nobody else."""

from __future__ import annotations

import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.bus.command_desk import LOOKED_AT, NO_COMMANDS, STALE_MS, TAKEN, CommandDesk
from controller.bus.commands import (
    MOST_COMMAND_BYTES,
    Command,
    CommandAnswer,
    SignedCommand,
    act_json,
    answer_in,
    public_key,
    signed,
)
from controller.record.codec import kind_of
from controller.record.files.head_anchor import genesis
from controller.record.files.signing import (
    default_key_path,
    public_key_path,
    read_public_key,
    signer,
)
from controller.record.reading.record_tail import RecordTail
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.inputs.pit import PIT_ACTS
from tests.bus.described import fits
from tests.service.test_loop import deal_to_the_first_choice, running
from tests.support.pit import setup

pytestmark = pytest.mark.anyio

KEY = Ed25519PrivateKey.generate()
TABLE_KEY = Ed25519PrivateKey.generate()
FOREIGN = Ed25519PrivateKey.generate()
SETUP = replace(setup(3, "blackjack"), pit_acts=PIT_ACTS)


class Seconds:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@asynccontextmanager
async def table(
    path: Path, clock: Seconds | None = None
) -> AsyncIterator[tuple[Service, CommandDesk]]:
    async with running(path / "record", SETUP) as (service, _):
        # Once this is answered, what the scanner said before is on record too.
        await service.submit(i.RemoveWager(1), None, None)
        yield (
            service,
            CommandDesk("T1", (public_key(KEY),), service, TABLE_KEY.sign, clock or Seconds()),
        )


def command(
    act: i.PitAct, *, to: str = "T1", role: str = "pit_boss", late_ms: int = -10_000
) -> Command:
    """A command that expires so much before now."""
    now_ms = time.time_ns() // 1_000_000
    return Command(
        os.urandom(16).hex(), to, 17, role, now_ms - late_ms - 10_000, now_ms - late_ms,
        act_json(act),
    )  # fmt: skip


async def asked(desk: CommandDesk, sent: Command, key: Ed25519PrivateKey = KEY) -> CommandAnswer:
    body = signed(key, sent)
    fits("command", body)
    return await said_to(desk, body)


async def said_to(desk: CommandDesk, body: bytes) -> CommandAnswer:
    """What the desk says to a message; signed, where it is to a command."""
    answer = await desk.answer(body)
    assert answer is not None
    fits("commandAnswer", answer)
    said, is_signed = answer_in(answer, body, public_key(TABLE_KEY))
    assert is_signed == bool(said.id)
    return said


async def test_a_command_is_decided_and_its_answer_says_what(tmp_path: Path) -> None:
    async with table(tmp_path) as (service, desk):
        taken = await asked(desk, sent := command(i.CloseTable()))
        assert taken == CommandAnswer(sent.id, "T1", True, taken.seq, "", "", taken.at_ms)
        assert service.state is not None
        assert service.state.pit.closed
        refused = await asked(desk, command(i.CloseTable()))
        assert (refused.taken, refused.said) == (False, "The table is closed already")


async def test_answers_are_signed_with_the_key_that_signs_closed_days(tmp_path: Path) -> None:
    """The line is put together before the record begins, and with it the key."""
    folder = tmp_path / "record"
    sign = signer(folder, default_key_path(folder))
    async with running(folder, SETUP) as (service, _):
        await service.submit(i.RemoveWager(1), None, None)
        desk = CommandDesk("T1", (public_key(KEY),), service, sign)
        body = signed(KEY, command(i.SendNote("hello")))
        answer = await desk.answer(body)
        assert answer is not None
        said, is_signed = answer_in(answer, body, read_public_key(public_key_path(folder)))
        assert is_signed
        assert said.taken


async def test_a_table_whose_key_is_out_of_reach_answers_without_a_signature(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "record"
    async with running(folder, SETUP) as (service, _):
        await service.submit(i.RemoveWager(1), None, None)
        sign = signer(folder, tmp_path / "not there")
        desk = CommandDesk("T1", (public_key(KEY),), service, sign)
        body = signed(KEY, command(i.SendNote("hello")))
        for _ in range(2):
            answer = await desk.answer(body)
            assert answer is not None
            said, is_signed = answer_in(answer, body, read_public_key(public_key_path(folder)))
            assert (said.taken, is_signed) == (True, False)


async def test_a_repeated_command_acts_once_also_after_a_restart(tmp_path: Path) -> None:
    sent = command(i.SendNote("once"))
    async with table(tmp_path) as (_, desk):
        first = await asked(desk, sent)
        assert (await asked(desk, sent)).seq == first.seq
    async with table(tmp_path) as (service, desk):
        assert (await asked(desk, sent)).seq == first.seq
        assert service.state is not None
        assert len(service.state.pit.notes) == 1


async def test_what_is_not_signed_by_a_known_key_leaves_no_record(tmp_path: Path) -> None:
    async with table(tmp_path) as (service, desk):
        assert service.state is not None
        before = service.state.seq
        honest = signed(KEY, command(i.CloseTable()))
        forged = msgspec.json.decode(honest, type=SignedCommand)
        other_author = forged.command.replace('"user":17', '"user":18')
        for body in (
            signed(FOREIGN, command(i.CloseTable())),
            msgspec.json.encode(SignedCommand(other_author, forged.signature)),
            msgspec.json.encode(SignedCommand(forged.command, "")),
            msgspec.json.encode(SignedCommand(forged.command, "zz")),
            signed(KEY, command(i.CloseTable(), to="T2")),
            b"", b"null", b"\xff\xfe", b"[" * 8_000, b'{"command":1}', honest[:-1],
            json.dumps({"command": "{}", "signature": "00" * 64}).encode(),
        ):  # fmt: skip
            answer = await said_to(desk, body)
            assert not answer.taken
            assert answer.seq == -1
        assert service.state.seq == before


async def test_ten_megabytes_are_not_looked_at(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, desk):
        answer = await said_to(desk, b'{"command":"' + b"[" * 10_000_000)
        assert answer.said == "it is longer than 8192 bytes"
        longest = command(i.SetOptions((("x" * 60, "é" * 60),) * 40))
        assert len(signed(KEY, longest)) <= MOST_COMMAND_BYTES, "no act is cut off"


@pytest.mark.parametrize(
    "act",
    [
        {"do": "resolve", "number": 1}, {"do": "close_day"}, {"do": "correct"}, {}, [], None, 5,
        {"do": "send_note", "text": ""}, {"do": "send_note", "text": "x" * 201},
        {"do": "send_note", "text": 5}, {"do": "ask_fill", "amount": -5},
        {"do": "ask_fill", "amount": 10**13}, {"do": "ask_fill", "amount": 1.5},
        {"do": "set_options", "options": []}, {"do": "set_options", "options": [["max_bet"]]},
        {"do": "silence_alarms", "upto": 0}, {"do": "change_dealer", "person": "x" * 9},
    ],
    ids=str,
)  # fmt: skip
async def test_what_is_no_act_of_a_pit_is_refused(tmp_path: Path, act: object) -> None:
    """Holds, corrections and the end of a day are nothing that a pit can ask for, signed or not."""
    async with table(tmp_path) as (service, desk):
        assert service.state is not None
        before = service.state.seq
        sent = msgspec.structs.replace(command(i.CloseTable()), act=msgspec.Raw(json.dumps(act)))
        assert (await asked(desk, sent)).said.startswith(
            "this build of the table knows no such act"
        )
        assert service.state.seq == before


async def test_a_flood_is_not_looked_at_and_one_that_is_signed_reaches_no_disk(
    tmp_path: Path,
) -> None:
    clock = Seconds()
    async with table(tmp_path, clock) as (service, desk):
        for _ in range(TAKEN[0]):
            assert (await asked(desk, command(i.OpenTable()))).code == "table-is-open-already"
        assert service.state is not None
        before = service.state.seq
        assert "no more commands" in (await asked(desk, command(i.OpenTable()))).said
        for _ in range(LOOKED_AT[0]):
            await desk.answer(signed(FOREIGN, command(i.OpenTable())))
        assert await desk.answer(signed(KEY, command(i.OpenTable()))) is None
        assert service.state.seq == before
        clock.now_s += TAKEN[1]
        assert (await asked(desk, command(i.OpenTable()))).code == "table-is-open-already"


async def test_noise_and_repetitions_keep_no_honest_command_waiting(tmp_path: Path) -> None:
    """Whoever sits on the way says again what a pit has signed, more often than it may ask."""
    async with table(tmp_path) as (service, desk):
        for number in range(NO_COMMANDS[0] + LOOKED_AT[0]):
            await desk.answer(b"noise %d" % number)
        assert await desk.answer(b"noise") is None
        again = signed(KEY, command(i.SendNote("once")))
        stale = signed(KEY, command(i.CloseTable(), late_ms=STALE_MS + 20_000))
        first = await desk.answer(again)
        for _ in range(LOOKED_AT[0]):
            assert await desk.answer(again) == first, "no second signature, no second look"
        for _ in range(TAKEN[0]):
            assert not (await said_to(desk, stale)).taken
        assert (await asked(desk, command(i.CloseTable()))).taken
        assert service.state is not None
        assert len(service.state.pit.notes) == 1


async def test_late_is_on_record_and_long_after_is_not(tmp_path: Path) -> None:
    async with table(tmp_path) as (service, desk):
        assert service.state is not None
        late = await asked(desk, command(i.CloseTable(), late_ms=20_000))
        assert late.code == "pit-command-is-late"
        assert late.seq == service.state.seq
        before = service.state.seq
        stale = await asked(desk, command(i.CloseTable(), late_ms=STALE_MS + 20_000))
        assert not stale.taken
        assert service.state.seq == before


async def test_a_table_in_safe_takes_nothing_and_says_why(tmp_path: Path) -> None:
    async with table(tmp_path) as (service, desk):
        service.table.stop("the disk is full")
        answer = await asked(desk, command(i.OpenTable()))
        assert (answer.taken, answer.seq, answer.said) == (False, -1, "the disk is full")


async def test_no_answer_names_a_hidden_card(tmp_path: Path) -> None:
    """The operator's second card lies face down; it is read, and sealed."""
    async with table(tmp_path) as (service, desk):
        await deal_to_the_first_choice(service)
        answers = [
            await asked(desk, command(act))
            for act in (
                i.CloseTable(), i.OpenTable(), i.SetOptions((("max_bet", "5000"),)),
                i.ChangeDealer(""), i.SendNote("hello"), i.AskFill(500), i.SilenceAlarms(1),
            )
        ]  # fmt: skip
    said = " ".join(each.said for each in answers)
    assert "7♦" not in said
    assert "7d" not in said


async def test_who_asked_stands_on_record(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, desk):
        await asked(desk, command(i.CloseTable()))
        await asked(desk, command(i.CloseTable()))
    with closing(RecordTail(tmp_path / "record")) as tail:
        found = tail.head()
        assert found is not None
        bodies = [each.body for each in tail.after(genesis(found[0]))][-4:]
    kinds = [kind_of(each) for each in bodies]
    assert kinds == ["PitAsked/1", "PlayClosed/1", "PitAsked/1", "Refused/1"]
    which = public_key(KEY)[:8].encode()
    assert b'"who":"pit-17","role":"pit_boss","pit":"%b"' % which in bodies[0]
