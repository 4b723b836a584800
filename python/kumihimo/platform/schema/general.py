"""Keys at the top of a platform file."""

from kumihimo.platform.schema.key import Key, Section
from kumihimo.platform.schema.values import Text

GENERAL = Section(
    name="",
    doc="Keys at the top of the file, before the first section.",
    keys=(
        Key(
            "name",
            Text(),
            "",
            None,
            "Name of the platform in results. Default: the name of the file.",
        ),
        Key("description", Text(), "", None, "One line about the platform."),
    ),
)
