package io.waybill.torture;

import io.waybill.admin.Admin;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OutboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.MySqlAppend;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import io.waybill.proof.oracle.Spy;
import io.waybill.torture.Planned.Content;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Waybill's own table, on any pair. */
final class OwnTable implements OutboxTable {
  static final List<String> TYPES = List.of("torture.first", "torture.second", "torture.third");
  // First and second have one exchange, so that either can be in trouble while the other is not.
  private static final String ALONE = "torture.third";
  private static final String AGED = "torture.aged";
  private static final String UNPUBLISHED = " and published_at is null";
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
    SchemaOptions options = SchemaOptions.ofDefaults();
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
  public String exchange(String destination) {
    return destination.equals(ALONE) ? ALONE : "torture";
  }

  @Override
  public String configuration() {
    return """
    on-published: %s
    retry: {attempts: 4}
    limits: {max-event-bytes: 950KB}
    routes:
      default: %s
    """
            .formatted(
                keep ? "keep" : "delete",
                kafka
                    ? "{target: \"{eventType}\"}"
                    : "{target: torture, routing-key: \"{eventType}\"}")
        + (kafka
            ? ""
            : "  types: {\"[%s]\": {target: %1$s, routing-key: %1$s}}%n".formatted(ALONE));
  }

  @Override
  public String destination(int key) {
    return key < OldEvents.KEYS ? TYPES.get(key % TYPES.size()) : AGED;
  }

  @Override
  public Optional<Aging> aging() {
    return kafka ? Optional.of(new Aging(AGED, age())) : Optional.empty();
  }

  private String age() {
    return database == DatabaseKind.POSTGRESQL
        ? """
        update waybill_outbox set created_at = created_at - ? * interval '1 hour',
          available_at = clock_timestamp() + ? * interval '1 second' where event_id = ?"""
        : """
        update waybill_outbox set created_at = created_at - interval ? hour,
          available_at = utc_timestamp(6) + interval ? second where event_id = ?""";
  }

  @Override
  public Optional<Admin> admin(ConnectionFactory connections) {
    Layout layout = keep ? Layouts.WAYBILL_KEEP : Layouts.WAYBILL;
    OutboxTables tables =
        database == DatabaseKind.POSTGRESQL
            ? PostgresOutbox.of(connections, PostgresOptions.ofDefaults())
            : TableOutbox.of(connections, layout, database, TableOptions.defaults(layout));
    return Optional.of(tables.admin());
  }

  @Override
  public Optional<String> byHand(Hand hand) {
    boolean postgres = database == DatabaseKind.POSTGRESQL;
    String remove = "delete from waybill_outbox where event_id = ?";
    String mark =
        """
        update waybill_outbox set published = true, published_at = utc_timestamp(6)
        where event_id = ?""";
    String record =
        """
        insert into waybill_published (id, row_created)
        select id, (extract(epoch from created_at) * 1000000)::bigint
        from waybill_outbox where event_id = ?""";
    String forget =
        """
        delete from waybill_row_state
        where row_id = (select id from waybill_outbox where event_id = ?)""";
    return switch (hand) {
      case REMOVE -> Optional.of(remove);
      case MARK -> Optional.of(!postgres ? mark : keep ? record : remove);
      case CHANGE ->
          Optional.of(
              """
              update waybill_outbox set payload = ?, content_type = 'application/json',
                headers = null where event_id = ?""");
      case SET_BACK -> Optional.of(forget);
      // Of a dead row, PostgreSQL's own table notices that at the next start only.
      case REVIVE -> postgres ? Optional.empty() : Optional.of(forget);
      case AGAIN ->
          postgres || !keep
              ? Optional.empty()
              : Optional.of(
                  """
                  update waybill_outbox set published = false, published_at = null
                  where event_id = ?""");
    };
  }

  @Override
  public void append(Connection connection, List<Planned> events) throws SQLException {
    outbox.append(connection, events.stream().map(this::event).toList());
  }

  private Event event(Planned planned) {
    Content content = planned.content();
    byte[] payload = content.payload();
    Event.Builder event =
        Event.builder(destination(planned.key()), "account", Integer.toString(planned.key()))
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

  /** The time of publishing decides, which a person may have written while a row was parked. */
  @Override
  public String unsettled() {
    return "select count(*) from waybill_outbox_status where status <> 'PUBLISHED'" + UNPUBLISHED;
  }

  @Override
  public String dead() {
    return "select count(*) from waybill_outbox_status where status = 'DEAD'";
  }

  @Override
  public String parked() {
    return "select count(*) from waybill_outbox_status where (status = 'PARKED' or held)"
        + UNPUBLISHED;
  }

  @Override
  public Optional<String> traces() {
    return Optional.of(
        """
        select (select count(*) from waybill_row_state) + (select count(*) from waybill_held)""");
  }

  @Override
  public String published() {
    return "select event_id from waybill_outbox_status where status = 'PUBLISHED'";
  }

  @Override
  public int connections() {
    return keep ? 5 : 4;
  }

  @Override
  public boolean keeps() {
    return keep;
  }
}
