package io.waybill.spring;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Follows one transaction with events to its end: at most one per transaction and outbox, none for
 * a transaction without events.
 */
final class CommitCallback implements TransactionSynchronization, Ordered {
  private static final Logger LOG = LoggerFactory.getLogger(CommitCallback.class);

  private final Object outbox;
  private final Runnable committed;
  private boolean begunInTime;
  private boolean over;

  private CommitCallback(Object outbox, Runnable committed) {
    this.outbox = outbox;
    this.committed = committed;
  }

  /** Watches the running transaction, unless it is watched already. */
  static void begin(Object outbox, Runnable committed) {
    if (TransactionSynchronizationManager.getResource(outbox) instanceof CommitCallback known) {
      known.refuseIfOver();
      return;
    }
    CommitCallback watch = new CommitCallback(outbox, committed);
    TransactionSynchronizationManager.registerSynchronization(watch);
    TransactionSynchronizationManager.bindResource(outbox, watch);
  }

  private void refuseIfOver() {
    if (over) {
      throw new IllegalTransactionStateException(
          "The transaction has already been committed: an event that is appended after the commit"
              + " is not part of it. Append it before the commit, or in a separate transaction"
              + " (Propagation.REQUIRES_NEW)");
    }
  }

  /** Before all others: what they append after the commit is refused. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public void suspend() {
    TransactionSynchronizationManager.unbindResource(outbox);
  }

  @Override
  public void resume() {
    TransactionSynchronizationManager.bindResource(outbox, this);
  }

  @Override
  public void beforeCommit(boolean readOnly) {
    begunInTime = true;
  }

  /** Not called if the watch began in a callback after the commit. */
  @Override
  public void afterCommit() {
    begunInTime = true;
    over = true;
    committed.run();
  }

  @Override
  public void afterCompletion(int status) {
    TransactionSynchronizationManager.unbindResourceIfPossible(outbox);
    if (status == STATUS_COMMITTED && !begunInTime) {
      // Spring tells nobody beforehand that callbacks after the commit are running.
      LOG.error(
          "An event was appended after its transaction had been committed: the connection pool may"
              + " keep or drop it. Append it before the commit, or in a separate transaction"
              + " (Propagation.REQUIRES_NEW)");
    }
  }
}
