"""The status page: the record, its rounds and figures, for the floor and the technician."""
