package io.waybill.rabbitmq.internal.consume;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.LongString;
import io.waybill.broker.Delivery;
import io.waybill.message.Headers;
import io.waybill.message.Place;
import io.waybill.rabbitmq.internal.AmqpProperties;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translates what the client library delivers. */
public final class RabbitDeliveries {
  private static final String KEY = "waybill-aggregate-id";
  // Deliveries that have failed, and from RabbitMQ 4.3 on all deliveries before this one.
  private static final String FAILED = "x-delivery-count";
  private static final String ACQUIRED = "x-acquired-count";
  private static final Set<String> OWN = Set.of(FAILED, ACQUIRED, AmqpProperties.TOMBSTONE);
  private static final String STREAM_OFFSET = "x-stream-offset";
  private static final long MICROS_PER_MILLI = 1_000;

  private RabbitDeliveries() {}

  /** A message as it is delivered. */
  public static Delivery of(
      String queue, Envelope envelope, AMQP.BasicProperties properties, byte[] body, Object token) {
    Map<String, Object> table =
        properties.getHeaders() == null ? Map.of() : properties.getHeaders();
    Headers headers = headers(table, properties);
    String key = headers.get(KEY);
    int count = Math.max(number(table, FAILED), number(table, ACQUIRED));
    boolean again = envelope.isRedeliver() || count > 0;
    return new Delivery(
        queue,
        queue,
        envelope.getDeliveryTag(),
        key == null ? null : key.getBytes(StandardCharsets.UTF_8),
        table.containsKey(AmqpProperties.TOMBSTONE) ? null : body,
        headers,
        micros(properties),
        again,
        deliveries(count, again),
        new Place.Route(envelope.getExchange(), envelope.getRoutingKey()),
        token);
  }

  /** Whether a message comes from a stream, which numbers its messages. */
  public static boolean isOfStream(AMQP.BasicProperties properties) {
    return properties.getHeaders() != null && properties.getHeaders().containsKey(STREAM_OFFSET);
  }

  private static int number(Map<String, Object> table, String header) {
    return table.get(header) instanceof Number number ? number.intValue() : 0;
  }

  /** Only quorum queues count; a first delivery is known from any queue. */
  private static int deliveries(int count, boolean again) {
    if (count > 0) {
      return count + 1;
    }
    return again ? 0 : 1;
  }

  @SuppressWarnings("JavaUtilDate") // the type that the client library gives
  private static long micros(AMQP.BasicProperties properties) {
    Date time = properties.getTimestamp();
    return time == null ? 0 : time.getTime() * MICROS_PER_MILLI;
  }

  private static Headers headers(Map<String, Object> table, AMQP.BasicProperties properties) {
    Map<String, String> all = new LinkedHashMap<>();
    table.forEach(
        (name, value) -> {
          put(all, name, OWN.contains(name) ? null : text(value));
        });
    put(all, "content-type", said(properties.getContentType()));
    put(all, "waybill-event-id", said(properties.getMessageId()));
    put(all, "waybill-event-type", said(properties.getType()));
    put(all, "waybill-correlation-id", said(properties.getCorrelationId()));
    return Headers.of(all);
  }

  private static void put(Map<String, String> all, String name, @Nullable String value) {
    if (value != null) {
      String unused = all.putIfAbsent(name, value);
    }
  }

  private static @Nullable String said(@Nullable String property) {
    return property == null || property.isEmpty() ? null : property;
  }

  /** A scalar as text; null for what is none. */
  private static @Nullable String text(@Nullable Object value) {
    if (value instanceof LongString string) {
      try {
        return StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(string.getBytes()))
            .toString();
      } catch (CharacterCodingException e) {
        return null;
      }
    }
    boolean isScalar =
        value instanceof String || value instanceof Number || value instanceof Boolean;
    return isScalar ? String.valueOf(value) : null;
  }
}
