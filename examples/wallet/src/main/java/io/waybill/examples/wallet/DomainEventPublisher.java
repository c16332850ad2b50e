package io.waybill.examples.wallet;

import java.sql.Connection;
import java.sql.SQLException;

/** Where use cases publish what happened. */
interface DomainEventPublisher {
  /** Publishes in the caller's transaction. */
  void publish(Connection connection, DomainEvent event) throws SQLException;
}
