package io.waybill.internal.jdbc.inbox;

import java.util.Locale;

/** What kind of statement a text is, as far as its beginning tells. */
final class FirstWord {
  private FirstWord() {}

  /** In capitals; empty if it begins otherwise, as with a comment. */
  static String of(String text) {
    int first = 0;
    while (first < text.length() && isBefore(text.charAt(first))) {
      first++;
    }
    int last = first;
    while (last < text.length() && Character.isLetter(text.charAt(last))) {
      last++;
    }
    return text.substring(first, last).toUpperCase(Locale.ROOT);
  }

  private static boolean isBefore(char c) {
    return Character.isWhitespace(c) || c == '(';
  }

  /** Whether something stands behind a semicolon, be it in a literal. */
  static boolean isOneOfSeveral(String text) {
    int separator = text.indexOf(';');
    return separator >= 0 && !text.substring(separator + 1).isBlank();
  }
}
