"""Users of the pit: their roles, passwords, sessions, wrong tries, and the audit of their acts."""
