"""How large a file may be."""

# Between so many kinds of hosts a path for each pair is kept.
MOST_KINDS = 2048
