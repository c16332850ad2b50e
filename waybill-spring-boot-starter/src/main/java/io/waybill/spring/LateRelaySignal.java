package io.waybill.spring;

import io.waybill.outbox.RelaySignal;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Reports commits to the relay of this process while there is one. Thread-safe. */
public final class LateRelaySignal implements RelaySignal {
  private final AtomicReference<@Nullable RelaySignal> relay = new AtomicReference<>();

  /** Without a relay. */
  public LateRelaySignal() {}

  /**
   * Sets the relay to wake from now on.
   *
   * @param next the relay
   */
  public void relay(RelaySignal next) {
    relay.set(next);
  }

  /**
   * Wakes this relay no longer; another one that was set since stays.
   *
   * @param ended the relay
   */
  public void forget(RelaySignal ended) {
    relay.compareAndSet(ended, null);
  }

  @Override
  public void wake() {
    RelaySignal current = relay.get();
    if (current != null) {
      current.wake();
    }
  }
}
