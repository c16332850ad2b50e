package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.store.HeaderJson;
import io.waybill.internal.store.HeaderJson.Parsed;
import io.waybill.layout.RowIdKind;
import io.waybill.message.Headers;
import io.waybill.store.DedupeKey;
import io.waybill.store.DeferredEvent;
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
    DedupeKey dedupeKey = event.dedupeKey();
    String orderKey = EventNames.orderKey(dedupeKey.source(), dedupeKey.key());
    boolean behind = orderKey != null && holdsLastOf(orderKey);
    PreparedStatement statement =
        connection.prepare(
            parts.fill(
                """
                insert into ${deferred} (consumer, event_id, event_type, source, message_key,
                  order_key, behind, attempts, due_at, failure, dead_reason, message_micros,
                  headers, body)
                values (?, ?, ?, ?, ?, ?, ?, ?, ${later}, ?, ?, ?, ?, ?)${skip}"""));
    Binding binding = new Binding(statement, parts.dialect());
    binding.text(parts.consumer());
    binding.text(dedupeKey.eventId());
    binding.text(dedupeKey.eventType());
    binding.text(dedupeKey.source());
    binding.bytes(dedupeKey.key());
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

  /** Locks it, which keeps it from being removed before the next event is behind it. */
  private boolean holdsLastOf(String orderKey) throws SQLException {
    PreparedStatement statement =
        prepared(
            """
            select d.seq from ${deferred} d where d.consumer = ? and d.order_key = ?
            order by d.seq desc limit 1 ${share}""",
            orderKey);
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
    PreparedStatement statement =
        prepared(
            """
            select d.claimed_by, d.dead_reason from ${deferred} d
            where d.consumer = ? and d.event_id = ? ${hold}""",
            event.dedupeKey().eventId());
    try (ResultSet result = statement.executeQuery()) {
      return result.next()
          && owner.equals(result.getString(1))
          && (result.getString(2) == null || event.deadReason() != null);
    }
  }

  /** Releases the owner's claim, too; false if it had none. */
  boolean deferAgain(DeferredEvent event, String owner) throws SQLException {
    PreparedStatement statement =
        connection.prepare(
            parts.fill(
                """
                update ${deferred} set attempts = ?, due_at = ${later}, failure = ?,
                  dead_reason = ?, claimed_by = null, claimed_until = null
                where consumer = ? and event_id = ? and claimed_by = ?"""));
    Binding binding = new Binding(statement, parts.dialect());
    binding.number(event.attempts());
    binding.number(micros(event));
    binding.text(event.failure());
    binding.text(event.deadReason());
    binding.text(parts.consumer());
    binding.text(event.dedupeKey().eventId());
    binding.text(owner);
    return statement.executeUpdate() == 1;
  }

  void forget(DeferredEvent event) throws SQLException {
    prepared(
            "delete from ${deferred} where consumer = ? and event_id = ?",
            event.dedupeKey().eventId())
        .executeUpdate();
    String orderKey = EventNames.orderKey(event.dedupeKey().source(), event.dedupeKey().key());
    if (orderKey != null) {
      prepared(parts.sql().promote(), orderKey).executeUpdate();
    }
  }

  /** Claims events that are due and that no one has claimed, or whose claims have expired. */
  public List<DeferredEvent> due(String owner, Duration claim, int limit) throws SQLException {
    PreparedStatement statement =
        connection.prepare(
            parts.fill(
                """
                select d.seq, d.event_id, d.event_type, d.source, d.message_key, d.body, d.headers,
                  d.message_micros, d.attempts, d.failure, d.dead_reason,
                  d.claimed_until is not null
                from ${deferred} d
                where d.consumer = ? and d.behind = false and d.due_at <= ${now}
                  and (d.claimed_until is null or d.claimed_until <= ${now})
                  and not exists (select 1 from ${deferred} e
                    where e.consumer = d.consumer and e.order_key = d.order_key and e.seq < d.seq)
                order by d.due_at limit ? ${free}"""));
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
    PreparedStatement statement =
        connection.prepare(
            parts.fill(
                "update ${deferred} set claimed_by = ?, claimed_until = ${later} where "
                    + parts.dialect().oneOf("seq", seqs.size())));
    Binding binding = new Binding(statement, parts.dialect());
    binding.text(owner);
    binding.number(claim.toNanos() / 1000);
    binding.oneOf(RowIdKind.LONG, seqs);
    statement.executeUpdate();
  }

  private static DeferredEvent event(ResultSet result) throws SQLException {
    DedupeKey dedupeKey =
        new DedupeKey(
            result.getString(2), result.getString(3), result.getString(4), result.getBytes(5));
    return new DeferredEvent(
        dedupeKey,
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
    prepared(
            """
            update ${deferred} set claimed_by = null, claimed_until = null
            where consumer = ? and claimed_by = ?""",
            owner)
        .executeUpdate();
  }

  public long count() throws SQLException {
    PreparedStatement statement =
        connection.prepare(parts.fill("select count(*) from ${deferred} d where d.consumer = ?"));
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

  private PreparedStatement prepared(String template, String second) throws SQLException {
    PreparedStatement statement = connection.prepare(parts.fill(template));
    statement.setString(1, parts.consumer());
    statement.setString(2, second);
    return statement;
  }
}
