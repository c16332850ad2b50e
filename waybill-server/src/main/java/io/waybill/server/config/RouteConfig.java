package io.waybill.server.config;

import io.waybill.encode.Format;
import io.waybill.message.RecordTime;
import io.waybill.route.InvalidRouteException;
import io.waybill.route.Route;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where events go and in which form. Texts are templates over the row's fields.
 *
 * @param target Kafka topic or RabbitMQ exchange
 * @param routingKey RabbitMQ routing key, empty on Kafka
 * @param partition Kafka partition, null for the key's own
 * @param timestamp the time of a Kafka record
 * @param headers further headers
 * @param format form of the message
 */
public record RouteConfig(
    String target,
    String routingKey,
    @Nullable String partition,
    RecordTime timestamp,
    Map<String, String> headers,
    Format format) {
  /** Copies the headers. */
  public RouteConfig {
    headers = Map.copyOf(headers);
  }

  static RouteConfig read(Section section, boolean kafka) {
    if (!section.has("target")) {
      section.problem("target", "must be given");
    }
    if (kafka && section.has("routing-key")) {
      section.problem("routing-key", "is for RabbitMQ: Kafka has a target alone");
    }
    if (!kafka && section.has("partition")) {
      section.problem("partition", "is for Kafka");
    }
    if (!kafka && section.has("timestamp")) {
      section.problem("timestamp", "is for Kafka: RabbitMQ's is the creation time");
    }
    RouteConfig config =
        new RouteConfig(
            section.text("target").orElse(""),
            section.text("routing-key").orElse(""),
            section.text("partition").orElse(null),
            section.choice("timestamp", RecordTime.class, RecordTime.SENT),
            section.texts("headers"),
            section.choice("format", Format.class, Format.RAW));
    if (kafka && section.has("target") && config.target.isEmpty()) {
      section.problem("target", "must not be empty");
    }
    config.check(section);
    section.done();
    return config;
  }

  /**
   * The route itself.
   *
   * @return templates, parsed
   * @throws InvalidRouteException if one is wrong; the configuration has been checked for that
   */
  public Route route() {
    Route.Builder route = Route.to(target).routingKey(routingKey).timestamp(timestamp);
    if (partition != null) {
      route.partition(partition);
    }
    headers.forEach(route::header);
    return route.build();
  }

  /** Each part alone, so that all that is wrong is listed. */
  private void check(Section section) {
    check(section, "target", () -> Route.to(target));
    check(section, "routing-key", () -> Route.to("x").routingKey(routingKey));
    String template = partition;
    if (template != null) {
      check(section, "partition", () -> Route.to("x").partition(template));
    }
    Section named = section.section("headers");
    headers.forEach((name, value) -> check(named, name, () -> Route.to("x").header(name, value)));
  }

  private static void check(Section section, String key, Runnable parse) {
    try {
      parse.run();
    } catch (InvalidRouteException e) {
      section.problem(key, "is not a route: " + e.getMessage());
    }
  }
}
