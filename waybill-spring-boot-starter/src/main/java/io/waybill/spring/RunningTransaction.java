package io.waybill.spring;

import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What an event needs of the transaction around it. */
final class RunningTransaction {
  private RunningTransaction() {}

  static void check() {
    // Without synchronisation the transaction has ended, and its callbacks are running.
    if (!TransactionSynchronizationManager.isActualTransactionActive()
        || !TransactionSynchronizationManager.isSynchronizationActive()) {
      throw new IllegalTransactionStateException(
          "No transaction is active: an event is published if and only if the transaction that"
              + " appends it commits. Append it in a method with @Transactional, or in a"
              + " TransactionTemplate");
    }
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalTransactionStateException(
          "The transaction is read-only: an event is a write. Leave out readOnly = true, or append"
              + " the event in a separate transaction (Propagation.REQUIRES_NEW)");
    }
  }
}
