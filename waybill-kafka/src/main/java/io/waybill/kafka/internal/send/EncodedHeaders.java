package io.waybill.kafka.internal.send;

import io.waybill.message.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Makes the client's headers, keeping a fixed number of those that come again. Guarded by the
 * publisher's lock.
 */
final class EncodedHeaders {
  private static final int SLOTS = 2048;

  // Ids, times and trace contexts are longer and hardly come again.
  private static final int LONGEST = 24;

  private final @Nullable Header[] headers = new Header[SLOTS];
  private final @Nullable RecordHeader[] encoded = new RecordHeader[SLOTS];

  RecordHeaders of(List<Header> list) {
    RecordHeader[] all = new RecordHeader[list.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = of(list.get(i));
    }
    return new RecordHeaders(all);
  }

  private RecordHeader of(Header header) {
    if (header.value().length() > LONGEST) {
      return encode(header);
    }
    int hash = 31 * header.name().hashCode() + header.value().hashCode();
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    RecordHeader known = encoded[slot];
    if (known == null || !header.equals(headers[slot])) {
      known = encode(header);
      headers[slot] = header;
      encoded[slot] = known;
    }
    return known;
  }

  private static RecordHeader encode(Header header) {
    return new RecordHeader(header.name(), header.value().getBytes(StandardCharsets.UTF_8));
  }
}
