package io.waybill.rabbitmq;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects and checks the configuration of a {@link RabbitPublisher}. Not thread-safe. */
public final class RabbitPublisherConfigBuilder {
  private List<String> addresses = List.of("localhost:5672");
  private String virtualHost = "/";
  private RabbitCredentials credentials = new RabbitCredentials.Password("guest", "guest");
  private @Nullable RabbitTls tls;
  private int connections = 1;
  private int window = 1000;
  private Duration confirmTimeout = Duration.ofSeconds(10);
  private Duration connectTimeout = Duration.ofSeconds(5);
  private Duration heartbeat = Duration.ofSeconds(10);
  private Duration maxBackoff = Duration.ofSeconds(5);
  private int maxMessageBytes = 16 * 1024 * 1024;
  private int maxInFlightPerKey = 1;
  private Map<String, String> clientProperties = Map.of();
  private boolean allowPlaintextPasswords;

  RabbitPublisherConfigBuilder() {}

  /**
   * Brokers, tried in order. Default {@code localhost:5672}.
   *
   * @param value {@code host:port} each
   * @return this
   */
  public RabbitPublisherConfigBuilder addresses(List<String> value) {
    addresses = value;
    return this;
  }

  /**
   * Virtual host. Default {@code /}.
   *
   * @param value its name
   * @return this
   */
  public RabbitPublisherConfigBuilder virtualHost(String value) {
    virtualHost = value;
    return this;
  }

  /**
   * Credentials. Default guest/guest, which brokers accept from the loopback interface only.
   *
   * @param value password or certificate
   * @return this
   */
  public RabbitPublisherConfigBuilder credentials(RabbitCredentials value) {
    credentials = value;
    return this;
  }

  /**
   * TLS. Default none.
   *
   * @param value the setting, null for a plain connection
   * @return this
   */
  public RabbitPublisherConfigBuilder tls(@Nullable RabbitTls value) {
    tls = value;
    return this;
  }

  /**
   * Number of connections. Default 1.
   *
   * @param value 1 to 16
   * @return this
   */
  public RabbitPublisherConfigBuilder connections(int value) {
    connections = value;
    return this;
  }

  /**
   * Unconfirmed messages per connection. Default 1000.
   *
   * @param value 1 to 65536
   * @return this
   */
  public RabbitPublisherConfigBuilder window(int value) {
    window = value;
    return this;
  }

  /**
   * Longest wait for the broker's answer to a message. Default 10 s.
   *
   * @param value 100 ms to 10 min
   * @return this
   */
  public RabbitPublisherConfigBuilder confirmTimeout(Duration value) {
    confirmTimeout = value;
    return this;
  }

  /**
   * Limit of each step of connecting. Default 5 s.
   *
   * @param value 100 ms to 2 min
   * @return this
   */
  public RabbitPublisherConfigBuilder connectTimeout(Duration value) {
    connectTimeout = value;
    return this;
  }

  /**
   * Heartbeat interval. Default 10 s.
   *
   * @param value 1 s to 10 min, whole seconds
   * @return this
   */
  public RabbitPublisherConfigBuilder heartbeat(Duration value) {
    heartbeat = value;
    return this;
  }

  /**
   * Longest pause between two attempts to connect. Default 5 s.
   *
   * @param value 10 ms to 10 min
   * @return this
   */
  public RabbitPublisherConfigBuilder maxBackoff(Duration value) {
    maxBackoff = value;
    return this;
  }

  /**
   * Largest body. Default 16 MiB, the default of RabbitMQ 4.
   *
   * @param value 1 to 512 MiB, not above the broker's {@code max_message_size}
   * @return this
   */
  public RabbitPublisherConfigBuilder maxMessageBytes(int value) {
    maxMessageBytes = value;
    return this;
  }

  /**
   * Unconfirmed messages per key. Default 1: a full queue can refuse a message and accept its
   * successor. A higher number keeps the order of a key only while no message is refused: by a
   * queue, for lack of a binding, or for its size.
   *
   * @param value 1 to 65536
   * @return this
   */
  public RabbitPublisherConfigBuilder maxInFlightPerKey(int value) {
    maxInFlightPerKey = value;
    return this;
  }

  /**
   * Properties of the connection that the broker shows. Default none.
   *
   * @param value values by name: {@code connection_name}, {@code application}, {@code environment},
   *     {@code instance}, {@code version}
   * @return this
   */
  public RabbitPublisherConfigBuilder clientProperties(Map<String, String> value) {
    clientProperties = value;
    return this;
  }

  /**
   * Allows a password to go to another machine in plaintext, also that of the management API.
   * Default false: such settings are refused. Connections to the loopback interface are not
   * concerned.
   *
   * @param value whether it is allowed
   * @return this
   */
  public RabbitPublisherConfigBuilder allowPlaintextPasswords(boolean value) {
    allowPlaintextPasswords = value;
    return this;
  }

  /**
   * Checks the configuration.
   *
   * @return the configuration
   * @throws IllegalArgumentException when something is wrong; names every error with rule and value
   */
  public RabbitPublisherConfig build() {
    RabbitPublisherConfig config =
        new RabbitPublisherConfig(
            addresses,
            virtualHost,
            credentials,
            tls,
            connections,
            window,
            confirmTimeout,
            connectTimeout,
            heartbeat,
            maxBackoff,
            maxMessageBytes,
            maxInFlightPerKey,
            clientProperties,
            allowPlaintextPasswords);
    List<String> errors = ConfigCheck.errors(config);
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(
          "RabbitMQ publisher configuration: " + String.join("; ", errors));
    }
    return config;
  }
}
