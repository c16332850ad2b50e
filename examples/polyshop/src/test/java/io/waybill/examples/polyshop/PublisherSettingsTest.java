package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.policy.Backoff;
import io.waybill.store.Polling;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublisherSettingsTest {
  @Test
  void hasDefaults() {
    assertThat(PublisherSettings.of("order-service", Map.of()))
        .isEqualTo(
            new PublisherSettings(
                "order-service", 100, Duration.ofMillis(500), Duration.ofSeconds(1)));
  }

  @Test
  void batchSizeAndSleepsSetTheRelay() {
    PublisherSettings settings =
        PublisherSettings.of(
            "order-service",
            Map.of("BATCH_SIZE", "7", "IDLE_SLEEP_MS", "250", "RETRY_SLEEP_MS", "40"));

    assertThat(OutboxPublisher.polling(settings))
        .isEqualTo(Polling.adaptive(Duration.ofMillis(5), Duration.ofMillis(250)).batch(7));
    assertThat(OutboxPublisher.retry(settings).backoff())
        .isEqualTo(new Backoff.Exponential(Duration.ofMillis(40), 2, Duration.ofMinutes(5)));
  }

  @Test
  void theShortestAndTheLongestSleepsWork() {
    PublisherSettings shortest =
        PublisherSettings.of("s", Map.of("IDLE_SLEEP_MS", "1", "RETRY_SLEEP_MS", "3600000"));

    assertThat(OutboxPublisher.polling(shortest).rhythm())
        .isEqualTo(new Polling.Rhythm.Adaptive(Duration.ofMillis(1), Duration.ofMillis(1)));
    assertThat(OutboxPublisher.retry(shortest).backoff())
        .isEqualTo(new Backoff.Exponential(Duration.ofHours(1), 2, Duration.ofHours(1)));
  }

  @ParameterizedTest
  @CsvSource({
    "BATCH_SIZE, 0, 8000",
    "BATCH_SIZE, 8001, 8000",
    "BATCH_SIZE, many, 8000",
    "BATCH_SIZE, '', 8000",
    "IDLE_SLEEP_MS, -1, 3600000",
    "IDLE_SLEEP_MS, 5s, 3600000",
    "RETRY_SLEEP_MS, 99999999999, 3600000"
  })
  void refusesBadValuesWithNameRuleAndValue(String name, String value, int most) {
    assertThatThrownBy(() -> PublisherSettings.of("order-service", Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            name + " must be a whole number from 1 to " + most + ", but is '" + value + "'");
  }
}
