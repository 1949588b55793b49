"""`tablectl pit` and `tablectl broker`: a pit, what its unit may reach, and its message broker."""
