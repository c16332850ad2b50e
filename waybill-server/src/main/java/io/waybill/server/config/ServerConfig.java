package io.waybill.server.config;

import java.time.Duration;
import java.util.List;

/**
 * The configuration of a standalone relay.
 *
 * @param relayName name of this relay, for people
 * @param gracePeriod how long a graceful stop may take
 * @param http where health and metrics are served
 * @param logging how to log
 * @param tracing where spans go
 * @param outboxes outboxes in the order of the file, at least one
 */
public record ServerConfig(
    String relayName,
    Duration gracePeriod,
    HttpConfig http,
    LoggingConfig logging,
    TracingConfig tracing,
    List<OutboxConfig> outboxes) {
  /** Copies the outboxes. */
  public ServerConfig {
    outboxes = List.copyOf(outboxes);
  }
}
