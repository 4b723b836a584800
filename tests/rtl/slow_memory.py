"""Reference model of slow memory: which blocks messages have, and which are free."""

from collections import deque


class SlowMemory:
    """Blocks in the order in which they became free; a message takes the first of them.

    Args:
        blocks: How many there are.
        block_beats: Size of each.
    """

    def __init__(self, blocks: int, block_beats: int) -> None:
        self.block_beats = block_beats
        self.free = deque(range(blocks))
        # Of each message: its blocks, and how many beats are in them.
        self._blocks: dict[int, list[int]] = {}
        self._beats: dict[int, int] = {}

    def blocks_for(self, beats: int) -> int:
        """Return the number of blocks that a message needs for its beats in slow memory."""
        return -(-beats // self.block_beats)

    def beats(self, message: int) -> int:
        return self._beats.get(message, 0)

    def needs_block(self, message: int) -> bool:
        """Return whether the message's next beat begins a block."""
        return self.beats(message) % self.block_beats == 0

    def store(self, message: int) -> int:
        """Return the address of the message's next beat.

        Raises:
            IndexError: If it needs a block and none is free.
        """
        blocks = self._blocks.setdefault(message, [])
        if self.needs_block(message):
            blocks.append(self.free.popleft())
        beat = self.beats(message)
        self._beats[message] = beat + 1
        return blocks[-1] * self.block_beats + beat % self.block_beats

    def release(self, message: int) -> None:
        """Make all blocks of the message free."""
        self.free.extend(self._blocks.pop(message, []))
        self._beats.pop(message, None)
