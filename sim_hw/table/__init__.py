"""The physical table: felt, hands' work, and what a round comes to."""
