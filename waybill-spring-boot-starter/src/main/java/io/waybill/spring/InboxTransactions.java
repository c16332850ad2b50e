package io.waybill.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Prevents other transaction managers from beginning a transaction on the connection of the inbox's
 * transaction. Spring allows this to a JDBC manager within a transaction of JPA; its commit would
 * also commit the notes of unhandled events. Add this to every transaction manager of an
 * application with several. Thread-safe.
 */
public final class InboxTransactions implements TransactionExecutionListener {
  private static final Object KEY = new Object();

  /** Of the inbox's transaction in this thread. */
  private record Bound(DataSource source, ConnectionHolder holder) {}

  /** Guards the transactions of all inboxes. */
  public InboxTransactions() {}

  /** This thread's transaction is the inbox's, until {@link #ended}. */
  static void begun(DataSource source, ConnectionHolder holder) {
    TransactionSynchronizationManager.bindResource(KEY, new Bound(source, holder));
  }

  static void ended() {
    TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
  }

  @Override
  public void beforeBegin(TransactionExecution transaction) {
    if (TransactionSynchronizationManager.getResource(KEY) instanceof Bound inbox
        && holder(transaction) == inbox.holder
        // Else it is suspended, and the transaction gets a connection of its own.
        && BoundSource.holder(inbox.source) == inbox.holder) {
      throw new IllegalTransactionStateException(
          "A transaction of another manager would be begun on the connection of the running"
              + " transaction of the inbox, and commit that: use the inbox's transaction manager"
              + " here, or none");
    }
  }

  private static @Nullable ConnectionHolder holder(TransactionExecution transaction) {
    return transaction instanceof DefaultTransactionStatus status
            && status.getTransaction() instanceof JdbcTransactionObjectSupport connected
            && connected.hasConnectionHolder()
        ? connected.getConnectionHolder()
        : null;
  }
}
