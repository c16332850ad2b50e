package io.waybill.spring.autoconfigure;

import io.waybill.broker.Broker;
import io.waybill.internal.start.RelaySupervisor;
import io.waybill.internal.start.StartChecks;
import io.waybill.observe.OutboxHealth;
import io.waybill.spring.LateRelaySignal;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationStartedEvent;

/**
 * The relay in the application's life cycle. It begins when the application has started, before its
 * runners, so a runner that works for hours delays no event. It stops first. Thread-safe.
 */
public final class RelayLifecycle extends BackgroundLifecycle<RelaySupervisor> {
  private final StartChecks checks;
  private final Supplier<Broker> broker;
  private final LateRelaySignal relaySignal;
  private final OutboxHealth health;
  private final @Nullable RelayFailureHandler failures;

  /**
   * Prepares.
   *
   * @param broker reads the broker's settings, anew for each life
   * @param failures ends the process; null if the relay begins again
   */
  RelayLifecycle(
      StartChecks checks,
      Supplier<Broker> broker,
      int phase,
      LateRelaySignal relaySignal,
      OutboxHealth health,
      @Nullable RelayFailureHandler failures) {
    super(
        checks.definition().name(),
        checks.definition().gracePeriod(),
        phase,
        ApplicationStartedEvent.class);
    this.checks = checks;
    this.broker = broker;
    this.relaySignal = relaySignal;
    this.health = health;
    this.failures = failures;
  }

  /**
   * The outbox whose events it relays.
   *
   * @return name of the outbox
   */
  public String outbox() {
    return checks.definition().outbox();
  }

  /**
   * Why the relay makes no progress.
   *
   * @return reasons, empty if it does
   */
  public List<String> unready() {
    RelaySupervisor run = current();
    if (run == null && isRunning()) {
      return List.of("the relay begins when the application has started; it is still starting");
    }
    String refusal = run == null ? null : run.refusal();
    return refusal == null ? health.unready() : List.of(refusal);
  }

  /**
   * Why the process should be restarted.
   *
   * @return reasons, empty if the relay lives
   */
  public List<String> dead() {
    return health.dead();
  }

  @Override
  RelaySupervisor begin() {
    RelayFailureHandler handler = failures;
    RelaySupervisor relay =
        new RelaySupervisor(
            checks.broker(broker.get()),
            false,
            health,
            handler == null ? null : cause -> handler.onFailure(outbox(), cause));
    relaySignal.relay(relay);
    relay.start();
    return relay;
  }

  @Override
  boolean end(RelaySupervisor relay, Duration grace) {
    boolean clean = relay.stop(grace);
    relaySignal.forget(relay);
    return clean;
  }

  @Override
  String unfinished() {
    return "The relay was stopped with events in flight; their next owner publishes them again";
  }
}
