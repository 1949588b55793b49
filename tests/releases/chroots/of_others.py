"""A driver of others through a table's life: added, kept by each release, mended, removed."""

from __future__ import annotations

from tests.releases.chroots.debian import Debian, title
from tests.releases.chroots.files import OLD, UPDATE
from tests.releases.chroots.rounds import deal
from tests.releases.chroots.tower import (
    DAMAGED,
    FIRST,
    PROJECT,
    SAID_OF_FIRST,
    SECOND,
    TowerFiles,
    configure,
    look,
    node_of,
    sections,
    start_line,
    words,
)
from tests.releases.chroots.unchanged import unchanged

_ADD = (UPDATE, "--add-driver")
_REMOVE = (UPDATE, "--remove-driver", PROJECT)


def add(debian: Debian, towers: TowerFiles) -> str:
    """A driver of others for a table that has none; its sections of the configuration."""
    title("a driver of others: refused, added, admitted")
    with unchanged(debian):
        for wheel, said in towers.unfit.items():
            debian.expect(1, said, *_ADD, wheel)
    said = debian.expect(0, "as it was installed", *_ADD, towers.versions[FIRST])
    debian.expect(0, f"driver {PROJECT} {FIRST} [tower]", UPDATE, "--list")
    debian.expect(0, f"of {PROJECT} {FIRST}, not loaded. To admit it:", "tablectl", "drivers")
    more = sections(said, start_line(debian))
    configure(debian, more)
    look(debian)
    return more


def deal_with(debian: Debian, rounds: int, more: str) -> None:
    """Deal rounds with the driver, whose light is told of them."""
    before = len(words(debian))
    deal(debian, rounds, more)
    told = words(debian)[before:]
    assert told.count("green") >= rounds, told
    look(debian)


def renew(debian: Debian, towers: TowerFiles, file: str) -> None:
    """A release that the driver does not go with is refused; a newer driver goes with each."""
    title("a release that a driver does not go with, and a newer driver")
    with unchanged(debian):
        debian.expect(1, SAID_OF_FIRST, UPDATE, file)
    debian.expect(0, f"tablectl {OLD}", "tablectl", "--version")
    look(debian)
    take_newer(debian, towers)


def take_newer(debian: Debian, towers: TowerFiles) -> None:
    """The newer driver takes the older one's place, and the configuration admits it."""
    said = debian.expect(
        0, "until that is changed, no table starts with it", *_ADD, towers.versions[SECOND]
    )
    configure(debian, sections(said, node_of(debian)))
    look(debian)


def mend(debian: Debian, towers: TowerFiles) -> None:
    """A file of the driver's is changed: the comparison finds it, and its wheel mends it."""
    title("a driver's file is changed, and mended")
    (debian.folder / "opt/tablectl/drivers/current" / DAMAGED).write_text("# changed\n")
    debian.expect(1, f"changed: drivers/{DAMAGED}", UPDATE, "--compare")
    debian.expect(0, "admits it already", *_ADD, towers.versions[SECOND])
    debian.expect(0, "as it was installed", UPDATE, "--compare")
    look(debian)


def remove(debian: Debian) -> None:
    """A driver that is admitted stays; one that is not any more goes."""
    title("a driver removed")
    with unchanged(debian):
        debian.expect(1, "admits [drivers.tower]: remove that", *_REMOVE)
    configure(debian, "")
    debian.expect(0, "as it was installed", *_REMOVE)
    assert PROJECT not in debian.expect(0, "current", UPDATE, "--list")
    assert not (debian.folder / "opt/tablectl/drivers").exists()
    assert words(debian)[-1] != "green", "nobody has the light any more"
