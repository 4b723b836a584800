"""The study of scheduled collective operations: one start, then steps by the clock."""
