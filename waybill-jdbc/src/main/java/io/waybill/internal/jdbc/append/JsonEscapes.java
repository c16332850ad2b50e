package io.waybill.internal.jdbc.append;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Escapes in a well-formed JSON text that PostgreSQL's {@code jsonb} does not take. */
final class JsonEscapes {
  private JsonEscapes() {}

  /** The rule that is broken, or null. */
  static @Nullable String broken(byte[] json) {
    boolean highBefore = false;
    for (int i = 0; i < json.length; i++) {
      int unit = -1;
      if (json[i] == '\\') {
        i++;
        if (json[i] == 'u') {
          unit = Integer.parseInt(new String(json, i + 1, 4, StandardCharsets.US_ASCII), 16);
          i += 4;
        }
      }
      if (unit == 0) {
        return "must not contain \\u0000, which jsonb does not accept";
      }
      boolean low = unit >= 0 && Character.isLowSurrogate((char) unit);
      if (low != highBefore) {
        return "must not contain half of a surrogate pair, which jsonb does not accept";
      }
      highBefore = unit >= 0 && Character.isHighSurrogate((char) unit);
    }
    return null;
  }
}
