package io.waybill.examples.polyshop;

import io.opentelemetry.api.OpenTelemetry;
import io.waybill.Preset;
import io.waybill.Waybill;
import io.waybill.kafka.KafkaBroker;
import io.waybill.message.Destination;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.Polling;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Publishes a service's outbox: Waybill's relay on the documented table. Temporary errors are
 * repeated with growing pauses; an event that Kafka refuses for good gets its {@code error_message}
 * and a copy in {@code <topic>.dlt}, and the next of its entity go on.
 */
final class OutboxPublisher implements AutoCloseable {
  /** Refusals after which an error counts as permanent; an outage is never a refusal. */
  static final int ATTEMPTS = 5;

  private static final Duration SHORTEST_POLL = Duration.ofMillis(5);
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final Waybill waybill;

  private OutboxPublisher(Waybill waybill) {
    this.waybill = waybill;
  }

  /** Starts publishing without spans. */
  static OutboxPublisher start(PublisherSettings settings, DataSource database, String bootstrap) {
    return start(settings, database, bootstrap, WaybillTracing.of(OpenTelemetry.noop()));
  }

  /** Starts publishing. */
  static OutboxPublisher start(
      PublisherSettings settings, DataSource database, String bootstrap, WaybillTracing tracing) {
    KafkaBroker kafka = KafkaBroker.at(bootstrap);
    return new OutboxPublisher(
        Waybill.relay(settings.source())
            .outbox(database)
            .preset(Preset.POLYSHOP)
            .source(settings.source())
            .broker(kafka)
            .decoratePublisher(publisher -> tracing.publisher(publisher, kafka.client()))
            .retry(retry(settings))
            .failures(OutboxPublisher::failed)
            .settings(bounds -> bounds.polling(polling(settings)))
            .start());
  }

  static Polling polling(PublisherSettings settings) {
    Duration idle = settings.idleSleep();
    Duration busy = idle.compareTo(SHORTEST_POLL) < 0 ? idle : SHORTEST_POLL;
    return Polling.adaptive(busy, idle).batch(settings.batchSize());
  }

  static RetryPolicy retry(PublisherSettings settings) {
    Duration first = settings.retrySleep();
    Duration longest = first.compareTo(LONGEST_RETRY) > 0 ? first : LONGEST_RETRY;
    return RetryPolicy.builder().exponential(first, 2, longest).attemptLimit(ATTEMPTS).build();
  }

  /** An event without a usable topic has none for its dead letter either. */
  private static FailurePolicy failed(String topic) {
    return new FailurePolicy.Bury(topic.isEmpty() ? null : Destination.topic(topic + ".dlt"));
  }

  /** Waits for confirmations, marks what is confirmed, and stops. */
  void stop() {
    waybill.stop(GRACE);
  }

  @Override
  public void close() {
    stop();
  }
}
