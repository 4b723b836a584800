"""The `kumihimo` command: one module per command, loaded when that command is called."""

import gc

# Almost all objects stay to the end: modules, and rows of results. By default the collector of
# cycles looks for garbage after 700 new ones, which takes some percent of a short replay.
gc.set_threshold(100_000)
