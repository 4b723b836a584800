"""Virtual times of programs against closed forms, exact to the picosecond."""

from dataclasses import replace
from pathlib import Path

import pytest

from exact_platform import ExactPlatform
from jobs import BY_NAME, command_of, run_simulated

PLAIN = ExactPlatform()
LOADED = ExactPlatform(
    gbps=7, latency_ns=130, switch_ns=45, header_bytes=26, send_ns=210, receive_ns=170, match_ns=13
)
EXACT = [pytest.param(PLAIN, id="no-overheads"), pytest.param(LOADED, id="overheads")]
EAGER_SIZES = (0, 1, 1024, 65536)
RENDEZVOUS_SIZES = (65537, 1_000_003)


def clocks_ps(
    exact: ExactPlatform, ranks: int, folder: Path, *arguments: object, mpi: str = "mpich"
) -> list[int]:
    """Run the program `patterns` over `exact`; return the ranks' clocks at its end."""
    command = command_of(BY_NAME[mpi], "patterns", *(str(argument) for argument in arguments))
    platform = exact.write(folder)
    job = run_simulated(
        BY_NAME[mpi],
        ranks,
        command,
        folder / "result",
        platform=platform,
        options=("--detail", "summary"),
    )
    clocks = job.clocks_ps
    assert len(clocks) == ranks
    print("clocks:", clocks)
    return clocks


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("size", EAGER_SIZES)
def test_ping_pong(exact: ExactPlatform, size: int, mpi: str, tmp_path: Path) -> None:
    rounds = 10
    one_way = exact.send_ps + exact.transfer_ps(size) + exact.receive_ps
    clocks = clocks_ps(exact, 2, tmp_path, "ping_pong", size, rounds, mpi=mpi)
    assert clocks[0] == 2 * rounds * one_way
    assert clocks[1] == (2 * rounds - 1) * one_way + exact.send_ps


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("size", RENDEZVOUS_SIZES)
def test_rendezvous(exact: ExactPlatform, size: int, mpi: str, tmp_path: Path) -> None:
    """Request to send, the receiver's request for the data, the data, and a word that they came."""
    control = exact.transfer_ps(exact.control_bytes)
    received = exact.send_ps + 2 * control + exact.transfer_ps(size) + exact.receive_ps
    clocks = clocks_ps(exact, 2, tmp_path, "one_way", size, mpi=mpi)
    assert clocks == [received + control, received]


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize("exact", EXACT)
def test_sends_that_complete_when_delivered(exact: ExactPlatform, mpi: str, tmp_path: Path) -> None:
    """The sender goes on when the last byte is at the target's network interface."""
    waiting = replace(exact, send_completion="delivered")
    for size, awaited in ((512, False), (513, True), (65536, True)):
        delivered = exact.send_ps + exact.transfer_ps(size)
        folder = tmp_path / str(size)
        folder.mkdir()
        sender, receiver = clocks_ps(waiting, 2, folder, "one_way", size, mpi=mpi)
        assert sender == (delivered if awaited else exact.send_ps)
        assert receiver == delivered + exact.receive_ps


@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("ranks", [2, 3, 16])
def test_ring(exact: ExactPlatform, ranks: int, tmp_path: Path) -> None:
    step = exact.send_ps + exact.transfer_ps(1024) + exact.receive_ps
    clocks = clocks_ps(exact, ranks, tmp_path, "ring", 1024)
    assert clocks[0] == ranks * step
    assert clocks[1:] == [rank * step + exact.send_ps for rank in range(1, ranks)]


def binomial_clocks_ps(exact: ExactPlatform, ranks: int, size: int) -> list[int]:
    """The clocks of ranks after a binomial broadcast whose farthest ranks are served first.

    A rank's messages leave one after the other: each waits for the rank's overhead and for the
    link that the one before takes.
    """
    clocks = [0] * ranks
    highest = 1 << (ranks - 1).bit_length()

    def send_below(rank: int, mask: int) -> None:
        link_free = clocks[rank]
        while (mask := mask >> 1) > 0:
            if rank + mask >= ranks:
                continue
            clocks[rank] += exact.send_ps
            start = max(clocks[rank], link_free)
            link_free = start + exact.serialisation_ps(size)
            clocks[rank + mask] = start + exact.transfer_ps(size) + exact.receive_ps
            send_below(rank + mask, mask)

    send_below(0, highest)
    return clocks


@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("pattern", ["broadcast", "bcast_call"])
@pytest.mark.parametrize("ranks", [2, 4, 7, 16])
def test_broadcast(exact: ExactPlatform, pattern: str, ranks: int, tmp_path: Path) -> None:
    """A tree of our own, and MPICH's MPI_Bcast, which takes the same tree for small messages."""
    clocks = clocks_ps(exact, ranks, tmp_path, pattern, 1024)
    assert clocks == binomial_clocks_ps(exact, ranks, 1024)


def incast_arrivals_ps(exact: ExactPlatform, senders: int, size: int) -> list[int]:
    """When the messages arrive that all senders send to one rank at the same instant."""
    first = exact.send_ps + exact.transfer_ps(size)
    return [first + place * exact.serialisation_ps(size) for place in range(senders)]


@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("ranks", [3, 9, 33])
def test_incast(exact: ExactPlatform, ranks: int, tmp_path: Path) -> None:
    """Messages that start together stand one behind the other at the last link."""
    size = 4096
    clocks = clocks_ps(exact, ranks, tmp_path, "incast", size)
    clock = 0
    for arrival in incast_arrivals_ps(exact, ranks - 1, size):
        clock = max(clock, arrival) + exact.receive_ps
    assert clocks == [clock] + [exact.send_ps] * (ranks - 1)


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("ranks", [3, 9, 33])
def test_waiting_for_all(exact: ExactPlatform, ranks: int, mpi: str, tmp_path: Path) -> None:
    """As incast; each message's receive is the last of those that are posted."""
    size = 4096
    clocks = clocks_ps(exact, ranks, tmp_path, "waitall", size, mpi=mpi)
    clock = 0
    for place, arrival in enumerate(incast_arrivals_ps(exact, ranks - 1, size)):
        passed_over = ranks - 2 - place
        clock = max(clock, arrival) + passed_over * exact.match_ns * 1000 + exact.receive_ps
    assert clocks == [clock] + [exact.send_ps] * (ranks - 1)


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("ranks", [2, 5, 16])
def test_exchange_of_all(exact: ExactPlatform, ranks: int, mpi: str, tmp_path: Path) -> None:
    """In step, no two messages meet: one leaves after the other, and arrives after the other."""
    size = 2000
    clocks = clocks_ps(exact, ranks, tmp_path, "exchange", size, mpi=mpi)
    clock = (ranks - 1) * exact.send_ps
    slower = max(exact.serialisation_ps(size), exact.send_ps)
    for place in range(ranks - 1):
        arrival = exact.send_ps + place * slower + exact.transfer_ps(size)
        clock = max(clock, arrival) + exact.receive_ps
    assert clocks == [clock] * ranks


@pytest.mark.parametrize("flows", [1, 2, 5])
def test_flows_through_one_uplink(flows: int, tmp_path: Path) -> None:
    """Flows between two leaves of a tree with one spine wait for one another at the uplink."""
    exact = ExactPlatform(
        topology={"kind": "tree", "leaves": 2, "hosts_per_leaf": flows, "spines": 1}, switch_ns=20
    )
    size = 10_000
    clocks = clocks_ps(exact, 2 * flows, tmp_path, "pairs", size)
    serialisation = exact.serialisation_ps(size)
    alone = (4 * exact.latency_ns + 3 * exact.switch_ns) * 1000 + serialisation
    assert clocks[:flows] == [0] * flows
    assert clocks[flows:] == [alone + place * serialisation for place in range(flows)]


def test_packets_of_two_flows_take_turns(tmp_path: Path) -> None:
    """Two messages of ten packets each, to one target: the packets of both alternate."""
    exact = ExactPlatform(packet_size="1000 B", header_bytes=50)
    packets = 10
    clocks = clocks_ps(exact, 3, tmp_path, "incast", packets * 1000)
    packet = exact.serialisation_ps(1000)
    last = 2 * exact.latency_ns * 1000 + 2 * packets * packet
    assert clocks[0] == last


@pytest.mark.parametrize("messages", [1, 2, 50])
def test_stream_fills_the_link(messages: int, tmp_path: Path) -> None:
    """Messages sent without a pause arrive as fast as the link, or the sender, lets them."""
    exact = LOADED
    size = 8192
    clocks = clocks_ps(exact, 2, tmp_path, "stream", size, messages)
    slower = max(exact.serialisation_ps(size), exact.send_ps)
    last = exact.send_ps + (messages - 1) * slower + exact.transfer_ps(size)
    assert clocks == [messages * exact.send_ps, last + exact.receive_ps]


def test_the_forms_would_notice(tmp_path: Path) -> None:
    """A platform that differs by one nanosecond gives another time."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    slower = ExactPlatform(latency_ns=101)
    difference = (
        clocks_ps(slower, 2, first, "ping_pong", 8)[0]
        - clocks_ps(PLAIN, 2, second, "ping_pong", 8)[0]
    )
    assert difference == 4000
