package io.waybill.spring.internal.keys;

import io.waybill.spring.properties.OutboxProperties;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.spring.properties.WaybillProperties.Broker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An outbox with its settings, whichever keys they have: those of {@code waybill.outboxes.NAME}, or
 * the short ones of a single outbox.
 *
 * @param name its name
 * @param properties its settings
 * @param relay name of its relay in tables, logs and threads
 * @param single whether it has the short keys
 */
public record ConfiguredOutbox(
    String name, OutboxProperties properties, String relay, boolean single) {
  // Of the short keys these stand below waybill.relay and waybill.outbox, all others below waybill.
  private static final Map<String, String> OF_RELAY =
      Map.of("database.query-timeout", "relay.query-timeout", "database.pooler", "relay.pooler");
  private static final Set<String> OF_OUTBOX =
      Set.of(
          "data-source",
          "layout",
          "columns",
          "order",
          "record",
          "table",
          "side-tables",
          "time-range",
          "on-published",
          "retention",
          "listen");

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** All outboxes, in the order of their names. */
  public static List<ConfiguredOutbox> of(WaybillProperties all, String relay) {
    return of(all, relay, DocumentKeys.NONE);
  }

  /** The same, with the keys that the documents of a layout have. */
  static List<ConfiguredOutbox> of(WaybillProperties all, String relay, DocumentKeys documented) {
    if (all.outboxes().isEmpty()) {
      OutboxProperties only = only(all, documented);
      return List.of(new ConfiguredOutbox(all.outbox().name(), only, relay, true));
    }
    return new TreeMap<>(all.outboxes())
        .entrySet().stream()
            .map(
                each ->
                    new ConfiguredOutbox(
                        each.getKey(),
                        inheriting(each.getValue(), all, documented),
                        relay + "-" + each.getKey(),
                        false))
            .toList();
  }

  /** Whether its tables are reached by connections of its own, and no transaction writes to it. */
  public boolean relayedOnly() {
    return properties.database().url() != null;
  }

  /** A key as it is written in properties. */
  public String key(String key) {
    if (!single) {
      return "waybill.outboxes." + name + "." + key;
    }
    return "waybill."
        + (OF_OUTBOX.contains(key.split("\\.", 2)[0])
            ? "outbox." + key
            : OF_RELAY.getOrDefault(key, key));
  }

  /** What it does not say about its broker is taken from the keys for all. */
  private static OutboxProperties inheriting(
      OutboxProperties own, WaybillProperties all, DocumentKeys documented) {
    return new OutboxProperties(
        own.primary(),
        own.dataSource(),
        own.database(),
        own.schema(),
        own.layout(),
        own.columns(),
        own.order(),
        own.record(),
        own.table(),
        own.sideTables(),
        own.timeRange(),
        own.onPublished(),
        own.retention(),
        own.listen(),
        broker(own, all),
        own.kafka() == null ? all.kafka() : own.kafka(),
        own.rabbitmq() == null ? all.rabbitmq() : own.rabbitmq(),
        own.routes(),
        own.failure(),
        own.retry(),
        documented.poll(own.layout(), own.poll(), own.limits().maxRows()),
        own.limits());
  }

  private static @Nullable Broker broker(OutboxProperties own, WaybillProperties all) {
    if (own.broker() != null) {
      return own.broker();
    }
    if ((own.kafka() == null) == (own.rabbitmq() == null)) {
      return own.kafka() == null ? all.broker() : null;
    }
    return own.kafka() == null ? Broker.RABBITMQ : Broker.KAFKA;
  }

  private static OutboxProperties only(WaybillProperties all, DocumentKeys documented) {
    WaybillProperties.Outbox outbox = all.outbox();
    OutboxProperties.Database database =
        new OutboxProperties.Database(
            null,
            null,
            null,
            Map.of(),
            null,
            false,
            CONNECT_TIMEOUT,
            all.relay().queryTimeout(),
            all.relay().pooler());
    return new OutboxProperties(
        true,
        outbox.dataSource(),
        database,
        all.schema(),
        outbox.layout(),
        outbox.columns(),
        outbox.order(),
        outbox.record(),
        outbox.table(),
        outbox.sideTables(),
        outbox.timeRange(),
        outbox.onPublished(),
        outbox.retention(),
        outbox.listen(),
        all.broker(),
        all.kafka(),
        all.rabbitmq(),
        all.routes(),
        all.failure(),
        all.retry(),
        documented.poll(outbox.layout(), all.poll(), all.limits().maxRows()),
        all.limits());
  }
}
