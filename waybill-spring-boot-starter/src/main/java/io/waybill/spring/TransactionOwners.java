package io.waybill.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Distinguishes transactions of a data source from those that another manager begins within them.
 * Spring does not: the outer one's connection stays bound, and an event would commit with it. Add
 * this to every transaction manager of an application with several. Thread-safe.
 */
public final class TransactionOwners implements TransactionExecutionListener {
  private final DataSource source;

  /**
   * Guards the transactions of a data source.
   *
   * @param source data source of the outbox's transactions
   */
  public TransactionOwners(DataSource source) {
    this.source = BoundSource.target(source);
  }

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
    if (failure == null
        && TransactionSynchronizationManager.isSynchronizationActive()
        && !hasBound(transaction)) {
      Marker marker = new Marker(new Key(source));
      TransactionSynchronizationManager.registerSynchronization(marker);
      marker.resume();
    }
  }

  /** Whether the connection that is bound for the data source is that of this transaction. */
  private boolean hasBound(TransactionExecution transaction) {
    return transaction instanceof DefaultTransactionStatus status
        && status.getTransaction() instanceof JdbcTransactionObjectSupport connected
        && connected.hasConnectionHolder()
        && connected.getConnectionHolder() == BoundSource.holder(source);
  }

  /** Whether the running transaction is known to be none of a data source's. */
  static boolean isOther(DataSource target) {
    return TransactionSynchronizationManager.hasResource(new Key(target));
  }

  private record Key(DataSource source) {}

  /** Bound while a transaction of another owner runs. */
  private record Marker(Key key) implements TransactionSynchronization {
    @Override
    public void suspend() {
      TransactionSynchronizationManager.unbindResource(key);
    }

    @Override
    public void resume() {
      TransactionSynchronizationManager.bindResource(key, this);
    }

    @Override
    public void afterCompletion(int status) {
      TransactionSynchronizationManager.unbindResourceIfPossible(key);
    }
  }
}
