package io.waybill.server.config;

import java.util.regex.Pattern;

/** Makes foreign text fit for a line of a terminal or a log. */
public final class Printable {
  private static final Pattern BREAK = Pattern.compile("\\s*(?:\\R|\\t)\\s*");

  private Printable() {}

  /**
   * The text as it is, with all control characters escaped.
   *
   * @param text any text
   * @return text without control characters
   */
  public static String of(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(out, c));
    return out.toString();
  }

  /**
   * The text in one line: line breaks and tabs as a space, other control characters escaped.
   *
   * @param text any text
   * @return text without control characters
   */
  public static String line(String text) {
    return of(BREAK.matcher(text).replaceAll(" ").strip());
  }

  private static void append(StringBuilder out, int codePoint) {
    int type = Character.getType(codePoint);
    boolean harmless =
        type != Character.CONTROL
            && type != Character.FORMAT
            && type != Character.LINE_SEPARATOR
            && type != Character.PARAGRAPH_SEPARATOR
            && type != Character.SURROGATE;
    if (harmless) {
      out.appendCodePoint(codePoint);
    } else {
      out.append(String.format("\\u%04x", codePoint));
    }
  }
}
