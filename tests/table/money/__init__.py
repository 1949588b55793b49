"""The chips of a table: its rack, slips, drop boxes, and what they come to."""
