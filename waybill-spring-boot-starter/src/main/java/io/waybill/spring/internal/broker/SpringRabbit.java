package io.waybill.spring.internal.broker;

import io.waybill.spring.internal.keys.BrokerContext;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/** What Waybill takes of {@code spring.rabbitmq}; the names are Spring Boot's. */
public record SpringRabbit(
    @DefaultValue("localhost") String host,
    @Nullable Integer port,
    @Nullable List<String> addresses,
    @DefaultValue("guest") String username,
    @DefaultValue("guest") String password,
    @Nullable String virtualHost,
    @Nullable @DurationUnit(ChronoUnit.SECONDS) Duration requestedHeartbeat,
    @Nullable Duration connectionTimeout,
    @DefaultValue Ssl ssl) {
  static final String PREFIX = "spring.rabbitmq";

  // Without a host there is an account or a virtual host at least.
  private static final List<String> ADDRESSES =
      Stream.of("addresses", "host", "port", "username", "virtual-host")
          .map((PREFIX + ".")::concat)
          .toList();

  /** Whether it says where RabbitMQ is. */
  static boolean hasAddress(BrokerContext context) {
    return context.hasAny(ADDRESSES);
  }

  record Ssl(
      @Nullable Boolean enabled,
      @Nullable String bundle,
      @Nullable String keyStore,
      @Nullable String keyStorePassword,
      @Nullable String trustStore,
      @Nullable String trustStorePassword,
      @DefaultValue("true") boolean verifyHostname) {}

  boolean tls() {
    return Boolean.TRUE.equals(ssl.enabled()) || (ssl.enabled() == null && ssl.bundle() != null);
  }
}
