package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.store.DedupeResult;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What handlers do on their connection: what the inbox takes back, rolls back or leaves to them.
 */
abstract class InboxHandlerStatementsContract extends InboxContract {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void whatIsTakenBackIsNotProcessed() throws Exception {
    InboxStore store = open("a");
    InboxStore other = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1"), event("e2"), event("e3")));
      addOne(transaction.connection(), "e1");
      transaction.takeBack(List.of(event("e2"), event("e3")));
      Future<DedupeResult> copy = threads.submit(() -> process(other, event("e2")));
      assertThatExceptionOfType(TimeoutException.class)
          .as("a copy waits")
          .isThrownBy(() -> copy.get(300, TimeUnit.MILLISECONDS));
      transaction.commit();
      assertThat(copy.get(10, TimeUnit.SECONDS)).isEqualTo(new DedupeResult.Fresh());
    }
    assertThat(process(store, event("e1"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(process(store, event("e3"))).isEqualTo(new DedupeResult.Fresh());
  }

  /** The server has rolled everything back by then, the first sights included. */
  @ParameterizedTest
  @ValueSource(strings = {"insert into effect (id, n) values ('z', 0)", "select 1"})
  void aDeadlockThatAHandlerKeepsToItselfIsNotTakenForCommitted(String then) throws Exception {
    for (String id : List.of("x", "y")) {
      execute("insert into effect (id, n) values ('" + id + "', 0)");
    }
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin();
        Connection other = connect()) {
      transaction.markSeen(List.of(event("e1")));
      Connection handlers = transaction.connection();
      addOne(handlers, "x");
      other.setAutoCommit(false);
      looksFirst(handlers, other);
      // MySQL and MariaDB end the transaction that has written less.
      for (int i = 0; i < 50; i++) {
        addOne(other, "o" + i);
      }
      addOne(other, "y");
      Future<?> deadlock = threads.submit(() -> swallow(handlers, "y"));
      assertThatExceptionOfType(TimeoutException.class)
          .isThrownBy(() -> deadlock.get(300, TimeUnit.MILLISECONDS));
      addOne(other, "x");
      deadlock.get(20, TimeUnit.SECONDS);
      other.rollback();
      try {
        run(handlers, then);
      } catch (SQLException e) {
        // Where a transaction in which something failed takes nothing more.
      }

      assertThatExceptionOfType(RefusedCommitException.class)
          .isThrownBy(transaction::commit)
          .havingCause()
          .isInstanceOf(SQLException.class);
      transaction.rollback();
    }
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(texts("select id, n from effect order by id")).containsExactly("x|0", "y|0");
  }

  /** PostgreSQL ends the transaction that looks for a deadlock when there is one. */
  private static void looksFirst(Connection one, Connection other) throws SQLException {
    if (one.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
      run(one, "set local deadlock_timeout = '5s'");
      run(other, "set local deadlock_timeout = '1min'");
    }
  }

  /** Such statements commit what came before them on MySQL and MariaDB. */
  @Test
  void aHandlerThatDefinesATableLosesNothing() throws SQLException {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1"), event("e2")));
      Connection connection = transaction.connection();
      addOne(connection, "e1");
      run(connection, "create table side (id int)");
      addOne(connection, "e2");
      transaction.commit();
    }
    assertThat(process(store, event("e1"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(process(store, event("e2"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(texts("select id from effect order by id")).containsExactly("e1", "e2");
  }

  @Test
  void savepointsOfHandlersAreTheirOwn() throws SQLException {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1")));
      Connection connection = transaction.connection();
      addOne(connection, "e1");
      var savepoint = Objects.requireNonNull(connection.setSavepoint("mine"));
      addOne(connection, "e2");
      connection.rollback(savepoint);
      connection.releaseSavepoint(savepoint);
      transaction.commit();
    }
    assertThat(texts("select id from effect")).containsExactly("e1");
  }

  private static void swallow(Connection connection, String id) {
    try {
      addOne(connection, id);
    } catch (SQLException e) {
      // As a handler does that takes every error for a duplicate.
    }
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
