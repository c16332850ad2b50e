"""The tables of the notification service."""

import uuid

from sqlalchemy import Boolean, Column, DateTime, FetchedValue, Integer, String, Text
from sqlalchemy.dialects.postgresql import JSON, UUID
from sqlalchemy.orm import declarative_base

Base = declarative_base()


class OutboxEvent(Base):
    """An event. Rows are only added: the relay publishes them and marks them as processed."""

    __tablename__ = "outbox_events"

    id = Column(UUID(as_uuid=True), primary_key=True, default=uuid.uuid4)
    aggregate_id = Column(String(255), nullable=False)
    event_type = Column(String(255), nullable=False)
    version = Column(Integer, nullable=False, default=1)
    payload = Column(JSON, nullable=False)
    # The database's own, as are the relay's marks below.
    created_at = Column(DateTime(timezone=True), nullable=False, server_default=FetchedValue())
    processed = Column(Boolean, nullable=False, server_default=FetchedValue())
    processed_at = Column(DateTime(timezone=True))
    error_message = Column(Text)


class EventContext(Base):
    """What belongs into an envelope's metadata: outbox_events has no columns for it."""

    __tablename__ = "waybill_outbox_events_row_context"

    row_id = Column(UUID(as_uuid=True), primary_key=True)
    headers = Column(JSON(none_as_null=True))
    correlation_id = Column(Text)
    causation_id = Column(Text)
    traceparent = Column(Text)


class Email(Base):
    """An email that was sent. Its id is the notification id."""

    __tablename__ = "emails"

    id = Column(UUID(as_uuid=True), primary_key=True)
    order_id = Column(String(100), nullable=False)
    recipient = Column(String(320), nullable=False)
    sent_at = Column(DateTime(timezone=True), nullable=False, server_default=FetchedValue())
