package io.waybill.broker;

import io.waybill.message.Headers;
import io.waybill.message.Place;
import org.jspecify.annotations.Nullable;

/**
 * A message as it came from the broker. The arrays are not copied: nobody changes them.
 *
 * <p>Properties that a broker keeps beside its headers are added to the headers where a header of
 * that name is missing: AMQP's content type as {@code content-type}, its message id as {@code
 * waybill-event-id}, its type as {@code waybill-event-type} and its correlation id as {@code
 * waybill-correlation-id}. Header values that are not text are given as text; one that can't be is
 * left out.
 *
 * @param source topic or queue
 * @param lane order holds inside a lane: a partition as {@code topic-3}, or the queue
 * @param position offset, or a number that grows with every delivery of the lane's channel; a
 *     message that is delivered again by Kafka has the same one
 * @param key message key, or the header {@code waybill-aggregate-id} as UTF-8 where the broker has
 *     no key; null for none
 * @param body message body, null for a tombstone
 * @param headers its headers
 * @param timestampMicros time of the message on the producer's or broker's clock, microseconds
 *     since the epoch; 0 if there is none
 * @param again whether it was delivered before, or that is possible: the broker says so, or an
 *     assignment has just begun and what was read before it was not committed
 * @param deliveries how often the broker has delivered it, this time included; 0 if unknown
 * @param place where the broker had it, or null if the subscriber does not say
 * @param token the subscriber's own
 */
public record Delivery(
    String source,
    String lane,
    long position,
    byte @Nullable [] key,
    byte @Nullable [] body,
    Headers headers,
    long timestampMicros,
    boolean again,
    int deliveries,
    @Nullable Place place,
    Object token) {

  /**
   * A message whose place nobody says.
   *
   * @param source topic or queue
   * @param lane order holds inside a lane
   * @param position offset, or a number that grows with every delivery of the lane's channel
   * @param key message key, or null
   * @param body message body, null for a tombstone
   * @param headers its headers
   * @param timestampMicros time of the message, microseconds since the epoch; 0 if there is none
   * @param again whether it was delivered before, or that is possible
   * @param deliveries how often the broker has delivered it; 0 if unknown
   * @param token the subscriber's own
   */
  public Delivery(
      String source,
      String lane,
      long position,
      byte @Nullable [] key,
      byte @Nullable [] body,
      Headers headers,
      long timestampMicros,
      boolean again,
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
        again,
        deliveries,
        null,
        token);
  }

  /**
   * The same message for another time.
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
