"""The part "service" of a result."""

from kumihimo.results.service import memory_bytes, service_document, service_line
from kumihimo.results.summary import Service, ServiceRow


def row(rank: int, asked: int, accepted: int, closed: int = 0) -> ServiceRow:
    return {
        "rank": rank,
        "asked": asked,
        "accepted": accepted,
        "refused": 1,
        "closed": closed,
        "closings": closed // 2,
        "most_connections": asked + accepted,
        "by_connection": 10,
        "by_datagrams": 3,
        "packets": 7,
        "packets_received": 7,
        "base_bytes": 500,
        "connection_bytes": 100 * (asked + accepted),
        "eager_buffer_bytes": 10 * (asked + accepted),
        "pool_bytes": 1000,
        "kernel_unended": 0,
        "kernel_unbegun": 3 if rank == 2 else 0,
        "repeated_unended": 1 if rank > 0 else 0,
        "repeated_unbegun": 0,
    }


FOUND: Service = {"kind": "hybrid", "ranks": [row(0, 2, 0), row(1, 1, 2), row(2, 1, 1)]}


def test_memory_is_the_sum_of_its_parts() -> None:
    assert [memory_bytes(each) for each in FOUND["ranks"]] == [1720, 1830, 1720]


def test_sums_and_the_largest() -> None:
    document = service_document(FOUND)
    assert (document["connections_asked"], document["connections_accepted"]) == (4, 3)
    assert (document["most_connections"], document["refused"]) == (3, 3)
    assert (document["messages_by_connection"], document["messages_by_datagrams"]) == (30, 9)
    assert document["packets"] == 21
    assert (document["closed"], document["closings"]) == (0, 0)
    assert document["wrong_nesting"] == [
        {"key": "IN_KERNEL", "problem": "not begun", "ranks": 1},
        {"key": "REPEATED", "problem": "not ended", "ranks": 2},
    ]
    assert document["largest_memory"] == {
        "rank": 1,
        "bytes": 1830,
        "base_bytes": 500,
        "connection_bytes": 300,
        "eager_buffer_bytes": 30,
        "pool_bytes": 1000,
    }


def test_the_line() -> None:
    assert service_line({"service": service_document(FOUND)}) == (
        "Service (hybrid): 1.787 KiB of memory in a rank at most; 4 connections, 3 in a rank at "
        "most, 3 refused; 21 datagrams"
    )
    closing: Service = {"kind": "hint_evict", "ranks": [row(0, 2, 1, 2), row(1, 1, 2, 2)]}
    document = service_document(closing)
    assert (document["closed"], document["closings"]) == (4, 2)
    assert service_line({"service": document}).endswith("; 2 connections closed")
