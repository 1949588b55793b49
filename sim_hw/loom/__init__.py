"""The wires between a table and its rig, simulated: two headers, a serial line, a panel, relays."""
