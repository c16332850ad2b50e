package io.waybill.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Where Spring keeps the connection of a running transaction. */
final class BoundSource {
  private BoundSource() {}

  /** Transaction managers bind connections to the data source behind this proxy. */
  static DataSource target(DataSource source) {
    if (source instanceof TransactionAwareDataSourceProxy proxy) {
      DataSource target = proxy.getTargetDataSource();
      return target == null ? source : target;
    }
    return source;
  }

  /** What is bound for a target, or null. */
  static @Nullable ConnectionHolder holder(DataSource target) {
    return TransactionSynchronizationManager.getResource(target) instanceof ConnectionHolder holder
        ? holder
        : null;
  }
}
