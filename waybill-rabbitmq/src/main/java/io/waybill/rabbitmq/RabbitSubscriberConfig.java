package io.waybill.rabbitmq;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * Configuration of a {@link RabbitSubscriber}, checked at construction.
 *
 * @param connection how to connect: addresses, virtual host, credentials, TLS, time limits and
 *     client properties; settings for publishing are ignored. The subscriber opens its own
 *     connection with it
 * @param queues queues to consume from, each a lane
 * @param prefetch messages of one queue that are delivered and not acknowledged, at most; default
 *     250
 */
public record RabbitSubscriberConfig(
    RabbitPublisherConfig connection, List<String> queues, int prefetch) {
  private static final int MAX_NAME_BYTES = 255;
  private static final int MAX_PREFETCH = 65_535;

  /** Checks everything; names each error with rule and value. */
  public RabbitSubscriberConfig {
    Objects.requireNonNull(connection, "connection");
    queues = List.copyOf(queues);
    List<String> errors = new ArrayList<>(ConfigCheck.errors(connection));
    if (queues.isEmpty()) {
      errors.add("queues must name at least one queue, is empty");
    }
    if (new HashSet<>(queues).size() < queues.size()) {
      errors.add("queues must not repeat, is " + queues);
    }
    for (String queue : queues) {
      int bytes = queue.getBytes(StandardCharsets.UTF_8).length;
      if (bytes < 1 || bytes > MAX_NAME_BYTES) {
        errors.add("queues must have names of 1 to 255 bytes, has '" + queue + "'");
      }
    }
    if (prefetch < 1 || prefetch > MAX_PREFETCH) {
      errors.add("prefetch must be 1 to 65535, is " + prefetch);
    }
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(
          "RabbitMQ subscriber configuration: " + String.join("; ", errors));
    }
  }

  /**
   * Starts with the defaults.
   *
   * @param connection how to connect
   * @param queues queues to consume from
   * @return a builder
   */
  public static Builder builder(RabbitPublisherConfig connection, List<String> queues) {
    return new Builder(connection, queues);
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final RabbitPublisherConfig connection;
    private final List<String> queues;
    private int prefetch = 250;

    private Builder(RabbitPublisherConfig connection, List<String> queues) {
      this.connection = connection;
      this.queues = queues;
    }

    /**
     * Sets how many messages of one queue may be delivered and not acknowledged.
     *
     * @param value 1 to 65535
     * @return this
     */
    public Builder prefetch(int value) {
      prefetch = value;
      return this;
    }

    /**
     * Checks and seals the settings.
     *
     * @return the configuration
     * @throws IllegalArgumentException when something is wrong; names every error
     */
    public RabbitSubscriberConfig build() {
      return new RabbitSubscriberConfig(connection, queues, prefetch);
    }
  }
}
