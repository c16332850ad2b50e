package io.waybill.examples.polyglot;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.waybill.server.relay.OtlpSpans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The SDK of OpenTelemetry for each service that runs in this process. Closing exports the rest.
 */
final class Telemetry implements AutoCloseable {
  private static final Duration EXPORT = Duration.ofMillis(500);

  private final String endpoint;
  private final List<OpenTelemetrySdk> started = new ArrayList<>();

  /** Spans go to the receiver of OTLP over HTTP at this URL. */
  Telemetry(String endpoint) {
    this.endpoint = endpoint;
  }

  OpenTelemetrySdk of(String service) {
    OpenTelemetrySdk sdk = OtlpSpans.to(endpoint, service, service, EXPORT);
    started.add(sdk);
    return sdk;
  }

  @Override
  public void close() {
    started.forEach(OpenTelemetrySdk::close);
  }
}
