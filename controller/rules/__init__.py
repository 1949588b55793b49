"""The rule books, pure: cards, hands, money, the felt, the round engine and one file a game.

Nothing here reads a clock, a file, a random source or the network. The same answers given to the
same script always lead to the same felt.
"""
