package io.waybill.spring.internal.keys;

import io.waybill.spring.properties.WaybillProperties;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** All outboxes of the process. */
public final class Outboxes {
  private final List<ConfiguredOutbox> all;
  private final Problems problems;

  private Outboxes(List<ConfiguredOutbox> all, Problems problems) {
    this.all = all;
    this.problems = problems;
  }

  /**
   * Checks what needs no broker. With relays the problems are kept until the routes are checked, so
   * that all of them are told at once.
   *
   * @param relay name of the process' relay
   */
  public static Outboxes of(WaybillProperties properties, String relay, BrokerContext context) {
    Outboxes outboxes = unchecked(properties, relay, context);
    outboxes.check(properties, context);
    if (!properties.relay().enabled()) {
      outboxes.problems.throwIfAny();
    }
    return outboxes;
  }

  /** The same without a look at them. */
  public static Outboxes unchecked(
      WaybillProperties properties, String relay, BrokerContext context) {
    Problems problems = new Problems();
    DocumentKeys documented = DocumentKeys.of(properties, context.environment(), problems);
    return new Outboxes(ConfiguredOutbox.of(properties, relay, documented), problems);
  }

  /** Looks at names and databases; what is wrong is added to the problems. */
  public void check(WaybillProperties properties, BrokerContext context) {
    checkForm(properties, context);
    all.forEach(outbox -> DatabaseChecks.run(outbox, problems));
  }

  /** In the order of their names. */
  public List<ConfiguredOutbox> all() {
    return all;
  }

  /** The one of a name that there is. */
  public ConfiguredOutbox get(String name) {
    return all.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  /** What is wrong so far. */
  public Problems problems() {
    return problems;
  }

  private void checkForm(WaybillProperties properties, BrokerContext context) {
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
          "must not be combined with the keys of a single outbox: move "
              + String.join(", ", shortKeys)
              + " below waybill.outboxes."
              + names.iterator().next());
    }
  }
}
