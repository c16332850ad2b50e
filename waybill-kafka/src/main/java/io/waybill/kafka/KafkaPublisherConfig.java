package io.waybill.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link KafkaPublisher}. All of them are checked at construction, and all errors are
 * listed in one {@link IllegalArgumentException}.
 *
 * @param bootstrapServers hosts and ports, separated by commas
 * @param deliveryTimeout longest time the client tries to deliver a message; default 10 s, at least
 *     {@code requestTimeout} plus {@code linger.ms}
 * @param requestTimeout longest time the client waits for one answer of a broker; default 5 s
 * @param createTopics how missing topics are created; default null: they are not created
 * @param partitioner chooses the partition by the key where the route names none; default {@link
 *     StandardPartitioner#MURMUR2_RANDOM}, that of Java's client
 * @param properties further client properties, from a list of allowed ones; values may be secret
 * @param allowPlaintextPasswords whether a password or a bearer token may go to another machine in
 *     plaintext; default false
 */
public record KafkaPublisherConfig(
    String bootstrapServers,
    Duration deliveryTimeout,
    Duration requestTimeout,
    @Nullable NewTopicSettings createTopics,
    KeyPartitioner partitioner,
    Map<String, String> properties,
    boolean allowPlaintextPasswords) {
  /** Checks everything. */
  public KafkaPublisherConfig {
    Objects.requireNonNull(bootstrapServers, "bootstrapServers");
    Objects.requireNonNull(deliveryTimeout, "deliveryTimeout");
    Objects.requireNonNull(requestTimeout, "requestTimeout");
    Objects.requireNonNull(partitioner, "partitioner");
    properties = Map.copyOf(properties);
    List<String> errors = new ArrayList<>();
    checkServers(bootstrapServers, errors);
    checkTimeouts(deliveryTimeout, requestTimeout, errors);
    errors.addAll(ClientPropertyRules.producer().check(properties));
    errors.addAll(BearerTokens.check(properties, KafkaPublisherConfig.class.getClassLoader()));
    if (!allowPlaintextPasswords) {
      errors.addAll(PlaintextPasswords.check(bootstrapServers, properties));
    }
    if (errors.isEmpty()) {
      errors.addAll(
          ClientProperties.check(bootstrapServers, deliveryTimeout, requestTimeout, properties));
    }
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException("Kafka publisher settings: " + String.join("; ", errors));
    }
  }

  static void checkServers(String servers, List<String> errors) {
    for (String server : servers.split(",", -1)) {
      if (!server.strip().matches("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+):[0-9]{1,5}")) {
        errors.add("bootstrapServers: must be host:port, separated by commas: '" + server + "'");
      }
    }
  }

  private static void checkTimeouts(Duration delivery, Duration request, List<String> errors) {
    if (request.toMillis() < 100 || request.toMillis() > 60_000) {
      errors.add("requestTimeout: must be 100 ms to 60 s: " + request);
    }
    if (delivery.compareTo(request) < 0 || delivery.toMinutes() >= 10) {
      errors.add(
          "deliveryTimeout: must be at least requestTimeout ("
              + request
              + ") and under 10 min: "
              + delivery);
    }
  }

  /**
   * Whether a client property may be set here.
   *
   * @param property its name
   * @return false for properties that Waybill sets itself and those that name classes to load
   */
  public static boolean takes(String property) {
    return ClientPropertyRules.producer().takes(property);
  }

  /**
   * The client properties that may be set here.
   *
   * @return their names
   */
  public static Set<String> allowedProperties() {
    return ClientPropertyRules.producer().names();
  }

  /**
   * Starts with the defaults.
   *
   * @param bootstrapServers hosts and ports, separated by commas
   * @return builder
   */
  public static Builder builder(String bootstrapServers) {
    return new Builder(bootstrapServers);
  }

  /** The same with other client properties. */
  KafkaPublisherConfig withProperties(Map<String, String> other) {
    return new KafkaPublisherConfig(
        bootstrapServers,
        deliveryTimeout,
        requestTimeout,
        createTopics,
        partitioner,
        other,
        allowPlaintextPasswords);
  }

  /** Leaves out the values of the properties, which may be secret. */
  @Override
  public String toString() {
    return "KafkaPublisherConfig[bootstrapServers=%s, deliveryTimeout=%s, requestTimeout=%s, createTopics=%s, partitioner=%s, properties=%s]"
        .formatted(
            bootstrapServers,
            deliveryTimeout,
            requestTimeout,
            createTopics,
            partitioner,
            new TreeMap<>(properties).keySet());
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final String bootstrapServers;
    private final Map<String, String> properties = new TreeMap<>();
    private Duration deliveryTimeout = Duration.ofSeconds(10);
    private Duration requestTimeout = Duration.ofSeconds(5);
    private @Nullable NewTopicSettings createTopics;
    private boolean allowPlaintextPasswords;
    private KeyPartitioner partitioner = StandardPartitioner.MURMUR2_RANDOM;

    private Builder(String bootstrapServers) {
      this.bootstrapServers = bootstrapServers;
    }

    /**
     * Sets the delivery timeout.
     *
     * @param timeout longest time the client tries to deliver a message
     * @return this
     */
    public Builder deliveryTimeout(Duration timeout) {
      deliveryTimeout = timeout;
      return this;
    }

    /**
     * Sets the request timeout.
     *
     * @param timeout longest time the client waits for one answer of a broker
     * @return this
     */
    public Builder requestTimeout(Duration timeout) {
      requestTimeout = timeout;
      return this;
    }

    /**
     * Lets the publisher create topics that are missing.
     *
     * @param partitions number of partitions
     * @param replication replication factor, or -1 for the broker's default
     * @return this
     */
    public Builder createTopics(int partitions, int replication) {
      createTopics = NewTopicSettings.of(partitions, replication);
      return this;
    }

    /**
     * Sets the partitioner. A change of the partitioner moves keys to other partitions, where new
     * messages may overtake those that consumers have not read yet.
     *
     * @param chosen chooses the partition by the key
     * @return this
     */
    public Builder partitioner(KeyPartitioner chosen) {
      partitioner = chosen;
      return this;
    }

    /**
     * Sets a client property.
     *
     * @param name property, one of the allowed ones
     * @param value its value
     * @return this
     */
    public Builder property(String name, String value) {
      properties.put(name, value);
      return this;
    }

    /**
     * Sets client properties.
     *
     * @param more names and values
     * @return this
     */
    public Builder properties(Map<String, String> more) {
      properties.putAll(more);
      return this;
    }

    /**
     * Allows a password or a bearer token to go to another machine in plaintext. Default false:
     * such settings are refused. Connections to the loopback interface are not concerned.
     *
     * @param value whether they are allowed
     * @return this
     */
    public Builder allowPlaintextPasswords(boolean value) {
      allowPlaintextPasswords = value;
      return this;
    }

    /**
     * Checks and seals the settings.
     *
     * @return settings
     * @throws IllegalArgumentException naming each setting that breaks a rule
     */
    public KafkaPublisherConfig build() {
      return new KafkaPublisherConfig(
          bootstrapServers,
          deliveryTimeout,
          requestTimeout,
          createTopics,
          partitioner,
          properties,
          allowPlaintextPasswords);
    }
  }
}
