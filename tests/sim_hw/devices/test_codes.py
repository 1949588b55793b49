"""The printed code, against check characters worked by hand from ISO/IEC 7064 MOD 37,36."""

import pytest

from controller.rules.cards import card
from sim_hw.devices.scanner import check_character, printed_code
from sim_hw.devices.shoe import PhysicalCard


@pytest.mark.parametrize(
    ("text", "check"),
    [
        # T=29: 36+29=65, 65-36=29, 2*29=58, 58-37=21. H=17: 21+17=38, 38-36=2, 2*2=4.
        # 4+check must leave 1 by 36: 33 is X.
        ("TH", "X"),
        # 9: 45 -> 9 -> 18. C=12: 30 -> 60 -> 23. 23+check=37: 14 is E.
        ("9C", "E"),
        # J=19: 55 -> 19 -> 38 -> 1. O=24: 25 -> 50 -> 13. 13+check=37: 24 is O.
        ("JO", "O"),
        # From TH: 4, then 0 0 0 0: 8, 16, 32, 64 -> 27; 4: 31 -> 62 -> 25; 2: 27 -> 54 -> 17.
        ("TH000042", "K"),
        # The example of the Global Release Identifier, which uses the same standard.
        ("A12425GABC1234002", "M"),
    ],
)
def test_check_characters_worked_by_hand(text: str, check: str) -> None:
    assert check_character(text) == check


def test_a_card_prints_its_code_its_serial_and_the_check() -> None:
    ten = PhysicalCard(card("Th"), 42)
    assert printed_code(ten, with_serial=False) == b"THX"
    assert printed_code(ten, with_serial=True) == b"TH000042K"


def test_a_card_of_cardboard_does_not_say_what_it_is() -> None:
    assert "Th" not in repr(PhysicalCard(card("Th"), 271828))
    assert "271828" not in repr(PhysicalCard(card("Th"), 271828))
