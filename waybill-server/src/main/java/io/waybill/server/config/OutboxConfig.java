package io.waybill.server.config;

import io.waybill.retry.RetryPolicy;
import io.waybill.store.Polling;
import java.util.Map;

/**
 * One outbox.
 *
 * @param name its name, unique within the process
 * @param database where it lives
 * @param table its table
 * @param polling when the table is read, and how much at a time
 * @param broker where its events go
 * @param routes which event goes where
 * @param failure what happens to events that are given up
 * @param failures the same for single destinations, by name
 * @param retry when to try again
 * @param limits bounds and intervals
 */
public record OutboxConfig(
    String name,
    DatabaseConfig database,
    TableConfig table,
    Polling polling,
    BrokerConfig broker,
    RoutesConfig routes,
    FailureConfig failure,
    Map<String, FailureConfig> failures,
    RetryPolicy retry,
    LimitsConfig limits) {
  /** Copies the policies. */
  public OutboxConfig {
    failures = Map.copyOf(failures);
  }
}
