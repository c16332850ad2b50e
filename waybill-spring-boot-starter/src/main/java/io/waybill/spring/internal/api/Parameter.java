package io.waybill.spring.internal.api;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of an operation.
 *
 * @param name its name in an address or a body
 * @param kind what it takes
 * @param required whether there is no answer without it
 * @param description one sentence
 * @param least least number; 0 unless it is a number
 * @param most largest number, or most characters of a text
 * @param usual number without it; null for none, or of another kind
 * @param choices what it may be; empty unless it is a choice
 */
record Parameter(
    String name,
    Kind kind,
    boolean required,
    String description,
    int least,
    int most,
    @Nullable Integer usual,
    List<String> choices) {
  private static final int LONGEST = 500;

  /** What a parameter takes. */
  enum Kind {
    /** Text. */
    TEXT,
    /** Text that no answer repeats. */
    CONTENT,
    /** Several texts, by repeating the parameter. */
    TEXTS,
    /** A whole number. */
    NUMBER,
    /** A point in time, as in 2026-01-31T12:00:00Z. */
    TIME,
    /** One of some words. */
    CHOICE
  }

  Parameter {
    choices = List.copyOf(choices);
  }

  static Parameter text(String name, String description) {
    return new Parameter(name, Kind.TEXT, false, description, 0, LONGEST, null, List.of());
  }

  static Parameter content(String name, int most, String description) {
    return new Parameter(name, Kind.CONTENT, false, description, 0, most, null, List.of());
  }

  static Parameter required(String name, String description) {
    return text(name, description).asRequired();
  }

  /** The same with a bound of its own. */
  Parameter atMost(int characters) {
    return new Parameter(name, kind, required, description, least, characters, usual, choices);
  }

  static Parameter texts(String name, int most, String description) {
    return new Parameter(name, Kind.TEXTS, false, description, 0, most, null, List.of());
  }

  static Parameter number(String name, int least, int most, int usual, String description) {
    return new Parameter(name, Kind.NUMBER, false, description, least, most, usual, List.of());
  }

  /** A number that nothing stands for. */
  static Parameter optional(String name, int least, int most, String description) {
    return new Parameter(name, Kind.NUMBER, false, description, least, most, null, List.of());
  }

  static Parameter time(String name, String description) {
    return new Parameter(name, Kind.TIME, false, description, 0, LONGEST, null, List.of());
  }

  static <E extends Enum<E>> Parameter choice(
      String name, Class<E> type, Stream<E> choices, String description) {
    return choice(
        name, choices.map(choice -> choice.name().toLowerCase(Locale.ROOT)).toList(), description);
  }

  static Parameter choice(String name, List<String> choices, String description) {
    return new Parameter(name, Kind.CHOICE, false, description, 0, LONGEST, null, choices);
  }

  /** The same, without which there is no answer. */
  Parameter asRequired() {
    return new Parameter(name, kind, true, description, least, most, usual, choices);
  }

  /** Where nothing is taken. */
  static void requireNone(Set<String> given) {
    given.stream()
        .findFirst()
        .ifPresent(
            name -> {
              throw ApiProblem.unknown(name, "");
            });
  }

  /** Its rule, for people. */
  @Nullable String rule() {
    return switch (kind) {
      case TEXT, CONTENT -> "must have at most %d characters".formatted(most);
      case TEXTS -> "may be given at most %d times".formatted(most);
      case NUMBER -> "must be a number from %d to %d".formatted(least, most);
      case TIME -> "must be a time like 2026-01-31T12:00:00Z, of the years 1 to 9999";
      case CHOICE -> "must be one of " + String.join(", ", choices);
    };
  }
}
