"""Long work: what it shows on the terminal, the signals that end it, and how it has ended."""
