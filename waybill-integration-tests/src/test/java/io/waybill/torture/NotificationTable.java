package io.waybill.torture;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layouts;
import io.waybill.proof.oracle.Spy;
import io.waybill.torture.Planned.Content;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The notification outbox with its record of events, whose writer knows nothing of Waybill. */
final class NotificationTable implements OutboxTable {
  private static final List<String> TYPES = List.of("RESTAURANT", "CUSTOMER", "AGENCY", "ADMIN");
  private static final String PAYLOAD = "\"payload\":";
  private static final String KEY = "\"aggregate_id\":";

  private final DatabaseKind database;

  NotificationTable(DatabaseKind database) {
    this.database = database;
  }

  @Override
  public void create(Connection connection) throws SQLException {
    DatabaseKind kind = database;
    TableSchema.run(connection, TableSchema.documentedTable("notification", kind));
    SideNames names = SideNames.of(Layouts.NOTIFICATION);
    TableSchema.of(Layouts.NOTIFICATION, kind, names, 1).apply(connection);
  }

  @Override
  public List<String> destinations() {
    return TYPES.stream().map(type -> "notification." + type.toLowerCase(Locale.ROOT)).toList();
  }

  @Override
  public String exchange(String destination) {
    return "notifications.exchange";
  }

  @Override
  public String configuration() {
    return "layout: notification";
  }

  @Override
  public void append(Connection connection, List<Planned> events) throws SQLException {
    String sql =
        """
        insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        values (?, 'ORDER_CREATED', ?, ?, %s)"""
            .formatted(database == DatabaseKind.POSTGRESQL ? "cast(? as json)" : "?");
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      // One statement each: rows of one statement have the same time on MariaDB, and no order.
      for (Planned event : events) {
        insert.setString(1, event.id());
        insert.setString(2, TYPES.get(event.key() % TYPES.size()));
        insert.setLong(3, event.key());
        insert.setString(4, text(event.content().payload()));
        insert.executeUpdate();
      }
    }
  }

  private static String text(byte @Nullable [] payload) {
    return new String(Objects.requireNonNull(payload, "payload"), StandardCharsets.UTF_8);
  }

  @Override
  public Spy.Fingerprint fingerprint() {
    return NotificationTable::hash;
  }

  /** The payload is the last member of the documented message, and has to be there as written. */
  static String hash(Spy.Message message) {
    byte[] bytes = message.body();
    String body = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    int payload = body.indexOf(PAYLOAD);
    int key = body.indexOf(KEY);
    if (payload < 0 || key < 0 || key > payload || !body.endsWith("}")) {
      return "not the documented message";
    }
    String id = body.substring(key + KEY.length(), body.indexOf(',', key));
    String text = body.substring(payload + PAYLOAD.length(), body.length() - 1);
    byte[] carried = text.strip().getBytes(StandardCharsets.UTF_8);
    return Planned.hash(id, new Content(carried, "application/json", Map.of()));
  }

  @Override
  public boolean anyBytes() {
    return false;
  }

  @Override
  public String prefix() {
    return SideNames.of(Layouts.NOTIFICATION).prefix();
  }

  @Override
  public String unsettled() {
    return """
    select count(*) from event_outbox
    where status <> 'PROCESSED' or published_at is null or published_at < created_at
      or not exists (select 1 from processed_event p
        where p.event_id = event_outbox.event_id and p.status = 'SUCCESS')""";
  }

  @Override
  public String dead() {
    return "select count(*) from event_outbox where status = 'FAILED'";
  }

  @Override
  public String parked() {
    return "select count(*) from %srow_state where state = 'PARKED'".formatted(prefix());
  }

  @Override
  public String published() {
    return "select event_id from event_outbox where status = 'PROCESSED'";
  }

  @Override
  public int connections() {
    return 4;
  }

  @Override
  public boolean keeps() {
    return true;
  }
}
