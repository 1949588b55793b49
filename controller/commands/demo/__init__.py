"""`tablectl demo`: the unchanged service on a simulated world, each a process of its own."""
