package io.waybill.examples.polyshop;

import java.time.Duration;
import java.util.Map;

/**
 * How a service's outbox is published.
 *
 * @param source name of the service, in every envelope
 * @param batchSize most events per read
 * @param idleSleep pause between looks at an empty outbox
 * @param retrySleep first pause after a failed attempt; it doubles with each further one
 */
record PublisherSettings(String source, int batchSize, Duration idleSleep, Duration retrySleep) {
  private static final int MOST_BATCH = 8_000;
  private static final int LONGEST_SLEEP_MILLIS = 3_600_000;

  /**
   * Reads {@code BATCH_SIZE} (default 100), {@code IDLE_SLEEP_MS} (500) and {@code RETRY_SLEEP_MS}
   * (1000).
   *
   * @param source name of the service
   * @param environment variables
   * @throws IllegalArgumentException naming variable, rule and value
   */
  static PublisherSettings of(String source, Map<String, String> environment) {
    return new PublisherSettings(
        source,
        number(environment, "BATCH_SIZE", 100, MOST_BATCH),
        Duration.ofMillis(number(environment, "IDLE_SLEEP_MS", 500, LONGEST_SLEEP_MILLIS)),
        Duration.ofMillis(number(environment, "RETRY_SLEEP_MS", 1_000, LONGEST_SLEEP_MILLIS)));
  }

  private static int number(Map<String, String> environment, String name, int byDefault, int most) {
    String text = environment.get(name);
    if (text == null) {
      return byDefault;
    }
    // Few enough digits for an int.
    int value = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          name + " must be a whole number from 1 to " + most + ", but is '" + text + "'");
    }
    return value;
  }
}
