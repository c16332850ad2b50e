package io.waybill.server.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where events go and in which form. Texts are templates over the row's fields.
 *
 * @param target Kafka topic or RabbitMQ exchange
 * @param routingKey RabbitMQ routing key, empty on Kafka
 * @param partition Kafka partition, null for the key's own
 * @param headers further headers
 * @param format form of the message
 */
public record RouteConfig(
    String target,
    String routingKey,
    @Nullable String partition,
    Map<String, String> headers,
    Format format) {
  /** Copies the headers. */
  public RouteConfig {
    headers = Map.copyOf(headers);
  }

  /** Form of the message. */
  public enum Format {
    /** The payload alone. */
    RAW,
    /** Event id, type, aggregate and payload. */
    GENERIC,
    /** Data and metadata. */
    ENVELOPE,
    /** CloudEvents, all in the body. */
    CLOUDEVENTS_STRUCTURED,
    /** CloudEvents, attributes in headers. */
    CLOUDEVENTS_BINARY
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
    RouteConfig config =
        new RouteConfig(
            section.text("target").orElse(""),
            section.text("routing-key").orElse(""),
            section.text("partition").orElse(null),
            section.texts("headers"),
            section.choice("format", Format.class, Format.RAW));
    if (kafka && section.has("target") && config.target.isEmpty()) {
      section.problem("target", "must not be empty");
    }
    section.done();
    return config;
  }
}
