package io.waybill.spring;

import io.waybill.database.TransactionSource;
import io.waybill.store.RefusedCommitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions of Spring's manager for an inbox. Work of its handlers through {@code JdbcTemplate},
 * JPA or the {@link SpringOutbox} takes part in them. Thread-safe.
 */
public final class SpringTransactions implements TransactionSource {
  private static final Logger LOG = LoggerFactory.getLogger(SpringTransactions.class);

  /** In place of an application's default: the inbox itself bounds the time of its handlers. */
  private static final int NO_TIMEOUT_SECONDS = 86_400;

  private final PlatformTransactionManager manager;
  private final DataSource source;

  /**
   * Joins a manager and a data source.
   *
   * @param manager begins and ends the transactions
   * @param source whose connections it binds
   */
  public SpringTransactions(PlatformTransactionManager manager, DataSource source) {
    this.manager = Objects.requireNonNull(manager, "manager");
    this.source = BoundSource.target(source);
  }

  /**
   * Returns the manager that begins and ends the transactions.
   *
   * @return the manager
   */
  public PlatformTransactionManager manager() {
    return manager;
  }

  /**
   * Begins a transaction.
   *
   * @throws IllegalStateException if the manager's transactions are not those of the data source
   */
  @Override
  public Managed begin() throws SQLException {
    DefaultTransactionDefinition definition =
        new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    definition.setName("waybill inbox");
    if (manager instanceof AbstractPlatformTransactionManager usual
        && usual.getDefaultTimeout() != TransactionDefinition.TIMEOUT_DEFAULT) {
      definition.setTimeout(NO_TIMEOUT_SECONDS);
    }
    TransactionStatus status;
    try {
      status = manager.getTransaction(definition);
    } catch (TransactionException e) {
      throw databaseFailure(e);
    }
    boolean begun = false;
    try {
      Completion completion = new Completion();
      TransactionSynchronizationManager.registerSynchronization(completion);
      ConnectionHolder holder = BoundSource.holder(source);
      if (holder == null) {
        throw otherSource();
      }
      InboxTransactions.begun(source, holder);
      Managed managed = new Running(manager, status, completion, connection());
      begun = true;
      return managed;
    } finally {
      if (!begun) {
        rollback(manager, status);
      }
    }
  }

  private Connection connection() throws SQLException {
    Connection connection = DataSourceUtils.getConnection(source);
    // It stays bound until the transaction ends.
    DataSourceUtils.releaseConnection(connection, source);
    if (connection.getAutoCommit()) {
      throw otherSource();
    }
    return connection;
  }

  private static IllegalStateException otherSource() {
    return new IllegalStateException(
        "The transaction manager's transactions are not those of the inbox's data source: an effect"
            + " would be committed separately from the note that its event was processed");
  }

  private static SQLException databaseFailure(RuntimeException e) {
    Throwable cause = e;
    while (cause != null) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
      cause = cause.getCause();
    }
    return new SQLException(e.getMessage(), e);
  }

  private static void rollback(PlatformTransactionManager manager, TransactionStatus status) {
    if (status.isCompleted()) {
      return;
    }
    try {
      manager.rollback(status);
    } catch (RuntimeException e) {
      LOG.debug("A transaction of the inbox could not be rolled back", e);
    }
  }

  /** How the transaction ended, which its exceptions do not say. */
  private static final class Completion implements TransactionSynchronization {
    private int status = STATUS_UNKNOWN;

    @Override
    public void afterCompletion(int ended) {
      status = ended;
      InboxTransactions.ended();
    }
  }

  private record Running(
      PlatformTransactionManager manager,
      TransactionStatus status,
      Completion completion,
      Connection connection)
      implements Managed {
    @Override
    public void commit() throws SQLException {
      try {
        manager.commit(status);
      } catch (RuntimeException e) {
        failed(e);
        return;
      }
      if (completion.status == TransactionSynchronization.STATUS_ROLLED_BACK) {
        throw new RefusedCommitException(
            new UnexpectedRollbackException("The transaction was marked as rollback-only"));
      }
    }

    private void failed(RuntimeException e) throws SQLException {
      switch (completion.status) {
        case TransactionSynchronization.STATUS_COMMITTED ->
            LOG.warn("A callback after the commit failed; its event counts as processed", e);
        case TransactionSynchronization.STATUS_ROLLED_BACK -> throw new RefusedCommitException(e);
        default -> throw databaseFailure(e);
      }
    }

    @Override
    public void rollback() {
      SpringTransactions.rollback(manager, status);
    }
  }
}
