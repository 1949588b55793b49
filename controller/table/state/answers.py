"""Answers to senders' keys: what became of each input that had one, as a value that grows.

Once means once: a key acts once in a gaming day and the next, whatever is sent in between. One more
answer makes a new value and leaves this one as it was; only the newest few are copied for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from controller.rules.frozen import frozen
from controller.rules.messages import Message

#: How many keys a gaming day remembers. A busy table takes some 20,000 commands a day; more than
#: this come from a sender that is broken, and are refused rather than taken twice.
KEYS_A_DAY: Final = 100_000
#: This many answers are copied when one is added, at the most.
_NEWEST: Final = 512


@frozen
class Answered:
    """What became of an input that had a sender's key.

    `print` is the keyed digest of the command, `seq` its last record, `refused` why it was not
    taken, None if it was.
    """

    print: str
    seq: int
    refused: Message | None = None

    def __deepcopy__(self, _memo: object) -> Answered:
        return self  # it is never changed, and there may be 100,000


class Answers:
    """Answers by the sender's key; equal if they are the same answers.

    `carried` is how many of them are those of the day before.
    """

    __slots__ = ("_newest", "_older", "carried")

    def __init__(
        self,
        newest: dict[str, Answered] | None = None,
        older: tuple[dict[str, Answered], ...] = (),
        carried: int = 0,
    ) -> None:
        """`older` are full parts that many values share; nothing is ever added to them."""
        self._newest: Final = {} if newest is None else newest
        self._older: Final = older
        self.carried: Final = carried

    @staticmethod
    def of(answers: Iterable[tuple[str, Answered]]) -> Answers:
        """These answers, as those of the day before."""
        older = dict(answers)
        return Answers({}, (older,) if older else (), len(older))

    def get(self, key: str) -> Answered | None:
        """What became of the input with that key; None if none had it."""
        if (found := self._newest.get(key)) is not None:
            return found
        return next((each[key] for each in reversed(self._older) if key in each), None)

    def with_one(self, key: str, answer: Answered) -> Answers:
        """These and one more, or a later record of the newest one."""
        if len(self._newest) < _NEWEST or key in self._newest:
            return Answers({**self._newest, key: answer}, self._older, self.carried)
        return Answers({key: answer}, (*self._older, self._newest), self.carried)

    @property
    def today(self) -> int:
        """How many keys this day has taken."""
        return len(self) - self.carried

    def __iter__(self) -> Iterator[tuple[str, Answered]]:
        for part in (*self._older, self._newest):
            yield from part.items()

    def __len__(self) -> int:
        return sum(map(len, self._older)) + len(self._newest)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answers):
            return NotImplemented
        return dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} answers>"
