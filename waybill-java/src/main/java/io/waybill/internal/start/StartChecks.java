package io.waybill.internal.start;

import io.waybill.broker.Broker;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The checks before a relay begins, which the doctor runs as well: database, broker, settings and
 * clocks. They change nothing. Immutable.
 *
 * @param definition the relay
 * @param until end of the time range of rows that are relayed, or null
 * @param memory most bytes of rows in memory, of all relays of the process
 * @param more further checks of the caller that describes the relay
 * @param names names of settings in that description: {@code limits.lease}, {@code
 *     limits.max-bytes}, {@code grace-period}, {@code failure.policy}, {@code
 *     failure.dead-letter.target}, {@code time-range.until}
 * @param clock this machine's
 */
public record StartChecks(
    RelayDefinition definition,
    @Nullable Instant until,
    long memory,
    Supplier<List<Finding>> more,
    UnaryOperator<String> names,
    InstantSource clock) {
  private static final Duration LONGEST_LEASE = Duration.ofMinutes(2);

  /**
   * The same with another clock.
   *
   * @param other this machine's
   * @return changed copy
   */
  public StartChecks clock(InstantSource other) {
    return new StartChecks(definition, until, memory, more, names, other);
  }

  /**
   * The same with another broker.
   *
   * @param other destination of the events
   * @return changed copy
   */
  public StartChecks broker(Broker other) {
    return new StartChecks(definition.broker(other), until, memory, more, names, clock);
  }

  /**
   * Asks database and broker.
   *
   * @return findings, none if all is well
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  public List<Finding> run() {
    List<Finding> findings = new ArrayList<>(definition.tables().get().check(clock));
    findings.addAll(definition.broker().check(definition.routes().destinations()));
    findings.addAll(more.get());
    EngineSettings bounds = definition.bounds();
    lease(bounds.lease(), findings);
    grace(findings);
    memory(findings);
    deadLetters(findings);
    timeRange(findings);
    return findings;
  }

  /**
   * Reports that the order of a key ends at a dead event, for a configuration without a failure
   * policy.
   *
   * @param usual the default failure policy
   * @param names names of settings: {@code failure.policy}
   * @return one finding, or none if the key waits
   */
  public static List<Finding> order(FailurePolicy usual, UnaryOperator<String> names) {
    if (!(usual instanceof FailurePolicy.Bury)) {
      return List.of();
    }
    String name = names.apply("failure.policy");
    return List.of(
        new Finding(
            Check.CONFIG_ORDER_ENDS_AT_DEAD,
            name,
            "After an event is declared dead, as the layout has it, later events of its key are"
                + " sent: the order of the key ends there",
            name + ": bury if that is meant, park if the key has to wait"));
  }

  private void lease(Duration lease, List<Finding> findings) {
    if (lease.compareTo(LONGEST_LEASE) > 0) {
      String name = names.apply("limits.lease");
      findings.add(
          new Finding(
              Check.CONFIG_LEASE_LONG,
              name,
              "After a crash, the relay's events wait for that long: " + text(lease),
              name + ": " + text(LONGEST_LEASE) + " or less, and a shorter delivery timeout"));
    }
  }

  private void grace(List<Finding> findings) {
    Duration grace = definition.gracePeriod();
    Duration delivery = definition.broker().deliveryTimeout();
    if (grace.compareTo(delivery) < 0) {
      String name = names.apply("grace-period");
      findings.add(
          new Finding(
              Check.CONFIG_GRACE_PERIOD_SHORT,
              name,
              "The relay may stop before the confirms arrive and send events again: "
                  + text(grace)
                  + " < "
                  + text(delivery),
              name + ": " + text(delivery.plusSeconds(5))));
    }
  }

  private void memory(List<Finding> findings) {
    long heap = Runtime.getRuntime().maxMemory();
    if (memory > heap / 2) {
      String name = names.apply("limits.max-bytes");
      findings.add(
          new Finding(
              Check.CONFIG_MEMORY_SHORT,
              name,
              "Rows in memory may fill more than half of the heap: "
                  + (memory >> 20)
                  + " MiB of "
                  + (heap >> 20)
                  + " MiB",
              "less " + name + ", or a heap of " + ((memory >> 20) * 2 + 128) + " MiB (-Xmx)"));
    }
  }

  private void deadLetters(List<Finding> findings) {
    String name = names.apply("failure.dead-letter.target");
    for (String target : definition.routes().returningDeadLetters()) {
      findings.add(
          new Finding(
              Check.CONFIG_DEAD_LETTERS_RETURN,
              name,
              "Consumers of '" + target + "' get buried events as if they were new ones",
              name + ": " + target + "-dead"));
    }
  }

  private void timeRange(List<Finding> findings) {
    if (until != null && until.isBefore(clock.instant())) {
      String name = names.apply("time-range.until");
      findings.add(
          new Finding(
              Check.CONFIG_TIME_RANGE_OVER,
              name,
              "New events are not relayed any more: " + until,
              "no " + name + ", or a later one"));
    }
  }

  /** As durations are written in configurations. */
  private static String text(Duration value) {
    return value.toMillis() % 1000 == 0 ? value.toSeconds() + "s" : value.toMillis() + "ms";
  }
}
