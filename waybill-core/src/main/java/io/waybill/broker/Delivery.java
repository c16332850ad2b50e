package io.waybill.broker;

import io.waybill.message.Headers;
import io.waybill.message.Place;
import org.jspecify.annotations.Nullable;

/**
 * A message as it came from the broker. The arrays are not copied and must not be changed.
 *
 * <p>Message properties are added to the headers where a header of that name is missing: AMQP's
 * content type as {@code content-type}, its message id as {@code waybill-event-id}, its type as
 * {@code waybill-event-type} and its correlation id as {@code waybill-correlation-id}. Header
 * values that are not text are converted to text, or left out if that is impossible.
 *
 * @param source topic or queue
 * @param lane the partition, as {@code topic-3}, or the queue; order holds inside a lane
 * @param position offset, or a number that grows with every delivery of the lane's channel; a
 *     message that Kafka delivers again has the same position
 * @param key message key, or the header {@code waybill-aggregate-id} as UTF-8 where the broker has
 *     no key; null for none
 * @param body message body, null for a tombstone
 * @param headers its headers
 * @param timestampMicros time of the message on the producer's or broker's clock, microseconds
 *     since the epoch; 0 if there is none
 * @param redelivered whether it was or may have been delivered before: the broker says so, or an
 *     assignment has just begun and earlier reads were not committed
 * @param deliveries how often the broker has delivered it, this time included; 0 if unknown
 * @param place where the broker had it, or null if unknown
 * @param token for the subscriber's own use
 */
public record Delivery(
    String source,
    String lane,
    long position,
    byte @Nullable [] key,
    byte @Nullable [] body,
    Headers headers,
    long timestampMicros,
    boolean redelivered,
    int deliveries,
    @Nullable Place place,
    Object token) {

  /**
   * Creates a message whose place is unknown.
   *
   * @param source topic or queue
   * @param lane the lane; order holds inside a lane
   * @param position offset, or a number that grows with every delivery of the lane's channel
   * @param key message key, or null
   * @param body message body, null for a tombstone
   * @param headers its headers
   * @param timestampMicros time of the message, microseconds since the epoch; 0 if there is none
   * @param redelivered whether it was or may have been delivered before
   * @param deliveries how often the broker has delivered it; 0 if unknown
   * @param token for the subscriber's own use
   */
  public Delivery(
      String source,
      String lane,
      long position,
      byte @Nullable [] key,
      byte @Nullable [] body,
      Headers headers,
      long timestampMicros,
      boolean redelivered,
      int deliveries,
      Object token) {
    this(
        source,
        lane,
        position,
        key,
        body,
        headers,
        timestampMicros,
        redelivered,
        deliveries,
        null,
        token);
  }

  /**
   * Marks the same message as redelivered.
   *
   * @return this one, delivered before
   */
  public Delivery repeated() {
    return new Delivery(
        source,
        lane,
        position,
        key,
        body,
        headers,
        timestampMicros,
        true,
        deliveries,
        place,
        token);
  }
}
