"""The strip board's PIO program, turn by turn: our own driver's bits, and pulses at the limits."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices.lights import Colour
from drivers.panel.lights.strip import frame
from drivers.settings.panel import StripSettings
from sim_hw.rig.boards.packet_queue import PacketQueue
from sim_hw.rig.boards.packets import HEARD, LOST, Packets
from sim_hw.rig.boards.strip_frames import FRAME_MAX, GAP, StripFrames
from tests.drivers.panel.strip_bus import decoded
from tests.hil.boards.fake_pico import FakePico
from tests.hil.boards.pio import SYSTEM_NS, StateMachine, TappedLine, low_halves
from tests.support.forms import quick_first

#: What a Raspberry Pi makes of the 3.2 MHz that it is asked for: 250 or 500 MHz by a whole number.
PI_HERTZ = (3_125_000, 3_164_557, 3_200_000)
RESET_NS = 300_000
PHASES = st.integers(0, 63).map(lambda each: each / 4)


@pytest.fixture(scope="module")
def program() -> Any:
    """The module of the program."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        return FakePico(monkeypatch).load("strip_program")


def heard(program: Any, changes_ns: Sequence[float], until_ns: float, phase_ns: float = 0.0) -> Any:
    """What the bench finds on the board's line, of a line that changes then."""
    turn_ns = 1_000_000_000 // program.HERTZ
    assert turn_ns == 2 * SYSTEM_NS
    line = TappedLine(changes_ns)
    pio = StateMachine(program.PROGRAM, program.GAP_LOOKS, line, turn_ns, phase_ns)
    said: list[bytes] = []

    def write(data: bytes) -> int:
        said.append(data)
        return len(data)

    queue = PacketQueue(write)
    StripFrames(queue).take(low_halves(pio.run(until_ns)))
    for _ in range(300):
        queue.send()
    return Packets().of(b"".join(said))


def changes(pulses: Sequence[tuple[float, float]], from_ns: float = RESET_NS) -> list[float]:
    """When a line changes that is high and low for so long each time."""
    return list(accumulate((each for pulse in pulses for each in pulse), initial=from_ns))[:-1]


def pulses_of(data: bytes, lengths: Any) -> list[tuple[float, float]]:
    """A pulse for each bit, high bit first."""
    return [lengths(byte >> bit & 1) for byte in data for bit in range(7, -1, -1)]


def on_the_wire(wire: bytes, hertz: float) -> list[float]:
    """When the line of a bus changes that puts these bytes on it."""
    bits = "".join(f"{byte:08b}" for byte in wire)
    ends = [at for at in range(1, len(bits)) if bits[at] != bits[at - 1]]
    return [at * 1e9 / hertz for at in ends]


COLOURS = st.tuples(*[st.booleans()] * 3).map(lambda each: Colour(*each))


@settings(max_examples=12, deadline=None)
@given(
    st.lists(COLOURS, min_size=2, max_size=2), st.sampled_from(("grb", "rgb", "grbw")),
    st.integers(1, 255), st.sampled_from(PI_HERTZ), PHASES,
)  # fmt: skip
def test_the_drivers_own_frames_are_heard(
    program: Any,
    colours: list[Colour],
    order: Literal["grb", "rgb", "grbw"],
    brightness: int,
    hertz: float,
    phase: float,
) -> None:
    strip = StripSettings(
        device="/dev/spidev0.0", spots=2, pixels=2, order=order, brightness=brightness, max_ma=2_000
    )
    wire = frame(strip, colours)
    taken = bytes(each for pixel in decoded(wire, len(order)) for each in pixel)
    found = heard(program, on_the_wire(wire, hertz), len(wire) * 8e9 / hertz, phase)
    assert found == [(HEARD, taken)]


#: High and low of each bit, from the data sheets; where the board is narrower, as its page says.
CHIPS = {
    "WS2812B-V5": ((220, 380), (580, 1_000), (580, 1_000), (220, 420)),
    "SK6812RGBW": ((150, 450), (520, 750), (750, 1_050), (450, 750)),
    "WS2812B of 2013": ((250, 470), (650, 950), (700, 1_000), (300, 600)),
}


@settings(max_examples=12, deadline=None)
@given(st.binary(min_size=1, max_size=8), st.sampled_from(sorted(CHIPS)), PHASES, st.data())
def test_pulses_within_the_limits_are_heard(
    program: Any, data: bytes, chip: str, phase: float, draw: st.DataObject
) -> None:
    high_of_0, high_of_1, low_of_0, low_of_1 = CHIPS[chip]
    # Its ends more often than what lies between them.
    where = st.one_of(st.sampled_from((0.0, 1.0)), st.floats(0, 1))

    def lengths(bit: int) -> tuple[float, float]:
        high, low = (high_of_1, low_of_1) if bit else (high_of_0, low_of_0)
        spans = (least + draw.draw(where) * (most - least) for least, most in (high, low))
        return next(spans), next(spans)

    edges = changes(pulses_of(data, lengths))
    assert heard(program, edges, edges[-1] + RESET_NS, phase) == [(HEARD, data)]


@pytest.mark.parametrize("phase", quick_first([0, 3, 8, 11, 15], [3, 15]))
def test_a_pulse_is_long_from_where_the_page_says(program: Any, phase: float) -> None:
    bits = []
    for high in (460, 470, 520, 530):
        edges = changes([(high, 1_250 - high)] * 8)
        ((_, byte),) = heard(program, edges, edges[-1] + RESET_NS, phase)
        bits.append(byte)
    assert bits == [b"\x00", b"\x00", b"\xff", b"\xff"]


def fixed(bit: int) -> tuple[float, float]:
    """A pulse as its sheet has it."""
    return (800.0, 450.0) if bit else (400.0, 850.0)


def test_a_pause_that_is_no_reset_ends_no_frame(program: Any) -> None:
    pulses = [*pulses_of(b"\x5a", fixed), *pulses_of(b"\xc3", fixed)]
    together, apart = list(pulses), list(pulses)
    together[7] = (together[7][0], 278_000.0)
    apart[7] = (apart[7][0], 282_000.0)
    for each, frames in ((together, [b"\x5a\xc3"]), (apart, [b"\x5a", b"\xc3"])):
        edges = changes(each)
        found = heard(program, edges, edges[-1] + RESET_NS)
        assert found == [(HEARD, frame_) for frame_ in frames]


def test_bits_that_are_no_byte_are_said(program: Any) -> None:
    edges = changes(pulses_of(b"\x5a", fixed) + [fixed(1)] * 3)
    found = heard(program, edges, edges[-1] + RESET_NS)
    assert found == [(LOST, b"a frame of 1 bytes and 3 bits")]


def test_a_line_may_rest_high(program: Any) -> None:
    high = [(2_000_000.0, float(RESET_NS))]
    edges = changes([*high, *pulses_of(b"\x5a", fixed)[:-1], (400.0, float(RESET_NS)), *high])
    assert heard(program, edges, edges[-1] + RESET_NS) == [(HEARD, b"\x5a")]


def test_the_end_of_a_frame_that_began_unheard_is_no_frame(program: Any) -> None:
    pulses = pulses_of(b"\x5a\x5a", fixed)
    pulses[-1] = (pulses[-1][0], float(RESET_NS))
    edges = changes([*pulses, *pulses_of(b"\xc3", fixed)], from_ns=1_000)
    assert heard(program, edges, edges[-1] + RESET_NS) == [(HEARD, b"\xc3")]


def words_heard(*words: int, overrun_before: int = -1) -> list[str]:
    """What a queue is told of these words."""
    said: list[str] = []

    class InWords(PacketQueue):
        def heard(self, content: bytes) -> None:
            said.append(f"{len(content)}")

        def lost(self, why: str) -> None:
            said.append(why)

    frames = StripFrames(InWords(len))
    for at, word in enumerate(words):
        if at == overrun_before:
            frames.overrun("overrun")
        frames.take([word])
    return said


def test_a_frame_that_was_cut_is_not_handed_on() -> None:
    words = [GAP, 1, 2, 3, GAP, 4, GAP]
    assert words_heard(*words) == ["3", "1"]
    assert words_heard(*words, overrun_before=2) == ["overrun", "1"]


def test_one_bit_alone_is_a_line_at_rest_and_two_are_not() -> None:
    assert words_heard(GAP, GAP + 1) == []
    assert words_heard(GAP, GAP + 2) == ["a frame of 0 bytes and 2 bits"]


def test_a_frame_has_an_end() -> None:
    longest = [GAP, *[7] * FRAME_MAX, GAP]
    assert words_heard(*longest) == [f"{FRAME_MAX}"]
    longer = [GAP, *[7] * (FRAME_MAX + 5), GAP]
    assert words_heard(*longer) == ["a frame of more than 4096 bytes"]
