"""Hands each event to its handler once, in the transaction that notes it in processed_events."""

import logging
import time

import psycopg
from psycopg.errors import InFailedSqlTransaction
from psycopg.pq import TransactionStatus

from dead_letter import dead_letter
from decode import Undecodable, decode, redriven_for
from failures import UnknownTypeError, is_temporary

NOTE = """
    insert into processed_events (consumer, event_id, event_type, source) values (%s, %s, %s, %s)
    on conflict do nothing"""

FIRST_PAUSE = 0.05
LONGEST_PAUSE = 10.0

log = logging.getLogger(__name__)


class HandlerFailure(Exception):
    """The handler failed, not what is around it; its error is the cause."""


class LostConnection(Exception):
    """The connection went while a handler was at work, which is not the handler's fault."""


class Inbox:
    """One consumer's inbox. Takes one message at a time.

    connect opens a connection in autocommit mode to the database that the handlers write to;
    handlers are called with event and connection, by event type; send_letter returns when the
    broker has confirmed a letter; attempts are the calls of a handler that fails temporarily, before
    it is given up.
    """

    def __init__(self, *, consumer, connect, handlers, send_letter, tracing, attempts=4):
        self._consumer = consumer
        self._connect = connect
        self._handlers = handlers
        self._send_letter = send_letter
        self._tracing = tracing
        self._attempts = attempts
        self._connection = None

    def take(self, message, wait=time.sleep):
        """Returns "handled", "duplicate", "ignored" or "dead" when the message may be acknowledged.

        Nothing that is not the event's own fault gives it up: it is tried again until the database
        answers and the broker has its dead letter. wait raises when the message is to be left.
        """
        event, unfit = self._decode(message)
        meant_for = redriven_for(message, None if event is None else event.id)
        if meant_for is not None and meant_for != self._consumer:
            # An operator sent it again for another consumer: this one had its own copy.
            return "ignored"
        if event is None:
            return self._bury(message, None, unfit.reason, unfit, wait)
        failures = 0
        while True:
            try:
                return self._persist("The database", lambda: self._apply(message, event), wait)
            except HandlerFailure as failure:
                failures += 1
                error = failure.__cause__
                reason = self._given_up_for(error, failures)
                if reason is not None:
                    return self._bury(message, event, reason, error, wait)
                wait(pause_after(failures))

    def close(self):
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()

    @staticmethod
    def _decode(message):
        try:
            return decode(message), None
        except Undecodable as error:
            return None, error

    def _apply(self, message, event):
        """First sight and effect are committed together or not at all."""
        connection = self._open()
        handled = False
        try:
            with connection.transaction():
                # Waits for a copy that is being handled elsewhere.
                if not self._note(connection, message, event):
                    return "duplicate"
                self._handle(message, event, connection)
                handled = True
        except psycopg.Error as error:
            # An effect that can't be committed is the handler's failure.
            if handled and error.sqlstate is not None and not is_temporary(error):
                raise HandlerFailure from error
            raise
        return "handled"

    def _handle(self, message, event, connection):
        try:
            with self._tracing.handle(event, message.topic) as traced:
                self._handler_of(event)(traced, connection)
            if connection.info.transaction_status == TransactionStatus.INERROR:
                # The server would answer a commit with a rollback, and nobody would be told.
                raise InFailedSqlTransaction(
                    "an error has ended the transaction, and the handler did not pass it on"
                )
        except Exception as error:
            if connection.closed:
                raise LostConnection from error
            raise HandlerFailure from error

    def _handler_of(self, event):
        if event.type not in self._handlers:
            raise UnknownTypeError(f"there is no handler for {event.type}")
        return self._handlers[event.type]

    def _given_up_for(self, error, failures):
        if isinstance(error, UnknownTypeError):
            return "unknown-type"
        if not is_temporary(error):
            return "permanent-failure"
        return None if failures < self._attempts else "attempts-exhausted"

    def _bury(self, message, event, reason, error, wait):
        """The letter is confirmed before the event counts as processed and is acknowledged."""
        letter = dead_letter(
            message,
            event_id=None if event is None else event.id,
            consumer=self._consumer,
            reason=reason,
            error=error,
        )
        self._persist("The dead letter", lambda: self._send_letter(letter), wait)
        if event is not None:
            self._persist(
                "The database", lambda: self._note(self._open(), message, event), wait
            )
        return "dead"

    def _note(self, connection, message, event):
        """Whether the event was not known before."""
        values = (self._consumer, dedupe_id(event), event.type, message.topic)
        return connection.execute(NOTE, values).rowcount == 1

    def _open(self):
        if self._connection is None or self._connection.closed:
            self._connection = self._connect()
        return self._connection

    @staticmethod
    def _persist(what, work, wait):
        failures = 0
        while True:
            try:
                return work()
            except HandlerFailure:
                raise
            except Exception as error:
                failures += 1
                pause = pause_after(failures)
                log.warning("%s failed (%s); tried again in %s s", what, type(error).__name__, pause)
                wait(pause)


def pause_after(failures):
    """Seconds to wait after so many failures."""
    return min(FIRST_PAUSE * 4 ** (failures - 1), LONGEST_PAUSE)


def dedupe_id(event):
    """What an operator sent again is another event than the one that was given up.

    No id of a producer has a blank.
    """
    return f"{event.id} {event.redriven}" if event.redriven > 0 else event.id
