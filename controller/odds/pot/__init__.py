"""A game whose players play for a pot: chances to win, and what a card is worth."""
