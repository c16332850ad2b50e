package io.waybill.internal.encode;

import io.waybill.message.Header;
import org.jspecify.annotations.Nullable;

/**
 * Headers of one name whose values repeat from event to event. They are shared, so that a publisher
 * that keeps what it made of a header finds it again. A fixed number is remembered. Thread-safe:
 * headers are immutable, and which of two threads' headers stays does not matter.
 */
final class KnownHeaders {
  private static final int SLOTS = 1024;

  private final String name;
  private final @Nullable Header[] known = new Header[SLOTS];

  KnownHeaders(String name) {
    this.name = name;
  }

  Header of(String value) {
    int hash = value.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Header header = known[slot];
    if (header == null || !header.value().equals(value)) {
      header = new Header(name, value);
      known[slot] = header;
    }
    return header;
  }
}
