"""The breaking world: a whole table in one process, in virtual time, from one seed."""
