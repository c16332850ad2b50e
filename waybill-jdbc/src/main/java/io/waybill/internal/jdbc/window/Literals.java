package io.waybill.internal.jdbc.window;

import java.time.Instant;
import java.util.Collection;
import java.util.function.ToLongFunction;

/** Text forms of values that a statement casts to their type. */
final class Literals {
  private static final long MICROS = 1_000_000L;

  private Literals() {}

  static String numbers(Collection<? extends Number> numbers) {
    return numbers(numbers, Number::longValue);
  }

  static String numbers(long[] numbers) {
    StringBuilder text = new StringBuilder(2 + numbers.length * 8).append('{');
    for (long number : numbers) {
      if (text.length() > 1) {
        text.append(',');
      }
      text.append(number);
    }
    return text.append('}').toString();
  }

  static <T> String numbers(Collection<T> items, ToLongFunction<T> number) {
    return numbers(items.stream().mapToLong(number).toArray());
  }

  static String timestamp(long epochMicros) {
    long seconds = Math.floorDiv(epochMicros, MICROS);
    return Instant.ofEpochSecond(seconds, Math.floorMod(epochMicros, MICROS) * 1000).toString();
  }
}
