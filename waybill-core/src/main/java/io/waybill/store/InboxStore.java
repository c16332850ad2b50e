package io.waybill.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The inbox tables of one consumer. Thread-safe: each call works on a connection of its own. Every
 * method throws {@link StoreException} when the database does not answer in time or refuses, and
 * may then be called again. All times are those of the database's clock.
 */
public interface InboxStore extends AutoCloseable {
  /**
   * The consumer that this store is for.
   *
   * @return its name: 1 to 100 characters
   */
  String consumer();

  /**
   * Checks the tables, and where they have room for one consumer only, takes them for this one.
   * Called once, before anything else.
   *
   * @throws IllegalStateException if another consumer has them, or a table is missing or unfit; the
   *     message names table, consumer and rule
   */
  void open();

  /**
   * How long a statement may take, or a transaction rest, before the database ends it.
   *
   * @return the limit; empty, as by default, if this store sets none
   */
  default Optional<Duration> statementLimit() {
    return Optional.empty();
  }

  /**
   * What a SQL error is about, by names alone: constraint, table, column.
   *
   * @param failure what a handler's statement has met
   * @return names, each after a comma and what it is; empty, as by default, if it names none
   */
  default String names(SQLException failure) {
    return "";
  }

  /**
   * Begins a transaction: READ COMMITTED, on a connection of its own.
   *
   * @return the transaction, for one thread at a time
   */
  InboxTransaction begin();

  /**
   * Claims deferred events that are due: of every key only the first one, keyless ones each by
   * itself. One that is claimed is not returned to anybody else until its claim is over or it is
   * {@linkplain InboxTransaction#postpone postponed}; one whose claim ran out is returned with
   * {@link DeferredEvent#again()}.
   *
   * @param owner who claims: unique per process
   * @param claim how long the claim lasts from now
   * @param limit most events to return, at least 1
   * @return claimed events, the longest due first
   */
  List<DeferredEvent> due(String owner, Duration claim, int limit);

  /**
   * Gives up all claims of an owner that has stopped; their events are due at once, not as {@link
   * DeferredEvent#again()}.
   *
   * @param owner who claimed
   */
  void release(String owner);

  /**
   * Counts deferred events, for metrics.
   *
   * @return events that wait, due or not
   */
  long deferred();

  /**
   * Forgets events that were processed long ago, and attempt marks as old.
   *
   * @param age how long ago at least
   * @param limit most rows to delete of each table
   * @return rows deleted; fewer than {@code limit} when nothing as old is left
   */
  int sweep(Duration age, int limit);

  /**
   * On which server, and point of its history, this store stands: what it has answered to be
   * committed is committed there. While its connections lead to another one, all methods but {@link
   * #standing} and {@link #among} throw {@link StoreException}, and so do commits.
   *
   * @return the name; empty, as by default, where servers are not told apart
   */
  default String server() {
    return "";
  }

  /**
   * Looks on a fresh connection to which server it leads, and how far lanes are by what that one
   * has. If it is another server than {@link #server}, nothing is done on either until {@link
   * #stand}.
   *
   * @param lanes partitions, queues
   * @return what was found
   */
  default Standing standing(Set<String> lanes) {
    return new Standing("", Map.of());
  }

  /**
   * Which events the server of a fresh connection has as processed or deferred.
   *
   * @param eventIds ids, at least one
   * @return those that it has
   */
  default Set<String> among(List<String> eventIds) {
    return Set.copyOf(eventIds);
  }

  /**
   * Works on a server from now on.
   *
   * @param server name that {@link #standing} has found
   */
  default void stand(String server) {}

  /**
   * Notes how far lanes are.
   *
   * @param positions by lane: everything before it is committed
   */
  default void note(Map<String, Long> positions) {}

  /** Lets go of what {@link #open} has taken. Idempotent. */
  @Override
  void close();
}
