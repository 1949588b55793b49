"""An update from one release to the next: step by step, cut, killed, tried and gone back from."""
