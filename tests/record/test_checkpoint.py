"""The checkpoint: the same table as by replay, in every output; and never trusted in doubt."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from controller.devices.inputs import Button, Doubt, Press, Reading
from controller.record import checkpoint
from controller.record.audit import verify
from controller.record.checkpoint import (
    Keeper,
    checkpoint_path,
    read_checkpoint,
    recover,
    write_checkpoint,
)
from controller.record.codec import VERSION, Decoder, encode, sealed_in
from controller.record.head_anchor import Mark
from controller.record.journal import Journal, JournalDamaged
from controller.record.snapshot import SnapshotError, pack, unpack
from controller.rules.games.registry import GAMES
from controller.rules.sealed import Sealed
from controller.table import inputs as i
from controller.table.decide.decide import Decision, decide
from controller.table.evolve.evolve import evolve
from controller.table.facts import Record
from controller.table.state import State
from controller.table.views.public import public
from controller.table.views.replay import replay
from controller.table.views.scene import scene
from tests.support.croupier import Croupier
from tests.support.forms import examples
from tests.support.journals import QuickPit, records, write_journal
from tests.support.pit import SCANNER, Pit, setup
from tests.table.test_properties import ANY_INPUT


def replayed(pit: Pit) -> tuple[State, dict[str, Sealed]]:
    """The state that the records alone make, and the openings of hidden cards."""
    seals: dict[str, Sealed] = {}
    for record in pit.records:
        for name in type(record.fact).__dataclass_fields__:
            value = getattr(record.fact, name)
            if isinstance(value, Sealed) and value.digest:
                seals[value.digest] = value
    decode = Decoder(seals.get).decode
    state: State | None = None
    for record in pit.records:
        state = evolve(state, decode(record.seq, VERSION, encode(record)))
    assert state is not None
    return state, seals


def next_decisions(state: State) -> Iterator[Decision]:
    """What the table would answer to many things now."""
    asked: list[i.Given] = [
        i.LoadPack(), i.CutShoe(), i.PlaceWager(1, 1_000), i.RepeatWagers(), i.CloseBets(),
        i.ChangeDealer("Ann"), i.CallFloor(), i.TurnCard(), i.Peek(False), i.ConfirmSettled(1),
        Reading(SCANNER, None, Doubt.NO_CODE), Reading(SCANNER, None, Doubt.TOO_CLOSE, apart=True),
        *(Press("buttons", each) for each in Button),
        *(Reading(SCANNER, Sealed(kind, "000001"), apart=True) for kind in state.game.pack.kinds()),
    ]  # fmt: skip
    stamp = i.Stamp(1_800_000_000_000, 1, "test:next", bytes(16))
    for each in asked:
        yield decide(state, each, stamp)
    for key in state.answered:
        yield decide(state, i.LoadPack(), i.Stamp(1, 1, f"{key}#other", bytes(16)))


def same_table(one: State, two: State) -> None:
    assert pack(one) == pack(two)
    assert scene(one) == scene(two)
    assert public(one) == public(two)
    assert [replay(each) for each in one.past if not each.void] == [
        replay(each) for each in two.past if not each.void
    ]
    for mine, other in zip(next_decisions(one), next_decisions(two), strict=True):
        assert [encode(each) for each in mine.records] == [encode(each) for each in other.records]
        assert (mine.refused, mine.seq) == (other.refused, other.seq)
        assert scene(mine.state) == scene(other.state)


@examples(40)
@given(st.lists(ANY_INPUT, max_size=30), st.booleans())
def test_a_checkpoint_is_the_same_table_whatever_happened(
    inputs: list[i.Given], keyed: bool
) -> None:
    pit = Pit(setup(3))
    for number, each in enumerate(inputs):
        pit.give(each, key=f"key-{number}" if keyed else "")
    state, seals = replayed(pit)
    same_table(unpack(pack(state), seals.get), state)


@pytest.mark.parametrize("name", GAMES)
@examples(6)
@given(seed=st.integers(0, 10_000), upto=st.integers(1, 60))
def test_a_checkpoint_is_the_same_table_at_any_step_of_any_game(
    name: str, seed: int, upto: int
) -> None:
    class Enough(Exception):
        pass

    pit = QuickPit(setup(5, name))
    steps = 0

    def each() -> None:
        nonlocal steps
        steps += 1
        if steps == upto:
            raise Enough

    croupier = Croupier(pit, random.Random(seed), unread=0.2)
    try:
        for _ in range(60):
            croupier.round(dict.fromkeys(range(1, 6), 1_000), each)
    except Enough:
        pass
    state, seals = replayed(pit)
    again = unpack(pack(state), seals.get)
    same_table(again, state)
    hidden = [hand.down for hand in again.hands if hand.down]
    assert [list(each) for each in hidden] == [list(h.down) for h in state.hands if h.down]


def test_what_a_state_cannot_be_kept_with_is_said() -> None:
    state = Pit(setup(3)).state
    odd = object.__new__(State)
    odd.__dict__.update(state.__dict__, software={1, 2})
    with pytest.raises(SnapshotError, match="cannot be kept with set"):
        pack(odd)


# -- beside a journal --

DAY = records(9, 400, "blackjack")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal that is long enough for a checkpoint, with one at record 250."""
    monkeypatch.setattr(checkpoint, "REPLAY_RECORDS", 100)
    path = tmp_path / "journal.db"
    mark = write_journal(path, DAY[:250])
    write_checkpoint(path, mark, recovered(path)[0])
    write_journal(path, DAY[250:])
    return path


def recovered(path: Path) -> tuple[State, list[int]]:
    """The state, and the records that were read for it."""
    read: list[int] = []
    with closing(Journal(path)) as journal:
        records = journal.records

        def counted(after: Mark) -> Iterator[Record]:
            for record in records(after):
                read.append(record.seq)
                yield record

        journal.records = counted  # type: ignore[method-assign, assignment]
        state = recover(journal)
        assert state is not None
        assert journal.head.seq == state.seq
        return state, read


def by_replay(path: Path) -> State:
    kept = checkpoint_path(path).read_bytes()
    checkpoint_path(path).unlink()
    state, read = recovered(path)
    assert read == [record.seq for record in DAY]
    checkpoint_path(path).write_bytes(kept)
    return state


def test_a_long_journal_begins_after_its_checkpoint(path: Path) -> None:
    state, read = recovered(path)
    assert read == [record.seq for record in DAY[250:]]
    same_table(state, by_replay(path))


def test_a_short_journal_is_always_replayed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "REPLAY_RECORDS", 401)
    assert recovered(path)[1] == [record.seq for record in DAY]


@pytest.mark.parametrize("seed", range(3))
def test_a_spoilt_checkpoint_is_left_alone(path: Path, seed: int) -> None:
    mixed = random.Random(seed)
    whole = checkpoint_path(path).read_bytes()
    state = pack(by_replay(path))
    for _ in range(12):
        spoilt = bytearray(whole)
        spoilt[mixed.randrange(len(whole))] ^= 1 << mixed.randrange(8)
        cut = whole[: mixed.randrange(len(whole))]
        for content in (bytes(spoilt), cut):
            checkpoint_path(path).write_bytes(content)
            assert read_checkpoint(path) is None
    again, read = recovered(path)
    assert read == [record.seq for record in DAY]
    assert pack(again) == state


def test_the_checkpoint_of_another_history_is_left_alone(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    mark = write_journal(other, records(10, 250, "blackjack"))
    write_checkpoint(path, mark, recovered(other)[0])
    assert recovered(path)[1] == [record.seq for record in DAY]


@pytest.mark.parametrize("name", ["__version__", "LAYOUT"])
def test_the_checkpoint_of_other_software_is_left_alone(path: Path, name: str) -> None:
    head, rest = checkpoint_path(path).read_bytes().split(b"\n", 1)
    words = head.split()
    words[{"__version__": 3, "LAYOUT": 4}[name]] = b"0.0.9"
    checkpoint_path(path).write_bytes(b" ".join(words) + b"\n" + rest)
    assert recovered(path)[1] == [record.seq for record in DAY]


def test_damage_after_the_checkpoint_is_noticed(path: Path) -> None:
    content = path.read_bytes()
    at = content.rindex(encode(DAY[380])[:40])
    path.write_bytes(content[:at] + b"#" + content[at + 1 :])
    with closing(Journal(path)) as journal, pytest.raises(JournalDamaged, match="record 381 "):
        recover(journal)


def test_a_checkpoint_holds_commitments_and_is_private(path: Path) -> None:
    content = checkpoint_path(path).read_bytes().decode(errors="replace")
    sealed = [seal for each in DAY[:250] if (seal := sealed_in(each)) and seal.digest in content]
    assert sealed
    assert not [seal for seal in sealed if seal.nonce.hex() in content]
    assert checkpoint_path(path).stat().st_mode & 0o777 == 0o600


def test_verify_holds_the_checkpoint_against_the_replay(path: Path) -> None:
    assert verify(path).good
    point = read_checkpoint(path)
    assert point is not None
    with closing(Journal(path)) as journal:
        state = unpack(point.body, journal.opening)
    write_checkpoint(path, point.mark, replace(state, rounds_played=state.rounds_played + 1))
    (problem,) = verify(path).problems
    assert "is not what the records say at 250: remove it" in problem


def test_checkpoints_come_as_the_table_goes_on_and_when_it_stops(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY_RECORDS", 10)
    checkpoint_path(path).unlink()
    more = records(9, 430, "blackjack")[400:]
    with closing(Journal(path)) as journal:
        state = recover(journal)
        keeper = Keeper(journal)
        for record in more:
            journal.write([record])
            state = evolve(state, record)
            keeper.note(state)
        keeper.close(None)
        between = read_checkpoint(path)
        assert between is not None
        assert 410 <= between.mark.seq <= 430
        assert state is not None
        keeper.close(state)
    last = read_checkpoint(path)
    assert last is not None
    assert last.mark.seq == 430
    again, read = recovered(path)
    assert read == []
    assert pack(again) == pack(state)
