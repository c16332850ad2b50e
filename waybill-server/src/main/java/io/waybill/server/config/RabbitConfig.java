package io.waybill.server.config;

import io.waybill.message.Transport;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ.
 *
 * @param addresses nodes to try in turn, host:port
 * @param virtualHost virtual host
 * @param user user name
 * @param password its password, null for the client's own
 * @param tls TLS, null for plaintext
 * @param connections number of connections; the events of one key take the same one
 * @param window most unconfirmed messages per connection
 * @param confirmTimeout bound on one confirm
 * @param connectTimeout bound on each step of connecting
 * @param heartbeat interval of heartbeats
 * @param maxMessageBytes largest body that is sent
 * @param management where queue policies are checked, null to leave them unseen
 * @param topology what is declared at start, null to check only
 */
public record RabbitConfig(
    List<String> addresses,
    String virtualHost,
    String user,
    @Nullable Secret password,
    @Nullable TlsConfig tls,
    int connections,
    int window,
    Duration confirmTimeout,
    Duration connectTimeout,
    Duration heartbeat,
    int maxMessageBytes,
    @Nullable Management management,
    @Nullable RabbitTopology topology)
    implements BrokerConfig {
  private static final Pattern URL = Pattern.compile("https?://[^/@?]+/?");

  /** Copies the addresses. */
  public RabbitConfig {
    addresses = List.copyOf(addresses);
  }

  /**
   * Access to the management API.
   *
   * @param url address without path and credentials
   * @param user user with the tag monitoring
   * @param password its password
   */
  public record Management(String url, String user, Secret password) {}

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
            section.number("connections", 1, 1, 16),
            section.number("window", 1_000, 1, 65_536),
            seconds(section, "confirm-timeout", 10),
            seconds(section, "connect-timeout", 5),
            seconds(section, "heartbeat", 10),
            (int) section.size("max-message-bytes", 16L << 20, 1, 512L << 20),
            management(section),
            RabbitTopology.read(section));
    Addresses.warnAboutPlaintext(section, "addresses", addresses, tls != null);
    section.done();
    return config;
  }

  private static Duration seconds(Section section, String key, int fallback) {
    return section.duration(
        key, Duration.ofSeconds(fallback), Duration.ofSeconds(1), Duration.ofMinutes(2));
  }

  private static @Nullable Management management(Section parent) {
    if (!parent.has("management")) {
      return null;
    }
    Section section = parent.section("management");
    String url =
        section.required("url", URL, "must be http(s)://host:port without path and credentials");
    Secret password = section.secret("password");
    Management management =
        new Management(
            url, section.text("user", "guest"), password == null ? new Secret("guest") : password);
    section.done();
    return management;
  }

  @Override
  public Transport transport() {
    return Transport.RABBITMQ;
  }
}
