"""Pictures of a machine: boxes for hosts and switches, lines for cables."""
