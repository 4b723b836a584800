"""[mpi.collectives]: what carries out the collective calls of programs."""

from __future__ import annotations

from kumihimo.platform.schema.key import Key, Section, When, config, config_in
from kumihimo.platform.schema.values import Choice, Measure
from kumihimo.units import DURATION

MODE_PATH = "mpi.collectives.mode"
BY_LIBRARY = "library"
SCHEDULED = "scheduled"
BY_HINT = "hint"
BY_CLOCK = "by_clock"

COLLECTIVES = Section(
    name="mpi.collectives",
    doc="Implementation of the collective calls of programs. `--collectives MODE` of `kumihimo "
    "run` sets another mode. See [scheduled collectives](../collectives.md).",
    keys=(
        Key(
            MODE_PATH,
            Choice(
                {
                    BY_LIBRARY: "The MPI library.",
                    SCHEDULED: "A schedule whose ranks start together and begin each step by the "
                    "clock, where the ranks and the call fit one; else the MPI library.",
                    BY_HINT: 'As "scheduled", but only calls in regions with the hint IN_KERNEL; '
                    "the MPI library carries out all others.",
                }
            ),
            BY_LIBRARY,
            config_in("collectives", "mode"),
            'Implementation of the calls. "library": the MPI library. "scheduled": where ranks and '
            "call fit, a schedule whose ranks start together and begin each step by the clock. "
            '"hint": as "scheduled", in regions with the hint IN_KERNEL only.',
            neutral=BY_LIBRARY,
        ),
        Key(
            "mpi.collectives.guard",
            Measure(DURATION, smallest="0 ns", largest="1 s"),
            "0 ns",
            config_in("collectives", "guard_ps"),
            "Time added to each step of a schedule, for messages that are late because of other "
            "traffic or jitter. Default: steps last as long as over an idle network.",
            when=When(MODE_PATH, (SCHEDULED, BY_HINT)),
        ),
        Key(
            "mpi.collectives.wakes",
            Choice(
                {
                    BY_CLOCK: "Each rank asks for wake frames at the common start: they leave so "
                    "early that links are awake at the instants of its steps.",
                    "none": "Steps ask for no wake frames.",
                }
            ),
            BY_CLOCK,
            config_in("collectives", "wakes"),
            "Whether schedules wake the links that their steps need. Only links whose policy takes "
            "wake frames are woken (`link_power.policy`).",
            when=When(MODE_PATH, (SCHEDULED, BY_HINT)),
        ),
        Key(
            "mpi.collectives.jitter",
            Measure(DURATION, smallest="0 ns", largest="1 s"),
            "0 ns",
            config("start_jitter_ps"),
            "Largest error of a rank's common start, also in replays of schedules. Each rank "
            "notices each start late by a random time between 0 and this one, which the run's seed "
            "decides. Default: all ranks notice it at once.",
            neutral=0,
        ),
    ),
)
