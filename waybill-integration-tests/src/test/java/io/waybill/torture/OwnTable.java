package io.waybill.torture;

import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import io.waybill.jdbc.dialect.MySqlAppend;
import io.waybill.jdbc.dialect.PostgresAppend;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.testkit.oracle.Spy;
import io.waybill.torture.Planned.Content;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Waybill's own table, on any pair. */
final class OwnTable implements OutboxTable {
  static final List<String> TYPES = List.of("torture.first", "torture.second");
  private static final String TOMBSTONE = "waybill-tombstone";
  // The last one RabbitMQ adds when it delivers a message again.
  private static final Set<String> NOT_THE_EVENTS =
      Set.of("content-type", "traceparent", "x-delivery-count");

  private final DatabaseKind database;
  private final boolean kafka;
  private final boolean keep;
  private final Outbox outbox;

  OwnTable(Pair pair, boolean keep) {
    this.database = pair.database();
    this.kafka = pair.kafka();
    this.keep = keep;
    this.outbox =
        Outbox.of(
            database == DatabaseKind.POSTGRESQL
                ? PostgresAppend.ofDefaults()
                : MySqlAppend.ofDefaults());
  }

  @Override
  public void create(Connection connection) throws SQLException {
    SchemaOptions options = SchemaOptions.defaults();
    Schema.of(
            database,
            database == DatabaseKind.POSTGRESQL ? options : options.schema(connection.getCatalog()))
        .apply(connection);
  }

  @Override
  public List<String> destinations() {
    return TYPES;
  }

  @Override
  public String exchange() {
    return "torture";
  }

  @Override
  public String configuration() {
    return """
    on-published: %s
    routes:
      default: %s
    """
        .formatted(
            keep ? "keep" : "delete",
            kafka
                ? "{target: \"{eventType}\"}"
                : "{target: torture, routing-key: \"{eventType}\"}");
  }

  @Override
  public void append(Connection connection, List<Planned> events) throws SQLException {
    outbox.append(connection, events.stream().map(OwnTable::event).toList());
  }

  private static Event event(Planned planned) {
    Content content = planned.content();
    byte[] payload = content.payload();
    Event.Builder event =
        Event.builder(
                TYPES.get(planned.key() % TYPES.size()), "account", Integer.toString(planned.key()))
            .id(planned.id())
            .payload(
                payload == null ? Payload.tombstone() : Payload.of(payload, content.contentType()));
    content.headers().forEach(event::header);
    return event.build();
  }

  @Override
  public Spy.Fingerprint fingerprint() {
    return OwnTable::hash;
  }

  static String hash(Spy.Message message) {
    Map<String, String> own = new HashMap<>(message.headers());
    own.keySet().removeIf(name -> name.startsWith("waybill-") || NOT_THE_EVENTS.contains(name));
    String key = message.headers().getOrDefault("waybill-aggregate-id", "none");
    String type = message.headers().getOrDefault("content-type", "none");
    boolean tombstone = message.headers().containsKey(TOMBSTONE);
    return Planned.hash(key, new Content(tombstone ? null : message.body(), type, own));
  }

  @Override
  public boolean anyBytes() {
    return true;
  }

  @Override
  public String prefix() {
    return "waybill_";
  }

  @Override
  public String unsettled() {
    return "select count(*) from waybill_outbox_status where status <> 'PUBLISHED'";
  }

  @Override
  public String dead() {
    return "select count(*) from waybill_outbox_status where status = 'DEAD'";
  }

  @Override
  public String parked() {
    return "select count(*) from waybill_outbox_status where status = 'PARKED' or held";
  }

  @Override
  public String published() {
    return "select event_id from waybill_outbox_status where status = 'PUBLISHED'";
  }

  @Override
  public int connections() {
    return keep ? 4 : 3;
  }

  @Override
  public boolean keeps() {
    return keep;
  }
}
