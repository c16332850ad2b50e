package io.waybill.spring;

import io.waybill.outbox.CommitNudge;
import org.jspecify.annotations.Nullable;

/** Reports commits to the relay of this process while there is one. Thread-safe. */
public final class WakeUp implements CommitNudge {
  private volatile @Nullable CommitNudge relay;

  /** Without a relay. */
  public WakeUp() {}

  /**
   * Sets the relay to wake from now on.
   *
   * @param relay the relay, or null for none
   */
  public void relay(@Nullable CommitNudge relay) {
    this.relay = relay;
  }

  @Override
  public void nudge() {
    CommitNudge current = relay;
    if (current != null) {
      current.nudge();
    }
  }
}
