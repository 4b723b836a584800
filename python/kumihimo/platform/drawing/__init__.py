"""Pictures of a network: boxes for hosts and switches, lines for cables."""
