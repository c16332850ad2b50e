package io.waybill.rabbitmq.internal;

import com.rabbitmq.client.AMQP;
import io.waybill.broker.Outgoing;
import io.waybill.message.Header;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;

/** Translates a message's attributes. */
public final class AmqpProperties {
  /** Set to true on a message without a body, since AMQP cannot tell it from an empty body. */
  public static final String TOMBSTONE = "waybill-tombstone";

  private static final int PERSISTENT = 2;

  private AmqpProperties() {}

  /** The properties of a message. */
  @SuppressWarnings("JavaUtilDate") // the type that the client library asks for
  public static AMQP.BasicProperties of(Outgoing message) {
    Map<String, Object> headers = new HashMap<>(message.headers().size() * 2);
    for (Header header : message.headers()) {
      headers.put(header.name(), header.value());
    }
    if (message.body() == null) {
      headers.put(TOMBSTONE, true);
    }
    return new AMQP.BasicProperties.Builder()
        .messageId(message.eventId())
        .type(message.eventType())
        .contentType(message.contentType().isEmpty() ? null : message.contentType())
        .deliveryMode(PERSISTENT)
        .timestamp(new Date(message.timestampMillis()))
        .headers(headers)
        .build();
  }
}
