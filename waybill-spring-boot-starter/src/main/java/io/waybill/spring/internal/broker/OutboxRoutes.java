package io.waybill.spring.internal.broker;

import io.waybill.broker.Broker;
import io.waybill.internal.jdbc.table.TablePolling;
import io.waybill.layout.Layout;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.internal.keys.Outboxes;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.internal.keys.RelayChecks;
import io.waybill.spring.internal.keys.RelaySettings;
import io.waybill.spring.internal.keys.TableLayout;
import io.waybill.spring.properties.WaybillProperties;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the events of each outbox travel: all keys have been checked, those of all outboxes at once.
 */
public final class OutboxRoutes {
  private final Map<String, OutboxRoute> routes = new HashMap<>();

  private OutboxRoutes() {}

  /**
   * Checks them.
   *
   * @param contexts where settings of brokers come from
   * @param layouts layouts of the application's own, by outbox
   */
  public static OutboxRoutes of(
      Outboxes outboxes,
      WaybillProperties properties,
      Supplier<BrokerContext> contexts,
      Function<String, @Nullable Layout> layouts) {
    OutboxRoutes all = new OutboxRoutes();
    Problems problems = outboxes.problems();
    RelayChecks.ofProcess(properties, problems);
    for (ConfiguredOutbox outbox : outboxes.all()) {
      all.routes.put(
          outbox.name(),
          route(outbox, layouts.apply(outbox.name()), properties, problems, contexts.get()));
    }
    problems.throwIfAny();
    return all;
  }

  /** The route of an outbox. */
  public OutboxRoute get(String name) {
    return Objects.requireNonNull(routes.get(name), name);
  }

  /**
   * Checks one outbox; what is wrong is added to the problems.
   *
   * @param custom a layout of the application's own
   */
  public static OutboxRoute route(
      ConfiguredOutbox outbox,
      @Nullable Layout custom,
      WaybillProperties properties,
      Problems problems,
      BrokerContext context) {
    Layout layout = TableLayout.of(outbox, custom, null, problems);
    Broker broker = Brokers.of(outbox, layout, properties, context);
    RelaySettings settings =
        RelaySettings.check(
            outbox,
            broker.transport(),
            broker.deliveryTimeout(),
            TablePolling.of(layout),
            problems);
    return new OutboxRoute(broker, settings, context);
  }
}
