package io.waybill.examples.wallet;

import io.waybill.message.Destination;
import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.message.EventLimits;
import io.waybill.message.Headers;
import io.waybill.message.InvalidEventException;
import io.waybill.message.Payload;
import io.waybill.message.Transport;
import io.waybill.message.Violation;
import io.waybill.route.TransportRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Saves, marks and lists outbox events, each in the transaction of the given connection. What no
 * broker could take is refused before it is saved. Thread-safe.
 */
final class OutboxService {
  /** A TEXT of MySQL and MariaDB ends here. */
  private static final int MAX_PAYLOAD_BYTES = 65_535;

  private static final String DESTINATION_SUFFIX = "-out-0";
  private static final EventLimits LIMITS =
      EventLimits.builder().maxPayloadBytes(MAX_PAYLOAD_BYTES).jsonChecked(true).build();

  private final OutboxRepository repository;

  OutboxService(OutboxRepository repository) {
    this.repository = repository;
  }

  /** The topic of an event type. */
  static String destination(String eventType) {
    return eventType + DESTINATION_SUFFIX;
  }

  /**
   * Saves an event in the caller's transaction: it is published if and only if that commits.
   *
   * @param eventType kind of event; with {@code -out-0} after it, a topic name
   * @param payload JSON of at most 65,535 bytes
   * @param correlationId events of one correlation id are published in order; null for no order
   * @return the event with its id
   * @throws InvalidEventException naming each field, rule and value; nothing is saved
   * @throws IllegalStateException if the connection is in auto-commit mode
   */
  OutboxEvent saveOutboxEvent(
      Connection connection, String eventType, String payload, @Nullable String correlationId)
      throws SQLException {
    requireTransaction(connection);
    check(eventType, payload, correlationId);
    return repository.save(connection, OutboxEvent.of(eventType, payload, correlationId));
  }

  /**
   * Marks an event as sent. The relay does this by itself after the broker's confirmation; by hand
   * it keeps an event from being sent that no relay has read yet.
   */
  OutboxEvent markEventAsSent(Connection connection, OutboxEvent event) throws SQLException {
    requireTransaction(connection);
    return repository.save(connection, event.asSent());
  }

  /** A page of unsent events; see {@link OutboxRepository#findBySentFalse(Connection,long,int)}. */
  List<OutboxEvent> getUnsentEvents(Connection connection, long afterId, int limit)
      throws SQLException {
    return repository.findBySentFalse(connection, afterId, limit);
  }

  private static void check(String eventType, String payload, @Nullable String correlationId) {
    EventKey key = correlationId == null ? null : new EventKey("correlation", correlationId);
    Event event =
        new Event(
            "unsaved",
            eventType,
            1,
            key,
            Payload.json(payload),
            Headers.NONE,
            null,
            null,
            null,
            null);
    List<Violation> violations = new ArrayList<>(LIMITS.violations(event));
    Destination topic = Destination.topic(destination(eventType));
    if (TransportRules.violation(Transport.KAFKA, topic) != null) {
      violations.add(
          new Violation(
              "eventType", "must be 1 to 243 of A-Z a-z 0-9 . _ -, for its topic", eventType));
    }
    if (!violations.isEmpty()) {
      throw new InvalidEventException(null, violations);
    }
  }

  private static void requireTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "The connection is in auto-commit mode: the event would be committed apart from the"
              + " business change. Call setAutoCommit(false) first");
    }
  }
}
