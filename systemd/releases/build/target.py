"""For what a release is: a processor and a Python, and what its wheels may be tagged."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from typing import Final

#: The oldest C library of the Debians that tables run (12: 2.36), and what wheels ask of it.
_GLIBC: Final = ("2_36", "2_35", "2_34", "2_31", "2_28", "2_27", "2_26", "2_24", "2_17")
MACHINES: Final = ("x86_64", "aarch64")
#: Debian 12 and Debian 13, and Raspberry Pi OS with them.
PYTHONS: Final = ("3.11", "3.13")


@dataclass(frozen=True, slots=True)
class Target:
    """A processor as `uname -m` names it, and a version of Python."""

    machine: str
    python: str

    def __str__(self) -> str:
        return f"{self.machine}-py{self.python.replace('.', '')}"

    @property
    def pip_options(self) -> list[str]:
        """What makes pip choose wheels for this target, and no source."""
        tags = [f"manylinux_{each}_{self.machine}" for each in _GLIBC]
        tags += [f"manylinux2014_{self.machine}", f"linux_{self.machine}", "any"]
        abis = [f"cp{self.python.replace('.', '')}", "abi3", "none"]
        return [
            "--only-binary=:all:", "--implementation=cp", f"--python-version={self.python}",
            *(f"--platform={each}" for each in tags), *(f"--abi={each}" for each in abis),
        ]  # fmt: skip

    @property
    def markers(self) -> dict[str, str]:
        """The environment by which requirements are chosen (PEP 508)."""
        return {
            "python_version": self.python, "python_full_version": f"{self.python}.0",
            "platform_machine": self.machine, "sys_platform": "linux", "os_name": "posix",
            "platform_system": "Linux", "platform_python_implementation": "CPython",
            "implementation_name": "cpython", "extra": "",
        }  # fmt: skip


def this_machine() -> Target:
    """What runs this."""
    return Target(platform.machine(), f"{sys.version_info[0]}.{sys.version_info[1]}")


def all_targets() -> list[Target]:
    """Everything that a table runs on."""
    return [Target(machine, python) for machine in MACHINES for python in PYTHONS]
