"""Pictures of cards, drawn from seeds: decks, and frames as the shoe's camera would see them.

For training and measuring the readers in `drivers/vision`; nothing here runs at a table. Fonts and
packaged art come from Debian's packages on the machine that draws (`fonts.py`, `art.py` name
them); what is drawn of them is never committed.
"""
