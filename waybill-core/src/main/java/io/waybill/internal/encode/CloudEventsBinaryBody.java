package io.waybill.internal.encode;

import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Transport;
import io.waybill.store.OutboxRow;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link io.waybill.encode.Format#CLOUDEVENTS_BINARY}: attributes as headers, after the Kafka and
 * AMQP bindings.
 */
final class CloudEventsBinaryBody implements BodyFormat {
  private static final int MOST_ATTRIBUTES = 13;
  private final CloudEventAttributes attributes;
  private final String prefix;

  CloudEventsBinaryBody(String source, Transport transport) {
    this.attributes = new CloudEventAttributes(source);
    this.prefix =
        switch (transport) {
          case KAFKA -> "ce_";
          case RABBITMQ -> "cloudEvents:";
        };
  }

  @Override
  public Body body(OutboxRow row, Headers headers) {
    List<Header> list = new ArrayList<>(MOST_ATTRIBUTES);
    attributes.forEach(row, headers, (name, value) -> list.add(new Header(prefix + name, value)));
    return new Body.Bytes(row.payload(), row.contentType(), list);
  }
}
