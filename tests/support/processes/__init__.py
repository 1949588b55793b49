"""The product as processes, and what is done to them from outside: faults, attackers, terminals."""
