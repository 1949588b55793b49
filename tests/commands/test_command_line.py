"""The command line lists its commands, loads the one asked for and nothing of the others."""

from __future__ import annotations

import gc
import subprocess
import sys
from types import ModuleType

import pytest

from controller.__main__ import main
from controller.manual.command_list import COMMANDS


def test_all_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    listed = capsys.readouterr().out
    for name, (_, summary) in COMMANDS.items():
        assert f"    {name}" in listed
        assert summary.split()[0] in listed


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_describes_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    usage, description = capsys.readouterr().out.split("\n\n")[:2]
    assert usage.startswith(f"usage: tablectl {name}")
    assert description.rstrip().endswith((".", ")."))


def test_ctrl_c_while_a_command_is_loaded_ends_it_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(_: str) -> ModuleType:
        raise KeyboardInterrupt

    monkeypatch.setattr("controller.__main__.import_module", stopped)
    assert main(["run", "table.toml"]) == 130
    assert gc.isenabled()


def test_the_collector_passes_over_what_a_process_of_its_own_has_loaded() -> None:
    told = (
        "import gc, sys; from controller.__main__ import main;"
        "sys.argv = ['tablectl', 'completion', 'bash']; main(); print(gc.get_freeze_count())"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert int(done.stdout.split()[-1]) > 1_000


def test_whoever_calls_it_keeps_what_is_garbage(capsys: pytest.CaptureFixture[str]) -> None:
    before = gc.get_freeze_count()
    assert main(["completion", "bash"]) == 0
    assert gc.get_freeze_count() == before


def test_an_unknown_command_is_refused_with_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["verfy"])
    assert stopped.value.code == 2
    assert "verify" in capsys.readouterr().err


#: The rooms of a command that reads a record, and of a demo.
OF_A_RECORD = "access commands config devices languages odds people record rules table"
OF_A_DEMO = "access commands devices languages people rules table training"


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [
        (["--help"], []),
        (["token", "--help"], ["access", "commands"]),
        # Each start of a table asks so, in a process of its own: it reads no configuration.
        (["day", "expected", "--help"], OF_A_RECORD.split()),
        # A demo is processes of others: it reads no record but to report of a training.
        (["demo", "--help"], OF_A_DEMO.split()),
    ],
)
def test_no_command_loads_what_another_needs(arguments: list[str], loaded: list[str]) -> None:
    script = (
        "import sys\nfrom controller.__main__ import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit: pass\n"
        "names = [each.split('.')[1:] for each in sys.modules if each.startswith('controller.')]\n"
        "print('|', *sorted({each[0] for each in names}),"
        " *['.'.join(each) for each in names if each[0] == 'manual'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    rooms = sorted(["__main__", "manual", *loaded])
    # Of the manual the list of commands alone, which it shares with the command line.
    alone = ["manual", "manual.command_list"]
    assert done.stdout.rpartition("|")[2].split() == [*rooms, *alone]


def test_a_table_loads_nothing_that_only_others_need() -> None:
    """Of these each is megabytes, or a tenth of a second of every start."""
    script = (
        "import sys\nfrom controller.__main__ import main\n"
        "try: main(['run', '--help'])\nexcept SystemExit: pass\n"
        "print('|', *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = {each.split(".")[0] for each in done.stdout.rpartition("|")[2].split()}
    # A camera's, a day's signature's and a pit's people's, a file's that is written, a bus's; what
    # describes the API.
    others = {"cv2", "numpy", "cryptography", "tomlkit", "nats", "sqlalchemy", "fastapi"}
    assert loaded & others == set()
    assert "uvicorn" in loaded
