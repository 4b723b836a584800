"""`kumihimo study hints`: connections where the program says they matter."""
