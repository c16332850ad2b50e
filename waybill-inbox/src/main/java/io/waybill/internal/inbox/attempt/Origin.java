package io.waybill.internal.inbox.attempt;

import io.waybill.broker.Delivery;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a message lies in a topic that keeps it, as {@code orders-3@15}. A deferred event has it
 * among its headers in the table, and nowhere else: its dead letter names it if it can't have the
 * body.
 */
public final class Origin {
  private static final String HEADER = "waybill-inbox-place";

  private Origin() {}

  /** Null for a message of a queue, which has it no more once it is acknowledged. */
  public static @Nullable String of(Delivery delivery) {
    return delivery.lane().equals(delivery.source())
        ? null
        : delivery.lane() + "@" + delivery.position();
  }

  /** The headers of a delivery as the table has them. */
  static Headers noted(Delivery delivery) {
    String place = of(delivery);
    if (place == null) {
      return delivery.headers();
    }
    List<Header> headers = new ArrayList<>(without(delivery.headers()).list());
    headers.add(new Header(HEADER, place));
    return new Headers(headers);
  }

  /** The place that headers in the table name. */
  public static @Nullable String in(Headers headers) {
    return headers.get(HEADER);
  }

  /** The headers as the message had them. */
  public static Headers without(Headers headers) {
    return headers.get(HEADER) == null
        ? headers
        : new Headers(
            headers.list().stream().filter(header -> !header.name().equals(HEADER)).toList());
  }
}
