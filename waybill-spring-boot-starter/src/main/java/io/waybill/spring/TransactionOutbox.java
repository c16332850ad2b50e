package io.waybill.spring;

import io.waybill.message.Event;
import io.waybill.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.IllegalTransactionStateException;

/** Joins the transaction that Spring has bound to the thread. */
final class TransactionOutbox implements SpringOutbox {
  private static final String TASK = "append events to the outbox";

  private final DataSource source;
  private final Manager manager;
  private final Outbox outbox;
  private final CurrentTraceContext traces;
  private final SQLExceptionTranslator translator = new SQLExceptionSubclassTranslator();

  TransactionOutbox(DataSource source, Outbox outbox, CurrentTraceContext traces) {
    this.source = BoundSource.target(source);
    this.manager = new Manager(this.source);
    this.outbox = outbox;
    this.traces = traces;
  }

  @Override
  public void append(List<Event> events) {
    if (events.isEmpty()) {
      return;
    }
    RunningTransaction.check();
    checkSource();
    Connection connection = DataSourceUtils.getConnection(source);
    try {
      checkJoined(connection);
      CommitCallback.begin(this, outbox::committed);
      outbox.append(connection, Traced.all(events, traces));
    } catch (SQLException e) {
      throw translated(e);
    } finally {
      DataSourceUtils.releaseConnection(connection, source);
    }
  }

  private void checkSource() {
    ConnectionHolder holder = BoundSource.holder(source);
    if (holder == null || manager.remembers(holder) || TransactionOwners.isOther(source)) {
      throw otherSource();
    }
    if (holder.hasTimeout()) {
      // Throws when the transaction's time is up.
      holder.getTimeToLiveInMillis();
    }
  }

  private static void checkJoined(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw otherSource();
    }
  }

  private static IllegalTransactionStateException otherSource() {
    return new IllegalTransactionStateException(
        "The running transaction does not belong to the outbox's data source: an event would be"
            + " committed separately from the business change. Use the transaction manager of the"
            + " outbox's data source, or name another one with waybill.outbox.data-source");
  }

  private DataAccessException translated(SQLException e) {
    DataAccessException known = translator.translate(TASK, null, e);
    return known == null ? new UncategorizedSQLException(TASK, null, e) : known;
  }

  /** Looks at what is bound to the thread as Spring's own manager does. Begins nothing. */
  private static final class Manager extends DataSourceTransactionManager {
    private static final long serialVersionUID = 1L;

    Manager(DataSource source) {
      super(source);
    }

    /**
     * Whether Spring merely remembers the connection until a transaction of another data source
     * ends. It is then synchronised with that, but no manager has begun a transaction on it; JPA's
     * managers bind one that is neither.
     */
    boolean remembers(ConnectionHolder holder) {
      return holder.isSynchronizedWithTransaction() && !isExistingTransaction(doGetTransaction());
    }
  }
}
