package io.waybill.server.relay;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.spring.autoconfigure.PublisherDecorator;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Spans of what the relay publishes, where the environment asks for them. */
final class Tracing implements PublisherDecorator, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);
  private static final String SERVICE = "waybill-relay";
  private static final Duration EXPORT = Duration.ofSeconds(1);

  private final OpenTelemetrySdk sdk;
  private final WaybillTracing tracing;
  private final Supplier<Duration> left;

  /**
   * Starts exporting.
   *
   * @param relay name of the relay
   * @param left time that the last spans have at the end, asked then
   */
  Tracing(String relay, Supplier<Duration> left) {
    this.sdk = OtlpSpans.to(null, SERVICE, relay, EXPORT);
    this.tracing = WaybillTracing.of(sdk);
    this.left = left;
  }

  static boolean asked(Map<String, String> environment) {
    return OtlpSpans.asked(environment);
  }

  @Override
  public Publisher decorate(Publisher publisher, BrokerClient client) {
    return tracing.publisher(publisher, client);
  }

  /** Exports what is left, as far as that is done in time. */
  @Override
  public void close() {
    long millis = Math.max(0, left.get().toMillis());
    if (!sdk.shutdown().join(millis, TimeUnit.MILLISECONDS).isSuccess()) {
      LOG.warn("The last spans could not be exported in time; they are lost");
    }
  }
}
