package io.waybill.database;

import io.waybill.message.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Inserts events into the outbox table of one database. Thread-safe. */
public interface AppendDialect {
  /**
   * Refuses an event that the table cannot store unchanged, before anything is inserted.
   *
   * @param connection the caller's connection, inside its transaction; used at most once, to query
   *     the catalogue
   * @param event the event, within its limits
   * @throws io.waybill.message.InvalidEventException naming each field, rule and value that is
   *     wrong
   * @throws SQLException if the database refuses the query
   */
  default void check(Connection connection, Event event) throws SQLException {}

  /**
   * Inserts events in their order, with one statement and one round trip.
   *
   * @param connection the caller's connection, inside its transaction
   * @param events at least one event, checked
   * @throws SQLException if the database reports an error; the transaction may be aborted
   */
  void insert(Connection connection, List<Event> events) throws SQLException;

  /**
   * The approximate size limit of one statement; further events go into further statements. A
   * single event is never divided.
   *
   * @return bytes of payloads, names and headers
   */
  default long maxStatementBytes() {
    return 32L << 20;
  }

  /**
   * Distinguishes a duplicate event id from every other failure, by error code and constraint.
   *
   * @param failure the exception of {@link #insert}
   * @param events the events of that call
   * @return the duplicate, or null if the failure is a different one
   */
  @Nullable Duplicate duplicate(SQLException failure, List<Event> events);

  /**
   * An event id that the outbox already has.
   *
   * @param eventId the id, or null if the database did not say which of several it was
   */
  record Duplicate(@Nullable String eventId) {}
}
