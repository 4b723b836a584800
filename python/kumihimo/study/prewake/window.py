"""Closed forms of the window in which waking links by hand costs no time.

Rank 0 sends a dummy message to each of the n other ranks, and after the lead L the broadcast's
data, to one after the other. With the wake time W, the sleep time S, and the times d and s that a
dummy and the data take a link:

- The wakes of a path lie one behind the other: rank 0's link is awake after W; the link of the last
  rank is asked (n - 1) d later and awake after 2 W + (n - 1) d. The data for that rank come there
  at L + (n - 1) s. They need not wait if L >= 2 W - (n - 1) (s - d).
- Rank 0's link has sent the dummies after W + n d, and goes to sleep at once. Data that come within
  the sleep time pass: L <= W + n d + S.
"""

from __future__ import annotations

from dataclasses import dataclass

from kumihimo.platform import Platform

_PS_PER_S = 10**12
_DUMMY_BYTES = 4
_DATA_BYTES = 1200


@dataclass(frozen=True)
class Window:
    """The leads, in ps, between which waking costs no time.

    Attributes:
        shortest_ps: Below, the last link still wakes when its data come.
        longest_ps: Above, the first link sleeps again.
    """

    shortest_ps: int
    longest_ps: int


@dataclass(frozen=True)
class Steps:
    """Leads as places in the program's loop.

    Attributes:
        inner: Steps of the loop (N).
        step_ps: What one takes, in ps.
    """

    inner: int
    step_ps: float

    def place(self, lead_ps: float) -> float:
        """Return the step P at which a lead begins."""
        return self.inner - lead_ps / self.step_ps

    def lead_ps(self, place: float) -> float:
        """Return the lead of a step P."""
        return (self.inner - place) * self.step_ps


def closed_form(platform: Platform, ranks: int) -> Window:
    """Return the window of the benchmark on a platform with one switch."""
    others = ranks - 1
    rate = int(platform["link.bandwidth"])
    dummy_ps = -(-_DUMMY_BYTES * 8 * _PS_PER_S // rate)
    data_ps = -(-_DATA_BYTES * 8 * _PS_PER_S // rate)
    wake_ps = int(platform["link_power.wake_time"])
    sleep_ps = int(platform["link_power.sleep_time"])
    return Window(
        shortest_ps=2 * wake_ps - (others - 1) * (data_ps - dummy_ps),
        longest_ps=wake_ps + others * dummy_ps + sleep_ps,
    )


def theory_place(platform: Platform, inner: int) -> int:
    """Return the place of the paper: one wake time ahead, at two operations a step."""
    wake_ps = int(platform["link_power.wake_time"])
    operations = wake_ps * int(platform["node.speed"]) // _PS_PER_S
    return inner - operations // 2
