package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.InboxOptions;
import io.waybill.database.TransactionSource;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MySqlInboxStatementsTest extends InboxStatementsContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }

  /** It commits, and the session may touch nothing but the tables that it names. */
  @Test
  void tablesThatAHandlerLocksAreNotLockedForTheNext() throws SQLException {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1")));
      try (Statement statement = transaction.connection().createStatement()) {
        statement.execute("lock tables effect write");
      }
      assertThat(transaction.handled(List.of(event("e1")))).isTrue();
      assertThatExceptionOfType(RefusedCommitException.class).isThrownBy(transaction::commit);
      transaction.rollback();
    }
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(store, event("e1"))).isInstanceOf(DedupeResult.Seen.class);
  }

  /** The server rolls back and begins anew without a word: the open note and its mark are back. */
  @Test
  void aDeadlockThatAHandlerKeepsToItselfLosesNoEventWhoseOpenNoteWasTakenOver() throws Exception {
    InboxStore store = open("a");
    execute("insert into effect values ('x', 0), ('y', 0)");
    leaveOpenNote(store, "e1");
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Connection other = connect();
        InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(List.of(event("e1"))))
          .containsExactly(new DedupeResult.Fresh());
      other.setAutoCommit(false);
      // It has changed more, so it is not the one that is rolled back.
      for (int i = 0; i < 100; i++) {
        addOne(other, "other" + i);
      }
      addOne(other, "y");
      addOne(transaction.connection(), "x");
      Future<?> waiting =
          threads.submit(
              () -> {
                addOne(other, "x");
                return null;
              });
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> addOne(transaction.connection(), "y"))
          .satisfies(e -> assertThat(e.getErrorCode()).isEqualTo(1213));
      waiting.get(20, TimeUnit.SECONDS);
      other.commit();
      transaction.handled(List.of(event("e1")));

      assertThatExceptionOfType(RefusedCommitException.class).isThrownBy(transaction::commit);
      transaction.rollback();
    } finally {
      threads.shutdownNow();
    }
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
  }

  /** As with a framework, whose connection its handlers have. */
  private static final class Outer implements TransactionSource.Managed {
    private final Connection connection;

    Outer(Connection connection) throws SQLException {
      this.connection = connection;
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }

    @Override
    public Connection connection() {
      return connection;
    }

    @Override
    public void commit() throws SQLException {
      connection.commit();
      connection.close();
    }

    @Override
    public void rollback() {
      try {
        if (!connection.isClosed()) {
          connection.rollback();
          connection.close();
        }
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void whereItDoesNotSeeWhatHandlersRunAllAreHandledAgainAfterAFailure() throws SQLException {
    List<Outer> begun = new ArrayList<>();
    try (JdbcInboxStore store =
        JdbcInboxStore.of(this::connect, kind(), "a", InboxOptions.ofDefaults())
            .joining(
                () -> {
                  begun.add(new Outer(connect()));
                  return begun.get(begun.size() - 1);
                })) {
      store.open();
      List<DedupeKey> events = List.of(event("e1"), event("e2"), event("e3"));
      try (InboxTransaction transaction = store.begin()) {
        transaction.markSeen(events);
        transaction.connection();
        try (Statement statement = begun.get(0).connection().createStatement()) {
          statement.execute("truncate table scratch");
        }
        assertThat(transaction.handled(List.of(event("e1")))).isFalse();
        transaction.rollback();
      }
      try (InboxTransaction transaction = store.begin()) {
        assertThat(transaction.markSeen(events)).containsOnly(new DedupeResult.Fresh()).hasSize(3);
        addOne(transaction.connection(), "e1");
        transaction.handled(List.of(event("e1"), event("e2")));
        transaction.takeBack(List.of(event("e3")));
        transaction.commit();
      }
      assertThat(process(store, event("e1"))).isInstanceOf(DedupeResult.Seen.class);
      assertThat(process(store, event("e2"))).isInstanceOf(DedupeResult.Seen.class);
      assertThat(process(store, event("e3"))).isEqualTo(new DedupeResult.Fresh());
    }
    assertThat(texts("select id, n from effect")).containsExactly("e1|1");
    assertThat(texts("select event_id from waybill_inbox_attempt")).isEmpty();
  }
}
