"""Why techniques change each other, by pairs of their settings."""

from __future__ import annotations

PREWAKE, HINT, POLICY, ELAN4, SCHEDULED = (
    "link-power = prewake",
    "service = hint",
    "approx",
    "matching = elan4",
    "collectives = scheduled",
)
# Of the energy too, where nothing else is said: links are on for as long as the program runs.
_REASONS = {
    (PREWAKE, HINT): "Datagrams at the beginning, and messages that wait for a connection, come at "
    "other times than those from which ranks learn when to wake links.",
    (PREWAKE, POLICY): "Wake frames are no messages: they never arrive with errors. Messages that "
    "are a little longer move what comes after them.",
    (PREWAKE, ELAN4): "What waits for a link that wakes comes late, and then together with other "
    "messages: more of them wait in the queues, and each search is longer.",
    (PREWAKE, SCHEDULED): "Blocks are passed on, and a call synchronises: links carry more, over "
    "more hops, and sleep less. Packets of a synchronisation find links asleep, because nothing "
    "is sent ahead of them.",
    (HINT, POLICY): "The number of datagrams follows from the size of a message, not from its "
    "bits.",
    (HINT, ELAN4): "Senders that work on datagrams spread messages over time: fewer of them wait "
    "in the queues that Elan4 searches.",
    (HINT, SCHEDULED): "A schedule has other peers, of which most are used again in every call: "
    "fewer messages go by datagrams, but each passes on more.",
    (POLICY, ELAN4): "Errors are in numbers, never in what is matched. But sizes on links "
    "change, and with them the order in which messages arrive.",
    (POLICY, SCHEDULED): "Steps have room for the protected bits of any message.",
    (ELAN4, SCHEDULED): "A schedule sends fewer messages, and hardly one waits in a queue. But "
    "each of its steps has room for a search, which the interface otherwise does alongside the "
    "program.",
}


def reason(first: str, second: str) -> str:
    """Return why two settings change each other, in either order; empty if that is not known."""
    names = [POLICY if each.startswith(POLICY) else each for each in (first, second)]
    return _REASONS.get((names[0], names[1])) or _REASONS.get((names[1], names[0]), "")
