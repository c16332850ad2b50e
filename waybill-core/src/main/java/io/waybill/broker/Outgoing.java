package io.waybill.broker;

import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.TraceContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message for the broker. The arrays are not copied and must not be changed after construction.
 *
 * @param sendId identifies this send among all sends of one relay; confirmations refer to it
 * @param destination topic, or exchange and routing key
 * @param key partition key bytes, null when the event has no order
 * @param body message body, null for a tombstone
 * @param contentType media type of the body, empty if it is unknown
 * @param eventId event id, also RabbitMQ's message id
 * @param eventType event type, also RabbitMQ's type
 * @param timestampMillis creation time of the row in milliseconds since the epoch, UTC; RabbitMQ's
 *     timestamp, and Kafka's if the destination asks for it
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
   * Finds a header by its name.
   *
   * @param name its name, compared exactly
   * @return the value of the first header of that name, null if there is none
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
   * The trace context in its headers.
   *
   * @return null without {@code traceparent}
   */
  public @Nullable TraceContext traceContext() {
    String traceparent = header(TraceContext.TRACEPARENT);
    return traceparent == null
        ? null
        : new TraceContext(traceparent, header(TraceContext.TRACESTATE));
  }

  /**
   * The same in another trace context; a message without {@code traceparent} stays without.
   *
   * @param context the new context
   * @return changed copy
   */
  public Outgoing withTraceContext(TraceContext context) {
    List<Header> others = new ArrayList<>(headers.size() + 1);
    for (Header header : headers) {
      if (header.name().equals(TraceContext.TRACEPARENT)) {
        others.add(new Header(TraceContext.TRACEPARENT, context.traceparent()));
        if (context.tracestate() != null) {
          others.add(new Header(TraceContext.TRACESTATE, context.tracestate()));
        }
      } else if (!header.name().equals(TraceContext.TRACESTATE)) {
        others.add(header);
      }
    }
    return new Outgoing(
        sendId, destination, key, body, contentType, eventId, eventType, timestampMillis, others);
  }
}
