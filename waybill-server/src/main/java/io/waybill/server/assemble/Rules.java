package io.waybill.server.assemble;

import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.relay.EngineSettings;
import io.waybill.relay.FailurePolicy;
import io.waybill.relay.RelayRules;
import io.waybill.relay.RoutedMapper;
import io.waybill.server.config.FailureConfig;
import io.waybill.server.config.LimitsConfig;
import io.waybill.server.config.OutboxConfig;
import java.time.Duration;

/** What a relay sends where, what happens to failures, and its bounds. */
final class Rules {
  private Rules() {}

  static RelayRules of(OutboxConfig config) {
    Transport transport = config.broker().transport();
    RoutedMapper mapper =
        new RoutedMapper(
            config.routes().routes(transport),
            config.routes().encoder(transport),
            EventLimits.ofDefaults());
    return new RelayRules(
        mapper,
        config.retry(),
        destination -> policy(config.failures().getOrDefault(destination, config.failure())));
  }

  static EngineSettings settings(
      OutboxConfig config, Duration deliveryTimeout, int maxInFlightPerKey) {
    LimitsConfig limits = config.limits();
    return new EngineSettings(
        limits.maxRows(),
        limits.maxBytes(),
        limits.settleBatch(),
        limits.settleDelay(),
        config.polling(),
        limits.lease(),
        limits.renewInterval(),
        limits.viewInterval(),
        deliveryTimeout,
        limits.maxInFlight(),
        maxInFlightPerKey);
  }

  private static FailurePolicy policy(FailureConfig failure) {
    return switch (failure.policy()) {
      case PARK -> new FailurePolicy.Park(failure.giveUpAfter());
      case BURY -> new FailurePolicy.Bury(failure.deadLetter(), failure.giveUpAfter());
    };
  }
}
