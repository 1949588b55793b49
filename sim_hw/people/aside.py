"""What the dealer's hands do with cards that are nobody's: put aside, and dealt after all."""

from __future__ import annotations

from sim_hw.table.display_reader import Display
from sim_hw.table.world import World


def put_aside(world: World, display: Display) -> None:
    """A card that the display settled without showing it goes aside, face down.

    One that is kept lies ready there: it is no discard, it is dealt next.
    """
    shown = sum(len(hand.cards) for hand in display.hands)
    shown += len(display.dealer.cards) if display.dealer else 0
    newly_kept = display.kept_cards - world.felt.ready
    while len(world.felt.dealt) > shown:
        world.felt.set_aside()
        kept, newly_kept = newly_kept > 0, newly_kept - 1
        world.say(f"A card {'lies ready' if kept else 'is put aside'}, face down.")
    world.felt.ready = min(display.kept_cards, len(world.felt.aside))


def bring_back(world: World, display: Display) -> None:
    """A card that was kept is dealt: it lies where the display shows one more."""
    if world.drawing or not world.felt.aside:
        return
    lies = world.felt.hands()
    for hand in (*display.hands, *filter(None, (display.dealer,))):
        at = len(lies.get(hand.place, ()))
        if at < len(hand.cards) and world.felt.bring_back(hand.cards[at], hand.place):
            world.say("The card that was kept is dealt.")
            return
