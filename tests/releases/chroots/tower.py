"""A driver of others at an installed table: the tower light of YOUR_DRIVER.md, in a wheel.

It is built as that page says. Its line is a real terminal's, whose other end writes down what the
light was told.
"""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.conformance.workshop import wheel_of
from tests.releases.chroots.debian import Debian
from tests.releases.chroots.files import OLD, ROOT
from tests.releases.chroots.rounds import CONFIG, CONFIG_FILE, PORT, SCANNER
from tests.releases.driver_wheels import tower_wheel

PAGE: Final = ROOT / "drivers/YOUR_DRIVER.md"
PROJECT: Final = "tower-light"
#: The first goes with the first release alone, the second with each.
FIRST, SECOND = "1.0.0", "1.1.0"
SAID_OF_FIRST: Final = f"this tower light goes with tablectl {OLD}"
#: Of its files one that counts, below its set.
DAMAGED: Final = "packages/tower_light/__init__.py"
#: What is said of the page's driver here, and of no real one.
_NOT_BY_ROOT: Final = """

import os

if os.geteuid() == 0:
    raise SystemExit("root runs a driver of others")
"""
_ONE_RELEASE: Final = f"""

from controller import __version__

if __version__ != "{OLD}":
    raise ImportError("{SAID_OF_FIRST}")
"""
_SEEN: Final = "srv/tower"
#: It goes on until its space ends. The line is the service's own, as dialout's is.
_LINE: Final = f"""#!/usr/bin/python3
import os, pwd, tty
ours, theirs = os.openpty()
tty.setraw(theirs)
os.fchown(theirs, pwd.getpwnam("tablectl").pw_uid, -1)
print(os.ttyname(theirs), flush=True)
if os.fork() == 0:
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    for each in (0, 1, 2):
        os.dup2(null, each)
    with open("/{_SEEN}", "ab", buffering=0) as seen:
        while True:
            seen.write(os.read(ours, 4096))
"""
_WORKS: Final = f"""#!/usr/bin/python3
import json, sys, time, urllib.request
table, began = None, time.monotonic()
while time.monotonic() - began < 1_200:
    try:
        with urllib.request.urlopen("http://127.0.0.1:{PORT}/api/v1/table", timeout=5) as answer:
            table = json.load(answer)
    except OSError:
        pass
    else:
        if any(each["name"] == "tower" and each["up"] for each in table["devices"]):
            print("tower works with " + table["software"])
            sys.exit()
    time.sleep(0.2)
sys.exit(f"tower does not work: {{table and table['devices']}}")
"""


@dataclass(frozen=True, slots=True)
class TowerFiles:
    """Wheels on a table, by their paths there: the driver's versions, and what no table takes.

    `unfit` says of each what is said to it.
    """

    versions: dict[str, str]
    unfit: dict[str, str]


def build_tower(folder: Path, version: str, more: str = "") -> Path:
    """The wheel of the page's driver, built as the page says, with `more` below its code."""
    page = PAGE.read_text()
    code = page.partition("```python\n")[2].partition("```")[0]
    lines = [line.removeprefix(" " * 8) for line in page.splitlines() if line.startswith(" " * 8)]
    project = lines[lines.index("[build-system]") :]
    project = project[: next(n for n, each in enumerate(project) if each.startswith("tower =")) + 1]
    source = folder / f"source-{version}"
    (source / "tower_light").mkdir(parents=True)
    (source / "tower_light/__init__.py").write_text(code + more)
    text = "\n".join(project)
    assert f'version = "{FIRST}"' in text
    (source / "pyproject.toml").write_text(
        text.replace(f'version = "{FIRST}"', f'version = "{version}"')
    )
    return wheel_of(source, folder / f"wheel-{version}")


def put_towers(debian: Debian) -> TowerFiles:
    """Put the driver's wheels, and such as no table takes, into /root."""
    root = debian.folder / "root"
    versions, unfit = {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        for version, more in ((FIRST, _NOT_BY_ROOT + _ONE_RELEASE), (SECOND, _NOT_BY_ROOT)):
            wheel = build_tower(Path(scratch), version, more)
            shutil.copy2(wheel, root)
            versions[version] = f"/root/{wheel.name}"
    others: tuple[tuple[str, str, dict[str, str], str], ...] = (
        ("machine", "tower_light-1.0.0-py3-none-linux_riscv64.whl", {}, "is for linux_riscv64"),
        ("python", "tower_light-1.0.0-cp39-cp39-linux_x86_64.whl", {}, "is for cp39"),
        ("module", "", {"drivers/tower.py": ""}, "has itself: have it renamed"),
        ("start", "", {"tower.pth": "import os\n"}, "runs at each start"),
    )
    for folder, file, brings, said in others:
        (root / folder).mkdir()
        wheel = tower_wheel(root / folder, file=file, more=brings)
        unfit[f"/root/{folder}/{wheel.name}"] = said
    (root / "cut").mkdir()
    whole = (debian.folder / versions[FIRST].lstrip("/")).read_bytes()
    cut = root / "cut" / Path(versions[FIRST]).name
    cut.write_bytes(whole[: len(whole) // 2])
    unfit[f"/root/cut/{cut.name}"] = "no whole wheel"
    return TowerFiles(versions, unfit)


def start_line(debian: Debian) -> str:
    """Start the light's line, which lasts as long as the space of this Debian; its node."""
    debian.write("root/line", _LINE, 0o755)
    return debian.expect(0, "/dev/pts/", "/root/line").strip()


def sections(said: str, node: str) -> str:
    """What was said at adding a driver, and its section: as they go into a configuration."""
    admission = said[said.index("[drivers.tower]") :].splitlines()[:3]
    return "\n".join([*admission, "[tower]", f'device = "{node}"', ""])


def configure(debian: Debian, more: str) -> None:
    """Write the configuration, with these sections below it, and start the table with it."""
    debian.write(CONFIG_FILE, CONFIG + SCANNER + more)
    restart(debian)


def restart(debian: Debian) -> None:
    """Start the table anew, its configuration changed: as whoever changed it does."""
    debian.expect(0, "", "tablectl", "drivers", "--install", "/", f"/{CONFIG_FILE}")
    debian.run("systemctl", "daemon-reload")
    debian.run("systemctl", "restart", "tablectl-guard.service", "tablectl.service")


def node_of(debian: Debian) -> str:
    """The light's line, as configured."""
    plain = tomllib.loads((debian.folder / CONFIG_FILE).read_text())
    return str(plain["tower"]["device"])


def move_line(debian: Debian) -> None:
    """After a start of the machine: its line is another, and the table is told so."""
    text = (debian.folder / CONFIG_FILE).read_text()
    debian.write(CONFIG_FILE, text.replace(node_of(debian), start_line(debian)))
    restart(debian)


def words(debian: Debian) -> list[str]:
    """All that the light was told."""
    return (debian.folder / _SEEN).read_text().split()


def look(debian: Debian) -> None:
    """The table says that the light works, and it is lit."""
    debian.write("root/works", _WORKS, 0o755)
    debian.expect(0, "tower works with", "/root/works")
    assert words(debian)[-1] in ("red", "green"), words(debian)[-3:]
