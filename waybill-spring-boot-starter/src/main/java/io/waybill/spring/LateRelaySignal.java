package io.waybill.spring;

import io.waybill.outbox.RelaySignal;
import org.jspecify.annotations.Nullable;

/** Reports commits to the relay of this process while there is one. Thread-safe. */
public final class LateRelaySignal implements RelaySignal {
  private volatile @Nullable RelaySignal relay;

  /** Without a relay. */
  public LateRelaySignal() {}

  /**
   * Sets the relay to wake from now on.
   *
   * @param relay the relay, or null for none
   */
  public void relay(@Nullable RelaySignal relay) {
    this.relay = relay;
  }

  @Override
  public void wake() {
    RelaySignal current = relay;
    if (current != null) {
      current.wake();
    }
  }
}
