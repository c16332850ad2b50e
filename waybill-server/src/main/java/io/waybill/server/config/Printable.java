package io.waybill.server.config;

/** Makes foreign text fit for a terminal or a log line. */
public final class Printable {
  private static final int MOST_CHARACTERS = 120;

  private Printable() {}

  /**
   * The text with control characters escaped, cut to a readable length.
   *
   * @param text any text
   * @return text without control characters
   */
  public static String of(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints().limit(MOST_CHARACTERS).forEach(c -> append(out, c));
    return text.codePointCount(0, text.length()) > MOST_CHARACTERS ? out + "..." : out.toString();
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
