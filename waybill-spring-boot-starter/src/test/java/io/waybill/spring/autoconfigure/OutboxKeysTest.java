package io.waybill.spring.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.dialect.SideNames;
import io.waybill.jdbc.dialect.TimeRange;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.RecordTable;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.StateColumn;
import io.waybill.message.Transport;
import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.relay.FailurePolicy;
import io.waybill.spring.WaybillStartException;
import io.waybill.store.Polling;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The keys of an outbox's table, database and broker, in both forms, and what they refuse. */
class OutboxKeysTest {
  private static final String URL = "jdbc:postgresql://localhost/shop";
  private static final String CUSTOM =
      "table=messages, layout=custom, columns.state.type=boolean, columns.state.column=done";

  /** Keys as {@code name=value, name=value}, below an outbox of several. */
  private static ConfiguredOutbox several(String keys) {
    return outbox("waybill.outboxes.orders.", keys);
  }

  private static ConfiguredOutbox outbox(String prefix, String keys) {
    Map<String, String> properties = new LinkedHashMap<>();
    for (String pair : keys.split(", ", -1)) {
      String[] parts = pair.split("=", 2);
      properties.put(prefix + parts[0], parts[1]);
    }
    WaybillProperties bound =
        new Binder(new MapConfigurationPropertySource(properties))
            .bind("waybill", WaybillProperties.class)
            .get();
    return ConfiguredOutbox.of(bound, "shop-1").get(0);
  }

  private static Layout layout(ConfiguredOutbox outbox) {
    return OutboxDatabase.layout(outbox, null, DatabaseKind.POSTGRESQL);
  }

  private static void check(ConfiguredOutbox outbox) {
    Problems problems = new Problems();
    DatabaseChecks.run(outbox, problems);
    TableLayout.of(outbox, null, null, problems);
    problems.throwIfAny();
  }

  private static RabbitTopologyProperties topology(String keys) {
    ConfiguredOutbox outbox = outbox("waybill.outboxes.orders.rabbitmq.topology.", keys);
    return requireNonNull(requireNonNull(outbox.properties().rabbitmq()).topology());
  }

  @Test
  void aTableOfOnesOwnIsDescribedByItsColumns() {
    ConfiguredOutbox outbox =
        several(
            CUSTOM
                + ", columns.row-id.column=pk, columns.row-id.type=uuid"
                + ", columns.event-id=message_id, columns.event-type=kind"
                + ", columns.event-version=version, columns.key.type=entity"
                + ", columns.key.id=entity_id, columns.order.column=written_at"
                + ", columns.created-at=written_at, columns.available-at=not_before"
                + ", columns.lane=lane, columns.payload.column=body"
                + ", columns.payload.type=bytes, columns.content-type-column=media"
                + ", columns.content-type=text/plain, columns.headers=headers"
                + ", columns.correlation-id=corr, columns.causation-id=cause"
                + ", columns.traceparent=trace, columns.header-columns.node=producer"
                + ", columns.published-at=sent_at, columns.attempts=tries"
                + ", columns.next-attempt-at=next_try, columns.error=last_error"
                + ", columns.record.table=done, schema.name=legacy");

    assertThat(layout(outbox))
        .isEqualTo(
            Layout.builder("custom", "messages")
                .schema("legacy")
                .rowId("pk", RowIdKind.UUID)
                .eventId("message_id")
                .eventType("kind")
                .eventVersion("version")
                .key("entity", "entity_id")
                .orderedBy("written_at", OrderColumn.Kind.TIME)
                .createdAt("written_at")
                .availableAt("not_before")
                .lane("lane")
                .payload("body", PayloadKind.BYTES)
                .contentTypeColumn("media")
                .contentType("text/plain")
                .headers("headers")
                .context("corr", "cause", "trace")
                .headerColumn("node", "producer")
                .state(new StateColumn.Flag("done"))
                .publishedAt("sent_at")
                .attempts("tries")
                .nextAttemptAt("next_try")
                .error("last_error")
                .record(new RecordTable("done", "event_id", "status", "created_at", "updated_at"))
                .build());
  }

  @Test
  void whatTheTableSaysIsAlsoAShortKey() {
    ConfiguredOutbox outbox =
        outbox(
            "waybill.outbox.",
            "layout=wallet, table=mail, side-tables.prefix=w_, side-tables.schema=ops"
                + ", time-range.from=2026-01-01T00:00:00Z");

    Layout layout = layout(outbox);
    assertThat(layout.table().name()).isEqualTo("mail");
    assertThat(TableLayout.sideNames(outbox.properties(), layout))
        .isEqualTo(new SideNames("ops", "w_"));
    assertThat(TableLayout.timeRange(outbox.properties()))
        .isEqualTo(new TimeRange(Instant.parse("2026-01-01T00:00:00Z"), null));
  }

  @Test
  void theOrderOfDebeziumsTableAndTheRecordOfNotificationsAreKeys() {
    assertThat(layout(several("layout=debezium, order.column=seq, order.type=number")))
        .isEqualTo(Layouts.debezium(new OrderColumn("seq", OrderColumn.Kind.NUMBER)));
    assertThat(layout(several("layout=notification, record=false")))
        .isEqualTo(Layouts.NOTIFICATION.record(null));
    assertThat(layout(several("layout=notification"))).isEqualTo(Layouts.NOTIFICATION);
  }

  @Test
  void aLayoutBringsItsRouteAndWhatBecomesOfFailures() {
    ConfiguredOutbox outbox = several("layout=notification");
    RelaySettings settings =
        RelayChecked.settings(
            outbox, Transport.RABBITMQ, Duration.ofSeconds(5), Polling.adaptive());

    assertThat(settings.routedDestinations())
        .extracting(each -> each.target())
        .containsExactly("notifications.exchange");
    assertThat(settings.rules().failurePolicies().apply("notifications.exchange"))
        .isInstanceOf(FailurePolicy.Bury.class);
  }

  @Test
  void aTopologyIsDeclaredAsItsKeysSay() {
    RabbitTopologyProperties keys =
        topology(
            "exchanges.e.type=direct, queues.q.type=classic, bindings[0].exchange=e"
                + ", bindings[0].queue=q, bindings[0].routing-key=k");

    assertThat(keys.topology(new Problems()))
        .isEqualTo(
            RabbitTopology.builder()
                .exchange("e", RabbitTopology.ExchangeType.DIRECT)
                .queue("q", RabbitTopology.QueueType.CLASSIC)
                .bind("e", "q", "k")
                .build());
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        arguments("table=mine", "table must be waybill_outbox for layout waybill; leave it out"),
        arguments("layout=wallet, on-published=keep", "on-published is for layout waybill"),
        arguments(
            "layout=wallet, retention=1d", "retention must be left out: Layout 'wallet' has no"),
        arguments("retention=1d", "retention needs waybill.outboxes.orders.on-published=keep"),
        arguments("layout=wallet, table=a b", "table is no name of a table: "),
        arguments("layout=wallet, listen=true", "listen needs Waybill's own table"),
        arguments("layout=wallet, order.column=x", "order is for layout debezium"),
        arguments("layout=debezium, order.type=time", "order.column must be given"),
        arguments("layout=debezium, order.column=x y", "order.column is no name of a column"),
        arguments("layout=wallet, record=true", "record is for layout notification"),
        arguments("layout=wallet, columns.error=x", "columns are for layout custom"),
        arguments("side-tables.prefix=x", "side-tables is for adopted tables"),
        arguments("layout=wallet, side-tables.prefix=1x", "side-tables.prefix is wrong: "),
        arguments(
            "layout=wallet, table=" + "x".repeat(40), "side-tables.prefix is wrong: The prefix of"),
        arguments("time-range.from=2026-01-01T00:00:00Z", "time-range is for adopted tables"),
        arguments(
            "layout=notification, time-range.from=2026-01-02T00:00:00Z, "
                + "time-range.until=2026-01-01T00:00:00Z",
            "time-range is wrong: "),
        arguments("layout=custom, columns.error=x", "table must be given"),
        arguments("layout=custom, columns.error=x", "columns.state must be given"),
        arguments(
            "layout=custom, table=m, columns.state.type=boolean",
            "columns.state.column must be given"),
        arguments(CUSTOM + ", columns.key.type=b", "columns.key.id must be given"),
        arguments(
            CUSTOM + ", columns.key.id=a, columns.key.type=b, columns.key.aggregate-type=c",
            "columns.key.type must be given, or aggregate-type"),
        arguments(
            CUSTOM + ", columns.published-at=done",
            "columns.published-at must not be the column of state, is done"),
        arguments(CUSTOM + ", columns.row-id.column=a;b", "columns.row-id.column must match"),
        arguments("database.url=jdbc:oracle:thin:@x", "database.url must be jdbc:postgresql://"),
        arguments("database.url=jdbc:postgresql:shop", "database.url must be jdbc:postgresql://"),
        arguments(
            "database.url=jdbc:postgresql://u:canary@h/d",
            "database.url must be jdbc:postgresql://"),
        arguments("database.url=jdbc:mariadb://h:0/d", "host or host:port, is h:0"),
        arguments("database.url=" + URL + "?socketFactory=x", "driver property 'socketFactory'"),
        arguments(
            "database.url=" + URL + "?password=canary",
            "must not contain 'password', which has a key of its own:"
                + " waybill.outboxes.orders.database.password"),
        arguments(
            "database.url=" + URL + "?sslpassword=canary",
            "has a key of its own: waybill.outboxes.orders.database.properties.sslpassword"),
        arguments(
            "database.url=" + URL + ", database.properties.loggerFile=/tmp/x",
            "database.properties must not contain the driver property 'loggerFile'; allowed are"),
        arguments(
            "database.url=" + URL + ", data-source=a",
            "data-source must not stand beside waybill.outboxes.orders.database.url"),
        arguments("database.username=u", "database.url must be given: username, password"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void isRefusedByItsKey(String keys, String sentence) {
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(() -> check(several(keys)))
        .withMessageContaining("  - waybill.outboxes.orders.")
        .withMessageContaining(sentence)
        .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("canary"));
  }

  @Test
  void passwordsOfKeysArePropertiesOfTheDriver() {
    assertThatCode(
            () ->
                check(
                    several(
                        "database.url="
                            + URL
                            + ", database.properties.sslkey=/k, database.properties.sslpassword=x")))
        .doesNotThrowAnyException();
  }

  @Test
  void whatIsMissingInATopologyIsRefused() {
    Problems problems = new Problems();
    topology("bindings[0].queue=q").topology(problems);

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(problems::throwIfAny)
        .withMessageContaining("rabbitmq.topology.bindings[0].exchange must be given");
  }
}
