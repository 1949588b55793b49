"""The one loop, recovery, and the ports through which web, bus and devices see it."""
