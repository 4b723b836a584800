"""What the core knows of a run when it ends: `_core.Run.summary()` and `_core.Replay.summary()`.

These are types only. Commands import them for type checking, but not when they run: making them
takes some milliseconds, of the hundred that a short replay takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict


class RankSummary(TypedDict):
    """Totals of one rank. Times in virtual picoseconds.

    `clock_reading_ps` is the part of `compute_ps` that readings of the clock took. All rows have it
    or none: it is there only if readings took time, and never in a replay, which has no program.
    """

    rank: int
    host: int
    compute_ps: int
    communication_ps: int
    wait_ps: int
    finish_ps: int
    messages_sent: int
    bytes_sent: int
    messages_received: int
    bytes_received: int
    clock_reading_ps: NotRequired[int]


class LinkSummary(TypedDict):
    """Totals of one directed link; `link` is its number in the network. Virtual picoseconds."""

    link: int
    name: str
    source: str
    target: str
    bandwidth_bps: int
    bytes: int
    packets: int
    busy_ps: int
    queue_wait_ps: int
    longest_wait_ps: int
    credit_wait_ps: int


class LinkUse(TypedDict):
    """How long each link was busy in each of equally long bins of virtual time.

    `busy_ps` holds an int64 for each link and bin: `bins` of the first link, then of the others.
    """

    bin_ps: int
    bins: int
    busy_ps: bytes


class LinkPowerRow(TypedDict):
    """The power of one link, or of all. Times by state, in the order of `LinkPower.states`.

    Energies are in 10^-18 J (attojoules): picoseconds times microwatts. The least is what an oracle
    would have drawn with links that carried the same at the same times. Data, and wake frames that
    cross the links which they wake, wait for links to be active.
    """

    link: NotRequired[int]
    times_ps: Sequence[int]
    wakes: int
    wake_stall_ps: int
    frame_wait_ps: int
    energy_aj: int
    oracle_energy_aj: int


class LinkPower(TypedDict):
    """What links drew until `end_ps`, and how many wake frames ranks sent.

    `idle_times` has a row for each length at which links were idle: from, to below, how often, and
    the picoseconds together. `log` holds records of begin_ps and end_ps (int64), link (uint32) and
    state (uint8, then three bytes of nothing); absent if none was kept.
    """

    policy: str
    end_ps: int
    wake_frames: int
    states: Sequence[str]
    power_uw: Sequence[int]
    total: LinkPowerRow
    links: Sequence[LinkPowerRow]
    idle_times: Sequence[Sequence[int]]
    log: NotRequired[bytes]
    log_is_cut: NotRequired[bool]


class MatchingColumns(TypedDict):
    """What matching did at each rank, in columns of one value a rank. Times in virtual picoseconds.

    Arriving messages search the queue of posted receives, and those that find none are
    `unexpected`. Receives and probes search the queue of unexpected messages. Entries that were
    searched are 0 where no cost depends on their number. `deepest` is the most entries that a
    search met. `depths` counts searches by the queue's depth: 0, 1, 2 to 3, 4 to 7 and so on, the
    last one with all beyond, without the empty end. Payloads take time if they do not come with
    their heads.
    """

    rank: Sequence[int]
    time_ps: Sequence[int]
    arrivals: Sequence[int]
    unexpected: Sequence[int]
    posted_searched: Sequence[int]
    posted_time_ps: Sequence[int]
    posted_deepest: Sequence[int]
    posted_depths: Sequence[Sequence[int]]
    receives: Sequence[int]
    unexpected_searched: Sequence[int]
    unexpected_time_ps: Sequence[int]
    unexpected_deepest: Sequence[int]
    unexpected_depths: Sequence[Sequence[int]]
    payload_time_ps: Sequence[int]


MatchingSite = tuple[int, str, str, int, int]
"""Rank, MPI function, path of the program or library that calls it, place in that to which the
call returns, and the time of matching for receives of it in virtual picoseconds. The function is
empty for what belongs to no place. A path is empty if it is not known."""


class CallSiteSums(TypedDict):
    """What one rank has done at one place that calls MPI; times in virtual picoseconds.

    A *distance* is the time from the end of the rank's communication before to the begin of a call.

    Attributes:
        rank: Whose calls they are.
        function: That is called.
        module: Path of the program or library that calls.
        offset: Place in it to which the call returns.
        calls: How many have ended.
        distance_least_ps, distance_most_ps, distance_sum_ps: Of the distances.
        distance_squares_high, distance_squares_low: The sum of their squares (ps^2), in halves of
            64 bits.
        distance_bins: Entry i counts distances below 2^i ps, and not below 2^(i-1).
        inside_ps: Time from begin to end of the calls.
        messages, bytes: Sent in them, with what protocols add.
        targets: Ranks to which they went, in their order.
        communicator_least, communicator_most: Members of those that calls named; 0 if none did.
    """

    rank: int
    function: str
    module: str
    offset: int
    calls: int
    distance_least_ps: int
    distance_most_ps: int
    distance_sum_ps: int
    distance_squares_high: int
    distance_squares_low: int
    distance_bins: Sequence[int]
    inside_ps: int
    messages: int
    bytes: int
    targets: Sequence[int]
    communicator_least: int
    communicator_most: int


class MessageTally(TypedDict):
    """Messages and their bytes of payload."""

    messages: int
    bytes: int


class ElementErrors(MessageTally):
    """Of messages of one datatype that may arrive with errors.

    `wrong_bits` says how often each bit of numbers was wrong, the most significant first; a bit
    that two links turned round counts twice. `nan` and `inf` count numbers that became such; a
    replay does not know them.
    """

    wrong_bits: Sequence[int]
    nan: int | None
    inf: int | None
    restored: int | None


class FunctionErrors(MessageTally):
    """Of messages that may arrive with errors and that one MPI function sent.

    `by_datatype` has the wrong bits of each type by position, the most significant bit first.
    """

    wrong_bits: int
    by_datatype: Mapping[str, Sequence[int]]


class Approximate(TypedDict):
    """Messages that may arrive with errors, and those that could not or need not.

    `corrupted_messages` counts those of which a bit was wrong. `saved_ps` is what they would have
    taken more of an idle network, had all bits been protected.
    What follows from rules is None in a replay.
    """

    elements: Mapping[str, ElementErrors]
    functions: Mapping[str, FunctionErrors]
    rules: Sequence[MessageTally]
    by_source: MessageTally | None
    unprotectable: MessageTally
    without_noise: MessageTally
    unruled: MessageTally | None
    unclassified: MessageTally | None
    corrupted_messages: int
    payload_bytes: int
    link_bytes: int
    saved_ps: int


class CollectiveCalls(TypedDict):
    """Calls of one function, of all ranks together; `missed` counts steps of scheduled ones."""

    calls: int
    time_ps: int
    missed: NotRequired[int]


class CollectiveFunction(TypedDict):
    """What became of the calls of one function; those for the MPI library by the reason."""

    scheduled: CollectiveCalls
    library: Mapping[str, CollectiveCalls]


class Collectives(TypedDict):
    """Synchronisations of all ranks, and waits until times after them.

    `synchronisation_ps` is from the last rank that entered to the last that started, of all
    synchronisations together; the skew is between the first and the last rank to start. A wait is
    missed if it began after its instant, because what the rank did before took too long.
    """

    rounds: int
    synchronisations: int
    packets: int
    synchronisation_ps: int
    largest_skew_ps: int
    waits: int
    missed: int
    largest_lateness_ps: int
    functions: NotRequired[Mapping[str, CollectiveFunction]]


class ServiceRow(TypedDict):
    """What one rank had with its peers, and the parts of its memory where it was largest.

    `asked` counts the connections that the rank asked for, `accepted` those of its peers, `closed`
    those of both that are over, `closings` those that the rank closed itself, `refused` peers.
    `most_connections` is at one time. Messages are those sent. `packets` are datagrams sent,
    `packets_received` those for which the rank paid. Of regions between hints, those that had not
    ended in the end and ends without a beginning are counted: of IN_KERNEL and of REPEATED.
    """

    rank: int
    asked: int
    accepted: int
    refused: int
    closed: int
    closings: int
    most_connections: int
    by_connection: int
    by_datagrams: int
    packets: int
    packets_received: int
    base_bytes: int
    connection_bytes: int
    eager_buffer_bytes: int
    pool_bytes: int
    kernel_unended: int
    kernel_unbegun: int
    repeated_unended: int
    repeated_unbegun: int


class Service(TypedDict):
    """By what ranks sent, as `mpi.service.kind` calls it, and a row for each of them."""

    kind: str
    ranks: Sequence[ServiceRow]


class AssertionRow(TypedDict):
    """What all ranks did on communicators with an assertion: numbers of calls.

    `broken` counts calls with wildcards that the program had ruled out, and messages that did not
    fill their buffers; `broken_by` names their MPI functions, eight at most.
    """

    assertion: str
    receives: int
    messages: int
    broken: int
    broken_by: Sequence[str]


class Summary(TypedDict):
    """What `_core.Run.summary()` and `_core.Replay.summary()` return.

    Of very large networks only the busiest links are in `links` and, in the same order, in
    `link_use`; `link_count` is the number of all. Rows of ranks and links have exactly the keys of
    their types, since they become those of `result.json` as they are. `queue_depths` holds records
    of QUEUE_DEPTH_RECORD, if the run leaves tables. `handovers` says how often
    each rank was given the baton, if there are processes. `matching` is not there in replays of
    very many. `real_clocks` names the clocks that show real time and that a program was seen to
    read, `clock_readings` how often all ranks read one of virtual time; a replay has no program.
    `refused_calls` names MPI functions that cannot be had in a run, and whose calls ended with an
    error; `unknown_hints` keys of hints. `assertions` has a row for each assertion that calls of a
    program met, if there are any. `missed_hints` are the places of `run --hints` that ranks did not
    reach. `call_sites` is there if calls were profiled.
    """

    virtual_time_ps: int
    events: int
    event_hash: str
    messages: int
    bytes: int
    control_messages: int
    control_bytes: int
    ranks: Sequence[RankSummary]
    handovers: NotRequired[Sequence[int]]
    link_count: NotRequired[int]
    links: Sequence[LinkSummary]
    link_use: LinkUse
    link_power: NotRequired[LinkPower]
    approximate: NotRequired[Approximate]
    matching: NotRequired[MatchingColumns]
    queue_depths: NotRequired[bytes]
    matching_sites: NotRequired[Sequence[MatchingSite]]
    call_sites: NotRequired[Sequence[CallSiteSums]]
    collectives: NotRequired[Collectives]
    service: NotRequired[Service]
    real_clocks: NotRequired[Sequence[str]]
    clock_readings: NotRequired[int]
    refused_calls: NotRequired[Sequence[str]]
    unknown_hints: NotRequired[Sequence[str]]
    assertions: NotRequired[Sequence[AssertionRow]]
    missed_hints: NotRequired[Sequence[Mapping[str, Any]]]
