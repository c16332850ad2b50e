package io.waybill.spring.autoconfigure;

import io.waybill.layout.TableName;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** What settings allow and what is unwise nevertheless, for one outbox of the process. */
final class ConfigChecks {
  private static final Duration LONGEST_LEASE = Duration.ofMinutes(2);

  private final List<ConfiguredOutbox> all;
  private final ConfiguredOutbox outbox;
  private final OutboxProperties properties;
  private final Function<ConfiguredOutbox, TableName> tables;
  private final List<Finding> findings = new ArrayList<>();

  private ConfigChecks(
      List<ConfiguredOutbox> all,
      ConfiguredOutbox outbox,
      Function<ConfiguredOutbox, TableName> tables) {
    this.all = all;
    this.outbox = outbox;
    this.properties = outbox.properties();
    this.tables = tables;
  }

  /**
   * Looks at settings that have been checked.
   *
   * @param all all outboxes of the process, this one among them
   * @param tables the table of each
   * @param grace how long a stop of the process may take
   * @param delivery longest time between a send and its outcome
   */
  static List<Finding> of(
      List<ConfiguredOutbox> all,
      ConfiguredOutbox outbox,
      Function<ConfiguredOutbox, TableName> tables,
      RelaySettings settings,
      Duration delivery,
      Duration grace,
      Instant now) {
    ConfigChecks checks = new ConfigChecks(all, outbox, tables);
    checks.sharedTable();
    checks.lease(settings.lease());
    checks.grace(grace, delivery);
    checks.memory();
    checks.deadLetters(settings);
    checks.timeRange(now);
    return checks.findings;
  }

  private void found(Check check, String subject, String detail, String remedy) {
    findings.add(new Finding(check, subject, detail, remedy));
  }

  /** Each event goes to one of them alone, or twice to the same brokers. */
  private void sharedTable() {
    for (ConfiguredOutbox other : all) {
      OutboxProperties others = other.properties();
      boolean same =
          Objects.equals(others.database().url(), properties.database().url())
              && Objects.equals(others.dataSource(), properties.dataSource())
              && tables.apply(other).equals(tables.apply(outbox));
      boolean apart =
          !Objects.equals(others.sideTables(), properties.sideTables())
              && !Objects.equals(others.timeRange(), properties.timeRange());
      if (same && !apart && !other.name().equals(outbox.name())) {
        found(
            Check.CONFIG_TABLE_SHARED,
            "table " + tables.apply(outbox),
            "Outbox " + other.name() + " reads it, too: only one of the two would send each event",
            "one outbox for the table, with a route for each event type");
      }
    }
  }

  private void lease(Duration lease) {
    if (lease.compareTo(LONGEST_LEASE) > 0) {
      found(
          Check.CONFIG_LEASE_LONG,
          outbox.key("limits.lease"),
          "After a crash, the relay's events wait for that long: " + Problems.text(lease),
          outbox.key("limits.lease")
              + ": "
              + Problems.text(LONGEST_LEASE)
              + " or less, and a shorter delivery timeout");
    }
  }

  private void grace(Duration grace, Duration delivery) {
    if (grace.compareTo(delivery) < 0) {
      found(
          Check.CONFIG_GRACE_PERIOD_SHORT,
          "waybill.relay.grace-period",
          "The relay may stop before the confirms arrive and send events again: "
              + Problems.text(grace)
              + " < "
              + Problems.text(delivery),
          "waybill.relay.grace-period: " + Problems.text(delivery.plusSeconds(5)));
    }
  }

  private void memory() {
    long wanted =
        all.stream().mapToLong(each -> each.properties().limits().maxBytes().toBytes()).sum();
    long heap = Runtime.getRuntime().maxMemory();
    if (wanted > heap / 2) {
      found(
          Check.CONFIG_MEMORY_SHORT,
          outbox.key("limits.max-bytes"),
          "Rows in memory may fill more than half of the heap: "
              + (wanted >> 20)
              + " MiB of "
              + (heap >> 20)
              + " MiB",
          "less "
              + outbox.key("limits.max-bytes")
              + ", or a heap of "
              + ((wanted >> 20) * 2 + 128)
              + " MiB (-Xmx)");
    }
  }

  private void deadLetters(RelaySettings settings) {
    Set<String> live = settings.targets();
    settings.deadLetterTargets().stream()
        .filter(live::contains)
        .forEach(
            target ->
                found(
                    Check.CONFIG_DEAD_LETTERS_RETURN,
                    outbox.key("failure.dead-letter.target"),
                    "Consumers of '" + target + "' get buried events as if they were new ones",
                    outbox.key("failure.dead-letter.target") + ": " + target + "-dead"));
  }

  private void timeRange(Instant now) {
    Instant until = TableLayout.timeRange(properties).until();
    if (until != null && until.isBefore(now)) {
      found(
          Check.CONFIG_TIME_RANGE_OVER,
          outbox.key("time-range.until"),
          "New events are not relayed any more: " + until,
          "no " + outbox.key("time-range.until") + ", or a later one");
    }
  }
}
