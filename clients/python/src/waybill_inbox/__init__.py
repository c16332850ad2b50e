"""Applies each event of Kafka once, to PostgreSQL.

waybill_inbox.kafka consumes with Confluent's client; waybill_inbox.sessions has the transactions of
SQLAlchemy. This module needs neither.
"""

from waybill_inbox.decode import Event, Message, decode
from waybill_inbox.failures import (
    PermanentError,
    TemporaryError,
    Undecodable,
    UnknownTypeError,
)
from waybill_inbox.inbox import Inbox
from waybill_inbox.log import EventLog
from waybill_inbox.transactions import Transactions

__all__ = [
    "Event",
    "EventLog",
    "Inbox",
    "Message",
    "PermanentError",
    "TemporaryError",
    "Transactions",
    "Undecodable",
    "UnknownTypeError",
    "decode",
]
