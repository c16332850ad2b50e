"""What handlers raise, which failures may pass, and how a failure is described."""

import re

# As TemporaryErrors of Waybill's Java inbox has them.
TEMPORARY_CLASSES = {"08", "40", "53", "57", "58"}
TEMPORARY_STATES = {
    "0A000",
    "25006",
    "25P03",
    "25P04",
    "26000",
    "42P05",
    "55000",
    "55006",
    "55P03",
}
INTEGRITY_AT_COMMIT = "40002"

# The first line of these is about connections, locks, names and resources, never about values.
SPEAKING_CLASSES = {"08", "0A", "25", "28", "3D", "40", "42", "45", "53", "55", "57", "58", "P0"}
SYNTAX_ERROR = "42601"
NAMES = {"constraint": "constraint_name", "table": "table_name", "column": "column_name"}

# What the language itself raises shows the value that it could not read.
QUOTING = (ArithmeticError, LookupError, TypeError, ValueError)
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
MOST_CHARACTERS = 4_000


class TemporaryError(Exception):
    """Trying again can help."""


class PermanentError(Exception):
    """Trying again can't help."""


class UnknownTypeError(PermanentError):
    """There is no handler for the type of an event."""


class Undecodable(PermanentError):
    """A message that is no event; the reason is that of the header waybill-dead-reason."""

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


# Waybill's own: their messages are written for people.
PLAIN = (PermanentError, TemporaryError, UnknownTypeError, Undecodable)


class FailedTransaction(Exception):
    """An error has ended the transaction, and the handler did not pass it on."""


def _driver_error(error):
    """SQLAlchemy wraps the driver's."""
    return getattr(error, "orig", None) or error


def sql_state(error):
    """The SQLState of a server's answer, None if the error is none."""
    inner = _driver_error(error)
    return getattr(inner, "sqlstate", None) or getattr(inner, "pgcode", None)


def is_temporary(error):
    """Whether trying again can help: what says nothing of itself is permanent."""
    state = sql_state(error)
    if state is not None:
        return state != INTEGRITY_AT_COMMIT and (
            state in TEMPORARY_STATES or state[:2] in TEMPORARY_CLASSES
        )
    # By its name in PEP 249: a connection that failed has no answer of the server.
    names = [each.__name__ for each in type(_driver_error(error)).__mro__]
    return "OperationalError" in names or isinstance(error, (TemporaryError, OSError))


def describe(error):
    """What log and dead letter tell of a failure.

    That is what the application wrote, and nothing that a server or a parser made of values.
    """
    return UNPRINTABLE.sub(" ", _text(error))[:MOST_CHARACTERS]


def _text(error):
    inner = _driver_error(error)
    name = type(inner).__qualname__
    state = sql_state(error)
    if state is not None:
        return _sql(inner, name, state)
    module = type(inner).__module__
    quoting = module == "builtins" and isinstance(inner, QUOTING)
    # SQLAlchemy's own tell statements and their values.
    if not str(inner) or quoting or module.startswith("sqlalchemy."):
        return name
    # The class of a subclass tells more than the reason does.
    return str(inner) if type(inner) in PLAIN else f"{name}: {inner}"


def _sql(error, name, state):
    diagnostics = getattr(error, "diag", None)
    named = "".join(
        f", {what} {getattr(diagnostics, attribute)}"
        for what, attribute in NAMES.items()
        if getattr(diagnostics, attribute, None)
    )
    line = ""
    if state[:2] in SPEAKING_CLASSES and state != SYNTAX_ERROR:
        line = f": {getattr(diagnostics, 'message_primary', None) or ''}"
    return f"{name} (SQLState {state}{named}){line}"
