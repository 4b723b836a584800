"""The paper's results compared with what was found here, and why they differ.

T. Matsuyama, S. Miwa, H. Yamaki, H. Honda: reducing the energy of ON/OFF links by pre-wake-up;
simulated with SimGrid 3.11.
"""

from __future__ import annotations

from kumihimo.study.contents import Line, Numbers
from kumihimo.study.prewake.findings import Findings, Outcome

_PS_PER_US = 1e6


def comparison(findings: Findings, wake_ps: int, sleep_ps: int) -> list[Line]:
    """Return the table 'paper / here / why they differ'."""
    best = findings.by_messages[findings.best]
    theory = nearest(findings.by_messages, findings.theory)
    predicted, simulated = findings.predicted, findings.simulated
    steps = findings.steps
    falls_below = sleep_ps / steps.step_ps
    return [
        Line(
            "a step of the loop",
            "2 to 3 ns",
            f"{steps.step_ps / 1000:.3f} ns",
            "Theirs was measured. Here a multiplication and an addition that wait for each other "
            "are counted, 8 cycles.",
            Numbers(None, steps.step_ps / 1000, "ns"),
        ),
        Line(
            "ON/OFF without threshold, time",
            "1.45",
            f"{findings.modes['on_off'].time:.3f}",
            f"{wakes_in_series(findings, findings.modes['on_off'], wake_ps):.2f} wakes, one after "
            "the other, in each broadcast: rank 0's link, and then that of the last rank. 1.45 "
            "would be three in their period of 26.7 µs. How many there are is decided by the "
            "broadcast's algorithm; here rank 0 sends to all.",
            Numbers(1.45, findings.modes["on_off"].time, "of the time without sleep"),
        ),
        Line(
            "threshold of 50 µs, time",
            "1.01",
            f"{findings.modes['threshold'].time:.3f}",
            "Links that are used never sleep, as there.",
            Numbers(1.01, findings.modes["threshold"].time, "of the time without sleep"),
        ),
        Line(
            "pre-wake by hand, best P",
            "5,700",
            f"{findings.best:,}",
            "The place of least energy that costs at most 10 % of time, as there. The lead is "
            f"{steps.lead_ps(findings.best) / _PS_PER_US:.2f} µs.",
            Numbers(5700, findings.best, "steps"),
        ),
        Line(
            "its time",
            "1.09",
            f"{best.time:.3f}",
            "Theirs is the cost of the dummy messages' code. Calls of MPI cost no time of their "
            "own on this platform; where P lies behind the window, waiting for links does.",
            Numbers(1.09, best.time, "of the time without sleep"),
        ),
        Line(
            "its energy, below the threshold's",
            "57.7 %",
            f"{100 * findings.saving(best):.1f} %",
            f"An oracle saves {100 * findings.saving(findings.modes['ideal']):.1f} % here, which "
            "is the bound: links that the broadcast does not use sleep with the threshold, too, "
            "and one that it uses is on for its wake, the data and its transition to sleep.",
            Numbers(57.7, 100 * findings.saving(best), "%"),
        ),
        Line(
            "window of good P",
            "5,200 to 5,900",
            f"{simulated.first:,.0f} to {simulated.last:,.0f}",
            f"The closed form says {predicted.first:,.0f} to {predicted.last:,.0f}, from the sum "
            "of the wakes on the path and the sleep time; the leads differ from it by "
            f"{100 * lead_deviation(findings):.2f} % at most. Theirs are leads of 4,100 to 4,800 "
            "steps, 10 to 14 µs: three wakes, where there are two here.",
        ),
        Line(
            "energy falls with P below",
            "1,100",
            f"{falls_below:,.0f}",
            "There the links still go to sleep after the last broadcast, for the sleep time, and "
            "are kept awake.",
            Numbers(1100, falls_below, "steps"),
        ),
        Line(
            "P by theory (one wake time ahead at 2 operations a step)",
            "9,600 steps ahead",
            f"{steps.inner - findings.theory:,} steps ahead: time {theory.time:.3f}",
            "A step takes longer than its two operations would at the node's speed, so the links "
            "sleep again before the broadcast.",
        ),
        *_beyond(findings),
    ]


def _beyond(findings: Findings) -> list[Line]:
    lines = []
    if findings.by_frames:
        place = min(findings.by_frames, key=lambda at: _cost(findings.by_frames[at]))
        found = findings.by_frames[place]
        lines.append(
            Line(
                "wake frames by hand, best P: time; energy below the threshold's",
                "-",
                f"{found.time:.3f}; {100 * findings.saving(found):.1f} %",
                f"At P = {place:,}. A frame wakes all links of its path at once, and they stay "
                "awake until the data have passed.",
            )
        )
    lines += [
        Line(
            f"by hand with MPICH's own broadcast, {how}: time; energy below the threshold's",
            "1.09; 57.7 %",
            f"{found.outcome.time:.3f}; {100 * found.saving:.1f} %",
            "A binomial tree over five links, in two rounds. Dummy messages from rank 0 do not "
            "reach all; the frames are of the senders, in the second round a message's time "
            f"later. An oracle saves {100 * found.possible:.1f} %.",
        )
        for how, found in findings.by_hand.items()
    ]
    lines += [
        Line(
            f"inserted by the compiler, {how}: time; energy below the threshold's",
            "future work",
            f"{found.outcome.time:.3f}; {100 * found.saving:.1f} %",
            "No P is given: the MPI layer learns how long before the broadcast each place is. An "
            "oracle "
            f"saves {100 * found.possible:.1f} %; ON/OFF alone has time {found.on_off_time:.3f}.",
        )
        for how, found in findings.automatic.items()
    ]
    return lines


def _cost(outcome: Outcome) -> float:
    return outcome.time * outcome.energy


def wakes_in_series(findings: Findings, outcome: Outcome, wake_ps: int) -> float:
    """Return how many wakes, one after the other, a broadcast waits for."""
    longer_ps = outcome.time_ps - findings.modes["always_on"].time_ps
    return longer_ps / findings.outer / wake_ps


def lead_deviation(findings: Findings) -> float:
    """Return the largest deviation of a simulated edge's lead from its closed form, as a share."""
    steps = findings.steps
    return max(
        abs(steps.lead_ps(findings.simulated.first) / findings.form.longest_ps - 1),
        abs(steps.lead_ps(findings.simulated.last) / findings.form.shortest_ps - 1),
    )


def nearest(outcomes: dict[int, Outcome], place: int) -> Outcome:
    """Return the outcome at the place next to another."""
    return outcomes[min(outcomes, key=lambda at: abs(at - place))]
