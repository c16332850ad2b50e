package io.waybill.spring.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.jdbc.table.TablePolling;
import io.waybill.layout.Layouts;
import io.waybill.message.Transport;
import io.waybill.spring.internal.config.Problem;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.store.Polling;
import io.waybill.store.Polling.Rhythm;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.DefaultResourceLoader;

/** The producer's own keys {@code notification.outbox.*} in an application. */
class DocumentKeysTest {
  private static final Polling DOCUMENTED = TablePolling.of(Layouts.NOTIFICATION);

  private final Map<String, Object> properties = new LinkedHashMap<>();
  private final StandardEnvironment environment = new StandardEnvironment();

  DocumentKeysTest() {
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
  }

  private DocumentKeysTest set(String key, Object value) {
    properties.put(key, value);
    return this;
  }

  private Outboxes outboxes() {
    BrokerContext context =
        new BrokerContext(
            environment,
            new StaticListableBeanFactory(),
            new DefaultResourceLoader(),
            new LinkedHashSet<>());
    WaybillProperties bound =
        Binder.get(environment).bindOrCreate("waybill", WaybillProperties.class);
    return Outboxes.unchecked(bound, "shop-1", context);
  }

  private Polling polling(String name) {
    Outboxes outboxes = outboxes();
    RelaySettings settings =
        RelaySettings.check(
            outboxes.get(name),
            Transport.RABBITMQ,
            Duration.ofSeconds(5),
            DOCUMENTED,
            outboxes.problems());
    outboxes.problems().throwIfAny();
    return settings.polling(DOCUMENTED);
  }

  @Test
  void withoutThemTheDocumentedPaceHolds() {
    set("waybill.outbox.layout", "notification");

    assertThat(polling("outbox"))
        .isEqualTo(
            Polling.fixedDelay(Duration.ofSeconds(1))
                .initialDelay(Duration.ofSeconds(2))
                .batch(100));
  }

  private DocumentKeysTest given() {
    return set("notification.outbox.poll.interval", "250")
        .set("notification.outbox.batch.size", 37)
        .set("notification.outbox.initial.delay", "3s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"waybill.outbox.layout", "waybill.outboxes.outbox.layout"})
  void theyReachTheRelayInBothForms(String layout) {
    given().set(layout, "notification");

    assertThat(polling("outbox"))
        .isEqualTo(
            Polling.fixedDelay(Duration.ofMillis(250))
                .initialDelay(Duration.ofSeconds(3))
                .batch(37));
  }

  @Test
  void theyMayBeVariables() {
    environment
        .getPropertySources()
        .addFirst(
            new SystemEnvironmentPropertySource(
                "test-systemEnvironment", Map.of("NOTIFICATION_OUTBOX_BATCH_SIZE", "7")));
    set("waybill.outbox.layout", "notification");

    assertThat(polling("outbox").batch()).isEqualTo(7);
  }

  @Test
  void keysOfWaybillWin() {
    given().set("waybill.outbox.layout", "notification");
    set("waybill.poll.interval", "5s").set("waybill.poll.batch", 11);
    set("waybill.poll.initial-delay", "1s");

    assertThat(polling("outbox"))
        .isEqualTo(
            Polling.fixedDelay(Duration.ofSeconds(5))
                .initialDelay(Duration.ofSeconds(1))
                .batch(11));
  }

  @ParameterizedTest
  @CsvSource({"min, 1ms", "max, 1s", "mode, adaptive"})
  void anotherRhythmOfWaybillsKeysWins(String key, String value) {
    given().set("waybill.outbox.layout", "notification").set("waybill.poll." + key, value);

    assertThat(polling("outbox").rhythm()).isInstanceOf(Rhythm.Adaptive.class);
  }

  @Test
  void theirIntervalMayBeARate() {
    given().set("waybill.outbox.layout", "notification").set("waybill.poll.mode", "fixed-rate");

    assertThat(polling("outbox").rhythm()).isEqualTo(new Rhythm.FixedRate(Duration.ofMillis(250)));
  }

  @Test
  void otherLayoutsDoNotKnowThem() {
    given().set("waybill.outbox.layout", "wallet").set("notification.outbox.batch.size", "many");

    assertThat(polling("outbox")).isEqualTo(DOCUMENTED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          poll.interval | 0       | must be 1ms to 3600s
          poll.interval | 3600001 | must be 1ms to 3600s
          poll.interval | soon    | must be a number of milliseconds, or a time with a unit
          batch.size    | 0       | must be 1 to 8000
          batch.size    | 8001    | must be 1 to 8000
          batch.size    | many    | must be a whole number
          initial.delay | -1      | must be 0s to 3600s
          initial.delay | 2 weeks | must be a number of milliseconds, or a time with a unit
          """)
  void aBadValueIsAProblemOfItsOwnKey(String key, String value, String rule) {
    set("waybill.outbox.layout", "notification").set("notification.outbox." + key, value);

    assertThat(outboxes().problems().all())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.key()).isEqualTo("notification.outbox." + key);
              assertThat(problem.rule()).isEqualTo(rule);
            })
        .extracting(Problem::value)
        .asString()
        .isNotEmpty();
  }
}
