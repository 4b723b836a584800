"""Keys of the message-passing software: protocol and cost of its calls."""

from kumihimo.platform.schema.key import Key, Section, config
from kumihimo.platform.schema.matching import IS_LIST
from kumihimo.platform.schema.values import Choice, Measure
from kumihimo.units import DURATION, SIZE

_COST = Measure(DURATION, smallest="0 ns", largest="1 s")
# A program that polls for a message would never get one if polling took no time.
_POLL_COST = Measure(DURATION, smallest="1 ns", largest="1 s")

MPI = Section(
    name="mpi",
    doc="The message-passing software of each rank. Time inside the MPI library is not measured "
    "but made up of these costs.",
    keys=(
        Key(
            "mpi.eager_limit",
            Measure(SIZE, smallest="0 B", largest="1 TiB"),
            "64 KiB",
            config("eager_limit_bytes"),
            "Messages up to this size are sent at once. Longer ones wait until the receiver asks "
            "for the data (rendezvous).",
        ),
        Key(
            "mpi.send_completion",
            Choice(
                {
                    "sent": "at once, as the message has been handed over.",
                    "delivered": "when its last byte is at the target's network interface; the "
                    "notice of that takes neither time nor links.",
                }
            ),
            "sent",
            config("send_completion"),
            "When a message up to the eager limit is complete for its sender, if the MPI library "
            "waits for it. Messages up to 512 B are handed over without waiting in any case.",
        ),
        Key(
            "mpi.control_size",
            Measure(SIZE, smallest="0 B", largest="1 MiB"),
            "32 B",
            config("control_bytes"),
            "Size of the protocol's own messages, such as the two before the data of a rendezvous.",
        ),
        Key(
            "mpi.synchronise_size",
            Measure(SIZE, smallest="0 B", largest="1 MiB"),
            "8 B",
            config("start_bytes"),
            "Size of each packet of a synchronisation. A rank sends one packet to each other rank "
            "that it synchronises with.",
        ),
        Key(
            "mpi.synchronise_rule",
            Choice(
                {
                    "corrected": "that of all ranks, the rank's own included.",
                    "printed": "that of all other ranks, as in the publication. The last rank to "
                    "enter starts too early.",
                }
            ),
            "corrected",
            config("start_rule"),
            "Which packet a rank waits for in a synchronisation before it starts: the latest to "
            "reach the rank that is farthest from its sender.",
        ),
        Key(
            "mpi.send_overhead",
            _COST,
            "0 ns",
            config("send_overhead_ps"),
            "Time the sending rank spends on a message before it enters the network: `o` of the "
            "LogP model, at the sender.",
        ),
        Key(
            "mpi.receive_overhead",
            _COST,
            "0 ns",
            config("receive_overhead_ps"),
            "Time the receiving rank spends on a message that has arrived: `o` at the receiver.",
        ),
        Key(
            "mpi.match_cost",
            _COST,
            "0 ns",
            config("match_cost_ps"),
            "Time for each entry that is searched in the queue of posted receives or of unexpected "
            'messages, if `mpi.matching.model` is "list".',
            when=IS_LIST,
        ),
        Key(
            "mpi.poll_cost",
            _POLL_COST,
            "50 ns",
            config("poll_cost_ps"),
            "Time of a call that looks for a message and finds none, such as MPI_Test. Not zero, "
            "or a program that waits by polling would wait for ever.",
        ),
        Key(
            "mpi.clock_cost",
            _COST,
            "50 ns",
            config("clock_cost_ps"),
            "Time of reading the clock (MPI_Wtime, clock_gettime). With zero, a program that waits "
            "until the clock has moved waits for ever.",
        ),
    ),
)
