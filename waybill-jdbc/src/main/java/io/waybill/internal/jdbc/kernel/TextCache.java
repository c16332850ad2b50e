package io.waybill.internal.jdbc.kernel;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Turns UTF-8 into strings, sharing short ones that repeat. Used by one thread. */
public final class TextCache {
  private static final int SLOTS = 1024;
  private static final int LONGEST = 1024;

  private final @Nullable Entry[] entries = new Entry[SLOTS];

  private record Entry(byte[] utf8, String text) {}

  public String text(byte[] utf8) {
    if (utf8.length > LONGEST) {
      return new String(utf8, StandardCharsets.UTF_8);
    }
    int hash = Arrays.hashCode(utf8);
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Entry known = entries[slot];
    if (known != null && Arrays.equals(known.utf8(), utf8)) {
      return known.text();
    }
    String text = new String(utf8, StandardCharsets.UTF_8);
    entries[slot] = new Entry(utf8, text);
    return text;
  }
}
