"""The benchmarks of queues as schedules."""

from __future__ import annotations

from kumihimo.study.matching.schedules import posted, unexpected


def test_the_receive_comes_when_all_has_arrived() -> None:
    assert (
        unexpected(length=2, before=1)
        == """\
num_ranks 2
rank 0 {
o0: send 16b to 1 tag 1
o1: send 16b to 1 tag 2
o2: send 16b to 1 tag 1
o3: send 16b to 1 tag 3
o1 irequires o0
o2 irequires o1
o3 irequires o2
}
rank 1 {
o0: recv 16b from 0 tag 3
o1: recv 16b from 0 tag 2
o2: recv 16b from 0 tag 1
o3: recv 16b from 0 tag 1
o1 requires o0
o2 requires o1
o3 requires o2
}
"""
    )


def test_the_others_are_sent_when_the_first_has_been_answered() -> None:
    assert (
        posted(length=2, before=1)
        == """\
num_ranks 2
rank 0 {
o0: recv 16b from 1 tag 3
o1: send 16b to 1 tag 2
o2: recv 16b from 1 tag 4
o3: send 16b to 1 tag 1
o4: send 16b to 1 tag 1
o1 requires o0
o2 requires o1
o3 requires o2
o4 irequires o3
}
rank 1 {
o0: recv 16b from 0 tag 1
o1: recv 16b from 0 tag 2
o2: recv 16b from 0 tag 1
o3: send 16b to 0 tag 3
o4: send 16b to 0 tag 4
o1 irequires o0
o2 irequires o1
o3 irequires o2
o4 requires o1
}
"""
    )
