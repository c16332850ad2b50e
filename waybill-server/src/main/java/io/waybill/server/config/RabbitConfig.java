package io.waybill.server.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ.
 *
 * @param addresses nodes to try in turn, host:port
 * @param virtualHost virtual host
 * @param user user name
 * @param password its password, null for the client's own
 * @param tls TLS, null for plaintext
 * @param confirmTimeout bound on one confirm
 * @param topology what is declared at start, null to check only
 */
public record RabbitConfig(
    List<String> addresses,
    String virtualHost,
    String user,
    @Nullable Secret password,
    @Nullable TlsConfig tls,
    Duration confirmTimeout,
    @Nullable RabbitTopology topology)
    implements BrokerConfig {
  /** Copies the addresses. */
  public RabbitConfig {
    addresses = List.copyOf(addresses);
  }

  @Override
  public Duration deliveryTimeout() {
    return confirmTimeout;
  }

  static RabbitConfig read(Section section) {
    List<String> addresses = Addresses.read(section, "addresses");
    TlsConfig tls = TlsConfig.read(section);
    RabbitConfig config =
        new RabbitConfig(
            addresses,
            section.text("virtual-host", "/"),
            section.text("user", "guest"),
            section.secret("password"),
            tls,
            section.duration(
                "confirm-timeout",
                Duration.ofSeconds(10),
                Duration.ofMillis(500),
                Duration.ofMinutes(10)),
            RabbitTopology.read(section));
    Addresses.warnAboutPlaintext(section, "addresses", addresses, tls != null);
    section.done();
    return config;
  }
}
