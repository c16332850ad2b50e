package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.handler.UnknownTypes;
import io.waybill.policy.InboxSettings;
import io.waybill.policy.RetryPolicy;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.database.PoolRoom;
import io.waybill.spring.properties.InboxProperties;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

/** From properties to an inbox. */
@ExtendWith(OutputCaptureExtension.class)
class InboxRulesTest {
  private final Map<String, String> properties = new LinkedHashMap<>();

  private InboxProperties bound() {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("waybill.inbox", InboxProperties.class);
  }

  private InboxSettings settings() {
    return InboxRules.check(bound(), PoolRoom.UNKNOWN).settings(InboxSettings.ofDefaults());
  }

  @Test
  void theDefaultsAreThoseOfTheInboxWithFourWorkers() {
    assertThat(settings()).isEqualTo(InboxSettings.ofDefaults().workers(4));
    assertThat(bound().unknownTypes()).isEqualTo(UnknownTypes.DEAD_LETTER);
  }

  @Test
  void everyBoundAndRetryIsAProperty() {
    properties.put("waybill.inbox.workers", "2");
    properties.put("waybill.inbox.max-events", "50");
    properties.put("waybill.inbox.max-bytes", "2MB");
    properties.put("waybill.inbox.handler-timeout", "1m");
    properties.put("waybill.inbox.unknown-types", "ignore");
    properties.put("waybill.inbox.shared.events", "1");
    properties.put("waybill.inbox.shared.time", "20ms");
    properties.put("waybill.inbox.quick-retry.attempts", "2");
    properties.put("waybill.inbox.quick-retry.first-delay", "1s");
    properties.put("waybill.inbox.quick-retry.longest-delay", "2s");
    properties.put("waybill.inbox.quick-retry.factor", "3");
    properties.put("waybill.inbox.retry.attempts", "3");
    properties.put("waybill.inbox.retry.first-delay", "10s");
    properties.put("waybill.inbox.retry.longest-delay", "15s");
    properties.put("waybill.inbox.retry.factor", "3");

    InboxSettings settings = settings();

    assertThat(settings.workers()).isEqualTo(2);
    assertThat(settings.maxEvents()).isEqualTo(50);
    assertThat(settings.maxBytes()).isEqualTo(2 << 20);
    assertThat(settings.shared()).isEqualTo(new InboxSettings.Shared(1, Duration.ofMillis(20)));
    assertThat(settings.deferred().claim()).isEqualTo(Duration.ofMinutes(6));
    assertThat(settings.quickRetries())
        .isEqualTo(policy(2, Duration.ofSeconds(1), 3, Duration.ofSeconds(2)));
    assertThat(settings.retries())
        .isEqualTo(policy(3, Duration.ofSeconds(10), 3, Duration.ofSeconds(15)));
    assertThat(settings.longestRetry()).isEqualTo(Duration.ofSeconds(1 + 10 + 15));
    assertThat(bound().unknownTypes()).isEqualTo(UnknownTypes.IGNORE);
  }

  private static RetryPolicy policy(int attempts, Duration first, int factor, Duration longest) {
    return RetryPolicy.builder().exponential(first, factor, longest).attemptLimit(attempts).build();
  }

  @Test
  void allBadValuesAtOnce() {
    properties.put("waybill.inbox.workers", "11");
    properties.put("waybill.inbox.max-events", "0");
    properties.put("waybill.inbox.max-bytes", "1B");
    properties.put("waybill.inbox.handler-timeout", "1ms");
    properties.put("waybill.inbox.shared.events", "0");
    properties.put("waybill.inbox.shared.time", "2m");
    properties.put("waybill.inbox.lifecycle.grace-period", "1h");
    properties.put("waybill.inbox.kafka.revocation-wait", "1h");
    properties.put("waybill.inbox.retry.attempts", "0");
    properties.put("waybill.inbox.quick-retry.attempts", "2000000000");
    properties.put("waybill.inbox.dead-letters.replication-factor", "40000");
    properties.put("waybill.inbox.dedupe-window", "200000d");
    properties.put("waybill.inbox.broker-retention", "-1s");

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(() -> InboxRules.check(bound(), new PoolRoom(10, 0)))
        .withMessageContainingAll(
            "waybill.inbox.workers must be at most the number of connections of the pool (10), but"
                + " is '11'",
            "waybill.inbox.max-events must be 1 to 1000000, but is '0'",
            "waybill.inbox.max-bytes",
            "waybill.inbox.handler-timeout",
            "waybill.inbox.shared.events must be 1 to 1000, but is '0'",
            "waybill.inbox.shared.time",
            "waybill.inbox.lifecycle.grace-period must be 0s to 600s, but is '3600s'",
            "waybill.inbox.kafka.revocation-wait",
            "waybill.inbox.retry.attempts must be 1 to 1000, but is '0'",
            "waybill.inbox.quick-retry.attempts must be 1 to 1000, but is '2000000000'",
            "waybill.inbox.dead-letters.replication-factor must be 1 to 32767, but is '40000'",
            "waybill.inbox.dedupe-window must be 1s to",
            "waybill.inbox.broker-retention must be 0s to");
  }

  @Test
  void workersLeaveConnectionsToTheOthersOfTheirPool() {
    properties.put("waybill.inbox.workers", "4");
    assertThat(InboxRules.check(bound(), new PoolRoom(10, 6))).isNotNull();

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(() -> InboxRules.check(bound(), new PoolRoom(9, 6)))
        .withMessageContaining(
            "waybill.inbox.workers must leave 6 of the pool's 9 connections to the inbox itself, a"
                + " relay and the application, but is '4'");
  }

  @Test
  void whatAPoolOfUnknownSizeMustHaveIsSaid(CapturedOutput output) {
    PoolRoom room = PoolRoom.of(new PGSimpleDataSource(), List.of(), false, 4);

    assertThat(room).isEqualTo(new PoolRoom(null, 3));
    assertThat(output.getAll())
        .contains("PGSimpleDataSource is unknown", "at least 7", "workers=4 and 3 more");
  }

  @Test
  void aWindowThatIsTooShortIsRefused() {
    properties.put("waybill.inbox.dedupe-window", "7d");
    properties.put("waybill.inbox.broker-retention", "7d");

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::settings)
        .withMessageContaining("waybill.inbox.dedupe-window must be longer than");
  }

  @Test
  void aRoutingKeyOfDeadLettersWithoutExchangeIsRefused() {
    properties.put("waybill.inbox.dead-letters.routing-key", "dead.{queue}");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::settings)
        .withMessageContaining(
            "waybill.inbox.dead-letters.routing-key must be {queue} where"
                + " waybill.inbox.dead-letters.exchange names no exchange of RabbitMQ, but is"
                + " 'dead.{queue}'");

    properties.put("waybill.inbox.dead-letters.exchange", "shop.dead");
    assertThat(settings()).isNotNull();
  }

  @Test
  void theConsumerIsNamedOrTheApplicationIs() {
    MockEnvironment environment = new MockEnvironment();
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(() -> ConsumerName.of(bound(), environment))
        .withMessageContaining("waybill.inbox.consumer must be given");

    environment.setProperty("spring.application.name", "stock");
    assertThat(ConsumerName.of(bound(), environment).value()).isEqualTo("stock");

    properties.put("waybill.inbox.consumer", "stock-2");
    assertThat(ConsumerName.of(bound(), environment).value()).isEqualTo("stock-2");
  }
}
