package io.waybill.internal.encode;

import io.waybill.message.EventKey;
import io.waybill.message.Headers;
import io.waybill.message.TraceContext;
import io.waybill.store.OutboxRow;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of CloudEvents 1.0 that a row has, in a fixed order, apart from {@code
 * datacontenttype}. Beside the required ones: {@code subject} is the aggregate id; {@code
 * traceparent}, {@code tracestate} and {@code partitionkey} are registered extensions; {@code
 * aggregatetype}, {@code eventversion}, {@code correlationid} and {@code causationid} are further
 * ones.
 */
final class CloudEventAttributes {
  private final String source;
  private final IsoTime time = new IsoTime();

  CloudEventAttributes(String source) {
    this.source = source;
  }

  void forEach(OutboxRow row, Headers headers, BiConsumer<String, String> attribute) {
    attribute.accept("specversion", "1.0");
    attribute.accept("id", row.eventId());
    attribute.accept("source", source);
    attribute.accept("type", row.eventType());
    attribute.accept("time", time.format(row.createdAtMicros()));
    EventKey key = row.key();
    if (key != null) {
      attribute.accept("subject", key.aggregateId());
      attribute.accept("partitionkey", key.aggregateId());
      attribute.accept("aggregatetype", key.aggregateType());
    }
    attribute.accept("eventversion", Integer.toString(row.eventVersion()));
    ifKnown("correlationid", row.correlationId(), attribute);
    ifKnown("causationid", row.causationId(), attribute);
    ifKnown(TraceContext.TRACEPARENT, row.traceparent(), attribute);
    ifKnown(TraceContext.TRACESTATE, headers.get(TraceContext.TRACESTATE), attribute);
  }

  private static void ifKnown(
      String name, @Nullable String value, BiConsumer<String, String> attribute) {
    if (value != null) {
      attribute.accept(name, value);
    }
  }
}
