package io.waybill.broker;

import io.waybill.message.Destination;
import io.waybill.message.Header;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message as it goes to the broker. The arrays are not copied: nobody changes them after
 * construction.
 *
 * @param sendId identifies this send among all sends of one relay; confirmations refer to it
 * @param destination topic, or exchange and routing key
 * @param key partition key bytes, null when the event has no order
 * @param body message body, null for a tombstone
 * @param contentType media type of the body, empty if it is unknown
 * @param eventId event id, also RabbitMQ's message id
 * @param eventType event type, also RabbitMQ's type
 * @param timestampMillis creation time of the row in milliseconds since the epoch, UTC; RabbitMQ's
 *     timestamp, and Kafka's where the destination asks for it
 * @param headers all headers in order, the event's own and Waybill's
 */
public record Outgoing(
    long sendId,
    Destination destination,
    byte @Nullable [] key,
    byte @Nullable [] body,
    String contentType,
    String eventId,
    String eventType,
    long timestampMillis,
    List<Header> headers) {

  /**
   * A header by its name.
   *
   * @param name its name, compared exactly
   * @return the value of the first one of that name, null if there is none
   */
  public @Nullable String header(String name) {
    for (Header header : headers) {
      if (header.name().equals(name)) {
        return header.value();
      }
    }
    return null;
  }

  /**
   * The same with another value in the headers of a name; without such a header nothing changes.
   *
   * @param name their name, compared exactly
   * @param value the new value
   * @return changed copy
   */
  public Outgoing replaceHeader(String name, String value) {
    List<Header> others = new ArrayList<>(headers);
    others.replaceAll(header -> header.name().equals(name) ? new Header(name, value) : header);
    return new Outgoing(
        sendId, destination, key, body, contentType, eventId, eventType, timestampMillis, others);
  }
}
