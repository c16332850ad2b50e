package io.waybill.spring.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.database.TimeRange;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.RecordTable;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.StateColumn;
import io.waybill.message.Transport;
import io.waybill.policy.FailurePolicy;
import io.waybill.spring.internal.config.ConfigException;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.store.Polling;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The keys of an outbox's table and database, in both forms, and what they refuse. */
class OutboxKeysTest {
  private static final String URL = "jdbc:postgresql://localhost/shop";
  private static final String CUSTOM =
      "table=messages, layout=custom, columns.state.type=boolean, columns.state.column=done";

  /** Keys as {@code name=value, name=value}, below an outbox of several. */
  private static ConfiguredOutbox several(String keys) {
    return outbox("waybill.outboxes.orders.", keys);
  }

  /** Keys of a single outbox, one a line. */
  private static ConfiguredOutbox bound(String lines) {
    return outbox("", lines.strip().replace("\n", ", "));
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
    return TableLayout.of(outbox, null, DatabaseKind.POSTGRESQL);
  }

  private static void check(ConfiguredOutbox outbox) {
    Problems problems = new Problems();
    DatabaseChecks.run(outbox, problems);
    TableLayout.of(outbox, null, null, problems);
    problems.throwIfAny();
  }

  @Test
  void aTableOfOnesOwnIsDescribedByItsColumns() {
    ConfiguredOutbox outbox =
        bound(
            """
            waybill.schema.name=legacy
            waybill.outbox.layout=custom
            waybill.outbox.table=messages
            waybill.outbox.columns.row-id.column=pk
            waybill.outbox.columns.row-id.type=uuid
            waybill.outbox.columns.event-id=message_id
            waybill.outbox.columns.event-type=kind
            waybill.outbox.columns.event-version=version
            waybill.outbox.columns.key.type=entity
            waybill.outbox.columns.key.id=entity_id
            waybill.outbox.columns.order.column=written_at
            waybill.outbox.columns.order.type=time
            waybill.outbox.columns.created-at=written_at
            waybill.outbox.columns.available-at=not_before
            waybill.outbox.columns.lane=lane
            waybill.outbox.columns.payload.column=body
            waybill.outbox.columns.payload.type=bytes
            waybill.outbox.columns.content-type-column=media
            waybill.outbox.columns.content-type=text/plain
            waybill.outbox.columns.headers=headers
            waybill.outbox.columns.correlation-id=corr
            waybill.outbox.columns.causation-id=cause
            waybill.outbox.columns.traceparent=trace
            waybill.outbox.columns.header-columns.node=producer
            waybill.outbox.columns.state.type=boolean
            waybill.outbox.columns.state.column=done
            waybill.outbox.columns.published-at=sent_at
            waybill.outbox.columns.attempts=tries
            waybill.outbox.columns.next-attempt-at=next_try
            waybill.outbox.columns.error=last_error
            waybill.outbox.columns.record.table=done
            waybill.outbox.columns.record.event-id=event
            waybill.outbox.columns.record.status=word
            waybill.outbox.columns.record.created-at=made_at
            waybill.outbox.columns.record.updated-at=changed_at
            """);

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
                .record(new RecordTable("done", "event", "word", "made_at", "changed_at"))
                .build());
  }

  @Test
  void aStateIsAWordAndAKeyHasTheSameFirstPartInEveryRow() {
    ConfiguredOutbox outbox =
        bound(
            """
            waybill.outbox.layout=custom
            waybill.outbox.table=messages
            waybill.outbox.columns.key.aggregate-type=order
            waybill.outbox.columns.key.id=order_id
            waybill.outbox.columns.state.type=enum
            waybill.outbox.columns.state.column=state
            waybill.outbox.columns.state.pending=NEW
            waybill.outbox.columns.state.published=SENT
            waybill.outbox.columns.state.dead=DEAD
            """);

    assertThat(layout(outbox))
        .isEqualTo(
            Layout.builder("custom", "messages")
                .singleKey("order_id", "order")
                .createdAt(null)
                .state(new StateColumn.Word("state", "NEW", "SENT", "DEAD"))
                .build());
  }

  @Test
  void whatTheTableSaysIsAlsoAShortKey() {
    ConfiguredOutbox outbox =
        bound(
            """
            waybill.outbox.layout=wallet
            waybill.outbox.table=mail
            waybill.outbox.side-tables.prefix=w_
            waybill.outbox.side-tables.schema=ops
            waybill.outbox.listen=false
            """);

    Layout layout = layout(outbox);
    assertThat(layout.table().name()).isEqualTo("mail");
    assertThat(TableLayout.sideNames(outbox.properties(), layout))
        .isEqualTo(new SideNames("ops", "w_"));
    assertThat(
            TableLayout.timeRange(
                bound(
                        """
                        waybill.outbox.time-range.from=2026-01-01T00:00:00Z
                        waybill.outbox.time-range.until=2026-02-01T00:00:00Z
                        """)
                    .properties()))
        .isEqualTo(
            new TimeRange(
                Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-02-01T00:00:00Z")));
  }

  @Test
  void theOrderOfDebeziumsTableAndTheRecordOfNotificationsAreKeys() {
    String debezium =
        """
        waybill.outbox.layout=debezium
        waybill.outbox.order.column=seq
        waybill.outbox.order.type=number
        """;
    String notification =
        """
        waybill.outbox.layout=notification
        waybill.outbox.record=false
        """;
    assertThat(layout(bound(debezium)))
        .isEqualTo(Layouts.debezium(new OrderColumn("seq", OrderColumn.Kind.NUMBER)));
    assertThat(layout(bound(notification))).isEqualTo(Layouts.NOTIFICATION.record(null));
    assertThat(layout(several("layout=notification"))).isEqualTo(Layouts.NOTIFICATION);
  }

  @Test
  void aLayoutBringsItsRouteAndWhatBecomesOfFailures() {
    ConfiguredOutbox outbox = several("layout=notification");
    RelaySettings settings =
        RelayChecked.settings(
            outbox, Transport.RABBITMQ, Duration.ofSeconds(5), Polling.adaptive());

    assertThat(settings.relayRoutes().templates())
        .extracting(each -> each.target())
        .containsExactly("notifications.exchange");
    assertThat(settings.relayRoutes().rules().failurePolicies().apply("notifications.exchange"))
        .isInstanceOf(FailurePolicy.Bury.class);
  }

  @ParameterizedTest
  @CsvSource({"event-outbox, true", "notification, true", "wallet, false", "polyshop, false"})
  void onlyALayoutWithAStateForItGoesOnAfterADeadEvent(String layout, boolean isBuried) {
    RelaySettings settings =
        RelayChecked.settings(
            several("layout=" + layout + ", routes.default.target=t"),
            Transport.KAFKA,
            Duration.ofSeconds(5),
            Polling.adaptive());

    assertThat(
            settings.relayRoutes().rules().failurePolicies().apply("t")
                instanceof FailurePolicy.Bury)
        .isEqualTo(isBuried);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        arguments("table=mine", "table must be waybill_outbox for layout waybill; leave it out"),
        arguments("layout=wallet, on-published=keep", "on-published is for layout waybill"),
        arguments(
            "layout=wallet, retention=1d", "retention must be left out: Layout 'wallet' has no"),
        arguments("retention=1d", "retention needs waybill.outboxes.orders.on-published=keep"),
        arguments("layout=wallet, table=a b", "table must be a plain name: "),
        arguments("layout=wallet, listen=true", "listen needs Waybill's own table"),
        arguments("layout=wallet, order.column=x", "order is for layout debezium"),
        arguments("layout=debezium, order.type=time", "order.column must be given"),
        arguments("layout=debezium, order.column=x y", "order.column is not a column name"),
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
            "columns.published-at must not be the column of state, but is 'done'"),
        arguments(CUSTOM + ", columns.row-id.column=a;b", "columns.row-id.column must match"),
        arguments("database.url=jdbc:oracle:thin:@x", "database.url must be jdbc:postgresql://"),
        arguments("database.url=jdbc:postgresql:shop", "database.url must be jdbc:postgresql://"),
        arguments(
            "database.url=jdbc:postgresql://u:canary@h/d",
            "database.url must be jdbc:postgresql://"),
        arguments("database.url=jdbc:mariadb://h:0/d", "host or host:port, but is 'h:0'"),
        arguments("database.url=" + URL + "?socketFactory=x", "driver property 'socketFactory'"),
        arguments(
            "database.url=" + URL + "?password=canary",
            "must not contain 'password', which has its own key:"
                + " waybill.outboxes.orders.database.password"),
        arguments(
            "database.url=" + URL + "?sslpassword=canary",
            "has its own key: waybill.outboxes.orders.database.properties.sslpassword"),
        arguments(
            "database.url=" + URL + ", database.properties.loggerFile=/tmp/x",
            "database.properties must not contain the driver property 'loggerFile'; allowed are"),
        arguments(
            "database.url=" + URL + ", data-source=a",
            "data-source must not be combined with waybill.outboxes.orders.database.url"),
        arguments(
            "database.url=" + URL + ", database.ssl-bundle=b, database.properties.sslcert=/c",
            "database.ssl-bundle must not be combined with the property sslcert"),
        arguments(
            "database.url=" + URL + "?sslmode=prefer, database.ssl-bundle=b",
            "database.ssl-bundle needs sslmode=verify-full, which is the default, or verify-ca, but"
                + " is 'prefer'"),
        arguments("database.ssl-bundle=b", "database.url must be given: username, password"),
        arguments("database.username=u", "database.url must be given: username, password"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void isRefusedByItsKey(String keys, String sentence) {
    assertThatExceptionOfType(ConfigException.class)
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
}
