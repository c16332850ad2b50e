package io.waybill.outbox;

import io.waybill.database.AppendDialect;
import io.waybill.database.AppendDialect.Duplicate;
import io.waybill.internal.observe.LogFields;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.message.Payload;
import io.waybill.message.TraceContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events in the transaction of the business change: they are published if and only if it
 * commits. Thread-safe; each call uses the caller's connection and nothing else.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * // business statements
 * outbox.append(connection, Event.builder("order.placed", "order", "42").json(text).build());
 * connection.commit();
 * outbox.committed();
 * }</pre>
 *
 * The last line is optional: without it a relay in the same process finds the event by polling. The
 * timeouts of the caller's connection apply to the statement.
 */
public final class Outbox {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  private final AppendDialect dialect;
  private final EventLimits limits;
  private final RelaySignal relay;

  /**
   * Creates an outbox.
   *
   * @param dialect database and table
   * @param limits limits of events
   * @param relay called after commits
   */
  public Outbox(AppendDialect dialect, EventLimits limits, RelaySignal relay) {
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    this.limits = Objects.requireNonNull(limits, "limits");
    this.relay = Objects.requireNonNull(relay, "relay");
  }

  /**
   * Creates an outbox with default limits and without a relay in this process.
   *
   * @param dialect database and table
   * @return the outbox
   */
  public static Outbox of(AppendDialect dialect) {
    return new Outbox(dialect, EventLimits.ofDefaults(), RelaySignal.NONE);
  }

  /**
   * Appends one event: one statement, one round trip.
   *
   * @param connection the connection of the business transaction
   * @param event the event
   * @throws io.waybill.message.InvalidEventException if the event breaks limits; nothing was sent
   *     to the database
   * @throws DuplicateEventException if the outbox already has an event with its id
   * @throws IllegalStateException if the connection is in auto-commit mode
   * @throws SQLException if the database reports any other error
   */
  public void append(Connection connection, Event event) throws SQLException {
    append(connection, List.of(event));
  }

  /**
   * Appends events in their order. All of them are checked first; then one statement inserts them
   * in one round trip. Further statements are sent only beyond 5,000 events or 32 MiB, on MySQL and
   * MariaDB 7 MiB.
   *
   * @param connection the connection of the business transaction
   * @param events the events; an empty list does nothing
   * @throws io.waybill.message.InvalidEventException if an event breaks limits; nothing was sent to
   *     the database
   * @throws DuplicateEventException if two events have the same id, or the outbox already has an
   *     event with one of the ids
   * @throws IllegalStateException if the connection is in auto-commit mode
   * @throws SQLException if the database reports any other error
   */
  public void append(Connection connection, List<Event> events) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "The connection is in auto-commit mode: an event would be committed separately from the"
              + " business change. Call setAutoCommit(false) first");
    }
    events.forEach(limits::check);
    refuseRepeatedIds(events);
    for (Event event : events) {
      dialect.check(connection, event);
    }
    for (List<Event> statement : Batches.of(events, dialect.maxStatementBytes())) {
      insert(connection, statement);
    }
    // Asked first: this is called for every event.
    if (LOG.isDebugEnabled()) {
      events.forEach(Outbox::appended);
    }
  }

  private static void appended(Event event) {
    String trace = TraceContext.traceId(event.traceparent());
    LogFields.around(
        event.id(),
        event.type(),
        trace,
        () -> LOG.debug("Event {} (trace {}) appended, not yet committed", event.id(), trace));
  }

  /**
   * Wakes a relay in the same process after a transaction with appended events was committed.
   * Optional; call it after the commit, from any thread. Never throws.
   */
  public void committed() {
    try {
      relay.wake();
    } catch (RuntimeException e) {
      LOG.warn("The relay could not be woken; it finds the events by polling", e);
    }
  }

  private void insert(Connection connection, List<Event> events) throws SQLException {
    try {
      dialect.insert(connection, events);
    } catch (SQLException e) {
      Duplicate duplicate = dialect.duplicate(e, events);
      if (duplicate == null) {
        throw e;
      }
      throw refused(duplicate, events, e);
    }
  }

  private static DuplicateEventException refused(
      Duplicate duplicate, List<Event> events, SQLException cause) {
    String id = duplicate.eventId();
    if (id == null) {
      String which = "the outbox has one of the " + events.size() + " ids of this call";
      return new DuplicateEventException(null, which, cause);
    }
    String payload =
        events.stream()
            .filter(event -> event.id().equals(id))
            .map(event -> PayloadHash.of(event.payload()))
            .findFirst()
            .orElse("unknown payload");
    return new DuplicateEventException(
        id, "the outbox already has an event with this id; the refused one has " + payload, cause);
  }

  private static void refuseRepeatedIds(List<Event> events) {
    if (events.size() < 2) {
      return;
    }
    Map<String, Payload> seen = new HashMap<>(events.size() * 2);
    for (Event event : events) {
      Payload first = seen.putIfAbsent(event.id(), event.payload());
      if (first != null) {
        String both = PayloadHash.of(first) + " and " + PayloadHash.of(event.payload());
        throw new DuplicateEventException(
            event.id(), "this call contains it twice, with " + both, null);
      }
    }
  }
}
