package io.waybill;

import io.waybill.database.AppendDialect;
import io.waybill.internal.start.RelayDefinition;
import io.waybill.internal.start.RelaySupervisor;
import io.waybill.internal.start.StartChecks;
import io.waybill.message.EventLimits;
import io.waybill.observe.Finding;
import io.waybill.observe.OutboxHealth;
import io.waybill.outbox.Outbox;
import java.time.Duration;
import java.util.List;

/**
 * An outbox and a relay in one process: append events in business transactions, and the relay
 * carries them to the broker.
 *
 * <pre>{@code
 * Waybill waybill =
 *     Waybill.relay("orders-1")
 *         .outbox(dataSource)
 *         .broker(KafkaBroker.at("localhost:9092"))
 *         .route("{aggregateType|lower}-events")
 *         .start();
 * }</pre>
 *
 * Thread-safe. The relay opens four connections, two more with {@link RelayBuilder#notifications},
 * and one more with {@link RelayBuilder#retention}.
 */
public final class Waybill implements AutoCloseable {
  private final Outbox outbox;
  private final RelaySupervisor relay;
  private final OutboxHealth health;
  private final Duration gracePeriod;

  private Waybill(Outbox outbox, RelaySupervisor relay, OutboxHealth health, Duration gracePeriod) {
    this.outbox = outbox;
    this.relay = relay;
    this.health = health;
    this.gracePeriod = gracePeriod;
  }

  /**
   * Starts describing an outbox and its relay.
   *
   * @param name name of the relay, in logs, threads and the session table
   * @return a builder
   */
  public static RelayBuilder relay(String name) {
    return new RelayBuilder(name);
  }

  /**
   * Starts describing an inbox.
   *
   * @param consumer name that all processes of the consumer share
   * @return a builder
   */
  public static ConsumerBuilder inbox(String consumer) {
    return new ConsumerBuilder(consumer);
  }

  static Waybill start(
      StartChecks checks, boolean warnOnly, AppendDialect append, EventLimits limits) {
    RelayDefinition definition = checks.definition();
    OutboxHealth health = definition.health();
    RelaySupervisor relay = new RelaySupervisor(checks, warnOnly, health, null);
    List<Finding> refusing = relay.startChecked();
    if (!refusing.isEmpty()) {
      throw new StartRefusedException(definition.outbox(), refusing);
    }
    return new Waybill(new Outbox(append, limits, relay), relay, health, definition.gracePeriod());
  }

  /**
   * The write API. Its {@link Outbox#committed()} wakes the relay of this process.
   *
   * @return the outbox
   */
  public Outbox outbox() {
    return outbox;
  }

  /**
   * Whether the relay makes progress, and if not, why.
   *
   * @return health of the relay, for probes and alerts
   */
  public OutboxHealth health() {
    return health;
  }

  /**
   * Stops the relay: it awaits and settles the sends in flight, and releases its lanes. Leaves no
   * duplicates if it ends within the grace period. With other relays, it first goes on for up to a
   * second, until they are ready for its lanes; a grace period that is shorter than the delivery
   * timeout and two seconds leaves that out.
   *
   * @param grace longest time to wait
   * @return whether everything was settled and released in time
   */
  public boolean stop(Duration grace) {
    return relay.stop(grace);
  }

  /** Stops within the {@link RelayBuilder#gracePeriod}. */
  @Override
  public void close() {
    stop(gracePeriod);
  }
}
