"""The kernel's input events, however a read cuts them."""

from drivers.io.input_events import EV_KEY, EVENT_BYTES, EventParts
from sim_hw.devices.wire.keyboard import pressed


def test_an_event_that_comes_in_parts_is_one() -> None:
    data = pressed(96) + pressed(30)
    whole = list(EventParts().feed(data))
    assert len(whole) == len(data) // EVENT_BYTES
    assert [(each.code, each.value) for each in whole if each.kind == EV_KEY] == [
        (96, 1), (96, 0), (30, 1), (30, 0),
    ]  # fmt: skip
    for at in range(len(data) + 1):
        parts = EventParts()
        assert [*parts.feed(data[:at]), *parts.feed(data[at:])] == whole
