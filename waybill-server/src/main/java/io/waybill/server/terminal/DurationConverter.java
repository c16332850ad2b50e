package io.waybill.server.terminal;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as in the configuration. */
public final class DurationConverter implements ITypeConverter<Duration> {
  /** For picocli. */
  public DurationConverter() {}

  @Override
  public Duration convert(String value) {
    if (!value.matches("[0-9]{1,9}(ms|s|m|h|d)")) {
      throw new TypeConversionException(
          "must be a whole number with a unit (ms, s, m, h, d), for example 15s, but is " + value);
    }
    return DurationStyle.SIMPLE.parse(value);
  }
}
