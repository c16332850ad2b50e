package io.waybill.route;

import java.util.Locale;

/** What a template can do to a field. */
enum TextFunction {
  LOWER,
  UPPER,
  KEBAB,
  SNAKE;

  String apply(String text) {
    return switch (this) {
      case LOWER -> text.toLowerCase(Locale.ROOT);
      case UPPER -> text.toUpperCase(Locale.ROOT);
      case KEBAB -> words(text, '-');
      case SNAKE -> words(text, '_');
    };
  }

  String templateName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Words in lower case: camel humps, blanks, hyphens and underscores part them, dots stay. */
  private static String words(String text, char separator) {
    StringBuilder words = new StringBuilder(text.length() + 8);
    boolean pending = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '-' || c == '_' || c == ' ') {
        pending = true;
        continue;
      }
      if ((pending || startsWord(text, i)) && endsInWord(words)) {
        words.append(separator);
      }
      pending = false;
      words.append(Character.toLowerCase(c));
    }
    return words.toString();
  }

  private static boolean endsInWord(CharSequence words) {
    return words.length() > 0 && Character.isLetterOrDigit(words.charAt(words.length() - 1));
  }

  // A hump is an upper case letter after a lower case one, or the last of a run before one:
  // orderPlaced, HTTPServer.
  private static boolean startsWord(String text, int i) {
    if (i == 0 || !Character.isUpperCase(text.charAt(i))) {
      return false;
    }
    char before = text.charAt(i - 1);
    boolean lowerAfter = i + 1 < text.length() && Character.isLowerCase(text.charAt(i + 1));
    return Character.isLowerCase(before)
        || Character.isDigit(before)
        || (Character.isUpperCase(before) && lowerAfter);
  }
}
