package io.waybill.server.relay;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.waybill.broker.Publisher;
import io.waybill.message.Transport;
import io.waybill.opentelemetry.BrokerClient;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.spring.autoconfigure.PublisherDecorator;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Spans of what the relay publishes, where the environment asks for them. */
final class Tracing implements PublisherDecorator, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);
  private static final String SERVICE = "waybill-relay";
  private static final Duration EXPORT = Duration.ofSeconds(1);

  private final OpenTelemetrySdk sdk;
  private final WaybillTracing tracing;
  private final Duration limit;

  /**
   * Starts exporting.
   *
   * @param relay name of the relay
   * @param limit longest time that the last spans have at the end
   */
  Tracing(String relay, Duration limit) {
    this.sdk = OtlpSpans.to(null, SERVICE, relay, EXPORT);
    this.tracing = WaybillTracing.of(sdk);
    this.limit = limit;
  }

  static boolean asked(Map<String, String> environment) {
    return OtlpSpans.asked(environment);
  }

  @Override
  public Publisher decorate(Publisher publisher, Transport transport) {
    return tracing.publisher(publisher, BrokerClient.of(transport));
  }

  /** Exports what is left, as far as that is done in time. */
  @Override
  public void close() {
    if (!sdk.shutdown().join(limit.toMillis(), TimeUnit.MILLISECONDS).isSuccess()) {
      LOG.warn("The last spans could not be exported in time; they are lost");
    }
  }
}
