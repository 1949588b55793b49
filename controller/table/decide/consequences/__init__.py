"""What follows by the rules: in the round in play, on the felt, in a corrected round."""
