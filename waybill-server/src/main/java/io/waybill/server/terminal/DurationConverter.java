package io.waybill.server.terminal;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as in the configuration, up to a century. */
public final class DurationConverter implements ITypeConverter<Duration> {
  private static final Duration LONGEST = Duration.ofDays(36_525);

  /** For picocli. */
  public DurationConverter() {}

  @Override
  public Duration convert(String value) {
    if (!value.matches("[0-9]{1,9}(ms|s|m|h|d)")) {
      throw new TypeConversionException(
          "must be a whole number with a unit (ms, s, m, h, d), for example 15s, but is " + value);
    }
    Duration duration = DurationStyle.SIMPLE.parse(value);
    if (duration.compareTo(LONGEST) > 0) {
      throw new TypeConversionException(
          "must be at most %dd, but is %s".formatted(LONGEST.toDays(), value));
    }
    return duration;
  }
}
