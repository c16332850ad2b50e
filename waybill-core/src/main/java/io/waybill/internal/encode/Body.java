package io.waybill.internal.encode;

import io.waybill.message.Header;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one format makes of a row. */
sealed interface Body {
  /** The bytes, null for a tombstone, their media type, and headers of the format. */
  record Bytes(byte @Nullable [] bytes, String contentType, List<Header> attributes)
      implements Body {
    Bytes(byte @Nullable [] bytes, String contentType) {
      this(bytes, contentType, List.of());
    }
  }

  /** The rule that the row breaks. */
  record Refused(String rule) implements Body {}
}
