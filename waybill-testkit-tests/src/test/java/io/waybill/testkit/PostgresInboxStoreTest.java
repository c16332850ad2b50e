package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.store.DedupeResult;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PostgresInboxStoreTest extends InboxStoreContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }

  /** What its system asks of hosts that are gone, as it stands at the socket. */
  @Test
  void aHostThatIsGoneLosesItsTransactionsAfterSeconds() throws SQLException {
    try (InboxTransaction transaction = open("a").begin();
        Statement statement = transaction.connection().createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select current_setting('tcp_keepalives_idle'),
                  current_setting('tcp_keepalives_interval'),
                  current_setting('tcp_keepalives_count'), current_setting('tcp_user_timeout'),
                  current_setting('client_connection_check_interval')""")) {
      row.next();
      assertThat(
              List.of(
                  row.getString(1),
                  row.getString(2),
                  row.getString(3),
                  row.getString(4),
                  row.getString(5)))
          .containsExactly("5", "2", "3", "11000", "1s");
    }
  }

  /** The server answers such a COMMIT with ROLLBACK, which the driver does not report. */
  @Test
  void aTransactionThatAnErrorHasEndedIsNotTakenForCommitted() {
    assertRefused("select 1 / 0", "25P02", InboxTransaction::commit);
  }

  @Test
  void norIsWhatTheInboxWritesInItTheFaultOfTheDatabase() {
    assertRefused("select 1 / 0", "25P02", transaction -> transaction.forgetStarts(List.of("e1")));
  }

  @Test
  void aConstraintThatIsCheckedAtTheCommitIsTheHandlersAffair() {
    assertRefused(
        """
        create temporary table once (n int unique deferrable initially deferred) on commit drop;
        insert into once values (1), (1)
        """,
        "23505",
        InboxTransaction::commit);
  }

  /** Something that is done in a transaction. */
  private interface Act {
    void on(InboxTransaction transaction);
  }

  private void assertRefused(String sql, String state, Act act) {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1")));
      runAndForgetTheError(transaction.connection(), sql);

      ThrowingCallable acting = () -> act.on(transaction);
      assertThatExceptionOfType(RefusedCommitException.class)
          .isThrownBy(acting)
          .havingCause()
          .isInstanceOfSatisfying(
              SQLException.class, cause -> assertThat(cause.getSQLState()).isEqualTo(state));
      transaction.rollback();
    }
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
  }

  private static void runAndForgetTheError(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      // As handlers do that insert and take a duplicate for fine.
    }
  }
}
