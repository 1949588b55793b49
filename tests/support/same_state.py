"""Whether the state that a table has and the one its records make are the same."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from controller.table.shoe.shoe import Shoe
from controller.table.state.parts import Terms
from controller.table.state.state import State
from tests.contracts.behaviour import of_step


def _compared(kind: type, *but: str) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.compare and each.name not in but)


_OF_STATE: Final = _compared(State, "terms", "shoe")
_OF_TERMS: Final = _compared(Terms, "game")
_OF_SHOE: Final = _compared(Shoe, "last", "sealed")


def alike(one: State, two: State) -> bool:
    """Whether two states are equal, also in what they do not compare, or by identity.

    False where a hidden card is unknown: its seal equals no other.
    """
    return (
        _equal(one, two, _OF_STATE)
        and _equal(one.terms, two.terms, _OF_TERMS)
        and _equal(one.shoe, two.shoe, _OF_SHOE)
        and _not_compared(one) == _not_compared(two)
    )


def _equal(one: object, two: object, names: tuple[str, ...]) -> bool:
    """Whether these fields are equal; two tuples hold what is the same without asking it."""
    return [getattr(one, each) for each in names] == [getattr(two, each) for each in names]


def _not_compared(state: State) -> tuple[object, ...]:
    """The rules, the step that the script is at, and the sealed cards of the shoe."""
    last = state.shoe.last.open() if state.shoe.last else None
    sealed = [each.open() for each in state.shoe.sealed]
    step = of_step(state.step) if state.step else ""
    return state.game.identity, state.game.options, step, last, sealed


def same_shoe(one: State, two: State) -> bool:
    """Shoes are equal but for the identity of the sealed card that left last."""
    mine, other = one.shoe, two.shoe
    last = mine.last.open() if mine.last else None
    return (
        (mine.number, mine.gone, mine.to_burn, mine.face_up, mine.serials)
        == (other.number, other.gone, other.to_burn, other.face_up, other.serials)
        and last is (other.last.open() if other.last else None)
    )  # fmt: skip
