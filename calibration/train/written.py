"""What a training by itself writes beside the other networks: `drivers/vision/models`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from calibration.train import card


def write(
    folder: Path, name: str, file: str, raw: bytes, entry: dict[str, Any], measured: dict[str, Any]
) -> None:
    """The file, its entries in nets.json and figures.json, and the model card anew.

    `entry` is what the table needs beside file and hash, `measured` what the model card tells.
    """
    nets, figures = (
        json.loads((folder / each).read_text(encoding="utf-8"))
        for each in ("nets.json", "figures.json")
    )
    (folder / file).write_bytes(raw)
    nets[name] = {"file": file, "sha256": hashlib.sha256(raw).hexdigest(), **entry}
    figures[name] = {"bytes": len(raw), **measured}
    for each, content in (("nets.json", nets), ("figures.json", figures)):
        (folder / each).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    (folder / "MODEL.md").write_text(card.text(figures, nets), encoding="utf-8")
