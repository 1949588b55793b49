"""The bus: a table's record mirrored to NATS JetStream, and its status for the pit."""
