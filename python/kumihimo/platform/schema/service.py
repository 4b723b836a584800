"""[mpi.service]: by what ranks send to others, connections or datagrams."""

from __future__ import annotations

from kumihimo.platform.schema.key import ByChoice, Key, Rule, Section, When, config_in
from kumihimo.platform.schema.values import Choice, Count, Measure
from kumihimo.units import DURATION, SIZE

KIND_PATH = "mpi.service.kind"
MTU_PATH = "mpi.service.mtu"
NO_SERVICE = "none"
ORACLE = "oracle"

SERVICES = {
    "rc": "Reliable connections: the first send to a peer asks for one and waits for it. A rank "
    "that may have no more uses datagrams.",
    "ud": "Unreliable datagrams of the MTU, which cost time on the processors of both ends.",
    "hybrid": "Datagrams at first; after `messages_before` messages to a peer, a connection, until "
    "the cap or the budget binds.",
    "hint": 'As "hybrid", but ranks ask for connections only while the hint IN_KERNEL is 1.',
    "hint_evict": 'As "hint", but where cap or budget binds, ranks close connections that they '
    "have not used since the region began.",
    ORACLE: "The yardstick of the others: connections from the start, to the peers to which a rank "
    "sends most packets in the whole run, until the cap or the budget binds.",
}

_UNLIMITED = (1 << 31) - 1
_IS_ON = When(KIND_PATH, tuple(SERVICES))
_MEMORY = Measure(SIZE, smallest="0 B", largest="1 TiB")


def _budget_problem(base: int, pool: int, budget: int) -> str | None:
    """Say if the budget has no room for what every rank has."""
    if budget >= base + pool:
        return None
    return (
        f"{SIZE.format(budget)} is less than base_memory and datagram_pool together, "
        f"{SIZE.format(base + pool)}"
    )


def _first_connection_problem(
    kind: str, base: int, pool: int, connection: int, eager: int, budget: int
) -> str | None:
    """Say if the budget has no room for a single connection."""
    needed = base + pool + connection + eager
    if kind == "ud" or base + pool > budget or budget >= needed:
        return None
    return f"{SIZE.format(budget)} has no room for one connection; expected {SIZE.format(needed)}"


_PARTS = tuple(
    f"mpi.service.{name}"
    for name in ("base_memory", "datagram_pool", "connection_memory", "eager_buffers")
)
_BUDGET_PATH = "mpi.service.memory_budget"

SERVICE = Section(
    name="mpi.service",
    doc="Connections or datagrams by which ranks send to other hosts, and the memory that they "
    "take. Keys that a service does not need have no effect, so that services can be compared. "
    "`--service KIND` of `kumihimo run` and `kumihimo replay` sets another service. "
    "See [services](../services.md). "
    "Unless stated otherwise, defaults are those of MVAPICH2 2.3.7.",
    keys=(
        Key(
            KIND_PATH,
            Choice({NO_SERVICE: "Not modelled: it costs nothing.", **SERVICES}),
            NO_SERVICE,
            config_in("service", "kind"),
            'The service. "none": not modelled. '
            + " ".join(f'"{name}": {text}' for name, text in SERVICES.items()),
            neutral=NO_SERVICE,
        ),
        Key(
            MTU_PATH,
            Measure(SIZE, smallest="256 B", largest="1 MiB"),
            "2 KiB",
            config_in("service", "mtu_bytes"),
            "Largest payload of a datagram.",
            when=_IS_ON,
        ),
        Key(
            "mpi.service.packet_cost",
            Measure(DURATION, smallest="0 ns", largest="100 µs"),
            "150 ns",
            config_in("service", "packet_cost_ps"),
            "Time of a datagram on the processor of the sender, and again on that of the receiver. "
            "Default: an assumption, with which a ring shift of 10 KB by datagrams takes some 1.5 "
            "times as long as by connections, as measured over InfiniBand FDR.",
            when=_IS_ON,
        ),
        Key(
            "mpi.service.setup_time",
            Measure(DURATION, smallest="0 ns", largest="1 s"),
            "300 us",
            config_in("service", "setup_time_ps"),
            "Time from the request for a connection to its use. Default: an assumption.",
            when=_IS_ON,
        ),
        Key(
            "mpi.service.connection_cap",
            Count(1, _UNLIMITED - 1, {"unlimited": _UNLIMITED}),
            ByChoice(KIND_PATH, {"rc": "unlimited"}, 32),
            config_in("service", "connection_cap"),
            "Number of connections with which a rank asks for no more. MVAPICH2 has 32 below 512 "
            "processes, 64 below 4096, and else 128.",
            when=_IS_ON,
        ),
        Key(
            "mpi.service.messages_before",
            Count(0, 1 << 31),
            1,
            config_in("service", "messages_before"),
            'With "hybrid", "hint" and "hint_evict": number of messages that go to a peer by '
            "datagrams before a connection is asked for. "
            "Default: the threshold of the study that introduced the hint; MVAPICH2 has 100.",
            when=_IS_ON,
        ),
        Key(
            "mpi.service.base_memory",
            _MEMORY,
            "0 B",
            config_in("service", "base_bytes"),
            "Memory of a rank without peers. Default: what services add is counted alone.",
            when=_IS_ON,
        ),
        Key(
            "mpi.service.connection_memory",
            _MEMORY,
            "12500 B",
            config_in("service", "connection_bytes"),
            "Memory of a connection's queues at each end.",
            when=_IS_ON,
        ),
        Key(
            "mpi.service.eager_buffers",
            _MEMORY,
            "0 B",
            config_in("service", "eager_buffer_bytes"),
            "Memory of the buffers for eager messages of each connection. Default: they are not "
            "counted.",
            when=_IS_ON,
        ),
        Key(
            "mpi.service.datagram_pool",
            _MEMORY,
            "16 MiB",
            config_in("service", "pool_bytes"),
            "Memory of the buffers for datagrams of all peers: 8192 buffers of 2 KiB. A rank with "
            'the service "rc" has it once a connection was refused.',
            when=_IS_ON,
        ),
        Key(
            _BUDGET_PATH,
            Measure(SIZE, smallest="0 B", largest="1 TiB"),
            "1 TiB",
            config_in("service", "budget_bytes"),
            "Memory of a rank above which it asks for no connection. The pool is counted in any "
            "case.",
            when=_IS_ON,
        ),
    ),
    rules=(
        Rule(
            (*_PARTS[:2], _BUDGET_PATH),
            _budget_problem,
            "The budget has room for `base_memory` and `datagram_pool`, and for one connection "
            "where there are any.",
        ),
        Rule((KIND_PATH, *_PARTS, _BUDGET_PATH), _first_connection_problem, ""),
    ),
)
