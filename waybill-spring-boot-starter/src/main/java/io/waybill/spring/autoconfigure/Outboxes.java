package io.waybill.spring.autoconfigure;

import io.waybill.jdbc.LayoutPolling;
import io.waybill.layout.Layout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All outboxes of the process; those with a relay have been checked, all of them at once. */
final class Outboxes {
  private final List<ConfiguredOutbox> all;
  private final Map<String, OutboxRoute> routes = new HashMap<>();

  private Outboxes(List<ConfiguredOutbox> all) {
    this.all = all;
  }

  /**
   * Checks them.
   *
   * @param relay name of the process' relay
   * @param contexts where settings of brokers come from
   * @param layouts layouts of the application's own, by outbox
   */
  static Outboxes of(
      WaybillProperties properties,
      String relay,
      Supplier<BrokerContext> contexts,
      Function<String, @Nullable Layout> layouts) {
    Outboxes outboxes = new Outboxes(ConfiguredOutbox.of(properties, relay));
    Problems problems = new Problems();
    outboxes.checkForm(properties, problems, contexts.get());
    outboxes.all.forEach(outbox -> DatabaseChecks.run(outbox, problems));
    if (properties.relay().enabled()) {
      RelayChecks.ofProcess(properties, problems);
      outboxes.all.forEach(
          outbox -> {
            Layout layout = TableLayout.of(outbox, layouts.apply(outbox.name()), null, problems);
            outboxes.checkRoute(outbox, layout, properties, problems, contexts.get());
          });
    }
    problems.throwIfAny();
    return outboxes;
  }

  List<ConfiguredOutbox> all() {
    return all;
  }

  ConfiguredOutbox get(String name) {
    return all.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  OutboxRoute route(String name) {
    return Objects.requireNonNull(routes.get(name), name);
  }

  private void checkForm(WaybillProperties properties, Problems problems, BrokerContext context) {
    Set<String> names = new TreeSet<>(properties.outboxes().keySet());
    if (names.isEmpty()) {
      return;
    }
    Set<String> shortKeys = new TreeSet<>();
    for (String key : List.of("outbox", "routes", "failure", "retry", "poll", "limits")) {
      if (context.has("waybill." + key)) {
        shortKeys.add("waybill." + key);
      }
    }
    if (!shortKeys.isEmpty()) {
      problems.add(
          "outboxes",
          "must not stand beside the keys of a single outbox: move "
              + String.join(", ", shortKeys)
              + " below waybill.outboxes."
              + names.iterator().next());
    }
  }

  private void checkRoute(
      ConfiguredOutbox outbox,
      Layout layout,
      WaybillProperties properties,
      Problems problems,
      BrokerContext context) {
    RelayBrokerSide broker = Brokers.of(outbox, properties, context);
    RelaySettings settings =
        RelaySettings.check(
            outbox,
            broker.transport(),
            broker.deliveryTimeout(),
            LayoutPolling.of(layout),
            problems);
    routes.put(outbox.name(), new OutboxRoute(broker, settings, context));
  }
}
