"""No decision of the table changes unnoticed: some days of trouble have a digest per revision.

When it fails: a change that was not meant is undone. One that was meant raises `TABLE_REVISION`
and gets a digest here, so that `verify` says of older records that another build judges them. If
the rules of a game have changed (their own digests say so), its revision is raised, and the digest
of the table's revision is written anew.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from hashlib import sha256

from controller.record.codec import encode
from controller.rules.messages import Message
from controller.table.evolve.carry_over import carry_over, public_form
from controller.table.evolve.plain_form import CLASS
from controller.table.facts import Fact, Record, ServiceStarted
from controller.table.inputs import Happened
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.irregularities.procedures import PROFILES
from controller.table.revision import TABLE_REVISION
from tests.support.journals import QuickPit
from tests.support.pit import Pit, setup
from tests.table.any_moment.test_irregularities_at_random import TroubledCroupier
from tests.table.irregularities.test_reported import stand_not_pressed

#: What the table decided in the days below, by revision. In no day below are 3, the order of
#: several cards that are kept by one correction (`tests/table/irregularities/test_reported.py`),
#: 4, who takes over as dealer (`tests/table/decide/test_dealers.py`), 5, what outlives a round or
#: its pack (`tests/table/irregularities/test_left_open.py`) and what players elsewhere leave,
#: 6, a pot game whose shoe is empty, or that has too few antes in time, 7, foreign cards that left
#: while the table was held (`tests/table/irregularities/test_foreign_cards.py`), and 8, closers
#: with a box that are made void (`tests/table/money/test_slips.py`).
DIGESTS = {
    1: "a3d47be28809aeb60be9e62aff48ee97", 2: "617f40c46bd1e45e2f5b3ffd17e80c8d",
    3: "617f40c46bd1e45e2f5b3ffd17e80c8d", 4: "617f40c46bd1e45e2f5b3ffd17e80c8d",
    5: "617f40c46bd1e45e2f5b3ffd17e80c8d", 6: "617f40c46bd1e45e2f5b3ffd17e80c8d",
    7: "617f40c46bd1e45e2f5b3ffd17e80c8d", 8: "617f40c46bd1e45e2f5b3ffd17e80c8d",
}  # fmt: skip
#: What the days below and `two_kept` hand on, by revision; of those before 7 it was not looked at.
HANDED_ON = {7: "9d1bc3ac9423f9c4ea4cebb97762480a", 8: "9d1bc3ac9423f9c4ea4cebb97762480a"}
GAMES = ("21-24-27", "blackjack", "casino-7-27")


@cache
def days() -> tuple[QuickPit, ...]:
    """Some days of trouble, dealt."""
    return tuple(_dealt())


def _dealt() -> Iterator[QuickPit]:
    for name in GAMES:
        for seed, profile in enumerate(PROFILES):
            pit = QuickPit(replace(setup(3, name), procedures=profile))
            table = TroubledCroupier(pit, random.Random(seed))
            for _ in range(6):
                table.play({1: 1_000, 2: 2_000, 3: 5_000})
                table.pit.scanner_down()
                table.pit.scanner_up()
                while table.pit.state.holds:
                    table.choose()
            yield pit


def two_kept() -> Pit:
    """Two cards lie ready, in the order of the shoe, and the round is void."""
    pit = stand_not_pressed()
    for _ in range(2):
        pit.give(Happened(Reason.NOT_ASKED))
        pit.resolve(Resolution.KEEP_LAST)
    pit.give(Happened(Reason.MISDEAL, 1))
    pit.resolve(Resolution.VOID)
    assert len(pit.state.kept_cards) == 2
    return pit


def plain(fact: Fact) -> str:
    """A fact without times, without reasons, which words alone may change, and without what is
    empty: a field that a fact gets changes nothing as long as nothing is in it.
    """
    body = json.loads(encode(Record(1, 0, 0, "", fact)))
    silent = [each.name for each in fields(fact) if isinstance(getattr(fact, each.name), Message)]
    data = {
        name: _filled(value) for name, value in body[-1].items() if value and name not in silent
    }
    return json.dumps([type(fact).__name__, data], sort_keys=True)


def bare(value: object) -> object:
    """Plain data without messages, which words alone may change, and without what is empty in it,
    at any depth.
    """
    if isinstance(value, dict) and value.get(CLASS) == "Message":
        return None
    if isinstance(value, dict):
        return {name: bare(each) for name, each in value.items() if each}
    return [bare(each) for each in value] if isinstance(value, list) else value


def _filled(value: object) -> object:
    """A field's value; of a part, such as a setup, without what is empty in it."""
    if isinstance(value, dict):
        return {name: _filled(each) for name, each in value.items() if each}
    return value


def test_the_table_decides_as_its_revision_says() -> None:
    digest = sha256()
    for fact in (each for pit in days() for each in pit.facts):
        if not isinstance(fact, ServiceStarted):
            digest.update(plain(fact).encode())
    assert DIGESTS.get(TABLE_REVISION) == digest.hexdigest()[:32]
    assert max(DIGESTS) == TABLE_REVISION


def test_a_day_hands_on_what_its_revision_says() -> None:
    """What a fact changes belongs to the revision, too: `verify` derives by it what a closed day
    handed on. Whoever adds a field that is never empty writes the digest anew.
    """
    digest = sha256()
    for pit in (*days(), two_kept()):
        handed_on = public_form(carry_over(pit.state))
        del handed_on["run"]
        digest.update(json.dumps(bare(handed_on), sort_keys=True).encode())
    assert HANDED_ON.get(TABLE_REVISION) == digest.hexdigest()[:32]
