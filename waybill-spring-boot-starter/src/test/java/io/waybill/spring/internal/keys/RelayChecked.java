package io.waybill.spring.internal.keys;

import io.waybill.message.Transport;
import io.waybill.store.Polling;
import java.time.Duration;

/** Settings of an outbox that are right, or the failure that lists what is wrong. */
final class RelayChecked {
  private RelayChecked() {}

  static RelaySettings settings(
      ConfiguredOutbox outbox, Transport transport, Duration delivery, Polling polling) {
    Problems problems = new Problems();
    RelaySettings settings = RelaySettings.check(outbox, transport, delivery, polling, problems);
    problems.throwIfAny();
    return settings;
  }
}
