package io.waybill.outbox;

import io.waybill.database.AppendDialect;
import io.waybill.internal.jdbc.kernel.MySqlCatalogue;
import io.waybill.internal.jdbc.kernel.MySqlDialect;
import io.waybill.internal.jdbc.kernel.MySqlErrors;
import io.waybill.internal.jdbc.kernel.UniqueViolation;
import io.waybill.internal.sql.PacketErrors;
import io.waybill.internal.store.HeaderJson;
import io.waybill.message.Event;
import io.waybill.message.EventKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Appends on MySQL 8 and MariaDB, with any JDBC driver: one INSERT with a row of values per event.
 * Immutable and thread-safe.
 */
public final class MySqlAppend implements AppendDialect {
  /** Name of the outbox table. */
  public static final String TABLE = "waybill_outbox";

  // The smallest limit that servers have had by default.
  private static final long MEBIBYTE = 1L << 20;
  private static final int COLUMNS = 12;
  private static final String INSERT =
      """
      insert into %s (event_id, event_type, event_version, aggregate_type, aggregate_id, payload,
        content_type, headers, correlation_id, causation_id, traceparent, available_at)
      values %s""";
  private static final String ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private final String name;
  private final String one;
  private final String key;

  private MySqlAppend(@Nullable String schema, String table) {
    String quoted = MySqlCatalogue.quote("table", table);
    this.name =
        schema == null ? quoted : MySqlCatalogue.quoteOnServer("database", schema) + "." + quoted;
    this.one = INSERT.formatted(name, ROW);
    this.key = table + "_event_id_key";
  }

  /**
   * The outbox in the connection's database.
   *
   * @return the dialect
   */
  public static MySqlAppend ofDefaults() {
    return new MySqlAppend(null, TABLE);
  }

  /**
   * The outbox in a database.
   *
   * @param schema plain name of the database
   * @return the dialect
   * @throws IllegalArgumentException if the name is not an identifier
   */
  public static MySqlAppend inSchema(String schema) {
    return new MySqlAppend(schema, TABLE);
  }

  /**
   * The outbox under another name, whose unique key is named {@code <table>_event_id_key}.
   *
   * @param schema plain name of the database
   * @param table plain name of the table
   * @return the dialect
   * @throws IllegalArgumentException if a name is not an identifier
   */
  public static MySqlAppend inTable(String schema, String table) {
    return new MySqlAppend(schema, table);
  }

  @Override
  public long maxStatementBytes() {
    return MySqlDialect.MAX_STATEMENT_BYTES;
  }

  @Override
  public void insert(Connection connection, List<Event> events) throws SQLException {
    String sql =
        events.size() == 1
            ? one
            : INSERT.formatted(name, ROW + (",\n  " + ROW).repeat(events.size() - 1));
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int offset = 0;
      for (Event event : events) {
        bind(statement, offset, event);
        offset += COLUMNS;
      }
      statement.executeUpdate();
    } catch (SQLException e) {
      long bytes = events.stream().mapToLong(MySqlAppend::payloadBytes).sum();
      if (PacketErrors.isTooLarge(e) || (isConnectionLost(e) && bytes > MEBIBYTE)) {
        throw tooLarge(events, bytes, e);
      }
      throw e;
    }
  }

  private static void bind(PreparedStatement statement, int offset, Event event)
      throws SQLException {
    EventKey key = event.key();
    statement.setString(offset + 1, event.id());
    statement.setString(offset + 2, event.type());
    statement.setInt(offset + 3, event.version());
    statement.setString(offset + 4, key == null ? null : key.aggregateType());
    statement.setString(offset + 5, key == null ? null : key.aggregateId());
    statement.setBytes(offset + 6, event.payload().bytes());
    statement.setString(offset + 7, event.payload().contentType());
    statement.setString(offset + 8, HeaderJson.write(event.headers()));
    statement.setString(offset + 9, event.correlationId());
    statement.setString(offset + 10, event.causationId());
    statement.setString(offset + 11, event.traceparent());
    statement.setString(offset + 12, availableAt(event));
  }

  private static long payloadBytes(Event event) {
    byte[] bytes = event.payload().bytes();
    return bytes == null ? 0 : bytes.length;
  }

  // What a client sees of a server that got too much.
  private static boolean isConnectionLost(SQLException failure) {
    String state = failure.getSQLState();
    return state != null && state.startsWith("08");
  }

  private static SQLException tooLarge(List<Event> events, long bytes, SQLException cause) {
    String which =
        events.size() == 1 ? "Event " + events.get(0).id() : events.size() + " events in one call";
    return new SQLException(
        which
            + " with "
            + bytes
            + " bytes of payload did not get through: a statement, in which bytes can double, may not"
            + " exceed the server's max_allowed_packet. "
            + cause.getMessage(),
        cause.getSQLState(),
        cause.getErrorCode(),
        cause);
  }

  @Override
  public @Nullable Duplicate duplicate(SQLException failure, List<Event> events) {
    UniqueViolation violation = MySqlErrors.uniqueViolation(failure);
    return violation == null || !violation.key().equals(key)
        ? null
        : new Duplicate(violation.named(events.stream().map(Event::id).toList()));
  }

  // Up, so that no event is published before its time.
  private static @Nullable String availableAt(Event event) {
    Instant time = event.availableAt();
    return time == null
        ? null
        : MICROS.format(
            time.plusNanos(999).truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC));
  }
}
