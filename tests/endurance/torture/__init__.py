"""`make torture`: the long forms of tests that break things."""
