"""What somebody typed or a link says about a round that is looked for, read. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from controller.pit.house_time import UTC_HOUSE, BadTime, HouseTime
from controller.pit.reports.asked import BadSpan
from controller.pit.reports.search.lead import LAST_MS, RoundPlace, RoundSearch
from controller.rules.cards import JOKER, card
from controller.table.irregularities.holds import Reason

#: What stands on cards, and in their codes.
_RANKS: Final = {"1": "A", "10": "T", "11": "J", "12": "Q", "13": "K"}
_SUITS: Final = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS")
_JOKERS: Final = frozenset({"jo", "joker"})
#: Of each suit, where somebody remembers no more than that there was a Queen.
_RANK_NAMES: Final = {"ACE": "A", "KING": "K", "QUEEN": "Q", "JACK": "J"}
_RANK: Final = r"(?P<rank>1[0-3]?|[2-9ATJQK])"
_SUIT: Final = r"(?P<suit>[CDHS])"
_RANK_SUIT: Final = re.compile(rf"{_RANK}\s?{_SUIT}?")
_SUIT_RANK: Final = re.compile(rf"{_SUIT}\s?{_RANK}")
#: As people write an amount, and as pages show it: 25, 12.5, 12,50, 1,250.50, -1 250,50.
_AMOUNT: Final = re.compile(
    r"[+-]?(?P<whole>[0-9]{1,3}(?P<mark>[, ])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,3}|[0-9]{1,12})"
    r"(?:(?!(?P=mark))[.,](?P<cents>[0-9]{1,2}))?"
)
#: As `RoundPlace` says it.
_PLACE: Final = re.compile(r"(?P<at_ms>[0-9]{1,15})(?:-(?P<table_id>[0-9]{1,9}))?", re.ASCII)
REASONS: Final = tuple(each.value for each in Reason)


def read_search(fields: Mapping[str, str], house: HouseTime = UTC_HOUSE) -> RoundSearch:
    """What a form or a link looks for, with times by the clocks of `house`.

    Raises `BadSpan`, which says what to write.
    """
    reason = fields.get("reason", "").strip().replace(" ", "_")
    if reason and reason not in REASONS:
        raise BadSpan(f"reason: {reason[:40]!r} is none: use one of {', '.join(REASONS)}")
    try:
        first_ms, last_ms = house.span(fields)
    except BadTime as error:
        raise BadSpan(str(error)) from None
    return RoundSearch(
        fields.get("table", "").strip()[:64], _number(fields, "round"),
        first_ms or 0, LAST_MS if last_ms is None else last_ms, _cards(fields),
        _number(fields, "seat"), _amount(fields), fields.get("dealer", "").strip()[:64], reason,
        before=_place(fields),
    )  # fmt: skip


def _place(fields: Mapping[str, str]) -> RoundPlace | None:
    text = fields.get("before", "").strip()
    if not text:
        return None
    found = _PLACE.fullmatch(text)
    if found is None:
        raise BadSpan(f"before: {text[:40]!r} is none: take the link to older rounds")
    table_id = found["table_id"]
    return RoundPlace(int(found["at_ms"]), None if table_id is None else int(table_id))


def _cards(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The codes of the cards that people mean, by either index or as codes have them: `11h`, `J♥`,
    `Jh`, `10c`, `joker`; a rank alone (`Q`, `12`, `queen`) is that of every suit. None: any card.
    """
    text = fields.get("card", "").strip()
    if not text or text.lower() in _JOKERS:
        return (JOKER.code,) if text else ()
    typed = _RANK_NAMES.get(text.upper(), text.upper().translate(_SUITS))
    found = _RANK_SUIT.fullmatch(typed) or _SUIT_RANK.fullmatch(typed)
    if found is None:
        raise BadSpan(
            f"card: {text[:12]!r} is no card: write rank and suit as in 10h, 13♠, Ks, a rank alone"
            " as in Q or 12, or Jo for the Joker"
        )
    rank = _RANKS.get(found["rank"], found["rank"])
    return tuple(card(rank + suit).code for suit in (found["suit"] or "CDHS").lower())


def _number(fields: Mapping[str, str], name: str) -> int | None:
    text = fields.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadSpan(f"{name}: {text[:40]!r} is no number: write it like 3")
    return int(text)


def _amount(fields: Mapping[str, str]) -> int | None:
    text = fields.get("amount", "").strip()
    if not text:
        return None
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise BadSpan(f"amount: {text[:40]!r} is none: write it like 25 or 12.50")
    whole = found["whole"].replace(",", "").replace(" ", "")
    return int(whole) * 100 + int((found["cents"] or "").ljust(2, "0"))
