package io.waybill.examples.wallet;

import io.micrometer.core.instrument.MeterRegistry;
import io.waybill.Waybill;
import io.waybill.encode.Encoder;
import io.waybill.encode.Format;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.message.Destination;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.micrometer.MicrometerRelayListener;
import io.waybill.relay.FailurePolicy;
import io.waybill.relay.RelayRules;
import io.waybill.relay.RoutedMapper;
import io.waybill.retry.RetryPolicy;
import io.waybill.route.Route;
import io.waybill.route.Routes;
import io.waybill.store.Polling;
import java.time.Duration;

/**
 * What sends the outbox to Kafka in place of the scheduled method: in batches, with backoff, a
 * counted number of attempts and dead letters, by any number of workers.
 */
final class WalletRelay {
  /** Topic of what Kafka refused too often. */
  static final String DEAD_LETTERS = "wallet.dlt";

  /** As documented; see {@link Polling#adaptive()} for the other choice. */
  static final Polling EVERY_FIVE_SECONDS = Polling.fixedRate(Duration.ofSeconds(5));

  private static final int ATTEMPTS = 5;

  private WalletRelay() {}

  /** Starts a worker. Its meters carry its name. */
  static Waybill start(
      String name,
      WalletDatabase database,
      String bootstrap,
      Polling polling,
      MeterRegistry registry) {
    return Waybill.builder()
        .name(name)
        .tables(database.outbox())
        .publisher(() -> new KafkaPublisher(KafkaPublisherConfig.builder(bootstrap).build()))
        .rules(rules())
        .listener(new MicrometerRelayListener(registry, name))
        .settings(settings -> settings.polling(polling))
        .start();
  }

  private static RelayRules rules() {
    Routes routes =
        Routes.builder(Transport.KAFKA)
            .byDefault(Route.to(OutboxService.destination("{eventType}")).build())
            .build();
    Encoder encoder = Encoder.builder(Transport.KAFKA).byDefault(Format.RAW).build();
    RetryPolicy retries =
        RetryPolicy.builder()
            .exponential(Duration.ofMillis(100), 2, Duration.ofMinutes(1))
            .attemptLimit(ATTEMPTS)
            .build();
    return new RelayRules(
        new RoutedMapper(routes, encoder, EventLimits.ofDefaults()),
        retries,
        destination -> new FailurePolicy.Bury(Destination.topic(DEAD_LETTERS)));
  }
}
