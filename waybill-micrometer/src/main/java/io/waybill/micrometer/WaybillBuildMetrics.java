package io.waybill.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The gauge {@code waybill.build.info}: always 1, with the version of Waybill as its tag {@code
 * version}. Thread-safe.
 */
public final class WaybillBuildMetrics implements MeterBinder {
  private static final String FILE = "build.properties";

  /** Creates one; it has no settings. */
  public WaybillBuildMetrics() {}

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("waybill.build.info", () -> 1)
        .description("Which version of Waybill runs")
        .tag("version", version())
        .strongReference(true)
        .register(registry);
  }

  private static String version() {
    try (InputStream file = WaybillBuildMetrics.class.getResourceAsStream(FILE)) {
      Properties properties = new Properties();
      // A native image may have left it out: no reason not to start.
      if (file != null) {
        properties.load(file);
      }
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
