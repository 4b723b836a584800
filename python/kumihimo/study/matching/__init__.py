"""`kumihimo study matching`: the cost of matching on deep queues and in programs."""
