"""The doctor of an installed table: as the service, in its sandbox, and what it packs."""

from __future__ import annotations

import json
import tarfile
from typing import Final

from tests.releases.chroots.debian import Debian, title
from tests.releases.chroots.rounds import CONFIG_FILE

_BUNDLE: Final = "root/help.tar.gz"
#: What of this table nobody else may have.
_SECRETS: Final = (
    "etc/tablectl/service-token", "etc/tablectl/api-token", "var/lib/tablectl-key/table.key",
)  # fmt: skip
#: What is wrong with a table whose scanner is away, in a container, and nothing else.
_EXPECTED: Final = ("scanner", "service.", "clock", "pins", "kiosk", "watchdog", "journal")


def ask_doctor(debian: Debian) -> None:
    """Its findings, each whole; and a bundle without what is secret."""
    title("the doctor")
    doctor = ("tablectl", "doctor", f"/{CONFIG_FILE}")
    found = json.loads(debian.expect(1, "", *doctor, "--json"))
    for each in found:
        asks = each["verdict"] in ("bad", "not checked", "note")
        assert bool(each["mend"]) == asks, each
        assert each["why"] or each["verdict"] == "good", each
        stops = each["verdict"] in ("bad", "not checked")
        assert not stops or each["id"].startswith(_EXPECTED), each
    (part,) = [each for each in found if each["id"] == "service.part"]
    assert (part["verdict"], "in its sandbox" in part["what"]) == ("good", True), part
    debian.expect(1, "Written", *doctor, "--bundle", f"/{_BUNDLE}", "--yes")
    with tarfile.open(debian.folder / _BUNDLE) as archive:
        texts = {each.name: archive.extractfile(each) for each in archive}
        held = {name: file.read() for name, file in texts.items() if file is not None}
    assert {"help/findings.json", "help/log.txt", "help/table.toml"} <= held.keys()
    for name in _SECRETS:
        secret = (debian.folder / name).read_bytes().strip()
        assert len(secret) > 20, f"{name} is no secret"
        assert not any(secret in text for text in held.values()), name
