package io.waybill.message;

/**
 * Which time a Kafka record carries. A topic's retention goes by it, and so do consumers with
 * windows; the creation time is in the header {@code waybill-created-at} in any case.
 */
public enum RecordTime {
  /**
   * When it was sent, by the relay's clock: the topic keeps a late event as long as a fresh one.
   */
  SENT,

  /**
   * When the event was created: a topic deletes one that is sent later than its {@code
   * retention.ms} as soon as it looks.
   */
  CREATED
}
