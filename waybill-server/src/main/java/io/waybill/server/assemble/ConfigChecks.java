package io.waybill.server.assemble;

import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.server.config.LimitsConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RouteConfig;
import io.waybill.server.config.ServerConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a configuration allows and what is unwise nevertheless, for one outbox of it. */
final class ConfigChecks {
  private static final Duration LONGEST_LEASE = Duration.ofMinutes(2);

  private final ServerConfig server;
  private final OutboxConfig outbox;
  private final List<Finding> findings = new ArrayList<>();

  private ConfigChecks(ServerConfig server, OutboxConfig outbox) {
    this.server = server;
    this.outbox = outbox;
  }

  static List<Finding> of(ServerConfig server, OutboxConfig outbox, Instant now) {
    ConfigChecks checks = new ConfigChecks(server, outbox);
    checks.sharedTable();
    checks.times();
    checks.memory();
    checks.deadLetters();
    checks.timeRange(now);
    return checks.findings;
  }

  private void found(Check check, String subject, String detail, String remedy) {
    findings.add(new Finding(check, subject, detail, remedy));
  }

  /** Each event goes to one of them alone, or twice to the same brokers. */
  private void sharedTable() {
    for (OutboxConfig other : server.outboxes()) {
      boolean same =
          other.database().url().equals(outbox.database().url())
              && other.table().layout().table().equals(outbox.table().layout().table());
      boolean apart =
          !other.table().beside().equals(outbox.table().beside())
              && !other.table().timeRange().equals(outbox.table().timeRange());
      if (same && !apart && !other.name().equals(outbox.name())) {
        found(
            Check.CONFIG_TABLE_SHARED,
            "table " + outbox.table().layout().table(),
            "Outbox "
                + other.name()
                + " reads it, too: an event would go where one of the two sends it",
            "one outbox for the table, with a route for each event type");
      }
    }
  }

  private void times() {
    LimitsConfig limits = outbox.limits();
    if (limits.lease().compareTo(LONGEST_LEASE) > 0) {
      found(
          Check.CONFIG_LEASE_LONG,
          "limits.lease",
          "After a crash, the relay's events wait for that long: " + text(limits.lease()),
          "limits.lease: " + text(LONGEST_LEASE) + " or less, and a shorter delivery timeout");
    }
    Duration delivery = outbox.broker().deliveryTimeout();
    if (server.gracePeriod().compareTo(delivery) < 0) {
      found(
          Check.CONFIG_GRACE_PERIOD_SHORT,
          "relay.grace-period",
          "A stop may come before the confirms, and events are sent again: "
              + text(server.gracePeriod())
              + " < "
              + text(delivery),
          "relay.grace-period: " + text(delivery.plusSeconds(5)));
    }
  }

  private void memory() {
    long wanted = server.outboxes().stream().mapToLong(each -> each.limits().maxBytes()).sum();
    long heap = Runtime.getRuntime().maxMemory();
    if (wanted > heap / 2) {
      found(
          Check.CONFIG_MEMORY_SHORT,
          "limits.max-bytes",
          "Rows in memory may fill more than half of the heap: "
              + (wanted >> 20)
              + " MiB of "
              + (heap >> 20)
              + " MiB",
          "less limits.max-bytes, or WAYBILL_JAVA_OPTS=-Xmx" + ((wanted >> 20) * 2 + 128) + "m");
    }
  }

  private void deadLetters() {
    Set<String> live =
        Destinations.routes(outbox).map(RouteConfig::target).collect(Collectors.toSet());
    Destinations.deadLetters(outbox)
        .map(Destination::target)
        .filter(target -> !target.isEmpty() && live.contains(target))
        .distinct()
        .forEach(
            target ->
                found(
                    Check.CONFIG_DEAD_LETTERS_RETURN,
                    "failure.dead-letter.target",
                    "Consumers of '" + target + "' get buried events as if they were new ones",
                    "failure.dead-letter.target: " + target + "-dead"));
  }

  private void timeRange(Instant now) {
    Instant until = outbox.table().timeRange().until();
    if (until != null && until.isBefore(now)) {
      found(
          Check.CONFIG_TIME_RANGE_OVER,
          "time-range.until",
          "New events are not relayed any more: " + until,
          "no time-range.until, or a later one");
    }
  }

  private static String text(Duration duration) {
    return duration.toMillis() % 1_000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }
}
