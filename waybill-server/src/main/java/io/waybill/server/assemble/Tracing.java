package io.waybill.server.assemble;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.waybill.broker.Publisher;
import io.waybill.message.Transport;
import io.waybill.opentelemetry.BrokerClient;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.server.config.TracingConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Spans of what the relay publishes, exported if configuration or environment say so. */
final class Tracing {
  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);
  private static final String SERVICE = "waybill-relay";
  private static final Duration EXPORT = Duration.ofSeconds(1);

  private final @Nullable OpenTelemetrySdk sdk;
  private final WaybillTracing tracing;

  private Tracing(@Nullable OpenTelemetrySdk sdk) {
    this.sdk = sdk;
    this.tracing = WaybillTracing.of(sdk == null ? OpenTelemetry.noop() : sdk);
  }

  static Tracing of(TracingConfig config, String relay) {
    String endpoint = config.endpoint();
    return endpoint == null && !OtlpSpans.asked(System.getenv())
        ? new Tracing(null)
        : new Tracing(OtlpSpans.to(endpoint, SERVICE, relay, EXPORT));
  }

  Publisher around(Publisher publisher, Transport transport) {
    return sdk == null ? publisher : tracing.publisher(publisher, BrokerClient.of(transport));
  }

  /** Exports what is left, as far as that is done in time. */
  void close(Duration limit) {
    if (sdk != null
        && !sdk.shutdown().join(Math.max(0, limit.toMillis()), TimeUnit.MILLISECONDS).isSuccess()) {
      LOG.warn("The last spans could not be exported in time; they are lost");
    }
  }
}
