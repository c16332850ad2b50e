package io.waybill.internal.text;

import org.jspecify.annotations.Nullable;

/**
 * Quotes foreign text for messages and logs. The text is shortened, and everything that a terminal
 * or a log format could interpret is escaped.
 */
public final class Quoted {
  private static final int SHOWN = 64;

  private Quoted() {}

  /**
   * Shows a text.
   *
   * @param text any text, or null
   * @return at most about 64 of its characters, plain characters unchanged
   */
  public static String of(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    StringBuilder shown = new StringBuilder(Math.min(text.length(), SHOWN) + 2).append('"');
    text.codePoints().limit(SHOWN).forEach(codePoint -> append(shown, codePoint));
    shown.append('"');
    if (text.codePointCount(0, text.length()) > SHOWN) {
      shown.append("... (").append(text.length()).append(" characters)");
    }
    return shown.toString();
  }

  private static void append(StringBuilder shown, int codePoint) {
    if (codePoint == '"' || codePoint == '\\') {
      shown.append('\\').appendCodePoint(codePoint);
    } else if (isPlain(codePoint)) {
      shown.appendCodePoint(codePoint);
    } else if (codePoint <= 0xffff) {
      shown.append(String.format("\\u%04x", codePoint));
    } else {
      shown.append(String.format("\\u{%x}", codePoint));
    }
  }

  private static boolean isPlain(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
