"""The clocks on the rule sheet: what is printed is what is enforced."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.actions import Action
from controller.service.house_edges import HouseEdges
from controller.table.inputs import WindowTimes
from controller.table.views.clock_rules import clock_sections
from controller.web.api.documents import rules_of
from tests.support.pit import setup

TIMES = WindowTimes(
    bets_ms=15_000, last_call_ms=4_500, decision_ms=12_000, insurance_ms=7_000, card_closes=True,
    no_answer=(Action.NO_INSURANCE, Action.STAND),
)  # fmt: skip


def test_a_table_without_clocks_says_nothing_of_them() -> None:
    assert clock_sections(None) == ()
    assert clock_sections(WindowTimes()) == ()


def test_every_clock_and_what_follows_of_silence_are_printed() -> None:
    (section,) = clock_sections(TIMES)
    assert section.title == "The table's clock"
    assert section.lines == (
        "Bets are open for 15 s.",
        "The last call comes 4.5 s before they close.",
        "The first card of a round closes them too.",
        "A player has 12 s for each decision.",
        "A player has 7 s for insurance.",
        (
            "For a player who does not answer in time the table takes the first of these that is "
            "open: no insurance or stand. It never takes a card, nor a further bet."
        ),
        "What reached the table in time counts. While the table is held the clock stands.",
    )


def test_a_house_that_waits_says_so() -> None:
    (section,) = clock_sections(replace(TIMES, no_answer=()))
    assert (
        "Where a player does not answer in time, the table waits for the dealer." in section.lines
    )


def test_they_stand_on_the_rule_sheet_of_the_table() -> None:
    book = rules_of(replace(setup(5), windows=TIMES), HouseEdges())
    assert "The table's clock" in [each.title for each in book.sections]
