package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.layout.RowIdKind;
import io.waybill.message.HeaderJson;
import io.waybill.message.HeaderJson.Parsed;
import io.waybill.message.Headers;
import io.waybill.store.DeferredEvent;
import io.waybill.store.Sighting;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events that wait in the inbox, on one connection. */
public final class Deferrals {
  private final InboxConnection connection;
  private final InboxParts parts;

  public Deferrals(InboxConnection connection, InboxParts parts) {
    this.connection = connection;
    this.parts = parts;
  }

  boolean defer(DeferredEvent event) throws SQLException {
    Sighting sighting = event.sighting();
    String orderKey = EventNames.orderKey(sighting.source(), sighting.key());
    boolean behind = orderKey != null && holdsLastOf(orderKey);
    PreparedStatement statement = connection.prepare(parts.sql().defer());
    Binding binding = new Binding(statement, parts.dialect());
    binding.text(parts.consumer());
    binding.text(sighting.eventId());
    binding.text(sighting.eventType());
    binding.text(sighting.source());
    binding.bytes(sighting.key());
    binding.text(orderKey);
    binding.flag(behind);
    binding.number(event.attempts());
    binding.number(micros(event));
    binding.text(event.failure());
    binding.text(event.deadReason());
    binding.number(event.timestampMicros());
    binding.text(HeaderJson.write(event.headers()));
    binding.bytes(event.body());
    return parts.inserts(statement);
  }

  private boolean holdsLastOf(String orderKey) throws SQLException {
    PreparedStatement statement = prepared(parts.sql().lastOfKey(), orderKey);
    try (ResultSet result = statement.executeQuery()) {
      return result.next();
    }
  }

  private static long micros(DeferredEvent event) {
    return Math.multiplyExact(event.delayMillis(), 1000L);
  }

  /**
   * Whether the owner has the claim; holds the event until the transaction ends. A claim from
   * before the event was given up on record counts no more: its letter may be out.
   */
  boolean hold(DeferredEvent event, String owner) throws SQLException {
    PreparedStatement statement = prepared(parts.sql().hold(), event.sighting().eventId());
    try (ResultSet result = statement.executeQuery()) {
      return result.next()
          && owner.equals(result.getString(1))
          && (result.getString(2) == null || event.deadReason() != null);
    }
  }

  boolean postpone(DeferredEvent event, String owner) throws SQLException {
    PreparedStatement statement = connection.prepare(parts.sql().postpone());
    Binding binding = new Binding(statement, parts.dialect());
    binding.number(event.attempts());
    binding.number(micros(event));
    binding.text(event.failure());
    binding.text(event.deadReason());
    binding.text(parts.consumer());
    binding.text(event.sighting().eventId());
    binding.text(owner);
    return statement.executeUpdate() == 1;
  }

  void forget(DeferredEvent event) throws SQLException {
    prepared(parts.sql().forget(), event.sighting().eventId()).executeUpdate();
    String orderKey = EventNames.orderKey(event.sighting().source(), event.sighting().key());
    if (orderKey != null) {
      prepared(parts.sql().promote(), orderKey).executeUpdate();
    }
  }

  public List<DeferredEvent> due(String owner, Duration claim, int limit) throws SQLException {
    PreparedStatement statement = connection.prepare(parts.sql().due());
    Binding binding = new Binding(statement, parts.dialect());
    binding.text(parts.consumer());
    binding.number(limit);
    List<Object> seqs = new ArrayList<>();
    List<DeferredEvent> events = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        seqs.add(result.getLong(1));
        events.add(event(result));
      }
    }
    if (!events.isEmpty()) {
      claim(owner, claim, seqs);
    }
    return events;
  }

  private void claim(String owner, Duration claim, List<Object> seqs) throws SQLException {
    PreparedStatement statement = connection.prepare(parts.sql().claim(seqs.size()));
    Binding binding = new Binding(statement, parts.dialect());
    binding.text(owner);
    binding.number(claim.toNanos() / 1000);
    binding.oneOf(RowIdKind.LONG, seqs);
    statement.executeUpdate();
  }

  private static DeferredEvent event(ResultSet result) throws SQLException {
    Sighting sighting =
        new Sighting(
            result.getString(2), result.getString(3), result.getString(4), result.getBytes(5));
    return new DeferredEvent(
        sighting,
        result.getBytes(6),
        headers(result.getString(7)),
        result.getLong(8),
        result.getInt(9),
        0,
        result.getString(10),
        result.getString(11),
        result.getBoolean(12));
  }

  private static Headers headers(@Nullable String json) throws SQLException {
    if (HeaderJson.read(json) instanceof Parsed.Valid valid) {
      return valid.headers();
    }
    throw new SQLException(
        "The headers of a row of waybill_inbox_deferred are not a JSON object of texts", "22000");
  }

  public void release(String owner) throws SQLException {
    prepared(parts.sql().release(), owner).executeUpdate();
  }

  public long count() throws SQLException {
    PreparedStatement statement = connection.prepare(parts.sql().count());
    statement.setString(1, parts.consumer());
    try (ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getLong(1);
    }
  }

  public void promoteOrphans() throws SQLException {
    PreparedStatement statement = connection.prepare(parts.sql().promoteOrphans());
    statement.setString(1, parts.consumer());
    statement.executeUpdate();
  }

  private PreparedStatement prepared(String sql, String second) throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    statement.setString(1, parts.consumer());
    statement.setString(2, second);
    return statement;
  }
}
