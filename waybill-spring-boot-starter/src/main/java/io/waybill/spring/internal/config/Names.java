package io.waybill.spring.internal.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Names of keys, which people write in several ways. */
final class Names {
  private static final String SIMPLE = "[a-z0-9][a-z0-9-]*";

  private Names() {}

  /**
   * One step of a key.
   *
   * @param text as it is written, without brackets
   * @param bracketed whether it stands in brackets
   */
  record Element(String text, boolean bracketed) {
    boolean index() {
      return bracketed && text.matches("[0-9]{1,9}");
    }
  }

  /** The steps of a key, with every sign that was written. */
  static List<Element> elements(String key) {
    List<Element> elements = new ArrayList<>();
    int at = 0;
    while (at < key.length()) {
      boolean bracketed = key.charAt(at) == '[' && key.indexOf(']', at) > 0;
      int end = bracketed ? key.indexOf(']', at) : end(key, at);
      String text = key.substring(bracketed ? at + 1 : at, end);
      if (bracketed || !text.isEmpty()) {
        elements.add(new Element(text, bracketed));
      }
      at = bracketed || (end < key.length() && key.charAt(end) == '.') ? end + 1 : end;
    }
    return elements;
  }

  private static int end(String key, int from) {
    int end = from + 1;
    while (end < key.length() && ".[".indexOf(key.charAt(end)) < 0) {
      end++;
    }
    return key.charAt(from) == '.' ? from : end;
  }

  /** A key of some steps, as it is written. */
  static String key(List<Element> elements) {
    StringBuilder key = new StringBuilder();
    for (Element element : elements) {
      if (element.bracketed()) {
        key.append('[').append(element.text()).append(']');
      } else {
        key.append(key.isEmpty() ? "" : ".").append(element.text());
      }
    }
    return key.toString();
  }

  /** What stays the same however a name is written: letters and digits. */
  static String uniform(String name) {
    StringBuilder out = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isLetterOrDigit(c)) {
        out.append(Character.toLowerCase(c));
      }
    }
    return out.toString();
  }

  /** A name that the user chose, below a key. */
  static String below(String key, String name) {
    return name.matches(SIMPLE) ? key + "." + name : key + "[" + name + "]";
  }

  /** The words of an enum, as they are written in a configuration. */
  static String words(Class<?> type) {
    List<String> words = new ArrayList<>();
    for (Object constant : type.getEnumConstants()) {
      words.add(((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
    return String.join(", ", words);
  }
}
