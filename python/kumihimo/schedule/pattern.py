"""A pattern as a user asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from kumihimo import _core
from kumihimo.errors import UserError
from kumihimo.platform import Platform
from kumihimo.schedule.watch import watched
from kumihimo.units import DURATION, SIZE, Quantity, UnitError

# What the core is given where a pattern does not use the parameter.
_UNUSED = {"root": 0, "distance": 1, "seed": 0}

# From a pattern, and what is to be called with the number of operations so far, the time of each
# step in ps.
StepTimes = Callable[[_core.Pattern, Callable[[int], None]], list[int]]

# The pattern whose ranks are the hosts of a torus.
SUH_SHIN = "alltoall/suh_shin"


def torus_sides(platform: Platform) -> tuple[int, ...] | None:
    """Return the sides of the platform's torus.

    None if it is none, or if several ranks share a switch of it.
    """
    if platform["topology.kind"] != "torus":
        return None
    if platform["topology.hosts_per_switch"] != 1 or platform["node.ranks"] != 1:
        return None
    return platform.numbers("topology.sizes")


def step_times_on(
    platform: Platform, network: _core.Network, hosts: Sequence[int] | None, ranks: int
) -> StepTimes:
    """Return what gives the times of a pattern's steps over a platform.

    Args:
        platform: The platform.
        network: Its network.
        hosts: The host of each rank; None: one host after another is filled.
        ranks: Their number.
    """
    per_host = int(platform["node.ranks"])
    places = [rank // per_host for rank in range(ranks)] if hosts is None else hosts
    config = {**platform.config(), "time_limit_ps": 0}

    def step_times(pattern: _core.Pattern, look: Callable[[int], None]) -> list[int]:
        if ranks > network.hosts * per_host:
            raise UserError(
                f"{platform.file}: expected at most {network.hosts * per_host:,} ranks, "
                f"found {ranks:,}"
            )
        return pattern.step_times(network, config, places, look)

    return step_times


def start_sides(platform: Platform) -> tuple[int, ...]:
    """Return the sides of the torus or mesh along which ranks synchronise; nothing if none."""
    is_grid = platform["topology.kind"] in ("torus", "mesh")
    if not is_grid or platform["topology.hosts_per_switch"] != 1:
        return ()
    return platform.numbers("topology.sizes")


@dataclass(frozen=True, kw_only=True)
class PatternRequest:
    """The parameters of a pattern as they were given; None where they were not.

    Attributes:
        name: With its algorithm, or without for the usual one.
        ranks: How many ranks take part.
        size: As "64 KiB", or a number of bytes; what they are of depends on the pattern.
        root: The rank that differs from the others.
        distance: How far each rank sends.
        seed: Of a random pattern.
        dimensions: Of the grid or torus of ranks, as in "4x4x2".
        compute: Time that each rank computes before every iteration, with a unit.
        iterations: How many there are.
        scheme: How steps are kept apart, "every_step", "start" or "clock"; None: not at all.
        step_time: Length of every step of the scheme "clock", with a unit.
        guard: Time added to each step of that scheme, with a unit.
    """

    name: str
    ranks: int
    size: str | None = None
    root: int | None = None
    distance: int | None = None
    seed: int | None = None
    dimensions: str | None = None
    compute: str | None = None
    iterations: int = 1
    scheme: str | None = None
    step_time: str | None = None
    guard: str | None = None

    def on(self, platform: Platform) -> PatternRequest:
        """Return the request with the dimensions of the platform's torus.

        They are those of a pattern on a torus for which none were given.

        Raises:
            UserError: If there is no such pattern.
        """
        try:
            is_on_torus = _core.find_pattern(self.name) == SUH_SHIN
        except ValueError as error:
            raise UserError(f"--pattern {self.name}: {error}") from error
        sides = torus_sides(platform) if is_on_torus and self.dimensions is None else None
        return self if sides is None else replace(self, dimensions="x".join(map(str, sides)))

    def sides(self) -> tuple[int, ...]:
        """Return the dimensions as numbers; nothing if none were given.

        Raises:
            UserError: If they are not what they should be.
        """
        return tuple(_dimensions(self.dimensions))

    def generate(self, step_times: StepTimes | None = None) -> _core.Schedule:
        """Return the schedule.

        Args:
            step_times: Gives the time of each step over a platform; for the scheme "clock", unless
                there is a `step_time`.

        Raises:
            UserError: As `check`, or if a signal asks to end.
        """
        pattern = self.check()
        try:
            with watched(f"making {pattern.name}") as look:
                if self.scheme is None:
                    return pattern.generate(look)
                return pattern.generate(look, self.scheme, self._begins(pattern, step_times, look))
        except ValueError as error:
            raise UserError(f"--pattern {self.name}: {error}") from error
        except OSError as error:
            raise UserError(f"cannot make the schedule: {error.strerror}", exit_code=1) from error

    def check(self) -> _core.Pattern:
        """Return the pattern that is asked for, of which everything has been checked.

        Raises:
            UserError: If there is no such pattern, a parameter is missing, impossible, or none of
                the pattern's.
        """
        try:
            name = _core.find_pattern(self.name)
            self._check_use(name)
            return _core.Pattern(
                name,
                self.ranks,
                size_bytes=_parse("--bytes", SIZE, _with_unit(self.size)),
                root=self.root if self.root is not None else _UNUSED["root"],
                distance=self.distance if self.distance is not None else _UNUSED["distance"],
                seed=self.seed if self.seed is not None else _UNUSED["seed"],
                compute_ps=_parse("--work", DURATION, self.compute),
                dimensions=_dimensions(self.dimensions),
                iterations=self.iterations,
            )
        except ValueError as error:
            raise UserError(f"--pattern {self.name}: {error}") from error

    def _begins(
        self, pattern: _core.Pattern, step_times: StepTimes | None, look: Callable[[int], None]
    ) -> list[int]:
        """Return the instants after the common start at which steps begin, in ps."""
        if self.scheme == "start":
            return [0]
        if self.scheme == "every_step":
            return [0] * pattern.count_steps(look)
        if self.step_time is not None:
            times = [_parse("--step-time", DURATION, self.step_time)] * pattern.count_steps(look)
        elif step_times is not None:
            times = step_times(pattern, look)
        else:
            raise UserError("--scheme clock needs --step-time or a platform (--platform)")
        guard_ps = _parse("--guard", DURATION, self.guard)
        return [0, *accumulate(time_ps + guard_ps for time_ps in times)][: len(times)]

    def words(self) -> tuple[str, ...]:
        """Return the request as one would type it."""
        words = ["--pattern", _core.find_pattern(self.name)]
        given = {"--bytes": self.size, "--root": self.root, "--distance": self.distance,
                 "--dimensions": self.dimensions, "--work": self.compute,
                 "--scheme": self.scheme, "--step-time": self.step_time,
                 "--guard": self.guard}  # fmt: skip
        for option, value in given.items():
            if value is not None:
                words += [option, str(value).replace(" ", "")]
        return (*words, *(("--iterations", str(self.iterations)) if self.iterations > 1 else ()))

    def _check_use(self, pattern: str) -> None:
        """Complain of what the pattern has no use for, and of a size that is not there."""
        used = _core.pattern_kinds()[pattern]["parameters"]
        given = {"root": self.root, "distance": self.distance, "dimensions": self.dimensions}
        for name, value in given.items():
            if value is not None and name not in used:
                raise UserError(f"--pattern {self.name}: the pattern {pattern} has no --{name}")
        for name, value in (("step-time", self.step_time), ("guard", self.guard)):
            if value is not None and self.scheme != "clock":
                raise UserError(f"--{name} belongs to --scheme clock")
        # A barrier is complete with messages that carry nothing.
        if self.size is None and not pattern.startswith("barrier/"):
            raise UserError(f"--pattern {self.name}: the pattern {pattern} needs --bytes")


def _with_unit(size: str | None) -> str | None:
    """Return the size with its unit; a plain number counts bytes, as the option's name says."""
    return f"{size} B" if size is not None and size.isascii() and size.isdecimal() else size


def _parse(option: str, quantity: Quantity, text: str | None) -> int:
    if text is None:
        return 0
    try:
        value = quantity.parse(text)
    except UnitError as error:
        raise UserError(f"{option}: {error}") from error
    if not 0 <= value < 2**62:
        raise UserError(f"{option}: {text!r} is out of range; expected {quantity.expected()}")
    return value


def _dimensions(text: str | None) -> list[int]:
    if text is None:
        return []
    lengths = text.split("x")
    if not all(
        length.isascii() and length.isdigit() and 0 < int(length) < 2**24 for length in lengths
    ):
        raise UserError(f'--dimensions: expected lengths such as "4x4x2", found "{text}"')
    return [int(length) for length in lengths]
