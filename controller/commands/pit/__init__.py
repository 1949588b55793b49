"""`tablectl pit`: a pit, and what its unit may reach."""
