package io.waybill.kafka;

import io.waybill.kafka.internal.Refusal;
import io.waybill.kafka.internal.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Settings of a {@link KafkaSubscriber}. All of them are checked at construction, and all errors
 * are listed in one {@link IllegalArgumentException}.
 *
 * @param bootstrapServers hosts and ports, separated by commas
 * @param groupId consumer group; all members have the same settings
 * @param topics topics to read
 * @param start where a group begins that has no position yet; default {@link Start#EARLIEST}
 * @param window messages of one partition that are delivered and not committed, at most; default
 *     1000, plus those of one poll
 * @param windowBytes bytes of keys and bodies of one partition that are delivered and not
 *     acknowledged, at most; default 16 MiB, plus those of one poll
 * @param commitInterval time between two commits; default 500 ms
 * @param revocationLimit how long {@link io.waybill.broker.SubscriberListener#revoked} may take;
 *     default 20 s. A process whose thread does not poll for twice that time and 30 s loses its
 *     partitions.
 * @param properties further client properties, from a list of allowed ones; values may be secret
 * @param allowPlaintextPasswords whether a password or a bearer token may go to another machine in
 *     plaintext; default false
 */
public record KafkaSubscriberConfig(
    String bootstrapServers,
    String groupId,
    List<String> topics,
    Start start,
    int window,
    int windowBytes,
    Duration commitInterval,
    Duration revocationLimit,
    Map<String, String> properties,
    boolean allowPlaintextPasswords) {

  /** Where a group begins in a partition in which it has no position. */
  public enum Start {
    /** With the oldest message that the broker has. */
    EARLIEST,
    /**
     * With messages from now on; those already stored are never delivered. Applies only to topics
     * in which the group has no position at all: added partitions begin with the oldest message.
     */
    LATEST,
    /** Not at all: the subscriber is unavailable until a position has been set. */
    REFUSE
  }

  /** Checks everything. */
  public KafkaSubscriberConfig {
    Objects.requireNonNull(bootstrapServers, "bootstrapServers");
    Objects.requireNonNull(groupId, "groupId");
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(commitInterval, "commitInterval");
    Objects.requireNonNull(revocationLimit, "revocationLimit");
    topics = List.copyOf(topics);
    properties = Map.copyOf(properties);
    List<String> errors = new ArrayList<>();
    KafkaPublisherConfig.checkServers(bootstrapServers, errors);
    checkNames(groupId, topics, errors);
    number("window", window, 1, 100_000, errors);
    number("windowBytes", windowBytes, 1, Integer.MAX_VALUE, errors);
    duration("commitInterval", commitInterval, 10, 60_000, errors);
    duration("revocationLimit", revocationLimit, 0, 600_000, errors);
    errors.addAll(ClientPropertyRules.consumer().check(properties));
    errors.addAll(BearerTokens.check(properties, KafkaPublisherConfig.class.getClassLoader()));
    if (!allowPlaintextPasswords) {
      errors.addAll(PlaintextPasswords.check(bootstrapServers, properties));
    }
    refuse(errors);
  }

  /**
   * Whether a client property may be set here.
   *
   * @param property its name
   * @return false for properties that Waybill sets itself and those that name classes to load
   */
  public static boolean takes(String property) {
    return ClientPropertyRules.consumer().takes(property);
  }

  private static void checkNames(String group, List<String> topics, List<String> errors) {
    if (group.isBlank() || group.length() > 249 || group.chars().anyMatch(c -> c < ' ')) {
      errors.add("groupId: must be 1 to 249 printable characters: '" + group.strip() + "'");
    }
    if (topics.isEmpty()) {
      errors.add("topics: must name at least one topic");
    }
    if (new HashSet<>(topics).size() < topics.size()) {
      errors.add("topics: must not repeat: " + topics);
    }
    for (String topic : topics) {
      Refusal refusal = TopicName.refusal(topic);
      if (refusal != null) {
        errors.add("topics: " + refusal.detail());
      }
    }
  }

  private static void number(String name, int value, int least, int most, List<String> errors) {
    if (value < least || value > most) {
      errors.add("%s: must be %d to %d: %d".formatted(name, least, most, value));
    }
  }

  private static void duration(
      String name, Duration value, long least, long most, List<String> errors) {
    if (value.compareTo(Duration.ofMillis(least)) < 0
        || value.compareTo(Duration.ofMillis(most)) > 0) {
      errors.add("%s: must be %d to %d ms: %s".formatted(name, least, most, value));
    }
  }

  private static void refuse(List<String> errors) {
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException("Kafka subscriber settings: " + String.join("; ", errors));
    }
  }

  /**
   * Starts with the defaults.
   *
   * @param bootstrapServers hosts and ports, separated by commas
   * @param groupId consumer group
   * @param topics topics to read
   * @return builder
   */
  public static Builder builder(String bootstrapServers, String groupId, List<String> topics) {
    return new Builder(bootstrapServers, groupId, topics);
  }

  /** Leaves out the values of the properties, which may be secret. */
  @Override
  public String toString() {
    return "KafkaSubscriberConfig[bootstrapServers=%s, groupId=%s, topics=%s, start=%s, window=%d, windowBytes=%d, commitInterval=%s, revocationLimit=%s, properties=%s]"
        .formatted(
            bootstrapServers,
            groupId,
            topics,
            start,
            window,
            windowBytes,
            commitInterval,
            revocationLimit,
            new TreeMap<>(properties).keySet());
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final String bootstrapServers;
    private final String groupId;
    private final List<String> topics;
    private final Map<String, String> properties = new TreeMap<>();
    private Start start = Start.EARLIEST;
    private int window = 1000;
    private int windowBytes = 16 * 1024 * 1024;
    private Duration commitInterval = Duration.ofMillis(500);
    private Duration revocationLimit = Duration.ofSeconds(20);
    private boolean allowPlaintextPasswords;

    private Builder(String bootstrapServers, String groupId, List<String> topics) {
      this.bootstrapServers = bootstrapServers;
      this.groupId = groupId;
      this.topics = topics;
    }

    /**
     * Sets where a group begins that has no position yet.
     *
     * @param value default {@link Start#EARLIEST}
     * @return this
     */
    public Builder start(Start value) {
      start = value;
      return this;
    }

    /**
     * Sets how many messages of one partition may be delivered and not committed.
     *
     * @param value 1 to 100,000
     * @return this
     */
    public Builder window(int value) {
      window = value;
      return this;
    }

    /**
     * Sets how many bytes of one partition may be delivered and not acknowledged.
     *
     * @param value bytes
     * @return this
     */
    public Builder windowBytes(int value) {
      windowBytes = value;
      return this;
    }

    /**
     * Sets the time between two commits.
     *
     * @param value 10 ms to 1 min
     * @return this
     */
    public Builder commitInterval(Duration value) {
      commitInterval = value;
      return this;
    }

    /**
     * Sets how long the listener may take to release partitions.
     *
     * @param value at most 10 min
     * @return this
     */
    public Builder revocationLimit(Duration value) {
      revocationLimit = value;
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
    public KafkaSubscriberConfig build() {
      KafkaSubscriberConfig config =
          new KafkaSubscriberConfig(
              bootstrapServers,
              groupId,
              topics,
              start,
              window,
              windowBytes,
              commitInterval,
              revocationLimit,
              properties,
              allowPlaintextPasswords);
      refuse(ConsumerProperties.check(config));
      return config;
    }
  }
}
