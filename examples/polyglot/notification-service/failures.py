"""What handlers raise, and which failures may pass."""

import psycopg

TEMPORARY_CLASSES = {"08", "40", "53", "57", "58"}
LOCK_TIMEOUTS = {"55P03", "25P03"}


class TemporaryError(Exception):
    """Trying again can help."""


class PermanentError(Exception):
    """Trying again can't help."""


class UnknownTypeError(PermanentError):
    """There is no handler for the type of an event."""


def is_temporary(error):
    """Whether trying again can help: what says nothing of itself is permanent."""
    if isinstance(error, psycopg.Error):
        state = error.sqlstate
        if state is None:
            # A connection that failed has no answer of the server.
            return isinstance(error, psycopg.OperationalError)
        return state[:2] in TEMPORARY_CLASSES or state in LOCK_TIMEOUTS
    return isinstance(error, (TemporaryError, OSError))
