package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.inbox.InboxSettings;
import io.waybill.inbox.UnknownTypes;
import io.waybill.spring.WaybillStartException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.env.MockEnvironment;

/** From properties to an inbox. */
class InboxRulesTest {
  private final Map<String, String> properties = new LinkedHashMap<>();

  private InboxProperties bound() {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("waybill.inbox", InboxProperties.class);
  }

  private InboxSettings settings() {
    return InboxRules.check(bound(), null).settings(InboxSettings.defaults());
  }

  @Test
  void theDefaultsAreThoseOfTheInboxWithFourWorkers() {
    assertThat(settings()).isEqualTo(InboxSettings.defaults().workers(4));
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
    assertThat(settings.quickRetries().attemptLimit()).isEqualTo(2);
    assertThat(settings.longestRetry()).isEqualTo(Duration.ofSeconds(1 + 10 + 15));
    assertThat(bound().unknownTypes()).isEqualTo(UnknownTypes.IGNORE);
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

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(() -> InboxRules.check(bound(), 10))
        .withMessageContainingAll(
            "waybill.inbox.workers must be at most the number of connections of the pool (10), is"
                + " 11",
            "waybill.inbox.max-events must be 1 to 1000000, is 0",
            "waybill.inbox.max-bytes",
            "waybill.inbox.handler-timeout",
            "waybill.inbox.shared.events must be 1 to 1000, is 0",
            "waybill.inbox.shared.time",
            "waybill.inbox.lifecycle.grace-period must be 0s to 600s, is 3600s",
            "waybill.inbox.kafka.revocation-wait",
            "waybill.inbox.retry is wrong");
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

  @Test
  void aModuleThatIsNotOnTheClassPathIsNamed() {
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(() -> Brokers.require("waybill-kafka", "io.waybill.kafka.NoSuchClass"))
        .withMessageContaining("not on the class path: waybill-kafka");
  }
}
