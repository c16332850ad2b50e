"""Attempts of messages that come again."""

# A message of each partition waits at most; the others went elsewhere with their partitions.
MOST = 1_000


class LeftMessages:
    """How often the handler of a message has failed that was left, by its place.

    Messages before it may come again with it, where their positions could not be committed.
    """

    def __init__(self):
        self._failures = {}

    def failures_of(self, message):
        """0 for a message that was not left."""
        return self._failures.get(_place_of(message), 0)

    def failed(self, message, failures):
        """It may be left from now on."""
        # Positions of different partitions are the same numbers.
        if message.partition is None:
            return
        self.done(message)
        self._failures[_place_of(message)] = failures
        if len(self._failures) > MOST:
            del self._failures[next(iter(self._failures))]

    def done(self, message):
        """It does not come again."""
        self._failures.pop(_place_of(message), None)


def _place_of(message):
    return message.topic, message.partition, message.offset
