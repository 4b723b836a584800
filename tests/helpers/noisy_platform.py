"""Platforms whose links corrupt bits."""

from pathlib import Path

# Topologies in which all messages of a rank to the next one cross as many links.
PATHS = {
    1: 'kind = "fully_connected"\nhosts = 4',
    2: 'kind = "star"\nhosts = 4',
    3: 'kind = "dragonfly"\ngroups = 1\nswitches_per_group = 4\nglobal_links_per_switch = 0\n'
    "hosts_per_switch = 1",
    4: 'kind = "tree"\nleaves = 4\nspines = 1\nhosts_per_leaf = 1',
    6: 'kind = "fat_tree"\nchildren = [1, 1, 4]\nparents = [1, 1, 1]',
}
LATENCY_PS = 100_000


def noisy_platform(
    folder: Path, links: int, bit_error_rate: str, *, modulation: str = "qam1024"
) -> Path:
    """Write a platform file of four hosts.

    Args:
        folder: Where it goes.
        links: How many each message crosses.
        bit_error_rate: Of each link, or "none".
        modulation: Of each link.
    """
    path = folder / "noisy.toml"
    rate = f'"{bit_error_rate}"' if bit_error_rate == "none" else bit_error_rate
    path.write_text(
        f"[topology]\n{PATHS[links]}\n"
        f'[link]\nlatency = "{LATENCY_PS} ps"\n'
        f'[link.channel]\nmodulation = "{modulation}"\nsymbol_rate = "25 GBd"\nlanes = 4\n'
        f'bit_error_rate = {rate}\n[node]\nspeed = "1 Gflop/s"\n'
    )
    return path
