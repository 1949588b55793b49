"""A card beside the felt: a discard, or one that lies ready to be dealt next."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from controller.rules.actions import Place
from controller.rules.cards import card
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.people.aside import put_aside
from sim_hw.table.felt import PhysicalFelt


def shows(kept: int) -> Any:
    """A display on which no card lies, and so many are kept."""
    return SimpleNamespace(hands=(), dealer=None, kept_cards=kept)


def test_a_card_that_is_kept_lies_ready_and_is_no_discard() -> None:
    said: list[str] = []
    felt = PhysicalFelt({})
    world: Any = SimpleNamespace(felt=felt, say=said.append)
    felt.put(PhysicalCard(card("5c"), 1), Place(1, 1))
    put_aside(world, shows(kept=1))
    assert (said, felt.ready) == (["A card lies ready, face down."], 1)
    felt.put(PhysicalCard(card("9d"), 2), Place(1, 1))
    put_aside(world, shows(kept=1))
    assert said[1:] == ["A card is put aside, face down."]
    assert (felt.ready, len(felt.aside)) == (1, 2)
    felt.collect(card_ready=True)
    assert felt.ready == 1
    felt.collect()
    assert (felt.ready, len(felt.discards)) == (0, 2)
