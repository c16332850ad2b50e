package io.waybill.console.internal.layout;

import io.waybill.spring.internal.api.Answers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts, numbers and times as pages show them. Templates escape them. */
public final class Shown {
  private static final int LONGEST = 1_000;
  private static final int LONGEST_WORD = 120;
  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Shown() {}

  /** A text from outside: bounded, with its control characters visible. */
  public static String text(@Nullable String text) {
    return text(text, LONGEST);
  }

  /** A name or an id from outside, for a cell of a table. */
  public static String name(@Nullable String text) {
    return text(text, LONGEST_WORD);
  }

  /** A text whose length is bounded already. */
  public static String whole(String text) {
    return text(text, Integer.MAX_VALUE);
  }

  private static String text(@Nullable String text, int longest) {
    String given = text == null ? "" : text;
    StringBuilder shown = new StringBuilder();
    given.codePoints().limit(longest).forEach(each -> append(shown, each));
    long more = given.codePointCount(0, given.length()) - (long) longest;
    return more > 0 ? shown + "… (" + more + " more characters)" : shown.toString();
  }

  /** Nothing that moves, hides or turns other text. */
  private static void append(StringBuilder shown, int point) {
    int kind = Character.getType(point);
    if (point != '\n' && (kind == Character.CONTROL || kind == Character.FORMAT)) {
      shown.append(String.format(Locale.ROOT, "\\u%04x", point));
    } else if (kind == Character.SURROGATE) {
      shown.append('\uFFFD');
    } else {
      shown.appendCodePoint(point);
    }
  }

  /** A key: both parts, or what takes its place. */
  public static String key(@Nullable String type, @Nullable String id) {
    return type == null && id == null ? "no key" : name(type) + "/" + name(id);
  }

  /** A number of events, which may be a bound. */
  public static String count(Answers.Count count) {
    return number(count.count()) + (count.more() ? "+" : "");
  }

  /** A whole number. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A size. */
  public static String bytes(long bytes) {
    return bytes < 1 << 20
        ? (bytes + 1023) / 1024 + " KiB"
        : String.format(Locale.ROOT, "%,.1f MiB", bytes / 1048576.0);
  }

  /** A short time, in seconds. */
  public static String seconds(long millis) {
    return String.format(Locale.ROOT, millis < 10_000 ? "%,.3f" : "%,.0f", millis / 1_000.0);
  }

  /** A number of events a second. */
  public static String rate(@Nullable Double rate) {
    return rate == null
        ? "not known"
        : rate < 10 ? String.format(Locale.ROOT, "%.1f", rate) : number(Math.round(rate));
  }

  /** A point in time, without its zone, which is UTC. */
  public static String utc(Instant at) {
    return UTC.format(at);
  }

  /** How long something has lasted. */
  public static String since(Instant at) {
    return duration(Duration.between(at, Instant.now()).toMillis());
  }

  /** A time that has passed. */
  public static String duration(long millis) {
    long seconds = Math.max(0, millis) / 1_000;
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 120 * 60) {
      return seconds / 60 + " min";
    }
    return seconds < 48 * 3_600 ? seconds / 3_600 + " h" : seconds / 86_400 + " d";
  }
}
