"""The `kumihimo` command: one module per command, loaded when that command is called."""
