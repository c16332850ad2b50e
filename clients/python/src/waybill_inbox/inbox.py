"""Hands each event to its handler once, in the transaction that notes it in processed_events."""

import contextlib
import logging
import time

from waybill_inbox.dead_letter import dead_letter
from waybill_inbox.decode import decode, redriven_for
from waybill_inbox.failures import (
    FailedTransaction,
    Undecodable,
    UnknownTypeError,
    describe,
    is_temporary,
    sql_state,
)
from waybill_inbox.left_messages import LeftMessages
from waybill_inbox.log import EventLog
from waybill_inbox.quoted import quoted

NOTE = """
    insert into processed_events (consumer, event_id, event_type, source) values (%s, %s, %s, %s)
    on conflict do nothing"""

FIRST_PAUSE = 0.05
LONGEST_PAUSE = 10.0

log = logging.getLogger("waybill_inbox")


class HandlerFailure(Exception):
    """The handler failed, not what is around it; its error is the cause."""


class LostConnection(Exception):
    """The connection went while a handler was at work, which is not the handler's fault."""


@contextlib.contextmanager
def alone(event, _):
    """What stands around a handler by default: nothing."""
    yield event


class Inbox:
    """One consumer's inbox. Takes one message at a time.

    consumer is the name of the service in processed_events and dead letters. transactions are those
    of the database that the handlers write to. handlers are called with the event and with what the
    transactions give, by event type; one raises to have its event tried again or given up.
    send_letter returns when the broker has confirmed a letter. around gives a context around each
    call of a handler, for an event and a topic, within a span for example. attempts are the calls of
    a handler that fails temporarily, before its event is given up.
    """

    def __init__(
        self, *, consumer, transactions, handlers, send_letter, around=alone, attempts=4
    ):
        self._consumer = consumer
        self._transactions = transactions
        self._handlers = handlers
        self._send_letter = send_letter
        self._around = around
        self._attempts = attempts
        self._left = LeftMessages()

    def take(self, message, wait=time.sleep):
        """Returns "handled", "duplicate", "ignored" or "dead" when the message may be acknowledged.

        Nothing that is not the event's own fault gives it up: it is tried again until the database
        answers and the broker has its dead letter. wait raises when the message is to be left; its
        attempts go on when it comes again, if it has partition and offset.
        """
        outcome = self._take(message, wait)
        self._left.done(message)
        return outcome

    def _take(self, message, wait):
        event, unfit = _read(message)
        lines = EventLog(log, f"inbox {self._consumer}", event)
        meant_for = redriven_for(message, None if event is None else event.id)
        if meant_for is not None and meant_for != self._consumer:
            # An operator sent it again for another consumer: this one had its own copy.
            lines.warning(
                "from %s was redriven for a different consumer, %s: it is acknowledged unseen",
                message.topic,
                meant_for,
            )
            return "ignored"
        delivery = _Delivery(message, event, lines, wait)
        if event is None:
            return self._bury(delivery, unfit.reason, unfit)
        failures = self._left.failures_of(message)
        while True:
            try:
                outcome = delivery.persist("the database", lambda: self._apply(message, event))
                done = outcome if outcome == "handled" else "dropped as a duplicate"
                lines.debug("from %s %s", message.topic, done)
                return outcome
            except HandlerFailure as failure:
                failures += 1
                error = failure.__cause__
                reason = self._given_up_for(error, failures)
                if reason is not None:
                    return self._bury(delivery, reason, error)
                self._left.failed(message, failures)
                pause = pause_after(failures)
                lines.warning(
                    "from %s failed: %s; it is handled again in %s s",
                    message.topic,
                    describe(error),
                    pause,
                )
                wait(pause)

    def close(self):
        """Closes the connection."""
        self._transactions.close()

    def _apply(self, message, event):
        """First sight and effect are committed together or not at all."""
        handled = False
        try:
            with self._transactions.begin() as transaction:
                # Waits for a copy that is being handled elsewhere.
                if not self._note(transaction, message, event):
                    return "duplicate"
                self._handle(message, event, transaction)
                handled = True
        except (HandlerFailure, LostConnection):
            raise
        except Exception as error:
            # An effect that can't be committed is the handler's failure.
            if handled and sql_state(error) is not None and not is_temporary(error):
                raise HandlerFailure from error
            raise
        return "handled"

    def _handle(self, message, event, transaction):
        try:
            with self._around(event, message.topic) as seen:
                self._handler_of(event)(seen, transaction.target)
            if transaction.is_failed():
                raise FailedTransaction(
                    "an error has ended the transaction, and the handler did not pass it on"
                )
        except Exception as error:
            if transaction.is_lost():
                raise LostConnection from error
            raise HandlerFailure from error

    def _handler_of(self, event):
        if event.type not in self._handlers:
            raise UnknownTypeError(
                f"no handler for type {quoted(event.type)} version {event.version}"
            )
        return self._handlers[event.type]

    def _given_up_for(self, error, failures):
        if isinstance(error, UnknownTypeError):
            return "unknown-type"
        if not is_temporary(error):
            return "permanent-failure"
        return None if failures < self._attempts else "attempts-exhausted"

    def _bury(self, delivery, reason, error):
        """The letter is confirmed before the event counts as processed and is acknowledged."""
        message, event = delivery.message, delivery.event
        letter = dead_letter(
            message,
            event_id=None if event is None else event.id,
            consumer=self._consumer,
            reason=reason,
            error=error,
        )
        delivery.persist("its dead letter", lambda: self._send_letter(letter))
        delivery.lines.warning(
            "from %s is dead (%s): %s; its dead letter is confirmed, and its key continues",
            message.topic,
            reason,
            describe(error),
        )
        if event is not None:
            delivery.persist("the database", lambda: self._note_alone(message, event))
        return "dead"

    def _note_alone(self, message, event):
        with self._transactions.begin() as transaction:
            self._note(transaction, message, event)

    def _note(self, transaction, message, event):
        """Whether the event was not known before."""
        values = (self._consumer, dedupe_id(event), event.type, message.topic)
        return transaction.execute(NOTE, values) == 1


class _Delivery:
    """A message on its way through the inbox."""

    def __init__(self, message, event, lines, wait):
        self.message = message
        self.event = event
        self.lines = lines
        self._wait = wait

    def persist(self, what, work):
        """Does the work, again and again until nothing but the handler fails."""
        failures = 0
        while True:
            try:
                return work()
            except HandlerFailure:
                raise
            except Exception as error:
                failures += 1
                pause = pause_after(failures)
                self.lines.warning(
                    "from %s: %s failed (%s); tried again in %s s",
                    self.message.topic,
                    what,
                    describe(error),
                    pause,
                )
                self._wait(pause)


def _read(message):
    """The event, or why the message is none."""
    try:
        return decode(message), None
    except Undecodable as error:
        return None, error
    except Exception as error:
        # It would end the consumer, at each start again.
        return None, Undecodable("no-event-id", f"it can't be read: {describe(error)}")


def pause_after(failures):
    """Seconds to wait after so many failures."""
    return min(FIRST_PAUSE * 4 ** (failures - 1), LONGEST_PAUSE)


def dedupe_id(event):
    """What an operator sent again is another event than the one that was given up.

    No id of a producer has a blank.
    """
    return f"{event.id} {event.redriven}" if event.redriven > 0 else event.id
