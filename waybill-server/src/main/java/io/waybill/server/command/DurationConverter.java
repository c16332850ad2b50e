package io.waybill.server.command;

import io.waybill.server.config.Units;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as in the configuration. */
final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String value) {
    return Units.duration(value)
        .orElseThrow(() -> new TypeConversionException(Units.DURATION_RULE + ", but is " + value));
  }
}
