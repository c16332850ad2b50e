package io.waybill.spring.internal.broker;

import io.waybill.Preset;
import io.waybill.internal.text.Loopback;
import io.waybill.message.Transport;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitCredentials;
import io.waybill.rabbitmq.RabbitManagement;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitTls;
import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.rabbitmq.RabbitTopology.ExchangeType;
import io.waybill.rabbitmq.RabbitTopology.QueueType;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.properties.RabbitProperties;
import io.waybill.spring.properties.RabbitTopologyProperties;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.util.ClassUtils;

/**
 * RabbitMQ's settings: connection details or {@code spring.rabbitmq} where they say something, over
 * that {@code waybill.rabbitmq}.
 */
final class RabbitSource {
  /**
   * Where the keys stand that hold for the inbox, and for outboxes without a section of their own.
   */
  static final String PREFIX = "waybill.rabbitmq";

  private static final boolean DETAILS =
      ClassUtils.isPresent(
          "org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails",
          RabbitSource.class.getClassLoader());

  private final RabbitProperties own;
  private final String section;
  private final PlaintextPasswords plaintext;
  private final SpringRabbit spring;
  private final BrokerContext context;
  private List<String> addresses;
  private String username;
  private String password;
  private @Nullable String virtualHost;
  private @Nullable RabbitTls tls;

  private RabbitSource(RabbitProperties own, BrokerContext context, String section) {
    this.own = own;
    this.section = section;
    this.plaintext = new PlaintextPasswords(section, own.allowPlaintextPasswords());
    this.spring = context.bind(SpringRabbit.PREFIX, SpringRabbit.class);
    this.context = context;
    RabbitAddresses given = RabbitAddresses.of(spring);
    this.addresses = given.hosts();
    this.username = or(given.username(), spring.username());
    this.password = or(given.password(), spring.password());
    this.virtualHost = first(given.virtualHost(), spring.virtualHost());
    this.tls = given.tls() || spring.tls() ? tls(spring.ssl()) : null;
  }

  /**
   * Settings of connections.
   *
   * @param section where Waybill's own keys stand, for example {@code waybill.rabbitmq}
   * @param relay who connects
   */
  static RabbitBroker of(
      RabbitProperties own, BrokerContext context, String section, String relay) {
    RabbitSource source = new RabbitSource(own, context, section);
    if (DETAILS) {
      source.takeDetails();
    }
    source.takeOwn();
    Problems problems = new Problems();
    RabbitBroker broker =
        RabbitBroker.of(source.config(relay))
            .management(source.management())
            .topology(own.topology() == null ? null : topology(own.topology(), problems));
    problems.throwIfAny();
    return broker;
  }

  /** What is declared; what is missing is added to problems. */
  static RabbitTopology topology(RabbitTopologyProperties keys, Problems problems) {
    RabbitTopology.Builder topology = RabbitTopology.builder();
    if (keys.preset() == RabbitTopologyProperties.Preset.NOTIFICATION) {
      Preset.NOTIFICATION.destinations(Transport.RABBITMQ).forEach(topology::queueOf);
    }
    keys.exchanges()
        .forEach((name, each) -> topology.exchange(name, ExchangeType.valueOf(each.type().name())));
    keys.queues()
        .forEach((name, each) -> topology.queue(name, QueueType.valueOf(each.type().name())));
    for (int i = 0; i < keys.bindings().size(); i++) {
      RabbitTopologyProperties.Binding binding = keys.bindings().get(i);
      String key = "rabbitmq.topology.bindings[" + i + "]";
      if (binding.exchange() == null || binding.queue() == null) {
        problems.add(key + (binding.exchange() == null ? ".exchange" : ".queue"), "must be given");
      } else {
        topology.bind(binding.exchange(), binding.queue(), binding.routingKey());
      }
    }
    return topology.build();
  }

  private RabbitTls tls(SpringRabbit.Ssl ssl) {
    if (ssl.bundle() != null) {
      SslBundle bundle = context.bundle(ssl.bundle());
      return tls(bundle, ssl.verifyHostname());
    }
    return new RabbitTls(
        file(ssl.trustStore()),
        ssl.trustStorePassword(),
        file(ssl.keyStore()),
        ssl.keyStorePassword(),
        ssl.verifyHostname());
  }

  private static RabbitTls tls(SslBundle bundle, boolean verifyHostname) {
    SslOptions options = bundle.getOptions();
    return RabbitTls.of(
        bundle.createSslContext(),
        verifyHostname,
        new SSLParameters(options.getCiphers(), options.getEnabledProtocols()));
  }

  private @Nullable Path file(@Nullable String location) {
    return location == null ? null : context.file(location);
  }

  /** Of a container for tests or a service binding; otherwise the properties once more. */
  private void takeDetails() {
    RabbitConnectionDetails details = context.bean(RabbitConnectionDetails.class);
    if (details == null) {
      return;
    }
    addresses =
        details.getAddresses().stream().map(each -> each.host() + ":" + each.port()).toList();
    username = or(details.getUsername(), username);
    password = or(details.getPassword(), password);
    virtualHost = first(details.getVirtualHost(), virtualHost);
    SslBundle bundle = details.getSslBundle();
    if (bundle != null) {
      tls = tls(bundle, spring.ssl().verifyHostname());
    }
  }

  private void takeOwn() {
    addresses = or(own.addresses(), addresses);
    username = or(own.username(), username);
    password = or(own.password(), password);
    virtualHost = first(own.virtualHost(), virtualHost);
    if (own.sslBundle() != null) {
      tls = tls(context.bundle(own.sslBundle()), true);
    }
  }

  private @Nullable RabbitManagement management() {
    String url = own.managementUrl();
    try {
      return url == null
          ? null
          : checked(
              new RabbitManagement(
                  URI.create(url),
                  or(own.managementUsername(), username),
                  or(own.managementPassword(), password)));
    } catch (IllegalArgumentException e) {
      throw Problems.failure(
          List.of(section + ".management-url must be http(s)://host:port without credentials"), e);
    }
  }

  /** Spring connects to no management API: a password on its way is Waybill's doing. */
  private RabbitManagement checked(RabbitManagement management) {
    URI url = management.url();
    if ("http".equals(url.getScheme())
        && !Loopback.isHost(url.getHost())
        && !plaintext.allowed(false)) {
      throw Problems.failure(
          List.of(
              "%s.management-url must be https://, or the password would go to %s in plaintext; %s allows it"
                  .formatted(section, url.getHost(), plaintext.name())),
          null);
    }
    return management;
  }

  private RabbitCredentials credentials() {
    return switch (own.saslMechanism()) {
      case PLAIN -> new RabbitCredentials.Password(username, password);
      case EXTERNAL -> new RabbitCredentials.Certificate();
    };
  }

  /** Whether Waybill's keys say neither where RabbitMQ is nor who logs in. */
  private boolean isOfSpring() {
    return own.addresses() == null && own.username() == null && own.password() == null;
  }

  private RabbitPublisherConfig config(String relay) {
    long bytes = own.maxMessageBytes().toBytes();
    Problems problems = new Problems();
    problems.between("rabbitmq.max-message-bytes", bytes, 1, Integer.MAX_VALUE);
    problems.throwIfAny();
    Duration connect = first(own.connectTimeout(), spring.connectionTimeout());
    Duration heartbeat = first(own.heartbeat(), spring.requestedHeartbeat());
    try {
      return RabbitPublisherConfig.builder()
          .addresses(addresses)
          .virtualHost(virtualHost == null ? "/" : virtualHost)
          .credentials(credentials())
          .tls(tls)
          .connections(own.connections())
          .window(own.window())
          .confirmTimeout(own.confirmTimeout())
          .connectTimeout(connect == null ? Duration.ofSeconds(5) : connect)
          .heartbeat(heartbeat == null ? Duration.ofSeconds(10) : heartbeat)
          .maxMessageBytes((int) bytes)
          .clientProperties(Map.of("connection_name", "waybill-" + relay))
          .allowPlaintextPasswords(plaintext.allowed(isOfSpring()))
          .build();
    } catch (IllegalArgumentException e) {
      String message = plaintext.named(String.valueOf(e.getMessage()));
      throw Problems.failure(List.of(message + " (from " + section + ", else spring.rabbitmq)"), e);
    }
  }

  private static <T> T or(@Nullable T value, T fallback) {
    return value == null ? fallback : value;
  }

  private static <T> @Nullable T first(@Nullable T value, @Nullable T fallback) {
    return value == null ? fallback : value;
  }
}
