package io.waybill.internal.start;

import io.waybill.broker.Broker;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;
import io.waybill.database.OutboxTables;
import io.waybill.internal.relay.rules.RelayRoutes;
import io.waybill.internal.work.Ticker;
import io.waybill.observe.HealthLimits;
import io.waybill.observe.OutboxHealth;
import io.waybill.observe.RelayListener;
import io.waybill.policy.EngineSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an outbox's relay, described by {@link io.waybill.Waybill#relay} or by the keys of a
 * Spring Boot application. Immutable; it opens nothing. {@link RelaySupervisor} runs it.
 *
 * @param outbox name of the outbox, for logs and checks
 * @param name name of the relay, in tables, logs and threads
 * @param tables source of the events; opened at the first use, fails while the database is away
 * @param broker destination of the events
 * @param decorator wraps each publisher of the broker, given the broker's client
 * @param routes routes, formats, retries and failure policies
 * @param settings from the usual bounds and intervals to those of this relay
 * @param retention how long published events stay in the table; null if the relay removes none
 * @param listen whether commits in other processes wake the relay by NOTIFY
 * @param notificationPause shortest time between two notifications to relays in other processes;
 *     null for no notifications
 * @param gracePeriod how long a stop may take
 * @param history how long it is kept what relays did in each minute; zero if it is not written
 * @param listener receives the relay's events
 */
public record RelayDefinition(
    String outbox,
    String name,
    Supplier<OutboxTables> tables,
    Broker broker,
    BiFunction<Publisher, BrokerClient, Publisher> decorator,
    RelayRoutes routes,
    UnaryOperator<EngineSettings> settings,
    @Nullable Duration retention,
    boolean listen,
    @Nullable Duration notificationPause,
    Duration gracePeriod,
    Duration history,
    RelayListener listener) {
  /** Checks that all parts are given. */
  public RelayDefinition {
    Objects.requireNonNull(outbox, "outbox");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(tables, "tables");
    Objects.requireNonNull(broker, "broker");
    Objects.requireNonNull(decorator, "decorator");
    Objects.requireNonNull(routes, "routes");
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(gracePeriod, "gracePeriod");
    Objects.requireNonNull(history, "history");
    Objects.requireNonNull(listener, "listener");
  }

  /**
   * The same with another broker.
   *
   * @param other destination of the events
   * @return changed copy
   */
  public RelayDefinition broker(Broker other) {
    return new RelayDefinition(
        outbox,
        name,
        tables,
        other,
        decorator,
        routes,
        settings,
        retention,
        listen,
        notificationPause,
        gracePeriod,
        history,
        listener);
  }

  /**
   * Bounds and intervals, as far as they do not depend on a publisher.
   *
   * @return settings for the broker's delivery timeout
   * @throws IllegalArgumentException if they contradict each other
   */
  public EngineSettings bounds() {
    return settings.apply(
        EngineSettings.defaults(broker.deliveryTimeout().plus(Publisher.CLIENT_MARGIN), 1));
  }

  /**
   * Begins to judge whether the relay makes progress.
   *
   * @return health; give it to {@link RelaySupervisor}, which tells it
   */
  public OutboxHealth health() {
    EngineSettings bounds = bounds();
    return new OutboxHealth(
        outbox,
        HealthLimits.of(bounds.lease(), bounds.viewInterval(), broker.deliveryTimeout()),
        Ticker.SYSTEM::nanos);
  }
}
