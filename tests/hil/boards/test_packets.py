"""Packets on a board's line: whole in whatever pieces, found from the middle, never another's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim_hw.rig.boards.packet_queue import PIECE, WAITING_MAX, PacketQueue
from sim_hw.rig.boards.packets import DAMAGED, HEARD, HELLO, LOST, PACKET_MAX, Packets, packet

# Few values, many zeros, and runs as long as a block of the stuffing.
CONTENTS = st.one_of(
    st.binary(max_size=600),
    st.lists(st.sampled_from((b"\0", b"\1", b"\xff", b"x" * 253, b"y" * 254)), max_size=8).map(
        b"".join
    ),
)


def parted(data: bytes, cuts: list[int]) -> list[tuple[bytes, bytes]]:
    """What a reader finds that gets these bytes in pieces."""
    reader, found, at = Packets(), [], 0
    for cut in [*sorted(each % (len(data) + 1) for each in cuts), len(data)]:
        found += reader.of(data[at:cut])
        at = cut
    return found


@given(st.lists(CONTENTS, max_size=5), st.lists(st.integers(0, 5_000), max_size=6))
def test_packets_come_as_they_were_sent(contents: list[bytes], cuts: list[int]) -> None:
    data = b"".join(packet(HEARD, each) for each in contents)
    assert parted(data, cuts) == [(HEARD, each) for each in contents]


@given(CONTENTS)
def test_a_packet_has_no_zero_but_at_its_ends(content: bytes) -> None:
    data = packet(HEARD, content)
    assert data[0] == data[-1] == 0
    assert 0 not in data[1:-1]
    assert len(data) <= len(content) + len(content) // 254 + 9


@given(CONTENTS, CONTENTS, st.integers(1, 5_000))
def test_a_reader_who_comes_in_the_middle_finds_the_next(
    first: bytes, second: bytes, at: int
) -> None:
    data = packet(HEARD, first)
    found = parted(data[min(at, len(data) - 1) :] + packet(HEARD, second), [])
    assert found == [(HEARD, second)]


@given(st.lists(CONTENTS, min_size=1, max_size=4), st.data())
def test_bytes_that_are_missing_are_known_to_be(contents: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(packet(HEARD, each) for each in contents)
    start = data.draw(st.integers(1, len(whole) - 2))
    end = data.draw(st.integers(start + 1, len(whole) - 1))
    found = parted(whole[:start] + whole[end:], [])
    heard = [content for kind, content in found if kind == HEARD]
    assert all(kind in (HEARD, DAMAGED) for kind, _ in found)
    left = iter(contents)
    assert all(each in left for each in heard), "those that came are some of those sent, in order"
    if len(heard) == len(contents):
        assert whole[start:end] == b"\0", "of two zeros between packets one is enough"


@given(CONTENTS, st.data())
def test_a_byte_that_is_another_damages_its_packet(content: bytes, data: st.DataObject) -> None:
    whole = bytearray(packet(LOST, content))
    at = data.draw(st.integers(1, len(whole) - 2))
    whole[at] ^= data.draw(st.integers(1, 255))
    assert not [each for each in parted(bytes(whole), []) if each[0] != DAMAGED]


def test_what_never_ends_is_no_packet() -> None:
    reader = Packets()
    assert reader.of(b"\0") == []
    found = reader.of(b"x" * (PACKET_MAX + 1))
    assert found == [(DAMAGED, b"x" * (PACKET_MAX + 1))]
    assert reader.of(b"rest\0" + packet(HELLO, b"strip")) == [(HELLO, b"strip")]


class Taker:
    """A line that takes so many bytes at a time."""

    def __init__(self, *takes: int) -> None:
        self.takes, self.said = list(takes), b""

    def write(self, data: bytes) -> int:
        """As many as it takes now; all when nothing more was said of it."""
        assert 0 < len(data) <= PIECE
        taken = min(len(data), self.takes.pop(0) if self.takes else len(data))
        self.said += data[:taken]
        return taken


@given(st.lists(CONTENTS, max_size=4), st.lists(st.integers(0, 70), max_size=40))
def test_a_line_that_takes_parts_gets_all(contents: list[bytes], takes: list[int]) -> None:
    line = Taker(*takes)
    queue = PacketQueue(line.write)
    for each in contents:
        queue.heard(each)
    for _ in range(300):
        queue.send()
    assert Packets().of(line.said) == [(HEARD, each) for each in contents]


def test_what_has_no_room_is_said_and_nothing_is_out_of_order() -> None:
    line = Taker(*[0] * 10)
    queue = PacketQueue(line.write)
    content = b"p" * 1_025
    fit = WAITING_MAX // len(packet(HEARD, content))
    for _ in range(fit + 7):
        queue.heard(content)
    queue.hello("strip")
    for _ in range(10):
        queue.send()
    assert line.said == b""
    while len(line.said) < WAITING_MAX // 2:
        queue.send()
    queue.heard(b"late")
    for _ in range(1_000):
        queue.send()
    queue.heard(b"after")
    queue.send()
    assert Packets().of(line.said) == [
        *[(HEARD, content)] * fit, (LOST, b"8 packets: nobody read the line"), (HEARD, b"after"),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", [HEARD, LOST, HELLO])
def test_a_kind_is_kept(kind: bytes) -> None:
    assert Packets().of(packet(kind, b"")) == [(kind, b"")]
