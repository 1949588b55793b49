"""The broker's buffer for records while an archive is away: what it is, and where in it a message
stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from nats.js.api import DiscardPolicy, ExternalStream, StreamConfig, StreamSource

from controller.bus.messages import STREAM, Topic, subject
from controller.bus.parser import HeardMessage
from controller.bus.server_conf import mirrored

#: How many words are in the place to which an older broker is told that a message was taken.
_WORDS_OF_OLDER: Final = 9


@dataclass(frozen=True, slots=True)
class BufferLimits:
    """How much the broker holds for an archive that is away.

    `sites`: the buffer mirrors those of these sites' brokers, and takes no table's own records.
    """

    days: float = 7
    gigabytes: float = 8
    sites: tuple[str, ...] = ()

    def stream(self) -> StreamConfig:
        """The stream of JetStream that is the buffer."""
        sources = [
            StreamSource(STREAM, external=ExternalStream(mirrored(each))) for each in self.sites
        ]
        return StreamConfig(
            name=STREAM, subjects=None if sources else [subject("*", Topic.RECORDS)],
            sources=sources or None, discard=DiscardPolicy.OLD,
            max_age=self.days * 86_400, max_bytes=round(self.gigabytes * 1_000_000_000),
        )  # fmt: skip

    def is_mirrored_by(self, config: StreamConfig) -> bool:
        """Whether a stream takes its records from where these say."""
        mirrors = {each.external.api for each in config.sources or () if each.external is not None}
        return mirrors == {mirrored(each) for each in self.sites}


class BufferPlace(NamedTuple):
    """Where a message stands in the buffer, and among those that were sent of it."""

    stream: int
    consumer: int

    @classmethod
    def of(cls, message: HeardMessage) -> Self:
        """As the broker says it with the message, in the place to which it wants to be told that it
        was taken: `$JS.ACK.<stream>.<consumer>.<times sent>.<in the buffer>.<of those sent>.…`,
        where newer ones name a domain and an account before the stream.

        Raises `ValueError`, `LookupError` for what is none.
        """
        words = message.reply.split(b".")
        of_buffer = 5 if len(words) == _WORDS_OF_OLDER else 7
        return cls(int(words[of_buffer]), int(words[of_buffer + 1]))
