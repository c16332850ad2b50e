package io.waybill.internal.jdbc.kernel;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The largest size of a row whose contents are read. Of a larger row only the size is read: a
 * writer with the right to insert must not be able to fill a relay's memory. Immutable.
 *
 * @param maxBytes most bytes of payload, headers and texts together
 */
public record RowBound(int maxBytes) {
  /** The default bound for operators and relays: 16 MiB. */
  public static final RowBound USUAL = new RowBound(16 << 20);

  /**
   * Longest text that is read completely, in characters. Of a longer text, one character more than
   * that is read.
   */
  public static final int MAX_TEXT = 8_192;

  /** Checks the bound. */
  public RowBound {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, but is " + maxBytes);
    }
  }

  /** Bytes of some columns together. */
  public static String sum(Collection<String> columns) {
    return columns.stream()
        .map(column -> "coalesce(octet_length(" + column + "), 0)")
        .collect(Collectors.joining(" + "));
  }

  /** A column that comes as null if it alone is larger. */
  public String orNull(String column) {
    return "case when octet_length(%s) <= %d then %s end".formatted(column, maxBytes, column);
  }

  /** As much of a text as shows that it is too long. */
  public static String cut(String text) {
    return text.equals("null")
        ? text
        : "case when octet_length(%s) <= %d then %s else left(%s, %d) end"
            .formatted(text, MAX_TEXT, text, text, MAX_TEXT + 1);
  }

  /**
   * Whether a row was read completely.
   *
   * @param bytes bytes of the row
   * @param texts its texts, as far as they were read
   * @return false if the row is too large, or one of its texts
   */
  public boolean fits(long bytes, @Nullable String... texts) {
    for (String text : texts) {
      if (text != null && text.length() > MAX_TEXT) {
        return false;
      }
    }
    return bytes <= maxBytes;
  }
}
