package io.waybill.internal.relay;

import io.waybill.policy.EngineSettings;
import java.time.Duration;

/** The bounds and intervals of engines under test. */
final class RunSettings {
  private RunSettings() {}

  /** With a lease that is longer than it has to be. */
  static EngineSettings defaults() {
    return looking(EngineSettings.defaults(Duration.ofSeconds(10), 100).viewInterval());
  }

  /** The same with other times between looks at the lanes. */
  static EngineSettings looking(Duration viewInterval) {
    EngineSettings usual = EngineSettings.defaults(Duration.ofSeconds(10), 100);
    return new EngineSettings(
        usual.maxRows(),
        usual.maxBytes(),
        usual.settleBatch(),
        usual.settleDelay(),
        usual.polling(),
        Duration.ofSeconds(15),
        usual.renewInterval(),
        viewInterval,
        usual.deliveryTimeout(),
        usual.maxInFlight(),
        usual.maxInFlightPerKey());
  }
}
