package io.waybill.examples.wallet;

import io.micrometer.core.instrument.MeterRegistry;
import io.waybill.Preset;
import io.waybill.Waybill;
import io.waybill.kafka.KafkaBroker;
import io.waybill.message.Destination;
import io.waybill.micrometer.MicrometerRelayListener;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
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
    return Waybill.relay(name)
        .tables(database.outbox())
        .broker(KafkaBroker.at(bootstrap))
        .preset(Preset.WALLET)
        .retry(
            RetryPolicy.builder()
                .exponential(Duration.ofMillis(100), 2, Duration.ofMinutes(1))
                .attemptLimit(ATTEMPTS)
                .build())
        .failure(new FailurePolicy.Bury(Destination.topic(DEAD_LETTERS)))
        .listener(new MicrometerRelayListener(registry, name))
        .settings(settings -> settings.polling(polling))
        .start();
  }
}
