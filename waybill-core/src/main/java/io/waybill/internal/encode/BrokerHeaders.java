package io.waybill.internal.encode;

import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.store.OutboxRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The headers that every message has, whatever its format. Thread-safe. */
final class BrokerHeaders {
  private static final int MOST_OWN = 11;
  private static final Header REPLAY = new Header("waybill-replay", "true");
  private static final Header VERSION_1 = new Header("waybill-event-version", "1");

  private final IsoTime time = new IsoTime();
  private final KnownHeaders types = new KnownHeaders("waybill-event-type");
  private final KnownHeaders aggregateTypes = new KnownHeaders("waybill-aggregate-type");
  private final KnownHeaders aggregateIds = new KnownHeaders("waybill-aggregate-id");
  private final KnownHeaders contentTypes = new KnownHeaders("content-type");

  List<Header> of(OutboxRow row, Headers headers, Body.Bytes body) {
    List<Header> list =
        new ArrayList<>(MOST_OWN + body.attributes().size() + headers.list().size());
    list.add(new Header("waybill-event-id", row.eventId()));
    list.add(types.of(row.eventType()));
    list.add(version(row.eventVersion()));
    EventKey key = row.key();
    if (key != null) {
      list.add(aggregateTypes.of(key.aggregateType()));
      list.add(aggregateIds.of(key.aggregateId()));
    }
    addIfKnown(list, "waybill-correlation-id", row.correlationId());
    addIfKnown(list, "waybill-causation-id", row.causationId());
    addIfKnown(list, "traceparent", row.traceparent());
    list.add(new Header("waybill-created-at", time.format(row.createdAtMicros())));
    list.add(contentTypes.of(body.contentType()));
    if (row.replay()) {
      list.add(REPLAY);
    }
    list.addAll(body.attributes());
    list.addAll(headers.list());
    return list;
  }

  private static Header version(int version) {
    return version == 1
        ? VERSION_1
        : new Header("waybill-event-version", Integer.toString(version));
  }

  private static void addIfKnown(List<Header> list, String name, @Nullable String value) {
    if (value != null) {
      list.add(new Header(name, value));
    }
  }
}
