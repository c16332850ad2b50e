package io.waybill.testkit;

import io.waybill.admin.EventView;
import io.waybill.database.OutboxTables;
import io.waybill.message.EventKey;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an implementation of the storage seam provides to run {@link OutboxReaderContract}, {@link
 * OutboxStoreContract} and {@link LaneStoreContract}.
 */
public interface StoreFixture {
  /** What not every table can hold or do. */
  enum Ability {
    /** Payloads of any bytes; without it they are JSON. */
    BYTES,
    /** Payloads of a megabyte. */
    LARGE_PAYLOADS,
    /** Payloads that are null. */
    TOMBSTONES,
    /** Events that have no key. */
    NO_KEY,
    /** Events that are delayed by their writer. */
    DELAYS,
    /** Transactions whose commit does not wait for the disk. */
    ASYNCHRONOUS_COMMITS,
    /** Published events that stay in the table. */
    KEPT_EVENTS,
    /** A time of publishing in the table. */
    PUBLISHED_TIME,
    /** A state of events that were given up, in the table itself. */
    STATE_OF_THE_DEAD
  }

  /**
   * What the table can hold and do. A contract test that needs more is reported as skipped, with
   * what it needs.
   *
   * @return abilities, all by default
   */
  default Set<Ability> abilities() {
    return EnumSet.allOf(Ability.class);
  }

  /**
   * The test's name of an event that was read: the event id that it was inserted with, wherever the
   * table has it.
   *
   * @param row the row
   * @return name, the event id by default
   */
  default String name(OutboxRow row) {
    return row.eventId();
  }

  /**
   * The key that rows of an event come with.
   *
   * @param aggregateType part of the key as it was inserted
   * @param aggregateId part of the key as it was inserted
   * @return key, of the same parts by default
   */
  default EventKey key(String aggregateType, String aggregateId) {
    return new EventKey(aggregateType, aggregateId);
  }

  /**
   * The test's name of an event that operators see.
   *
   * @param event the event
   * @return name, the event id by default
   */
  default String name(EventView event) {
    return event.eventId();
  }

  /**
   * A table beside the outbox.
   *
   * @param part session, lane, and so on
   * @return its name as SQL has it
   */
  default String table(String part) {
    return "waybill_" + part;
  }

  /**
   * Lets commits of a session not wait for the disk.
   *
   * @param connection the writer's connection
   * @throws SQLException when the database refuses
   */
  default void commitAsynchronously(Connection connection) throws SQLException {
    throw new UnsupportedOperationException();
  }

  /**
   * Empties the outbox and its side tables and ends all sessions.
   *
   * @throws SQLException when the database refuses
   */
  void reset() throws SQLException;

  /**
   * Empties the outbox alone, as a person with SQL does, so that row numbers begin again.
   *
   * @throws SQLException when the database refuses
   */
  void renumber() throws SQLException;

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
   * A reader of its own with another bound.
   *
   * @param maxEventBytes most bytes of an event that is read whole
   * @return reader
   */
  OutboxReader reader(int maxEventBytes);

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
   * The tables as a relay has them.
   *
   * @return tables
   */
  OutboxTables tables();

  /**
   * Makes published events seem to be published an hour from now.
   *
   * @param eventIds the events
   * @throws SQLException when the database refuses
   */
  void publishedInTheFuture(String... eventIds) throws SQLException;

  /**
   * Gives an event up in the table alone, as the relay before Waybill did.
   *
   * @param eventId the event
   * @throws SQLException when the database refuses
   */
  default void giveUp(String eventId) throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** What people do to a row with SQL. */
  enum ByHand {
    /** Removes the row, and nothing beside it. */
    REMOVE,
    /** Marks the row as published, or removes it where that is the mark. */
    MARK,
    /** Lets a parked or dead row wait again. */
    SET_BACK
  }

  /**
   * Changes a row with SQL, as a person does.
   *
   * @param change what is done
   * @param eventId the event
   * @throws SQLException when the database refuses
   */
  void byHand(ByHand change, String eventId) throws SQLException;

  /**
   * Locks an event's row until the transaction ends, as a session left open does.
   *
   * @param connection connection of that session, in a transaction
   * @param eventId the event
   * @throws SQLException when the database refuses
   */
  void lock(Connection connection, String eventId) throws SQLException;

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
