"""Numbers as a person reads them. Never used for anything that is computed with."""

from __future__ import annotations

_TIME_UNITS = ((10**12, "s"), (10**9, "ms"), (10**6, "µs"), (10**3, "ns"), (1, "ps"))
_BYTE_UNITS = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))
_RATE_UNITS = ((10**12, "Tb/s"), (10**9, "Gb/s"), (10**6, "Mb/s"), (10**3, "kb/s"), (1, "b/s"))
_ENERGY_UNITS = (
    (10**21, "kJ"),
    (10**18, "J"),
    (10**15, "mJ"),
    (10**12, "µJ"),
    (10**9, "nJ"),
    (1, "aJ"),
)
_COUNT_UNITS = ((10**12, " T"), (10**9, " G"), (10**6, " M"), (10**3, " k"))


def time_unit(span_ps: float) -> tuple[int, str]:
    """Return the unit in which `span_ps` is a number from 1 to 999, and its picoseconds."""
    return _unit(span_ps, _TIME_UNITS)


def energy_unit(energy_aj: float) -> tuple[int, str]:
    """Return the unit in which `energy_aj` is a number from 1 to 999, and its attojoules."""
    return _unit(energy_aj, _ENERGY_UNITS)


def byte_unit(count: float) -> tuple[int, str]:
    """Return the unit in which `count` bytes is a number from 1 to 1023, and its bytes."""
    return _unit(count, _BYTE_UNITS)


def format_time(span_ps: float) -> str:
    """Write a span of time with four significant digits: "12.35 µs"."""
    return _scaled(span_ps, _TIME_UNITS) if span_ps else "0 s"


def format_seconds(seconds: float) -> str:
    """Write seconds of the real world, to the millisecond below ten seconds."""
    if seconds < 10:
        return f"{seconds:.3f} s"
    return f"{seconds:,.1f} s"


def format_bytes(count: float) -> str:
    """Write a number of bytes with four significant digits: "1.5 KiB"."""
    return _scaled(count, _BYTE_UNITS)


def format_rate(rate_bps: float) -> str:
    """Write a rate in bits per second: "12.5 Gb/s"."""
    return _scaled(rate_bps, _RATE_UNITS)


def format_energy(energy_aj: float) -> str:
    """Write an energy, given in attojoules, with four significant digits: "57.7 mJ"."""
    return _scaled(energy_aj, _ENERGY_UNITS) if energy_aj else "0 J"


def format_count(count: int) -> str:
    """Write a whole number in full: "1,234,567"."""
    return f"{count:,}"


def format_short_count(count: float) -> str:
    """Write a number with four significant digits: "1.235 M"."""
    if count < 10**4:
        return f"{count:,.0f}"
    return _scaled(count, _COUNT_UNITS).replace("  ", " ")


def format_percent(part: float, whole: float) -> str:
    """Write the share of `part` in `whole`; a dash if there is no whole."""
    if whole <= 0:
        return "–"
    return f"{100 * part / whole:.1f} %"


def shorten(text: str, width: int) -> str:
    """Cut the middle out of a text that is longer than `width` characters."""
    if len(text) <= width:
        return text
    left = (width - 1) // 2
    return f"{text[:left]}…{text[len(text) - (width - 1 - left) :]}"


def _unit(value: float, units: tuple[tuple[int, str], ...]) -> tuple[int, str]:
    for size, name in units:
        if abs(value) >= size:
            return size, name
    return units[-1]


def _scaled(value: float, units: tuple[tuple[int, str], ...]) -> str:
    size, name = _unit(value, units)
    number = value / size
    if float(number).is_integer():
        return f"{number:,.0f} {name}".replace("  ", " ")
    decimals = max(0, 3 - len(f"{int(abs(number))}"))
    text = f"{number:,.{decimals + 1}f}" if abs(number) < 1000 else f"{number:,.0f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{text} {name}".replace("  ", " ")
