package io.waybill.server.assemble;

import io.waybill.message.Destination;
import io.waybill.observe.Finding;
import io.waybill.rabbitmq.RabbitChecks;
import io.waybill.rabbitmq.RabbitCredentials;
import io.waybill.rabbitmq.RabbitManagement;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitTls;
import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RabbitConfig;
import io.waybill.server.config.Secret;
import io.waybill.server.config.TlsConfig;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** RabbitMQ's side of an outbox. */
final class RabbitSide {
  private RabbitSide() {}

  static RabbitPublisherConfig config(RabbitConfig config, String relay) {
    TlsConfig tls = config.tls();
    Secret password = config.password();
    return RabbitPublisherConfig.builder()
        .addresses(config.addresses())
        .virtualHost(config.virtualHost())
        .credentials(
            new RabbitCredentials.Password(
                config.user(), password == null ? "guest" : password.reveal()))
        .tls(tls == null ? null : tls(tls))
        // Reading the configuration has warned of it.
        .allowPlaintextPasswords(true)
        .connections(config.connections())
        .window(config.window())
        .confirmTimeout(config.confirmTimeout())
        .connectTimeout(config.connectTimeout())
        .heartbeat(config.heartbeat())
        .maxMessageBytes(config.maxMessageBytes())
        .clientProperties(Map.of("connection_name", "waybill-" + relay))
        .build();
  }

  private static RabbitTls tls(TlsConfig tls) {
    Secret password = tls.keyStorePassword();
    return new RabbitTls(
        tls.caFile(), null, tls.keyStore(), password == null ? null : password.reveal(), true);
  }

  /** Declares the topology if there is one. */
  static List<Finding> declare(RabbitConfig config) {
    return config.topology() == null ? List.of() : checks(config).declare();
  }

  /** Checks the topology and what the routes need; changes nothing. */
  static List<Finding> check(RabbitConfig config, OutboxConfig outbox) {
    return checks(config).check(literal(outbox));
  }

  private static RabbitChecks checks(RabbitConfig config) {
    return new RabbitChecks(
        config(config, "checks"), topology(config.topology()), management(config));
  }

  /** Access to the management API, null if none is configured. */
  static @Nullable RabbitManagement management(RabbitConfig config) {
    RabbitConfig.Management management = config.management();
    return management == null
        ? null
        : new RabbitManagement(
            URI.create(management.url()), management.user(), management.password().reveal());
  }

  /** Destinations whose exchange, or queue, does not depend on the event. */
  static List<Destination> literal(OutboxConfig outbox) {
    Stream<Destination> routes =
        Destinations.routes(outbox)
            .filter(route -> !route.target().contains("{"))
            .map(
                route ->
                    Destination.exchange(
                        route.target(), route.routingKey().contains("{") ? "" : route.routingKey()))
            .filter(route -> !(route.target() + route.routingKey()).isEmpty());
    return Stream.concat(routes, Destinations.deadLetters(outbox)).distinct().toList();
  }

  private static RabbitTopology topology(io.waybill.server.config.@Nullable RabbitTopology config) {
    RabbitTopology.Builder topology = RabbitTopology.builder();
    if (config != null) {
      config
          .exchanges()
          .forEach(
              (name, type) ->
                  topology.exchange(name, RabbitTopology.ExchangeType.valueOf(type.name())));
      config
          .queues()
          .forEach(
              (name, type) -> topology.queue(name, RabbitTopology.QueueType.valueOf(type.name())));
      config
          .bindings()
          .forEach(
              binding -> topology.bind(binding.exchange(), binding.queue(), binding.routingKey()));
    }
    return topology.build();
  }
}
