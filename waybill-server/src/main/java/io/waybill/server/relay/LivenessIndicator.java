package io.waybill.server.relay;

import io.waybill.spring.autoconfigure.RelayLifecycle;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Down when the process should be started anew: a part of a relay does not move any more. */
final class LivenessIndicator extends AbstractHealthIndicator {
  private final List<RelayLifecycle> relays;

  LivenessIndicator(List<RelayLifecycle> relays) {
    this.relays = List.copyOf(relays);
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    List<String> reasons = relays.stream().flatMap(relay -> relay.dead().stream()).toList();
    if (reasons.isEmpty()) {
      builder.up();
    } else {
      builder.down().withDetail("reasons", reasons);
    }
  }
}
