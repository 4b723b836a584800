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
            "What results call the machine. Without it, the file's name.",
        ),
        Key("description", Text(), "", None, "One line about the machine."),
    ),
)
