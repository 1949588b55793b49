"""Tab in a real bash, zsh and fish, with what `tablectl completion` prints for each."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.__main__ import main
from tests.support.processes.terminal import Terminal

PROMPT = "ready> "
TAB = "\t"


def shell(name: str) -> str:
    """The path of a shell; without it the test is skipped, but never under CI."""
    path = shutil.which(name)
    if path is None and not os.environ.get("CI"):
        pytest.skip(f"{name} is not installed; `make setup` installs it")
    assert path is not None, f"{name} is missing: install the Debian package {name}"
    return path


def started(name: str, folder: Path, code: str) -> Terminal:
    """A shell that has read what completes `tablectl`, and nothing of this machine's own files."""
    binaries = folder / "bin"
    binaries.mkdir()
    (binaries / "tablectl").symlink_to(Path(sys.executable).with_name("tablectl"))
    (folder / "completion").write_text(code)
    environment = {"PATH": f"{binaries}:{os.environ['PATH']}", "HOME": str(folder), "PS1": PROMPT}
    if name == "bash":
        (folder / ".rc").write_text(f"PS1='{PROMPT}'; bind 'set bell-style none'; . ./completion\n")
        command = [shell(name), "--noprofile", "--rcfile", str(folder / ".rc"), "-i"]
    elif name == "zsh":
        (folder / "functions").mkdir()
        (folder / "functions" / "_tablectl").write_text(code)
        (folder / ".zshrc").write_text(
            f"PS1='{PROMPT}'; unsetopt BEEP; fpath=({folder}/functions $fpath)\n"
            "autoload -U compinit; compinit -u -D\n"
        )
        command = [shell(name), "-i"]
        environment["ZDOTDIR"] = str(folder)
    else:
        start = (
            f"function fish_prompt; echo -n '{PROMPT}'; end; set fish_greeting; source completion"
        )
        command = [shell(name), "--no-config", "-C", start, "-i"]
    return Terminal(command, folder, environment)


@pytest.fixture
def terminal(
    shell_name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Iterator[Terminal]:
    """A shell at its prompt, in a folder with a `table.toml`."""
    assert main(["completion", shell_name]) == 0
    (tmp_path / "table.toml").touch()
    with started(shell_name, tmp_path, capsys.readouterr().out) as opened:
        opened.expect(PROMPT)
        yield opened


LINES = (
    ("tablectl veri", "verify"),
    ("tablectl verify --ke", "--key"),
    ("tablectl rules fin", "finnish-27"),
    ("tablectl person rem", "remove"),
    ("tablectl doctor tab", "table.toml"),
    ("tablectl init --zone Europe/Hels", "Europe/Helsinki"),
)
#: Each shell in the quick form: what is completed by us; and what by the shell's own files.
QUICK = (("bash", LINES[1]), ("zsh", LINES[1]), ("fish", LINES[1]), ("bash", LINES[4]))


@pytest.mark.parametrize(
    ("shell_name", "typed", "completed"),
    [
        pytest.param(name, *line, marks=() if (name, line) in QUICK else pytest.mark.long)
        for name in ("bash", "zsh", "fish")
        for line in LINES
    ],
)
def test_tab_completes(terminal: Terminal, typed: str, completed: str) -> None:
    terminal.type(typed + TAB)
    terminal.expect(typed + completed.removeprefix(typed.rsplit(maxsplit=1)[-1]))
