package io.waybill.examples.polyshop;

import io.opentelemetry.api.OpenTelemetry;
import io.waybill.database.DatabaseKind;
import io.waybill.layout.Layouts;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.opentelemetry.TracedOutbox;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.RelaySignal;
import io.waybill.outbox.TableAppend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The table {@code outbox_events}, in the transaction of the given connection. Thread-safe. */
final class OutboxEventRepository {
  /** Header that becomes {@code metadata.idempotencyKey}. */
  static final String IDEMPOTENCY_KEY = "idempotencyKey";

  /** Header that becomes {@code metadata.userId}. */
  static final String USER_ID = "userId";

  private static final String COLUMNS =
      """
      select id, aggregate_id, event_type, version, payload, created_at, processed, processed_at,
        error_message
      from outbox_events\s""";

  private static final String BY_AGGREGATE =
      COLUMNS + "where aggregate_id = ? order by created_at, id";

  private static final String UNPROCESSED =
      COLUMNS + "where processed = false order by created_at, id limit ?";

  private final TracedOutbox outbox;

  /** Without spans. */
  OutboxEventRepository() {
    this(WaybillTracing.of(OpenTelemetry.noop()));
  }

  /** With a span around each save. */
  OutboxEventRepository(WaybillTracing tracing) {
    outbox =
        tracing.outbox(
            new Outbox(
                TableAppend.of(Layouts.POLYSHOP, DatabaseKind.POSTGRESQL),
                EventLimits.builder().jsonChecked(true).build(),
                RelaySignal.NONE));
  }

  /**
   * Saves an event in the caller's transaction: it is published if and only if that commits. The
   * metadata, for which the table has no columns, go into the table beside it.
   *
   * @throws io.waybill.message.InvalidEventException naming each field, rule and value
   * @throws io.waybill.outbox.DuplicateEventException if there is an event of this id
   */
  void save(Connection connection, OutboxEvent event, EventMetadata metadata) throws SQLException {
    Event.Builder builder =
        Event.builder(event.eventType(), "aggregate", event.aggregateId())
            .id(event.id().toString())
            .version(event.version())
            .json(event.payload())
            .correlationId(metadata.correlationId())
            .traceparent(metadata.traceparent())
            .header(USER_ID, metadata.userId());
    String idempotencyKey = metadata.idempotencyKey();
    if (idempotencyKey != null) {
      builder.header(IDEMPOTENCY_KEY, idempotencyKey);
    }
    outbox.append(connection, builder.build());
  }

  /** All events of an entity, the oldest first. */
  List<OutboxEvent> findByAggregateId(Connection connection, String aggregateId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BY_AGGREGATE)) {
      statement.setString(1, aggregateId);
      return events(statement);
    }
  }

  /** The oldest events that are not processed yet, at most so many. */
  List<OutboxEvent> findByProcessedFalse(Connection connection, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UNPROCESSED)) {
      statement.setInt(1, limit);
      return events(statement);
    }
  }

  private static List<OutboxEvent> events(PreparedStatement statement) throws SQLException {
    List<OutboxEvent> events = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        events.add(
            new OutboxEvent(
                row.getObject("id", UUID.class),
                row.getString("aggregate_id"),
                row.getString("event_type"),
                row.getInt("version"),
                row.getString("payload"),
                instant(row.getTimestamp("created_at")),
                row.getBoolean("processed"),
                instant(row.getTimestamp("processed_at")),
                row.getString("error_message")));
      }
    }
    return events;
  }

  private static @Nullable Instant instant(@Nullable Timestamp timestamp) {
    return timestamp == null ? null : timestamp.toInstant();
  }
}
