"""How large a file may be."""

# The largest number of kinds of hosts for which a path of each pair is kept.
MOST_KINDS = 2048
