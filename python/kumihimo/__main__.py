"""`python -m kumihimo` is the `kumihimo` command."""

from kumihimo.cli.main import app

app(prog_name="kumihimo")
