package io.waybill.broker;

import io.waybill.message.Transport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The client that sends or receives, for spans: attributes of OpenTelemetry's semantic conventions
 * for messaging. Immutable.
 *
 * <pre>{@code
 * BrokerClient.of(Transport.KAFKA).clientId("orders-relay").server("kafka.example.com", 9092)
 * }</pre>
 *
 * @param transport kind of broker: {@code messaging.system.name}
 * @param clientId {@code messaging.client.id}, or null
 * @param serverAddress {@code server.address}, or null
 * @param serverPort {@code server.port}, or null
 * @param consumerGroup {@code messaging.consumer.group.name} of a consumer on Kafka, or null
 */
public record BrokerClient(
    Transport transport,
    @Nullable String clientId,
    @Nullable String serverAddress,
    @Nullable Integer serverPort,
    @Nullable String consumerGroup) {
  /** Checks that the kind of broker is given. */
  public BrokerClient {
    Objects.requireNonNull(transport, "transport");
  }

  /**
   * Creates a client of which nothing else is known.
   *
   * @param transport kind of broker
   * @return the client
   */
  public static BrokerClient of(Transport transport) {
    return new BrokerClient(transport, null, null, null, null);
  }

  /**
   * The same with a client id.
   *
   * @param id as the broker knows it
   * @return changed copy
   */
  public BrokerClient clientId(@Nullable String id) {
    return new BrokerClient(transport, id, serverAddress, serverPort, consumerGroup);
  }

  /**
   * The same with a server. Leave it out for a cluster with several addresses, since it is not
   * known which of them receives a message.
   *
   * @param address host name or IP address
   * @param port its port
   * @return changed copy
   */
  public BrokerClient server(String address, int port) {
    return new BrokerClient(transport, clientId, address, port, consumerGroup);
  }

  /**
   * The same with the server of a list, if it is the only one.
   *
   * @param servers hosts and ports, {@code host:port}, separated by commas
   * @return changed copy, or this one for another number of servers
   */
  public BrokerClient servers(String servers) {
    int colon = servers.lastIndexOf(':');
    if (colon < 0 || servers.contains(",")) {
      return this;
    }
    // IPv6 addresses are in brackets there, and without them in attributes.
    String address = servers.substring(0, colon).trim().replaceAll("^\\[(.*)]$", "$1");
    return server(address, Integer.parseInt(servers.substring(colon + 1).trim()));
  }

  /**
   * The same with a consumer group.
   *
   * @param group group of a consumer on Kafka
   * @return changed copy
   */
  public BrokerClient consumerGroup(@Nullable String group) {
    return new BrokerClient(transport, clientId, serverAddress, serverPort, group);
  }
}
