package io.waybill.spring.internal.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** Makes foreign text fit for a terminal or a log line. */
public final class Printable {
  private static final int MOST_CHARACTERS = 2_000;

  private static final Pattern BREAK = Pattern.compile("\\s*(?:\\R|\\t)\\s*");

  private Printable() {}

  /**
   * The text in one line, whole: line breaks and tabs as a space, other control characters escaped.
   *
   * @param text any text
   * @return text without control characters
   */
  public static String line(String text) {
    StringBuilder out = new StringBuilder(text.length());
    BREAK.matcher(text).replaceAll(" ").strip().codePoints().forEach(c -> append(out, c));
    return out.toString();
  }

  /**
   * The text with its control characters escaped; a page of it at most.
   *
   * @param text any text
   * @return text without control characters
   */
  public static String of(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints().limit(MOST_CHARACTERS).forEach(c -> append(out, c));
    int length = text.codePointCount(0, text.length());
    return length > MOST_CHARACTERS ? out + "... (" + length + " characters)" : out.toString();
  }

  private static void append(StringBuilder out, int codePoint) {
    switch (codePoint) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (harmless(Character.getType(codePoint))) {
          out.appendCodePoint(codePoint);
        } else {
          out.append(String.format(Locale.ROOT, "\\u%04x", codePoint));
        }
      }
    }
  }

  private static boolean harmless(int type) {
    return type != Character.CONTROL
        && type != Character.FORMAT
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR
        && type != Character.SURROGATE;
  }
}
