"""The steps of the archive's schema make one line: each number once, each after the one before."""

from __future__ import annotations

from pathlib import Path

from alembic.script import ScriptDirectory

from controller.pit.archive import migrations


def test_each_step_has_a_number_of_its_own_and_follows_the_one_before() -> None:
    script = ScriptDirectory(str(Path(migrations.__file__).parent))
    steps = list(script.walk_revisions())[::-1]
    numbers = [each.revision for each in steps]
    assert numbers == [f"{number:04d}" for number in range(1, len(steps) + 1)]
    assert [each.down_revision for each in steps] == [None, *numbers[:-1]]
    names = [Path(each.path).stem for each in steps]
    assert [each.split("_")[1] for each in names] == numbers
    found = {path.stem for path in Path(script.versions).glob("step_*.py")}
    assert found == set(names)
