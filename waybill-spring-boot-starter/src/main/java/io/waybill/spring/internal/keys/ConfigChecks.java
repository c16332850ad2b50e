package io.waybill.spring.internal.keys;

import io.waybill.internal.start.RelayDefinition;
import io.waybill.internal.start.StartChecks;
import io.waybill.layout.Layout;
import io.waybill.layout.TableName;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.spring.properties.OutboxProperties;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Start-up checks of a relay whose outbox is described by keys. */
public final class ConfigChecks {
  private ConfigChecks() {}

  /**
   * The checks of an outbox.
   *
   * @param layouts layouts of the application's own, by outbox
   */
  public static StartChecks of(
      Outboxes outboxes,
      ConfiguredOutbox outbox,
      RelayDefinition definition,
      Function<String, @Nullable Layout> layouts) {
    Function<ConfiguredOutbox, TableName> tables =
        each -> TableLayout.of(each, layouts.apply(each.name()), null, new Problems()).table();
    return new StartChecks(
        definition,
        TableLayout.timeRange(outbox.properties()).until(),
        outboxes.all().stream()
            .mapToLong(each -> each.properties().limits().maxBytes().toBytes())
            .sum(),
        () ->
            Stream.concat(
                    sharedTable(outboxes.all(), outbox, tables).stream(), order(outbox).stream())
                .toList(),
        names(outbox),
        Clock.systemUTC());
  }

  private static UnaryOperator<String> names(ConfiguredOutbox outbox) {
    return name -> name.equals("grace-period") ? "waybill.relay.grace-period" : outbox.key(name);
  }

  /** Where the keys say nothing, the layout decides. */
  private static List<Finding> order(ConfiguredOutbox outbox) {
    OutboxProperties properties = outbox.properties();
    return properties.failure().policy() == null
        ? StartChecks.order(PresetKeys.of(properties.layout()).failure(), names(outbox))
        : List.of();
  }

  /** Each event goes to one of them alone, or twice to the same brokers. */
  private static List<Finding> sharedTable(
      List<ConfiguredOutbox> all,
      ConfiguredOutbox outbox,
      Function<ConfiguredOutbox, TableName> tables) {
    OutboxProperties properties = outbox.properties();
    TableName table = tables.apply(outbox);
    return all.stream()
        .filter(other -> !other.name().equals(outbox.name()))
        .filter(other -> isShared(other.properties(), properties))
        .filter(other -> tables.apply(other).equals(table))
        .map(
            other ->
                new Finding(
                    Check.CONFIG_TABLE_SHARED,
                    "table " + table,
                    "Outbox "
                        + other.name()
                        + " reads it, too: only one of the two would send each event",
                    "one outbox for the table, with a route for each event type"))
        .toList();
  }

  private static boolean isShared(OutboxProperties one, OutboxProperties other) {
    boolean apart =
        !Objects.equals(one.sideTables(), other.sideTables())
            && !Objects.equals(one.timeRange(), other.timeRange());
    return !apart
        && Objects.equals(one.database().url(), other.database().url())
        && Objects.equals(one.dataSource(), other.dataSource());
  }
}
