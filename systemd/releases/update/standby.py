"""What ends an update whose program was killed: the same program, started before the table stops.

It waits for the lock, which the kernel takes from a killed program once what that started has ended
too. Then it does what is left: it goes back from a release that was not confirmed, or starts a
table that was stopped and not switched. It is a service of systemd's own, so whatever ends the
login in which an update was begun does not end it, and killed itself it is started again. A power
cut ends both; then the boot unit does what is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from systemd.releases.update.layout import Installation
from systemd.releases.update.machine import Host
from systemd.releases.update.trial import Say, WhyBack, go_back, start


@contextmanager
def standing_by(
    layout: Installation, machine: Host, ran: tuple[str, ...], say: Say
) -> Iterator[None]:
    """Inside, the program may be killed: what `ran`, and is stopped there, runs again.

    Raises `OSError`.
    """
    layout.note_stopped(ran)
    if why := machine.start_standby():
        say(f"nothing stands by, should this program be killed: {why}")
    try:
        yield
    finally:
        # What could not be ended here is tried once more, as soon as this program has ended.
        if layout.pending() is None:
            # Of a release that is not whole nothing runs: whoever mends it starts that.
            if layout.is_complete(layout.build_of(layout.current)):
                layout.forget_stopped()
            machine.stop_standby()


def recover(layout: Installation, machine: Host, say: Say, *, at_boot: bool = False) -> bool:
    """End an update that was broken off; whether there was one. Raises `UpdateDamaged`, `OSError`.

    One that was not confirmed is gone back from; a table that was stopped and not switched starts.
    """
    pending = layout.pending()
    if pending is not None:
        say(f"the update to {pending.new} was not confirmed: {pending.old} runs again")
        go_back(layout, machine, WhyBack("update-broken-off"), say, at_boot=at_boot)
        layout.forget_stopped()
        return True
    stopped = layout.stopped()
    build = layout.build_of(layout.current)
    # One that is not whole cannot start: whoever mends it reads what has to run then.
    if at_boot or not stopped or not layout.is_complete(build):
        return False
    say(f"the update was broken off before it switched: {build} runs again")
    start(machine, stopped)
    layout.forget_stopped()
    return True
