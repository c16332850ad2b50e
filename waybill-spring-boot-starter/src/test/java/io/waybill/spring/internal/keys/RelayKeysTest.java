package io.waybill.spring.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OnPublished;
import io.waybill.database.Pooler;
import io.waybill.database.SideNames;
import io.waybill.internal.encode.Mapped;
import io.waybill.jdbc.OutboxDefinition;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.RecordTime;
import io.waybill.message.Transport;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.store.OutboxRow;
import io.waybill.store.Polling;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Each key of the relay reaches the setting that it is for: none is bound and then ignored. */
class RelayKeysTest {
  private static final Duration DELIVERY = Duration.ofSeconds(10);
  private static final EngineSettings DEFAULTS = EngineSettings.defaults(DELIVERY, 5);

  private final Map<String, String> properties = new LinkedHashMap<>();

  private RelayKeysTest set(String key, String value) {
    properties.put(key, value);
    return this;
  }

  private ConfiguredOutbox bound() {
    WaybillProperties bound =
        new Binder(new MapConfigurationPropertySource(properties))
            .bindOrCreate("waybill", WaybillProperties.class);
    return ConfiguredOutbox.of(bound, "shop-1").get(0);
  }

  private RelaySettings settings(Transport transport) {
    return RelayChecked.settings(bound(), transport, DELIVERY, DEFAULTS.polling());
  }

  private EngineSettings engine() {
    return set("waybill.routes.default.target", "orders")
        .settings(Transport.KAFKA)
        .engine(DEFAULTS);
  }

  private static Arguments key(
      String name, String value, Function<EngineSettings, Object> setting, Object expected) {
    return Arguments.of(name, value, setting, expected);
  }

  private static Polling.Rhythm.Adaptive adaptive(int least, int most) {
    return new Polling.Rhythm.Adaptive(Duration.ofMillis(least), Duration.ofMillis(most));
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        key("waybill.limits.lease", "40s", EngineSettings::lease, Duration.ofSeconds(40)),
        key(
            "waybill.limits.renew-interval",
            "1s",
            EngineSettings::renewInterval,
            Duration.ofSeconds(1)),
        key(
            "waybill.limits.view-interval",
            "3s",
            EngineSettings::viewInterval,
            Duration.ofSeconds(3)),
        key("waybill.limits.max-rows", "3000", EngineSettings::maxRows, 3000),
        key("waybill.limits.max-rows", "3001", EngineSettings::maxInFlight, 3001),
        key("waybill.limits.max-bytes", "2MB", EngineSettings::maxBytes, 2L << 20),
        key("waybill.limits.settle-batch", "7", EngineSettings::settleBatch, 7),
        key(
            "waybill.limits.settle-delay",
            "9ms",
            EngineSettings::settleDelay,
            Duration.ofMillis(9)),
        key("waybill.limits.max-in-flight", "11", EngineSettings::maxInFlight, 11),
        key("waybill.poll.min", "1ms", each -> each.polling().rhythm(), adaptive(1, 50)),
        key("waybill.poll.max", "3s", each -> each.polling().rhythm(), adaptive(5, 3000)),
        key(
            "waybill.poll.interval",
            "4s",
            each -> each.polling().rhythm(),
            new Polling.Rhythm.FixedDelay(Duration.ofSeconds(4))),
        key(
            "waybill.poll.initial-delay",
            "2s",
            each -> each.polling().initialDelay(),
            Duration.ofSeconds(2)),
        key("waybill.poll.batch", "13", each -> each.polling().batch(), 13));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("limits")
  void aLimitReachesTheEngine(
      String name, String value, Function<EngineSettings, Object> setting, Object expected) {
    assertThat(setting.apply(engine())).isNotEqualTo(expected);
    set(name, value);

    assertThat(setting.apply(engine())).isEqualTo(expected);
  }

  private Duration leaseFor(Duration delivery) {
    EngineSettings defaults = EngineSettings.defaults(delivery.plusSeconds(2), 5);
    return RelayChecked.settings(bound(), Transport.KAFKA, delivery, defaults.polling())
        .engine(defaults)
        .lease();
  }

  @Test
  void aLeaseThatIsNotGivenIsAsLongAsDeliveriesAndRenewalsNeed() {
    set("waybill.routes.default.target", "orders");
    assertThat(leaseFor(DELIVERY)).isEqualTo(Duration.ofSeconds(15));
    assertThat(leaseFor(Duration.ofSeconds(60))).isEqualTo(Duration.ofSeconds(65));

    set("waybill.limits.renew-interval", "10s");
    assertThat(leaseFor(DELIVERY)).isEqualTo(Duration.ofSeconds(23));
    set("waybill.limits.renew-interval", "500ms");
    assertThat(leaseFor(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void theModeOfAnIntervalReachesTheEngine() {
    set("waybill.poll.interval", "4s");
    set("waybill.poll.mode", "fixed-rate");

    assertThat(engine().polling().rhythm())
        .isEqualTo(new Polling.Rhythm.FixedRate(Duration.ofSeconds(4)));
  }

  private static RetryPolicy backoff(int attempts, Duration first, int factor, Duration longest) {
    return RetryPolicy.builder().exponential(first, factor, longest).attemptLimit(attempts).build();
  }

  static Stream<Arguments> retries() {
    Duration first = Duration.ofMillis(200);
    Duration longest = Duration.ofMinutes(5);
    Duration nine = Duration.ofSeconds(9);
    RetryPolicy constant = RetryPolicy.builder().constant(nine).attemptLimit(10).build();
    return Stream.of(
        Arguments.of(Map.of("waybill.retry.attempts", "3"), backoff(3, first, 2, longest)),
        Arguments.of(Map.of("waybill.retry.first-delay", "9s"), backoff(10, nine, 2, longest)),
        Arguments.of(Map.of("waybill.retry.longest-delay", "9s"), backoff(10, first, 2, nine)),
        Arguments.of(Map.of("waybill.retry.factor", "3"), backoff(10, first, 3, longest)),
        Arguments.of(
            Map.of("waybill.retry.policy", "constant", "waybill.retry.delay", "9s"), constant));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("retries")
  void retriesAreProperties(Map<String, String> given, RetryPolicy expected) {
    set("waybill.routes.default.target", "orders");
    assertThat(settings(Transport.KAFKA).relayRoutes().rules().retryPolicy())
        .isNotEqualTo(expected);
    properties.putAll(given);

    assertThat(settings(Transport.KAFKA).relayRoutes().rules().retryPolicy()).isEqualTo(expected);
  }

  private FailurePolicy failure(String destination) {
    return settings(Transport.RABBITMQ).relayRoutes().rules().failurePolicies().apply(destination);
  }

  @Test
  void whatBecomesOfFailedEventsIsAProperty() {
    set("waybill.routes.default.target", "orders");
    assertThat(failure("orders")).isEqualTo(new FailurePolicy.Park());
    set("waybill.failure.policy", "bury");
    assertThat(failure("orders")).isEqualTo(new FailurePolicy.Bury(null));
    set("waybill.failure.dead-letter.target", "dead");
    set("waybill.failure.dead-letter.routing-key", "orders");

    assertThat(failure("orders"))
        .isEqualTo(new FailurePolicy.Bury(Destination.exchange("dead", "orders")));
  }

  @Test
  void singleDestinationsHaveRulesOfTheirOwn() {
    set("waybill.routes.default.target", "orders");
    set("waybill.failure.destinations[audit].policy", "bury");
    set("waybill.failure.destinations[audit].dead-letter.target", "audit-dead");
    set("waybill.failure.destinations[audit].dead-letter.routing-key", "late");

    assertThat(failure("audit"))
        .isEqualTo(new FailurePolicy.Bury(Destination.exchange("audit-dead", "late")));
    assertThat(failure("orders")).isEqualTo(new FailurePolicy.Park());
  }

  private Outgoing message(Transport transport) {
    OutboxRow row =
        new OutboxRow(
            1L,
            0,
            "e1",
            "order.placed",
            1,
            new EventKey("order", "42"),
            "{}".getBytes(StandardCharsets.UTF_8),
            "application/json",
            null,
            null,
            null,
            null,
            0,
            0,
            false);
    Mapped mapped = settings(transport).relayRoutes().rules().mapper().map(row, 7);
    assertThat(mapped).isInstanceOf(Mapped.Message.class);
    return ((Mapped.Message) mapped).message();
  }

  @Test
  void aRouteOfKafkaSaysTopicPartitionHeadersAndFormat() {
    set("waybill.routes.default.target", "{aggregateType}-events");
    set("waybill.routes.default.partition", "3");
    set("waybill.routes.default.timestamp", "created");
    set("waybill.routes.default.headers.tenant", "acme");
    set("waybill.routes.default.headers[shop.key]", "{aggregateId}");
    set("waybill.routes.default.format", "cloudevents-binary");
    set("waybill.routes.source", "/shop");

    Outgoing message = message(Transport.KAFKA);

    assertThat(message.destination())
        .isEqualTo(new Destination("order-events", "", 3, RecordTime.CREATED));
    assertThat(message.headers())
        .contains(
            new Header("tenant", "acme"),
            new Header("shop.key", "42"),
            new Header("ce_source", "/shop"));
  }

  @Test
  void aTypeHasARouteOfItsOwn() {
    set("waybill.routes.default.target", "rest");
    set("waybill.routes.types[order.placed].target", "orders");
    set("waybill.routes.types[order.placed].routing-key", "{eventType}");
    set("waybill.routes.types[order.placed].headers.tenant", "acme");
    set("waybill.routes.types[order.placed].format", "generic");

    Outgoing message = message(Transport.RABBITMQ);

    assertThat(message.destination()).isEqualTo(Destination.exchange("orders", "order.placed"));
    assertThat(message.headers()).contains(new Header("tenant", "acme"));
    assertThat(new String(Objects.requireNonNull(message.body()), StandardCharsets.UTF_8))
        .contains("order.placed");
  }

  @Test
  void howLongADestinationMayRefuseIsAProperty() {
    set("waybill.routes.default.target", "orders");
    set("waybill.failure.give-up-after", "1h");
    set("waybill.failure.destinations[audit].give-up-after", "2m");

    assertThat(failure("orders").giveUpAfter()).isEqualTo(Duration.ofHours(1));
    assertThat(failure("audit").giveUpAfter()).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void aPoolerIsAProperty() {
    assertThat(bound().properties().database().pooler()).isEqualTo(Pooler.NONE);
    set("waybill.relay.pooler", "session");

    assertThat(bound().properties().database().pooler()).isEqualTo(Pooler.SESSION);
  }

  @Test
  void theTablesSchemaFateAndTimeLimitAreProperties() {
    set("waybill.schema.name", "events");
    set("waybill.outbox.on-published", "keep");
    set("waybill.relay.query-timeout", "3s");
    set("waybill.limits.max-event-bytes", "1MB");

    Layout layout = TableLayout.of(bound(), null, DatabaseKind.POSTGRESQL);
    assertThat(TableLayout.definition(bound(), layout))
        .isEqualTo(
            OutboxDefinition.of(Layouts.WAYBILL.table(new TableName("events", "waybill_outbox")))
                .sideNames(new SideNames("events", "waybill_"))
                .onPublished(OnPublished.KEEP)
                .limits(Duration.ofSeconds(3), 1 << 20)
                .applicationName("waybill shop-1"));
  }

  @Test
  void literalDestinationsAreThoseOfRoutesAndDeadLetters() {
    set("waybill.routes.default.target", "orders");
    set("waybill.failure.destinations[orders].policy", "bury");
    set("waybill.failure.destinations[orders].dead-letter.target", "orders-dead");
    set("waybill.routes.types[order.placed].target", "dated");
    set("waybill.routes.types[order.placed].timestamp", "created");

    assertThat(settings(Transport.KAFKA).relayRoutes().destinations())
        .containsExactly(
            Destination.topic("orders"),
            new Destination("dated", "", null, RecordTime.CREATED),
            Destination.topic("orders-dead"));
  }
}
