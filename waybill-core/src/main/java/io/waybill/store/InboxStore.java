package io.waybill.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The inbox tables of one consumer. Thread-safe: each call uses a separate connection. Every method
 * throws {@link StoreException} when the database does not answer in time or refuses, and may then
 * be called again. All times are those of the database's clock.
 */
public interface InboxStore extends AutoCloseable {
  /**
   * The consumer that uses this store.
   *
   * @return its name: 1 to 100 characters
   */
  String consumer();

  /**
   * Checks the tables. If they have room for one consumer only, reserves them for this one. Called
   * once, before anything else.
   *
   * @throws IllegalStateException if they belong to another consumer, or a table is missing or
   *     unsuitable; the message names table, consumer and rule
   */
  void open();

  /**
   * How long a statement may take, or a transaction be idle, before the database ends it.
   *
   * @return the limit; empty, as by default, if this store sets none
   */
  default Optional<Duration> statementLimit() {
    return Optional.empty();
  }

  /**
   * The names in an SQL error: constraint, table, column.
   *
   * @param failure the exception of a handler's statement
   * @return names, each after a comma and its kind; empty, as by default, if the error has none
   */
  default String names(SQLException failure) {
    return "";
  }

  /**
   * Begins a READ COMMITTED transaction on a separate connection.
   *
   * @return the transaction, for one thread at a time
   */
  InboxTransaction begin();

  /**
   * Claims deferred events that are due: of every key only the first, and each keyless event by
   * itself. A claimed event is not returned to any other owner until its claim expires or it is
   * {@linkplain InboxTransaction#deferAgain deferred again}. An event whose claim expired is
   * returned with {@link DeferredEvent#redelivered()}.
   *
   * @param owner id of the owner, unique per process
   * @param claim how long the claim lasts from now
   * @param limit most events to return, at least 1
   * @return claimed events, the longest due first
   */
  List<DeferredEvent> due(String owner, Duration claim, int limit);

  /**
   * Releases all claims of an owner that has stopped. Their events are due immediately, without
   * {@link DeferredEvent#redelivered()}.
   *
   * @param owner id of the owner
   */
  void release(String owner);

  /**
   * Counts deferred events, for metrics.
   *
   * @return events that wait, due or not
   */
  long deferred();

  /**
   * Deletes records of events that were processed long ago, and equally old attempt marks.
   *
   * @param age minimum age
   * @param limit most rows to delete of each table
   * @return rows deleted; fewer than {@code limit} if no record of that age is left
   */
  int purge(Duration age, int limit);

  /**
   * The server, and point of its history, that this store works on: its acknowledged commits are
   * committed there. While its connections lead to a different server, all methods except {@link
   * #recordedProgress} and {@link #among} throw {@link StoreException}, and so do commits.
   *
   * @return the name; empty, as by default, if servers are not distinguished
   */
  default String server() {
    return "";
  }

  /**
   * Finds out on a fresh connection to which server it leads, and the progress of lanes on that
   * server. If it is a different server than {@link #server}, nothing is done on either until
   * {@link #stand}.
   *
   * @param lanes partitions, queues
   * @return server and progress
   */
  default RecordedProgress recordedProgress(Set<String> lanes) {
    return new RecordedProgress("", Map.of());
  }

  /**
   * Finds the events that the server of a fresh connection has as processed or deferred.
   *
   * @param eventIds ids, at least one
   * @return the ids that it has
   */
  default Set<String> among(List<String> eventIds) {
    return Set.copyOf(eventIds);
  }

  /**
   * Works on a server from now on.
   *
   * @param server name that {@link #recordedProgress} has found
   */
  default void stand(String server) {}

  /**
   * Records the progress of lanes.
   *
   * @param positions by lane: everything before the position is committed
   */
  default void note(Map<String, Long> positions) {}

  /** Releases the resources of {@link #open}. Idempotent. */
  @Override
  void close();
}
