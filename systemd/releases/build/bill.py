"""The bill of materials of a release, in CycloneDX's form (1.6): every package and its SHA-256."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from packaging.utils import canonicalize_name

from systemd.releases.build.target import Target
from systemd.releases.build.wheels import Wheel


def bill_of_materials(
    own: Wheel, wheels: Sequence[Wheel], extras: tuple[str, ...], build: str, target: Target
) -> bytes:
    """The bill of materials of `own` with `extras`. The same wheels make the same bytes."""
    others = [each for each in wheels if each.name != own.name]
    root = _component(own) | {"type": "application", "version": build, "bom-ref": "tablectl"}
    about = "".join(f"{each.path.name}\n" for each in wheels) + f"{build} {target}"
    plain = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, about)}",
        "version": 1,
        "metadata": {
            "component": root,
            "properties": [
                {"name": "tablectl:machine", "value": target.machine},
                {"name": "tablectl:python", "value": target.python},
            ],
        },
        "components": [_component(each) for each in others],
        "dependencies": [_dependency(each, own, wheels, extras, target) for each in wheels],
    }
    return json.dumps(plain, indent=1).encode()


def _reference(wheel: Wheel, own: Wheel) -> str:
    return "tablectl" if wheel.name == own.name else _purl(wheel)


def _purl(wheel: Wheel) -> str:
    return f"pkg:pypi/{wheel.name}@{wheel.version}"


def _component(wheel: Wheel) -> dict[str, Any]:
    digest = sha256(wheel.path.read_bytes()).hexdigest()
    found: dict[str, Any] = {
        "type": "library", "bom-ref": _purl(wheel), "name": wheel.name, "version": wheel.version,
        "purl": _purl(wheel), "hashes": [{"alg": "SHA-256", "content": digest}],
    }  # fmt: skip
    if licence := _licence(wheel):
        found["licenses"] = [licence]
    return found


def _licence(wheel: Wheel) -> dict[str, Any] | None:
    if expression := wheel.metadata["License-Expression"]:
        return {"expression": str(expression)}
    text = str(wheel.metadata["License"] or "").strip()
    # Some packages put the whole text there.
    return {"license": {"name": text}} if text and "\n" not in text else None


def _dependency(
    wheel: Wheel, own: Wheel, wheels: Sequence[Wheel], extras: tuple[str, ...], target: Target
) -> dict[str, Any]:
    asked = extras if wheel.name == own.name else ()
    wanted = {canonicalize_name(each.name) for each in wheel.needs(asked, target.markers)}
    on = sorted(_reference(each, own) for each in wheels if each.name in wanted)
    return {"ref": _reference(wheel, own), "dependsOn": on}
