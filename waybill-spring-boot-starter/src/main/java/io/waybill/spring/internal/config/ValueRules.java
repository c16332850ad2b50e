package io.waybill.spring.internal.config;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;

/** What a text has to look like for a type. */
final class ValueRules {
  static final String NO_VALUE = "has no value: give one or remove the key";

  static final String SECTION = "must be a section with its own keys";

  private static final String DURATION_RULE =
      "must be a whole number with a unit (ms, s, m, h, d), for example 15s";
  private static final String SIZE_RULE =
      "must be a whole number with a unit (B, KB, MB, GB; 1KB is 1024 bytes), for example 32MB";
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
  private static final Pattern DURATION =
      Pattern.compile("[0-9]+(ns|us|ms|s|m|h|d)|P[0-9DTHMS.]+", Pattern.CASE_INSENSITIVE);
  private static final Pattern SIZE = Pattern.compile("[0-9]+(B|KB|MB|GB|TB)");
  // Nanoseconds of a longer time do not fit a long.
  private static final Duration LONGEST = Duration.ofDays(100_000);

  private ValueRules() {}

  /** The rule that a text breaks, or null. */
  static @Nullable String broken(Class<?> type, String text) {
    if (type == String.class) {
      return null;
    }
    if (text.isEmpty()) {
      return NO_VALUE;
    }
    if (type == int.class || type == Integer.class) {
      return number(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    if (type == long.class || type == Long.class) {
      return number(text, Long.MIN_VALUE, Long.MAX_VALUE);
    }
    if (type == boolean.class || type == Boolean.class) {
      String lower = text.toLowerCase(Locale.ROOT);
      return lower.equals("true") || lower.equals("false") ? null : "must be true or false";
    }
    if (type == Duration.class) {
      return duration(text);
    }
    if (type == DataSize.class) {
      return size(text);
    }
    if (type == Instant.class) {
      return instant(text);
    }
    return type.isEnum() ? choice(type, text) : null;
  }

  private static @Nullable String number(String text, long least, long most) {
    if (!NUMBER.matcher(text).matches()) {
      return "must be a whole number";
    }
    try {
      long number = Long.parseLong(text);
      return number >= least && number <= most ? null : within(least, most);
    } catch (NumberFormatException e) {
      return within(least, most);
    }
  }

  private static String within(long least, long most) {
    return "must be a whole number from " + least + " to " + most;
  }

  private static @Nullable String duration(String text) {
    if (!DURATION.matcher(text).matches()) {
      return DURATION_RULE;
    }
    String most = "must be at most " + LONGEST.toDays() + "d";
    try {
      return DurationStyle.detectAndParse(text).compareTo(LONGEST) > 0 ? most : null;
    } catch (IllegalArgumentException | ArithmeticException e) {
      return text.startsWith("P") ? DURATION_RULE : most;
    }
  }

  private static @Nullable String instant(String text) {
    try {
      Instant.parse(text);
      return null;
    } catch (DateTimeParseException e) {
      return "must be a time in UTC, for example 2026-01-31T08:00:00Z";
    }
  }

  private static @Nullable String size(String text) {
    if (!SIZE.matcher(text).matches()) {
      return SIZE_RULE;
    }
    try {
      DataSize.parse(text);
      return null;
    } catch (IllegalArgumentException e) {
      return "must be at most " + Long.MAX_VALUE + "B";
    }
  }

  static @Nullable String choice(Class<?> type, String text) {
    for (Object constant : type.getEnumConstants()) {
      if (Names.uniform(((Enum<?>) constant).name()).equals(Names.uniform(text))) {
        return null;
      }
    }
    return "must be one of " + Names.words(type);
  }
}
