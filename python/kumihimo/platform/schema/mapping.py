"""Keys of the mapping of ranks to hosts."""

from kumihimo.platform.schema.host_list import read_host_list
from kumihimo.platform.schema.key import REQUIRED, Feed, Key, Section, When
from kumihimo.platform.schema.values import Choice, Text

MAPPING = Section(
    name="mapping",
    doc="On which host each rank runs. A host has room for `node.ranks` ranks.",
    keys=(
        Key(
            "mapping.kind",
            Choice(
                {
                    "block": "Ranks fill one host after another.",
                    "round_robin": "Ranks are dealt to the hosts in turn.",
                    "random": "Each rank takes any place that is left.",
                    "file": "A file says it.",
                }
            ),
            "block",
            Feed("mapping", ("kind",)),
            'Where ranks go. "block" fills one host after another, in the order of their numbers. '
            '"round_robin" deals ranks to all hosts in turn: rank r is on host r mod hosts. '
            '"random" gives each rank a place on any host of the platform, as the seed of the run '
            'decides: the same seed gives the same places. "file" takes them from a file.',
        ),
        Key(
            "mapping.file",
            Text(),
            REQUIRED,
            None,
            "Name of a text file, from the folder of the platform file: the host number of rank 0 "
            "on its first line, of rank 1 on the next, and so on; there may be more lines than "
            "ranks. Empty lines and what follows a # do not count.",
            when=When("mapping.kind", ("file",)),
            attach=read_host_list,
        ),
    ),
)
