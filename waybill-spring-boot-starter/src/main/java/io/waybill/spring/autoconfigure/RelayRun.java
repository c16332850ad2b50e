package io.waybill.spring.autoconfigure;

import io.waybill.RelaySupervisor;
import io.waybill.spring.WakeUp;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One life of the relay, which the commits of this application wake. */
record RelayRun(RelaySupervisor supervisor, WakeUp wakeUp) implements BackgroundRun {
  @Override
  public void start() {
    wakeUp.relay(supervisor);
    supervisor.start();
  }

  @Override
  public @Nullable String refusal() {
    return supervisor.refusal();
  }

  @Override
  public boolean stop(Duration grace) {
    wakeUp.relay(null);
    return supervisor.stop(grace);
  }
}
