"""Counts of readings: right, doubtful and misread, and which card was taken for which.

A misread names a card that is not there; on a negative made of a card, that card is none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from controller.rules.cards import Card

_RANKS: Final = ("A", *(str(each) for each in range(2, 11)), "J", "Q", "K", "Jo")
_SUITS: Final = ("♣", "♦", "♥", "♠", "Jo")
#: Halving this often leaves less of the interval than a number can tell.
_HALVINGS: Final = 60


def upper_bound(wrong: int, of: int, confidence: float = 0.95) -> float:
    """The highest rate that `wrong` in `of` leaves possible (Clopper and Pearson, one-sided).

    For none wrong it is `1 - (1 - confidence) ** (1 / of)`. Raises `ValueError` for counts that
    cannot be.
    """
    if not 0 <= wrong <= of or of == 0:
        raise ValueError(f"{wrong} wrong in {of} is no count")
    if wrong == of:
        return 1.0
    low, high = wrong / of, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _at_most(wrong, of, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(wrong: int, of: int, rate: float) -> float:
    """How likely at most `wrong` in `of` are at this rate, which is neither 0 nor 1."""
    return math.fsum(
        math.exp(
            math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1)
            + k * math.log(rate) + (of - k) * math.log1p(-rate)
        )
        for k in range(wrong + 1)
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """What lay there: `card` None on a negative of `kind`, made of `under`."""

    name: str
    card: Card | None
    under: Card | None
    kind: str
    level: str
    style: str
    deck: str


@dataclass(slots=True)
class Confusion:
    """Which card was read as which, by style: counts of (style, card shown, card read)."""

    counts: Counter[tuple[str, Card, Card | None]] = field(default_factory=Counter)

    def add(self, style: str, card: Card, read: Card | None) -> None:
        """Count one card that lay there and the card it was read as, None for a doubt."""
        self.counts[style, card, read] += 1

    def text(self) -> str:
        """For each style its ranks and its suits: how many, how many not read, what was mistaken.

        What was read right is in no cell.
        """
        styles = sorted({style for style, _, _ in self.counts})
        return "\n".join(line for style in styles for line in self._style(style))

    def _style(self, style: str) -> Iterator[str]:
        yield from self._table(f"{style}: rank", style, _RANKS, rank_of)
        yield from self._table(f"{style}: suit", style, _SUITS, suit_of)

    def _table(
        self, title: str, style: str, names: tuple[str, ...], name: Callable[[Card], str]
    ) -> Iterator[str]:
        shown: Counter[str] = Counter()
        unread: Counter[str] = Counter()
        mistaken: dict[str, Counter[str]] = {each: Counter() for each in names}
        for (of, card, read), count in self.counts.items():
            if of != style:
                continue
            shown[name(card)] += count
            if read is None:
                unread[name(card)] += count
            elif name(read) != name(card):
                mistaken[name(read)][name(card)] += count
        yield _row(title, names)
        yield _row("  shown", [str(shown[each]) for each in names])
        yield _row("  not read", [str(unread[each] or ".") for each in names])
        for read_as, counts in mistaken.items():
            if counts:
                yield _row(f"  read as {read_as}", [str(counts[each] or ".") for each in names])


def _row(title: str, cells: tuple[str, ...] | list[str]) -> str:
    return f"  {title:<20}" + "".join(f"{each:>6}" for each in cells)


def rank_of(card: Card) -> str:
    """A card's rank as a table heads it: `A`, `10`, `Jo`."""
    return _RANKS[card.rank - 1] if card.suit else "Jo"


def suit_of(card: Card) -> str:
    """A card's suit as a table heads it: its sign, or `Jo`."""
    return card.suit.symbol if card.suit else "Jo"


@dataclass(slots=True)
class OutcomeCounts:
    """Counts of one group of frames."""

    right: int = 0
    doubtful: int = 0
    misread: int = 0

    @property
    def all(self) -> int:
        """How many frames."""
        return self.right + self.doubtful + self.misread

    def line(self, name: str) -> str:
        """One line of the table."""
        return (
            f"  {name:<44} {self.all:>6} {self.right / max(1, self.all):>8.1%}"
            f" {self.doubtful / max(1, self.all):>10.1%} {self.misread:>8}"
        )


@dataclass(slots=True)
class ReadingReport:
    """Outcomes by group, each misread, and the doubts of the cards that were not read."""

    groups: dict[str, OutcomeCounts] = field(default_factory=dict)
    misreads: list[str] = field(default_factory=list)
    doubts: Counter[str] = field(default_factory=Counter)
    times_ms: list[float] = field(default_factory=list)
    confusion: Confusion = field(default_factory=Confusion)

    def add(self, shown: GroundTruth, read: Card | None, doubt: str, took_ms: float) -> None:
        """Count one frame."""
        self.times_ms.append(took_ms)
        wrong = read is not None and read is not shown.card and read is not shown.under
        if wrong:
            truth = shown.card or f"{shown.kind} of {shown.under or 'none'}"
            self.misreads.append(f"{shown.name}: {truth} read as {read} ({shown.deck})")
        if shown.card:
            self.confusion.add(shown.style, shown.card, read)
        if shown.card and read is None:
            self.doubts[doubt] += 1
        for group in self._groups(shown):
            tally = self.groups.setdefault(group, OutcomeCounts())
            if wrong:
                tally.misread += 1
            elif read is not None:
                tally.right += 1
            else:
                tally.doubtful += 1

    @staticmethod
    def _groups(shown: GroundTruth) -> list[str]:
        if shown.card is None:
            return ["negatives", f"negative {shown.kind}"]
        deck = shown.deck.split(":")[0] if shown.deck.startswith(("drawn", "font")) else shown.deck
        if "+" in deck:
            deck = deck.split("+")[0] + " relabelled"
        rank = rank_of(shown.card)
        return [
            "cards", f"level {shown.level}", f"style {shown.style}", f"deck {deck}", f"rank {rank}",
        ]  # fmt: skip

    @property
    def all(self) -> int:
        """How many cards and negatives."""
        return sum(self.groups[name].all for name in ("cards", "negatives") if name in self.groups)

    def text(self, each: str = "frame") -> str:
        """The report for people; `each` is what was counted."""
        if not self.all:
            return f"  no {each} was measured"
        head = f"  {'':<44} {each + 's':>8} {'right':>6} {'doubtful':>10} {'misread':>8}"
        lines = [head] + [self.groups[name].line(name) for name in sorted(self.groups)]
        lines.append("  doubts: " + ", ".join(
            f"{doubt} {count}" for doubt, count in self.doubts.most_common()
        ))  # fmt: skip
        times = np.array(self.times_ms)
        lines.append(
            f"  a {each}: p50 {np.median(times):.1f} ms, p99 {np.quantile(times, 0.99):.1f} ms"
        )
        lines += ["", self.confusion.text(), ""] if self.confusion.counts else []
        lines += ["  misreads:", *(f"    {each}" for each in self.misreads or ["none"])]
        lines.append(f"  {self.bound()}")
        return "\n".join(lines)

    def bound(self) -> str:
        """The misreads and what they leave possible, in words."""
        wrong = len(self.misreads)
        most = upper_bound(wrong, self.all)
        return f"misread {wrong} of {self.all}: with 95 % confidence at most {most:.4%} of them"
