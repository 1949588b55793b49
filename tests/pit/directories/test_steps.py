"""What is to be done about a table's directory: made, sent, in force, or not ours."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.people.document import PeopleMark, PeopleRefused, PersonLine, check_next
from controller.pit.directories.steps import (
    DirectoryStanding,
    InForce,
    Issued,
    Make,
    content_of,
    next_step,
)
from tests.people.documents import AINO, EINO, KEYS, document
from tests.support.forms import examples

DAY_MS = 86_400_000
GOOD_MS = 14 * DAY_MS
BOTH = (AINO, EINO)


def content(people: tuple[PersonLine, ...]) -> str:
    return content_of(people, KEYS[0])


def issued(serial: int, people: tuple[PersonLine, ...] = BOTH, at_ms: int = 0) -> Issued:
    return Issued(serial, f"{serial:064x}", content(people), at_ms, at_ms + GOOD_MS)


def in_force(serial: int, digest: str = "") -> InForce:
    return InForce(serial, digest or f"{serial:064x}", "", 10, 0)


def step(
    known: tuple[Issued, ...], there: InForce | None, people: tuple[PersonLine, ...] = BOTH,
    now_ms: int = 0,
) -> Make | DirectoryStanding:  # fmt: skip
    return next_step(people, content(people), known, there, now_ms, GOOD_MS)


def test_the_first_is_made_once_somebody_of_the_floor_has_a_pin() -> None:
    assert step((), None, ()) is DirectoryStanding.NOBODY
    assert step((), None, (AINO,)) is DirectoryStanding.NOBODY
    assert step((), None) == Make(1, ())


def test_it_is_sent_until_it_is_in_force_and_no_longer() -> None:
    assert step((issued(1),), None) is DirectoryStanding.SENT
    assert step((issued(1),), in_force(1)) is DirectoryStanding.IN_FORCE


def test_whoever_is_taken_out_is_out_the_last_of_the_floor_too() -> None:
    assert step((issued(1),), in_force(1), (EINO,)) == Make(2, (issued(1).digest,))
    assert step((issued(1),), in_force(1), ()) == Make(2, (issued(1).digest,))


def test_it_may_follow_whatever_was_made_since_what_is_known_to_be_in_force() -> None:
    known = (issued(1), issued(2), issued(3))
    made = step(known, in_force(2), (EINO,))
    assert made == Make(4, (issued(2).digest, issued(3).digest))
    assert step(known, None, (EINO,)) == Make(4, tuple(each.digest for each in known))


def test_half_way_to_its_end_it_is_made_anew() -> None:
    known = (issued(1),)
    assert step(known, in_force(1), now_ms=GOOD_MS // 2) is DirectoryStanding.IN_FORCE
    assert step(known, in_force(1), now_ms=GOOD_MS // 2 + 1) == Make(2, (issued(1).digest,))


def test_another_key_of_the_table_is_a_new_one() -> None:
    assert content_of(BOTH, KEYS[0]) != content_of(BOTH, "00" * 32)
    assert content_of(BOTH, KEYS[0]) == content_of((EINO, AINO), KEYS[0])


def test_a_pit_that_was_put_back_sends_nothing_until_somebody_has_looked() -> None:
    """It made 1 and 2; the table has 3. Or it made another 3 meanwhile."""
    known = (issued(1), issued(2))
    assert step(known, in_force(3)) is DirectoryStanding.OF_ANOTHER_PIT
    assert step((*known, issued(3)), in_force(3, "ff" * 32)) is DirectoryStanding.OF_ANOTHER_PIT
    assert step((), in_force(3)) is DirectoryStanding.OF_ANOTHER_PIT
    accepted = Issued(3, f"{3:064x}", "", 0, 0, 0, "Aino")
    assert step((*known, accepted), in_force(3)) == Make(4, (accepted.digest,))


@examples(60, long=1_000)
@given(st.lists(st.sampled_from(["change", "arrive", "archive", "put back"]), max_size=12))
def test_a_table_never_takes_what_a_pit_made_that_knows_less(acts: list[str]) -> None:
    """The pit makes, the table takes whatever holds, the archive is behind, the pit is put back."""
    made: list[Issued] = []
    backup: list[Issued] = []
    lineage: dict[str, int] = {}
    table: PeopleMark | None = None
    known: InForce | None = None
    waiting = None
    for number, act in enumerate(acts):
        people = BOTH if number % 2 else (EINO,)
        if act == "change":
            found = next_step(people, f"{number}", tuple(made), known, 0, GOOD_MS)
            if isinstance(found, Make):
                _, waiting = document(found.serial, follows=found.follows, people=people)
                made.append(Issued(found.serial, waiting.digest, f"{number}", 0, GOOD_MS))
                lineage[waiting.digest] = len(made)
            if number % 3 == 0:
                backup = list(made)
        elif act == "arrive" and waiting is not None:
            before = table
            try:
                check_next(waiting, table, 0)
            except PeopleRefused:
                continue
            table = waiting.mark
            if before is not None and before != table:
                # It was made by a pit that knew what was in force.
                assert before.digest in waiting.head.follows
                assert table.serial > before.serial
        elif act == "archive" and table is not None:
            known = InForce(table.serial, table.digest, "", number, 0)
        elif act == "put back":
            made = list(backup)
