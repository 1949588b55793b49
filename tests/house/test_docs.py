"""Documents agree with the tables in the code that they describe."""

from __future__ import annotations

import re
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.config.device_sections import DEVICES
from controller.config.one_section import field_names
from controller.config.sections import SECTIONS
from controller.rules.games.registry import GAMES
from controller.rules.printed.markdown import all_as_markdown
from controller.rules.printed.rulebook import rule_book
from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.state.phases import diagram
from controller.table.views.english import say

ROOT = Path(__file__).parents[2]
FOLDERS = [
    "controller", "controller/rules", "controller/devices", "controller/table",
    "controller/table/irregularities", "controller/table/shoe", "controller/table/decide",
    "controller/table/views", "controller/record", "controller/record/files",
    "controller/record/days", "controller/record/copies", "controller/config", "controller/service",
    "controller/assembly", "controller/access", "controller/commands", "controller/web", "drivers",
    "drivers/panel", "drivers/shoe", "drivers/vision", "calibration", "sim_hw", "systemd",
    "systemd/releases", "tests", "tests/golden", "tests/hil", "sim_hw/rig", "sim_hw/rig/boards",
]  # fmt: skip


def text(*parts: str) -> str:
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_says_what_lives_there(folder: str) -> None:
    lines = text(folder, "README.md").splitlines()
    assert lines[0].startswith("# ")
    assert len(lines) < 140, "one page"


def test_a_readme_names_every_file_and_folder_beside_it() -> None:
    """Of the product: a room that stands in no table is not found by whoever comes new."""
    files = [each.relative_to(ROOT) for each in tracked("*.py")]
    unnamed = {}
    for page in (each.relative_to(ROOT) for each in tracked("*/README.md")):
        if page.parts[0] == "tests":
            continue
        above = (
            ROOT / page.parent.parent / "README.md"
        )  # may have the table of its subfolder's files
        said = (ROOT / page).read_text() + (
            above.read_text() if page.parent.parent.parts and above.exists() else ""
        )
        rooms = {
            rest[0] if len(rest) > 1 else Path(rest[0]).stem
            for each in files
            if each.is_relative_to(page.parent) and (rest := each.relative_to(page.parent).parts)
        } - {"__init__", "__main__"}
        if missing := [each for each in sorted(rooms) if not re.search(rf"\b{each}\b", said)]:
            unnamed[str(page)] = missing
    assert unnamed == {}


def test_the_phase_diagram_is_the_table_of_arcs() -> None:
    assert f"```mermaid\n{diagram()}\n```" in text("controller", "table", "README.md")


def test_the_written_procedures_are_those_that_are_enforced(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["procedures", "--markdown"]) == 0
    written = text("controller", "table", "PROCEDURES.md")
    assert written == capsys.readouterr().out, "make it anew: make rules"
    for reason, row in IRREGULARITIES.items():
        assert f"| {say(row.title)} ({reason.value}) |" in written


def test_every_key_of_the_configuration_is_described() -> None:
    page = text("controller", "config", "README.md")
    keys = {name: field_names(model) for name, model in SECTIONS.items()}
    keys |= {name: [each.name for each in fields(kind)] for name, kind in DEVICES.items()}
    keys["options"] = [each.name for game in GAMES.values() for each in fields(type(game.options))]
    for section, names in keys.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `[{section}]`"))
        for name in names:
            assert f"`{name}`" in row, f"{section}.{name} is not in controller/config/README.md"


def test_every_driver_is_described() -> None:
    page = "".join(each.read_text() for each in sorted((ROOT / "drivers").rglob("README.md")))
    for module in (ROOT / "drivers").rglob("[a-z]*.py"):
        assert module.stem in page, f"drivers/{module.name} is in no README of drivers"


def test_every_game_is_named_in_the_readme() -> None:
    for name in GAMES:
        assert name in text("README.md")


def test_the_written_rules_are_those_that_are_enforced() -> None:
    printed = all_as_markdown(map(rule_book, GAMES.values()))
    assert text("controller", "rules", "RULES.md") == printed, "make it anew: make rules"


def tracked(*patterns: str) -> list[Path]:
    """The files of the checkout that git tracks, or the fresh ones it does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *patterns]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for each in listed.split("\0") if each and (path := ROOT / each).is_file()]


def anchors(page: str) -> set[str]:
    """The anchors that a page's headings get."""
    headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


def test_every_link_of_a_page_leads_somewhere() -> None:
    links = 0
    for page in tracked("*.md"):
        content = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)\s]+)\)", content):
            if "://" in target:
                continue
            path, _, anchor = target.partition("#")
            to = (page.parent / path).resolve() if path else page
            links += 1
            assert to.is_relative_to(ROOT), f"{page.name}: {target} leads out of the project"
            assert to.exists(), f"{page.relative_to(ROOT)}: {target} is not there"
            if anchor and to.suffix == ".md":
                known = anchors(to.read_text(encoding="utf-8"))
                assert anchor in known, f"{page.relative_to(ROOT)}: {target}"
    assert links > 40


def test_every_path_that_a_page_names_is_there() -> None:
    tops = "controller|drivers|calibration|sim_hw|tests|systemd"
    for page in tracked("*.md"):
        for path in re.findall(rf"`((?:{tops})/[\w./-]+)`", page.read_text(encoding="utf-8")):
            assert (ROOT / path).exists(), f"{page.relative_to(ROOT)} names {path}"


def test_every_decision_that_is_cited_is_on_record() -> None:
    known = set(re.findall(r"^## (\d+)\. ", text("DECISIONS.md"), re.MULTILINE))
    assert known == set(map(str, range(1, len(known) + 1))), "numbered without a gap"
    cited = 0
    for file in tracked("*.py", "*.md", "*.js", "*.toml", "*.service"):
        for number in re.findall(r"DECISIONS\.md, (\d+)", file.read_text(encoding="utf-8")):
            cited += 1
            assert number in known, f"{file.relative_to(ROOT)} cites decision {number}"
    assert cited > 5


def test_no_citation_leads_out_of_the_tree() -> None:
    """What the code rests on stands in the tree: in DECISIONS, RULINGS, or beside the code."""
    elsewhere = re.compile(r"field[ -]notes|design\.md", re.IGNORECASE)
    for file in tracked("*.py", "*.md", "*.js", "*.toml", "*.service", "Makefile"):
        if file != Path(__file__).resolve():
            found = elsewhere.search(file.read_text(encoding="utf-8"))
            assert found is None, f"{file.relative_to(ROOT)} cites {found}"
