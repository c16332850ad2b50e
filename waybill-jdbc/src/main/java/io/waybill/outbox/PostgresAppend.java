package io.waybill.outbox;

import io.waybill.database.AppendDialect;
import io.waybill.internal.jdbc.append.ArrayParameters;
import io.waybill.internal.jdbc.kernel.PostgresErrors;
import io.waybill.internal.jdbc.kernel.UniqueViolation;
import io.waybill.internal.sql.Identifiers;
import io.waybill.internal.store.HeaderJson;
import io.waybill.message.Event;
import io.waybill.message.EventKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Appends on PostgreSQL 14 to 18, with the driver pgjdbc. Immutable and thread-safe. */
public final class PostgresAppend implements AppendDialect {
  /** Name of the outbox table. */
  public static final String TABLE = "waybill_outbox";

  private static final String COLUMNS =
      """
      (event_id, event_type, event_version, aggregate_type, aggregate_id, payload, content_type,
        headers, correlation_id, causation_id, traceparent, available_at)""";
  private static final String ONE =
      """
      insert into %s %s
      values (?, ?, ?, ?, ?, ?, ?, cast(? as json), ?, ?, ?, cast(? as timestamptz))""";
  // The rows get their ids in the order of the arrays.
  private static final String MANY =
      """
      insert into %s %s
      select e.event_id, e.event_type, e.event_version, e.aggregate_type, e.aggregate_id, e.payload,
        e.content_type, cast(e.headers as json), e.correlation_id, e.causation_id, e.traceparent,
        cast(e.available_at as timestamptz)
      from unnest(cast(? as text[]), cast(? as text[]), cast(? as integer[]), cast(? as text[]),
          cast(? as text[]), cast(? as bytea[]), cast(? as text[]), cast(? as text[]),
          cast(? as text[]), cast(? as text[]), cast(? as text[]), cast(? as text[]))
        with ordinality as e (event_id, event_type, event_version, aggregate_type, aggregate_id,
          payload, content_type, headers, correlation_id, causation_id, traceparent, available_at, n)
      order by e.n""";

  private final String one;
  private final String many;
  private final String constraint;

  private PostgresAppend(@Nullable String schema, String table) {
    String quoted = Identifiers.quote("table", table);
    String name = schema == null ? quoted : Identifiers.quote("schema", schema) + "." + quoted;
    this.one = ONE.formatted(name, COLUMNS);
    this.many = MANY.formatted(name, COLUMNS);
    this.constraint = table + "_event_id_key";
  }

  /**
   * The outbox that the connection's search path finds.
   *
   * @return the dialect
   */
  public static PostgresAppend ofDefaults() {
    return new PostgresAppend(null, TABLE);
  }

  /**
   * The outbox in a schema.
   *
   * @param schema plain name of the schema
   * @return the dialect
   * @throws IllegalArgumentException if the name is not an identifier
   */
  public static PostgresAppend inSchema(String schema) {
    return new PostgresAppend(schema, TABLE);
  }

  /**
   * The outbox under another name, whose unique constraint is named {@code <table>_event_id_key}.
   *
   * @param schema plain name of the schema
   * @param table plain name of the table
   * @return the dialect
   * @throws IllegalArgumentException if a name is not an identifier
   */
  public static PostgresAppend inTable(String schema, String table) {
    return new PostgresAppend(schema, table);
  }

  @Override
  public void insert(Connection connection, List<Event> events) throws SQLException {
    if (events.size() == 1) {
      insertOne(connection, events.get(0));
    } else {
      insertMany(connection, events);
    }
  }

  private void insertOne(Connection connection, Event event) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(one)) {
      statement.setString(1, event.id());
      statement.setString(2, event.type());
      statement.setInt(3, event.version());
      statement.setString(4, aggregateType(event));
      statement.setString(5, aggregateId(event));
      statement.setBytes(6, event.payload().bytes());
      statement.setString(7, event.payload().contentType());
      statement.setString(8, HeaderJson.write(event.headers()));
      statement.setString(9, event.correlationId());
      statement.setString(10, event.causationId());
      statement.setString(11, event.traceparent());
      statement.setString(12, availableAt(event));
      statement.executeUpdate();
    }
  }

  private void insertMany(Connection connection, List<Event> events) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(many)) {
      ArrayParameters parameters = new ArrayParameters(connection, statement, events);
      parameters.texts(Event::id);
      parameters.texts(Event::type);
      parameters.integers(Event::version);
      parameters.texts(PostgresAppend::aggregateType);
      parameters.texts(PostgresAppend::aggregateId);
      parameters.bytes(event -> event.payload().bytes());
      parameters.texts(event -> event.payload().contentType());
      parameters.texts(event -> HeaderJson.write(event.headers()));
      parameters.texts(Event::correlationId);
      parameters.texts(Event::causationId);
      parameters.texts(Event::traceparent);
      parameters.texts(PostgresAppend::availableAt);
      statement.executeUpdate();
    }
  }

  @Override
  public @Nullable Duplicate duplicate(SQLException failure, List<Event> events) {
    UniqueViolation violation = PostgresErrors.uniqueViolation(failure);
    return violation == null || !violation.key().equals(constraint)
        ? null
        : new Duplicate(violation.named(events.stream().map(Event::id).toList()));
  }

  private static @Nullable String aggregateType(Event event) {
    return of(event.key(), EventKey::aggregateType);
  }

  private static @Nullable String aggregateId(Event event) {
    return of(event.key(), EventKey::aggregateId);
  }

  private static @Nullable String of(@Nullable EventKey key, Function<EventKey, String> part) {
    return key == null ? null : part.apply(key);
  }

  // Up, so that no event is published before its time.
  private static @Nullable String availableAt(Event event) {
    Instant time = event.availableAt();
    return time == null ? null : time.plusNanos(999).truncatedTo(ChronoUnit.MICROS).toString();
  }
}
