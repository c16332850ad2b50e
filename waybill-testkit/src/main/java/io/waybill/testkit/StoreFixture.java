package io.waybill.testkit;

import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What an implementation of the storage seam provides to run {@link OutboxStoreContract}. */
public interface StoreFixture {
  /**
   * Empties the outbox and its side tables and ends all sessions.
   *
   * @throws SQLException when the database refuses
   */
  void reset() throws SQLException;

  /**
   * A connection of a writing application.
   *
   * @return connection in auto-commit mode
   * @throws SQLException when the database refuses
   */
  Connection connect() throws SQLException;

  /**
   * Inserts an event as a foreign writer would.
   *
   * @param connection the writer's transaction
   * @param event the event
   * @throws SQLException when the database refuses
   */
  void insert(Connection connection, WrittenEvent event) throws SQLException;

  /**
   * A reader of its own.
   *
   * @return reader
   */
  OutboxReader reader();

  /**
   * A settling store of its own.
   *
   * @return store
   */
  OutboxStore store();

  /**
   * A lane store of its own.
   *
   * @return lane store
   */
  LaneStore lanes();

  /**
   * Asks the owner of the event's lane to do something.
   *
   * @param verb name of the verb
   * @param eventId the event
   * @throws SQLException when the database refuses
   */
  void request(String verb, String eventId) throws SQLException;

  /**
   * State of an event as operators see it.
   *
   * @param eventId the event
   * @return PENDING, PUBLISHED, PARKED, DEAD, or GONE if there is no such event
   * @throws SQLException when the database refuses
   */
  String status(String eventId) throws SQLException;

  /** Kills the database without warning and starts it again. */
  void crash();

  /**
   * An event to insert.
   *
   * @param eventId event id
   * @param aggregateType part of the key, or null together with the id
   * @param aggregateId part of the key, or null
   * @param payload payload bytes, or null
   * @param delay how long the event waits, or null for none
   */
  record WrittenEvent(
      String eventId,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      byte @Nullable [] payload,
      @Nullable Duration delay) {
    /**
     * A small event.
     *
     * @param eventId event id
     * @param aggregateId id of an {@code order}
     * @return event with a small payload
     */
    public static WrittenEvent of(String eventId, String aggregateId) {
      return new WrittenEvent(eventId, "order", aggregateId, new byte[] {'{', '}'}, null);
    }

    /**
     * The same with another payload.
     *
     * @param bytes payload
     * @return changed copy
     */
    public WrittenEvent payload(byte @Nullable [] bytes) {
      return new WrittenEvent(eventId, aggregateType, aggregateId, bytes, delay);
    }

    /**
     * The same, delayed.
     *
     * @param time how long it waits from its insert on
     * @return changed copy
     */
    public WrittenEvent delay(Duration time) {
      return new WrittenEvent(eventId, aggregateType, aggregateId, payload, time);
    }
  }
}
