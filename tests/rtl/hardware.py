"""What test benches call the hardware that they drive."""

from typing import Any, TypeAlias

# cocotb finds signals by their names when the simulator runs.
Hardware: TypeAlias = Any
