package io.waybill.rabbitmq;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a {@link RabbitPublisher}. Made by {@link #builder}, which checks it.
 *
 * @param addresses brokers as {@code host:port}, tried in order
 * @param virtualHost virtual host
 * @param credentials user and password, or client certificate
 * @param tls TLS setting, null for a plain connection
 * @param connections number of connections; the sends of one key always use the same one
 * @param window unconfirmed messages per connection
 * @param confirmTimeout longest wait for the broker's answer to a message, from its acceptance
 * @param connectTimeout limit of each step of connecting
 * @param heartbeat heartbeat interval; a dead peer is noticed within two
 * @param maxBackoff longest pause between two attempts to connect
 * @param maxMessageBytes largest body; larger ones are rejected without asking the broker
 * @param maxInFlightPerKey see {@link RabbitPublisherConfigBuilder#maxInFlightPerKey}
 * @param clientProperties properties of the connection that the broker shows
 * @param allowPlaintextPasswords whether a password may go to another machine in plaintext, also
 *     that of the management API
 */
public record RabbitPublisherConfig(
    List<String> addresses,
    String virtualHost,
    RabbitCredentials credentials,
    @Nullable RabbitTls tls,
    int connections,
    int window,
    Duration confirmTimeout,
    Duration connectTimeout,
    Duration heartbeat,
    Duration maxBackoff,
    int maxMessageBytes,
    int maxInFlightPerKey,
    Map<String, String> clientProperties,
    boolean allowPlaintextPasswords) {

  /** Copies the collections. */
  public RabbitPublisherConfig {
    addresses = List.copyOf(addresses);
    clientProperties = Map.copyOf(clientProperties);
  }

  /**
   * Starts with the defaults: {@code localhost:5672}, virtual host {@code /}, user guest.
   *
   * @return a builder
   */
  public static RabbitPublisherConfigBuilder builder() {
    return new RabbitPublisherConfigBuilder();
  }
}
