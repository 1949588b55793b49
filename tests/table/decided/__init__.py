"""What the table decides, as digests by part: README.md says what to do when one changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

from controller.record.codec import encode
from controller.rules.games.registry import GAMES
from controller.table.evolve.carry_over import carry_over, public_form
from controller.table.facts import DayClosed, DayOpened, Fact, Record, ServiceStarted
from controller.table.gaming_day import CarryOver
from controller.table.irregularities.procedures import PROFILES
from tests.records.dealing import two_days
from tests.support.dealt.journals import QuickPit
from tests.support.pit import Pit, setup
from tests.table.any_moment.test_irregularities_at_random import TroubledCroupier
from tests.table.decided.restless import Restless
from tests.table.decided.scenes import SCENES

KEPT: Final = Path(__file__).parent / "digests.json"
#: Seeds of a restless table, in the quick form and in the long one; so many moves has each.
SEEDS, LONG_SEEDS, MOVES = range(4), range(4, 24), 150
LONG: Final = "long"


def restless(name: str, seeds: Iterable[int]) -> Iterator[Pit]:
    """Tables of that game at which anything is asked at any moment."""
    for seed in seeds:
        table = Restless(name, seed)
        for _ in range(MOVES):
            table.move()
        yield table.pit


def troubled(name: str) -> Iterator[Pit]:
    """Rounds with their troubles, by each profile of procedures."""
    for seed, profile in enumerate(PROFILES):
        table = TroubledCroupier(
            QuickPit(replace(setup(3, name), procedures=profile)), Random(seed)
        )
        for _ in range(2):
            table.play({1: 1_000, 2: 2_000, 3: 5_000})
            table.pit.scanner_down()
            table.pit.scanner_up()
            while table.pit.state.holds:
                table.choose()
        yield table.pit


def days(name: str) -> Iterator[Pit]:
    """Two gaming days: people, chips, players at a distance, corrections, a round in play."""
    yield two_days(name, people=True)


def parts() -> dict[str, Iterator[Pit]]:
    """The tables whose decisions are kept, by part. Each is dealt as it is taken."""
    found: dict[str, Iterator[Pit]] = {name: scene() for name, scene in SCENES.items()}
    for name, plays in GAMES.items():
        found[f"restless/{name}"] = restless(name, SEEDS)
        found[f"days/{name}"] = days(name)
        if not plays.vying:
            found[f"troubled/{name}"] = troubled(name)
    return found


def long_parts() -> dict[str, Iterator[Pit]]:
    """Many more of them, for the long form."""
    return {f"{LONG}/{name}": restless(name, LONG_SEEDS) for name in GAMES}


def digest_of(tables: Iterable[Pit]) -> str:
    """What those tables wrote down, and what each would hand to its next gaming day."""
    digest = sha256()
    for pit in tables:
        for fact in pit.facts:
            if not isinstance(fact, ServiceStarted):  # it names the revision
                digest.update(plain(fact).encode())
        digest.update(json.dumps(handed_on(carry_over(pit.state)), sort_keys=True).encode())
    return digest.hexdigest()[:32]


def plain(fact: Fact) -> str:
    """A fact without times and causes; messages are codes with their parameters, as on record."""
    data = json.loads(encode(Record(1, 0, 0, "", fact)))[-1]
    if isinstance(fact, DayClosed):
        data = {name: value for name, value in data.items() if name not in ("digest", "hidden")}
    elif isinstance(fact, DayOpened):
        data["carried"] = handed_on(fact.carried) if fact.carried else None
    return json.dumps([type(fact).__name__, filled(data)], sort_keys=True)


def handed_on(carried: CarryOver) -> object:
    """What a day hands to the next, without the run, which names the revision."""
    data = public_form(carried)
    del data["run"]
    return filled(data)


def filled(value: object) -> object:
    """Plain data without what is empty in it, at any depth: a field that is added changes nothing
    as long as nothing is in it.
    """
    if isinstance(value, dict):
        return {name: filled(each) for name, each in value.items() if each}
    return [filled(each) for each in value] if isinstance(value, list) else value


def kept() -> dict[str, dict[str, str]]:
    """The digests of each revision of the table, by part."""
    found: dict[str, dict[str, str]] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found
