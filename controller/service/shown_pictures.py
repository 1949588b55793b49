"""Which picture whoever pressed a button can have seen: a press is an answer to that one."""

from __future__ import annotations

from collections import deque
from typing import Final

#: Nobody sees a picture and presses for it in so short a time: the press was for the one before.
#: Pages and buttons that show their own labels judge by the same time.
UNSEEN_NS: Final = 150_000_000


class ShownPictures:
    """The pictures that were shown last, each with the record that changed what there is to do.

    `unseen_ns` is how long a picture stands before a press can be meant for it; 0: no time at all.
    """

    def __init__(self, unseen_ns: int) -> None:
        self._unseen_ns = unseen_ns
        self._shown: deque[tuple[int, int]] = deque()

    def show(self, since_seq: int, now_ns: int) -> None:
        """A picture is shown now, in which the table waits since record `since_seq`."""
        while len(self._shown) > 1 and self._shown[1][0] <= now_ns - self._unseen_ns:
            self._shown.popleft()
        if not self._shown or self._shown[-1][1] != since_seq:
            self._shown.append((now_ns, since_seq))

    def by(self, pressed_ns: int) -> int:
        """The `since_seq` of the picture that a press at that moment answers; -1: of none."""
        seen = -1
        for shown_ns, since_seq in self._shown:
            if shown_ns > pressed_ns - self._unseen_ns:
                break
            seen = since_seq
        return seen
