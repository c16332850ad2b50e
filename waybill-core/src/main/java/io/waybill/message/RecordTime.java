package io.waybill.message;

/**
 * The time that a Kafka record carries. A topic's retention and consumers with windows use it. The
 * creation time is in the header {@code waybill-created-at} in any case.
 */
public enum RecordTime {
  /**
   * The time of the send, by the relay's clock: the topic keeps a late event as long as a fresh
   * one.
   */
  SENT,

  /**
   * The time of the event's creation. At its next clean-up, a topic deletes an event that was sent
   * later than {@code retention.ms} after its creation.
   */
  CREATED
}
