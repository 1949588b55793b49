"""Where a table is put together: configuration, wiring, readers, certificates, a reload."""
