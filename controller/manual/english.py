"""What no table of the house holds, in plain words: how to work with the table, by role."""

from __future__ import annotations

from typing import Final


def _sentences(text: str) -> tuple[str, ...]:
    """Paragraphs, each of which is one line of a section."""
    return tuple(" ".join(each.split()) for each in text.strip().split("\n\n"))


def _rows(text: str) -> tuple[tuple[str, ...], ...]:
    """Paragraphs as rows of a table: the cells stand between bars."""
    return tuple(tuple(cell.strip() for cell in each.split("|")) for each in _sentences(text))


WORKING: Final = _sentences("""
The large sentence on the display is the one next thing. Do that, and nothing else.

The light of a spot says the same for that spot. Where light and display differ, stop and call the
floor.

Draw a card only when the display asks for one. The card goes where the display says.

Chips are moved by people. Touch the key only when the chips lie as the display says.

Nothing is lost when the power or the table fails: it goes on where it was. Leave cards and chips
where they lie.
""")
ROUND: Final = (
    ("Shuffle due", "Shuffle, load the shoe and say so.", "key-pack-loaded"),
    ("Cut", "Let a player cut, put the cut card in.", "key-cut-made"),
    ("Burn", "Draw what is asked and put it aside, face down.", ""),
    ("Bets", "Players bet. Enter each bet, or touch its spot on the display.", "key-no-more-bets"),
    ("The deal", "Draw when a card is asked for; it is read as it leaves the shoe.", ""),
    ("Decisions", "Ask the player in question, touch what they chose.", ""),
    ("Settling", "Pay or take as the display says, spot by spot.", "key-done"),
)
ROUND_HEAD: Final = ("When", "What you do", "Key")
BUTTONS: Final = _rows("""
next | Does the one next thing: the display's first key.

stand | The player in question stands.

hit | The player in question wants a card.

repeat | Every spot bets as in the round before.

call | Stops the table and calls the floor. Always allowed.
""")
BUTTONS_HEAD: Final = ("Button", "What it does")
KEYBOARD: Final = _sentences("""
On a keyboard each key of the display has the letter that stands on it; a digit opens the bet of
that spot, and ? opens the list of what may have gone wrong.
""")
LIGHTS_HEAD: Final = ("Light", "Rhythm", "What it says")
RHYTHMS: Final = {
    "STEADY": "steady",
    "SLOW": "slow",
    "QUICK": "quick",
    "WINK": "on, with short gaps",
    "DOUBLE": "two flashes, a pause",
    "SPARK": "a short flash now and then",
    "CLAP": "a code of short and long flashes",
}
COLOURS: Final = ("red", "green", "blue")
MIXED: Final = {
    (): "dark",
    ("red",): "red",
    ("green",): "green",
    ("blue",): "blue",
    ("red", "green"): "yellow",
    ("red", "blue"): "magenta",
    ("green", "blue"): "cyan",
    ("red", "green", "blue"): "white",
}
HELD: Final = _sentences("""
The lights turn red, the buzzer sounds, the display says why. Nothing is dealt or paid.

Do what the large words say. Then touch the key that fits, or wait for the floor.

Call what you notice yourself: ? or “Something happened” on the display.
""")
HELD_HEAD: Final = ("What the display says", "What you do first", "What you may choose yourself")
FLOOR: Final = _sentences("""
Whatever needs the floor asks for your name and PIN on the display or on the status page. A PIN is
never written down and never told: what is done with it is on record under your id.

After five wrong PINs a name has to wait. If that was not you, somebody tried.

What needs two people needs two different PINs.

A hold is lifted only by one of its lawful ways. If none fits, the round is void: every wager goes
back.
""")
ALARMS: Final = _sentences("""
An alarm begins with its cause and ends with it. “Seen” makes it quiet, it settles nothing.

The status page sounds too, where somebody has switched it on.
""")
ALARMS_HEAD: Final = ("Nobody has answered for", "Who is called")
CALLED: Final = ("the dealer", "the floor", "the pit boss")
CORRECTIONS: Final = _sentences("""
A round that was recorded otherwise than it was played is corrected on the status page, or on the
display while it is in play: open the round, change the step, say why.

The record keeps both. If the result changes, the table says what to give back, seat by seat, and
waits until it is done.

If a later step no longer fits, the table names it: that step is what to talk about first.
""")
CHIPS: Final = _sentences("""
The page of the chips (`/chips`, from the status page) counts the rack, between rounds: the opener
before play, the closer at the end of a shift. Chips that come or go meanwhile are a fill or a
credit, cash goes by the drop box and its count. Two people sign each slip with their PINs.

Where the house puts buy-ins on slips, sign one for what a player buys: its cash goes into the drop
box, and is part of what the box is counted to hold.

Nothing is edited. A slip that is wrong is made void; where something came upon it, it stands, and
what was wrong shows in the next count.

If a slip gets no answer, sign the same form again: it counts once.

The win by the chips and the win by the rounds must agree. What is between them is a payout, a slip
or a miscount in the rounds that are named.
""")
DAY: Final = _sentences("""
A gaming day ends by itself at its set time, between rounds. The floor may close it earlier on the
status page, or with `tablectl day close`.

A closed day is read-only and signed. A correction of its rounds stands in the new day.
""")
ENGINEER: Final = _sentences("""
The status page names every device that does not work, with what to do. Start there.

`tablectl doctor` measures what the table needs and ends every finding with its remedy; it may run
beside the service.

The log is on the status page (for the floor) and in the system's journal: `journalctl -u
tablectl`. No card is in it.

A table that shows “Table stopped” cannot write or read its record. Do not start it again before
you know why: `tablectl verify RECORD` says what is wrong.
""")
COMMANDS_HEAD: Final = ("Command", "What it does")
SECTIONS_HEAD: Final = ("Section", "What it holds", "Keys")
CHANGING: Final = _sentences("""
`systemctl reload tablectl` reads the configuration anew; it is taken over between rounds and is
on record. The status page names what takes a restart, and what is wrong in a file that was not
taken: the one before holds.

Before an upgrade: finish the round, `tablectl verify RECORD`, `tablectl backup RECORD TARGET`.
UPGRADE.md has the rest.
""")
WRONG: Final = _rows("""
The scanner or the camera is gone | Its cable and its power; then compare cards and display before
the hold is lifted.

The lights stay red and nothing moves | The service is silent and its guard holds the lights:
`systemctl status tablectl`.

The disk is full or read-only | The table shows that it is stopped. Free space or mend the disk,
then `systemctl restart tablectl`.

The record is damaged | Leave it as it is. `tablectl restore COPY... RECORD` puts the best copy in
its place and keeps what it replaces.

The configuration is refused | Every wrong line is named at once, with what to write.

Somebody must be out at once | `tablectl person remove FILE NAME`: from the next PIN on.
""")
WRONG_HEAD: Final = ("What is seen", "What to do")
