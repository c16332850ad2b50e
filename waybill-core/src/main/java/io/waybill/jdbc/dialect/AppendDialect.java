package io.waybill.jdbc.dialect;

import io.waybill.message.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one database takes events into its outbox table. Thread-safe. */
public interface AppendDialect {
  /**
   * Refuses an event that the table cannot keep as it is, before anything is inserted.
   *
   * @param connection the caller's connection, inside its transaction; used at most to ask the
   *     catalogue, once
   * @param event the event, within its limits
   * @throws io.waybill.message.InvalidEventException naming each field, rule and value that is
   *     wrong
   * @throws SQLException whatever the database says to the question
   */
  default void check(Connection connection, Event event) throws SQLException {}

  /**
   * Inserts events in their order, with one statement and one round trip.
   *
   * @param connection the caller's connection, inside its transaction
   * @param events at least one event, checked
   * @throws SQLException whatever the database says; the transaction may be aborted
   */
  void insert(Connection connection, List<Event> events) throws SQLException;

  /**
   * About how large one statement may be; what goes beyond it is sent in further ones. A single
   * event is never divided.
   *
   * @return bytes of payloads, names and headers
   */
  default long maxStatementBytes() {
    return 32L << 20;
  }

  /**
   * Tells a duplicate event id from every other failure, by error code and constraint.
   *
   * @param failure what {@link #insert} threw
   * @param events what it was given
   * @return the duplicate, or null if the failure is another one
   */
  @Nullable Duplicate duplicate(SQLException failure, List<Event> events);

  /**
   * An event id that the outbox already has.
   *
   * @param eventId the id, or null if the database did not say which of several it was
   */
  record Duplicate(@Nullable String eventId) {}
}
