package io.waybill.spring.autoconfigure;

import io.waybill.handler.Registration;
import io.waybill.inbox.InboxBuilder;
import io.waybill.policy.InboxSettings;
import io.waybill.policy.RetryPolicy;
import io.waybill.spring.internal.database.PoolRoom;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.properties.InboxProperties;
import io.waybill.spring.properties.InboxProperties.DeadLetters;
import io.waybill.spring.properties.InboxProperties.QuickRetry;
import io.waybill.spring.properties.InboxProperties.Retry;
import java.time.Duration;

/** From properties to the settings of an inbox. */
final class InboxRules {
  private static final Duration DAY = Duration.ofDays(1);
  private static final int MOST_ATTEMPTS = 1_000;

  private final InboxProperties properties;

  private InboxRules(InboxProperties properties) {
    this.properties = properties;
  }

  /**
   * Checks everything, and fails with all that is wrong.
   *
   * @param pool room for handlers in the application's pool
   */
  static InboxRules check(InboxProperties properties, PoolRoom pool) {
    Problems problems = new Problems();
    InboxRules rules = new InboxRules(properties);
    rules.numbers(problems, pool);
    rules.times(problems);
    rules.letters(problems);
    problems.attempt("inbox.quick-retry", rules::quick);
    problems.attempt("inbox.retry", rules::later);
    problems.throwIfAny();
    rules.window(problems);
    problems.throwIfAny();
    return rules;
  }

  private void numbers(Problems problems, PoolRoom pool) {
    problems.between("inbox.workers", properties.workers(), 1, 1000);
    pool.check(problems, properties.workers());
    int quick = properties.quickRetry().attempts();
    problems.between("inbox.quick-retry.attempts", quick, 1, MOST_ATTEMPTS);
    problems.between("inbox.retry.attempts", properties.retry().attempts(), 1, MOST_ATTEMPTS);
    int replicas = properties.deadLetters().replicationFactor();
    if (replicas != -1) {
      problems.between("inbox.dead-letters.replication-factor", replicas, 1, Short.MAX_VALUE);
    }
    problems.between("inbox.max-events", properties.maxEvents(), 1, 1_000_000);
    int most = Registration.MAX_BATCH;
    problems.between("inbox.shared.events", properties.shared().events(), 1, most);
    problems.between("inbox.max-bytes", properties.maxBytes().toBytes(), 1L << 20, 16L << 30);
  }

  /** Without an exchange a routing key would say nothing, on either broker. */
  private void letters(Problems problems) {
    DeadLetters letters = properties.deadLetters();
    if (letters.exchange().isEmpty() && !letters.routingKey().equals(DeadLetters.QUEUE)) {
      problems.add(
          "inbox.dead-letters.routing-key",
          "must be "
              + DeadLetters.QUEUE
              + " where waybill.inbox.dead-letters.exchange names no exchange of RabbitMQ",
          letters.routingKey());
    }
  }

  private void times(Problems problems) {
    Duration second = Duration.ofSeconds(1);
    problems.between("inbox.handler-timeout", properties.handlerTimeout(), second, DAY);
    Duration century = DAY.multipliedBy(36_500);
    problems.between("inbox.dedupe-window", properties.dedupeWindow(), second, century);
    problems.between(
        "inbox.broker-retention", properties.brokerRetention(), Duration.ZERO, century);
    problems.between(
        "inbox.shared.time",
        properties.shared().time(),
        Duration.ofMillis(1),
        Duration.ofMinutes(1));
    problems.between(
        "inbox.lifecycle.grace-period",
        properties.lifecycle().gracePeriod(),
        Duration.ZERO,
        Duration.ofMinutes(10));
    problems.between(
        "inbox.kafka.revocation-wait",
        properties.kafka().revocationWait(),
        Duration.ZERO,
        Duration.ofMinutes(9));
  }

  private void window(Problems problems) {
    Duration longest = settings(InboxSettings.ofDefaults()).longestRetry();
    Duration retention = properties.brokerRetention();
    Duration least = longest.compareTo(retention) > 0 ? longest : retention;
    if (properties.dedupeWindow().compareTo(least) <= 0) {
      problems.add(
          "inbox.dedupe-window",
          "must be longer than all retries and inbox.broker-retention (" + least + ")",
          properties.dedupeWindow());
    }
  }

  private RetryPolicy quick() {
    QuickRetry retry = properties.quickRetry();
    return RetryPolicy.builder()
        .exponential(retry.firstDelay(), retry.factor(), retry.longestDelay())
        .attemptLimit(retry.attempts())
        .build();
  }

  private RetryPolicy later() {
    Retry retry = properties.retry();
    return RetryPolicy.builder()
        .exponential(retry.firstDelay(), retry.factor(), retry.longestDelay())
        .attemptLimit(retry.attempts())
        .build();
  }

  InboxSettings settings(InboxSettings defaults) {
    Duration claim = properties.handlerTimeout().multipliedBy(2).plusMinutes(4);
    InboxSettings.Deferred deferred = defaults.deferred();
    return defaults
        .workers(properties.workers())
        .shared(new InboxSettings.Shared(properties.shared().events(), properties.shared().time()))
        .memory(properties.maxEvents(), properties.maxBytes().toBytes())
        .retries(quick(), later())
        .deferred(new InboxSettings.Deferred(deferred.poll(), deferred.limit(), claim));
  }

  InboxBuilder apply(InboxBuilder inbox) {
    return inbox
        .settings(this::settings)
        .unknownTypes(properties.unknownTypes())
        .handlerTimeout(properties.handlerTimeout())
        .revocationWait(properties.kafka().revocationWait())
        .dedupeWindow(properties.dedupeWindow())
        .brokerRetention(properties.brokerRetention());
  }
}
