package io.waybill.spring.properties;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * RabbitMQ, where it is to differ from {@code spring.rabbitmq}.
 *
 * @param addresses nodes to try in turn, host:port
 * @param virtualHost virtual host
 * @param username user name
 * @param password its password
 * @param sslBundle name of an SSL bundle
 * @param saslMechanism how the relay authenticates: plain by user name and password, external by
 *     the certificate of the SSL bundle
 * @param allowPlaintextPasswords whether the password may go to another machine in plaintext;
 *     default: false, true where address and login are those of spring.rabbitmq
 * @param connections number of connections; the events of one key use the same one
 * @param window most unconfirmed messages per connection
 * @param confirmTimeout longest time between a send and its outcome
 * @param connectTimeout bound on each step of connecting
 * @param heartbeat interval of heartbeats
 * @param maxMessageBytes largest body that is sent
 * @param managementUrl address of the management API, http(s)://host:port, which reveals policies
 *     that make queues drop messages
 * @param managementUsername user for it, which needs the tag monitoring; default: the same user
 * @param managementPassword password of that user; default: the same password
 * @param topology exchanges, queues and bindings that the relay declares before it starts; default:
 *     those of a layout, else everything has to exist
 */
public record RabbitProperties(
    @Nullable List<String> addresses,
    @Nullable String virtualHost,
    @Nullable String username,
    @Nullable String password,
    @Nullable String sslBundle,
    @DefaultValue("plain") SaslMechanism saslMechanism,
    @Nullable Boolean allowPlaintextPasswords,
    @DefaultValue("1") int connections,
    @DefaultValue("1000") int window,
    @DefaultValue("10s") Duration confirmTimeout,
    @Nullable Duration connectTimeout,
    @Nullable Duration heartbeat,
    @DefaultValue("16MB") DataSize maxMessageBytes,
    @Nullable String managementUrl,
    @Nullable String managementUsername,
    @Nullable String managementPassword,
    @Nullable @NestedConfigurationProperty RabbitTopologyProperties topology) {
  /** How a client authenticates. */
  public enum SaslMechanism {
    /** By user name and password. */
    PLAIN,
    /** By its certificate, which names the user. */
    EXTERNAL
  }

  /** Leaves out the passwords. */
  @Override
  public String toString() {
    return "RabbitProperties[addresses=%s, virtualHost=%s, username=%s, sslBundle=%s]"
        .formatted(addresses, virtualHost, username, sslBundle);
  }
}
