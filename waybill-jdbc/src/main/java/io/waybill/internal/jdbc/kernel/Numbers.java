package io.waybill.internal.jdbc.kernel;

import org.jspecify.annotations.Nullable;

/** Numbers that people type. */
final class Numbers {
  private Numbers() {}

  static @Nullable Long parse(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
