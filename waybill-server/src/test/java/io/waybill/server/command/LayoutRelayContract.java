package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.server.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The relay as a process of its own, on adopted tables and on its own, on every database. */
@Tag("server")
abstract class LayoutRelayContract extends LayoutSetting {
  @Test
  void theNotificationTableGoesToItsFourQueuesAndWhatNoQueueTakesFails() throws Exception {
    configure(
        """
        layout: notification
        poll: {interval: 100ms, initial-delay: 0s}
        retry: {policy: constant, delay: 50ms, attempts: 2}
        failure: {give-up-after: 2s}
        rabbitmq:
          addresses: ["127.0.0.1:%d"]
          topology: {preset: notification}
        """
            .formatted(rabbit.port()));
    createDocumented();
    for (String type : List.of("RESTAURANT", "CUSTOMER", "AGENCY", "ADMIN", "ALIEN")) {
      sql(
          """
          insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('evt-%1$s', 'RESERVATION_REQUESTED', '%1$s', 5, '{"n":1}')"""
              .formatted(type));
    }
    Process relay = start();

    await().atMost(LIMIT).until(() -> count("status = 'PENDING'", "event_outbox") == 0);
    assertThat(texts("select event_id from event_outbox where status = 'FAILED'"))
        .containsExactly("evt-ALIEN");
    assertThat(count("published_at is not null", "event_outbox")).isEqualTo(4);
    assertThat(count("status = 'SUCCESS'", "processed_event")).isEqualTo(4);
    assertThat(count("status = 'FAILED'", "processed_event")).isEqualTo(1);
    for (String type : List.of("RESTAURANT", "CUSTOMER", "AGENCY", "ADMIN")) {
      assertThat(message("notification." + type.toLowerCase(java.util.Locale.ROOT)))
          .isEqualTo(
              """
              {"event_id":"evt-%s","event_type":"RESERVATION_REQUESTED","aggregate_type":"%s",\
              "aggregate_id":5,"payload":%s}"""
                  .formatted(type, type, texts("select payload from event_outbox").get(0)));
    }
    stop(relay);
  }

  @Test
  void theWalletsTableGoesToATopicPerTypeAtItsRate() throws Exception {
    configure("layout: wallet\npoll: {mode: adaptive}\n" + toKafka());
    createDocumented();
    String type = name + "_WalletCreated";
    for (int i = 1; i <= 20; i++) {
      sql(
          """
          insert into outbox (event_type, payload, correlation_id)
          values ('%s', '{"n":%d}', 'wallet-%d')"""
              .formatted(type, i, i % 3));
    }
    Process relay = start();

    List<ConsumerRecord<String, String>> records = received(type + "-out-0", 20);
    assertThat(records)
        .filteredOn(each -> each.key().equals("wallet-1"))
        .extracting(ConsumerRecord::value)
        .containsExactly(
            "{\"n\":1}",
            "{\"n\":4}",
            "{\"n\":7}",
            "{\"n\":10}",
            "{\"n\":13}",
            "{\"n\":16}",
            "{\"n\":19}");
    await().atMost(LIMIT).until(() -> count("sent = false", "outbox") == 0);
    stop(relay);
  }

  @Test
  void polyshopsTableGoesOutInEnvelopes() throws Exception {
    configure("layout: polyshop\nroutes: {source: order-service}\n" + toKafka());
    createDocumented();
    String topic = name + ".order.created.v1";
    sql(
        """
        insert into outbox_events (id, aggregate_id, event_type, payload)
        values ('00000000-0000-0000-0000-000000000001', 'o-1', '%s', '{"n":1}')"""
            .formatted(topic));
    Process relay = start();

    ConsumerRecord<String, String> record = received(topic, 1).get(0);
    assertThat(record.key()).isEqualTo("o-1");
    assertThat(record.value())
        .contains("\"eventId\":\"00000000-0000-0000-0000-000000000001\"")
        .contains("\"source\":\"order-service\"");
    await().atMost(LIMIT).until(() -> count("processed = false", "outbox_events") == 0);
    stop(relay);
  }

  @Test
  void debeziumsTableGoesWhereItsRouterWouldSendIt() throws Exception {
    configure("layout: debezium\norder: {column: written_at}\n" + toKafka());
    sql(
        """
        create table outboxevent (id %s not null primary key, aggregatetype varchar(255) not null,
          aggregateid varchar(255) not null, type varchar(255) not null, payload text,
          written_at timestamp(6) not null)"""
            .formatted(uuid()));
    sql("create index written on outboxevent (written_at)");
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
    for (int i = 1; i <= 3; i++) {
      sql(
          """
          insert into outboxevent values ('00000000-0000-0000-0000-00000000000%d', '%s', '42',
            'OrderCreated', '{"n":%d}', '2026-01-01 00:00:0%d')"""
              .formatted(9 - i, name, i, i));
    }
    String context = "waybill_outboxevent_row_context";
    sql(
        "insert into %s (row_id, correlation_id) values ('00000000-0000-0000-0000-000000000008', 'c')"
            .formatted(context));
    Process relay = start();

    List<ConsumerRecord<String, String>> records = received("outbox.event." + name, 3);
    assertThat(records)
        .extracting(ConsumerRecord::value)
        .containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}");
    assertThat(records).extracting(ConsumerRecord::key).containsOnly("42");
    assertThat(
            new String(records.get(0).headers().lastHeader("id").value(), StandardCharsets.UTF_8))
        .isEqualTo("00000000-0000-0000-0000-000000000008");
    await().atMost(LIMIT).until(() -> count("1 = 1", "outboxevent") == 0);
    assertThat(count("1 = 1", context)).as("what stood beside the removed rows").isZero();
    stop(relay);
  }

  @Test
  void aLayoutOfOnesOwnIsRelayedAsTheConfigurationSays() throws Exception {
    configure(
        """
        table: messages
        side-tables: {prefix: wb_}
        layout: custom
        columns:
          row-id: {column: nr}
          event-type: kind
          key: {id: account, aggregate-type: account}
          payload: {column: body, type: text}
          created-at: written
          header-columns: {node: producer-node}
          state: {type: string, column: state, pending: N, published: D, dead: X}
          attempts: tries
        routes: {default: {target: "%s-{eventType}"}}
        """
                .formatted(name)
            + toKafka());
    sql(
        """
        create table messages (nr bigint not null primary key, kind varchar(50) not null,
          account varchar(50), body text not null, node varchar(50), tries int not null default 0,
          state char(1) not null default 'N', written timestamp(6) not null)""");
    assertThat(run("schema", "print").out()).contains("wb_row_state");
    assertThat(run("schema", "apply").out()).contains("Created 8 table(s) to accompany messages");
    assertThat(run("schema", "apply").out()).contains("up to date");
    CommandRun check = run("schema", "check", "--json");
    assertThat(check.out()).contains("create index").contains("No index");
    CommandRun doctor = run("doctor", "--json");
    assertThat(doctor.jsonTexts("severity")).as(doctor.out()).doesNotContain("REFUSE");
    sql(
        """
        insert into messages (nr, kind, account, body, node, written)
        values (7, 'paid', 'a', 'x', 'n-1', '2026-01-01 00:00:00')""");
    Process relay = start();

    ConsumerRecord<String, String> record = received(name + "-paid", 1).get(0);
    assertThat(record.key()).isEqualTo("a");
    assertThat(header(record, "producer-node")).isEqualTo("n-1");
    assertThat(header(record, "waybill-event-id")).isEqualTo("messages:7");
    await().atMost(LIMIT).until(() -> count("state = 'D' and tries = 1", "messages") == 1);
    stop(relay);
  }

  @Test
  void aRelayRefusesToStartOnATableThatIsNotWhatTheLayoutSays() throws Exception {
    configure("layout: wallet\n" + toKafka());
    sql("create table outbox (id bigint not null primary key, sent int)");
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
    CommandRun doctor = run("doctor", "--json");
    assertThat(doctor.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(doctor.out()).contains("outbox.payload").contains("It is missing");

    Process relay = start();
    assertThat(relay.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(relay.exitValue()).as(relays.log()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void operatorsSeeAndMendTheEventsOfAnAdoptedTable() throws Exception {
    configure(
        """
        layout: event-outbox
        retention: 10m
        poll: {mode: adaptive}
        retry: {policy: constant, delay: 50ms, attempts: 2}
        failure: {policy: park}
        routes: {default: {target: "{eventType}"}}
        """
            + toKafka());
    createDocumented();
    CommandRun views = run("schema", "apply", "--views");
    assertThat(views.code()).as(views.toString()).isEqualTo(ExitCode.OK);
    assertThat(texts("select count(*) from vw_event_outbox")).containsExactly("0");
    assertThat(run("destinations", "pause", name, "--yes", "--reason", "test").code()).isZero();
    event(1, name, "a", "2020-01-01 00:00:00");
    event(2, "no topic", "b", "2020-01-01 00:00:01");
    event(3, name, "c", "2020-01-01 00:00:02");
    sql("update event_outbox set status = 'failed' where id = 3");
    event(4, name, "d", "2020-01-01 00:00:03");
    sql("update event_outbox set status = 'sent', processed_at = created_at where id = 4");
    event(5, name, "e", "2020-01-01 00:00:04");
    event(6, name, "e", "2020-01-01 00:00:05");
    assertThat(states())
        .containsExactly("PENDING", "PENDING", "DEAD", "PUBLISHED", "PENDING", "PENDING");
    assertThat(ids("--key", "customers/a")).containsExactly(id(1));
    assertThat(ids("--type", name, "--limit", "2")).containsExactly(id(1), id(3));
    assertThat(ids("--state", "dead")).containsExactly(id(3));
    assertThat(run("events", "show", id(3), "--json").json().get("rowId").asString())
        .isEqualTo("3");
    Process relay = start();

    await().atMost(LIMIT).until(() -> ids("--state", "parked").equals(List.of(id(2))));
    await().atMost(LIMIT).until(() -> ids("--state", "published").isEmpty());
    assertThat(texts("select id from event_outbox where status = 'sent'")).isEmpty();
    ask("park", id(5));
    ask("retry", id(3));
    ask("skip", id(2));
    assertThat(run("destinations", "resume", name, "--yes", "--reason", "test").code()).isZero();
    assertThat(received(name, 2))
        .extracting(ConsumerRecord::key)
        .containsExactlyInAnyOrder("a", "c");
    await().atMost(LIMIT).until(() -> count("status = 'sent'", "event_outbox") == 2);
    ask("retry", id(5));
    assertThat(received(name, 4)).extracting(ConsumerRecord::key).endsWith("e", "e");
    await().atMost(LIMIT).until(() -> count("status = 'sent'", "event_outbox") == 4);
    ask("replay", id(1));
    assertThat(header(received(name, 5).get(4), "waybill-replay")).isEqualTo("true");
    assertThat(states())
        .containsExactly("PUBLISHED", "DEAD", "PUBLISHED", "PUBLISHED", "PUBLISHED");
    assertThat(texts("select attempts from event_outbox order by id"))
        .containsExactly("1", "0", "1", "1", "1");
    JsonNode status = run("status", "--json").json().get(0);
    assertThat(status.get("dead").asInt()).isEqualTo(1);
    assertThat(status.get("relays")).hasSize(1);
    stop(relay);
  }

  @ParameterizedTest
  @ValueSource(strings = {"delete", "keep"})
  void theOwnTableIsRelayed(String fate) throws Exception {
    configure(
        "on-published: %s\nroutes: {default: {target: %s-%s}}\n".formatted(fate, name, fate)
            + toKafka());
    assertThat(run("schema", "apply", "--lanes", "4").out()).contains("Applied");
    assertThat(run("schema", "check").code()).isEqualTo(ExitCode.OK);
    CommandRun doctor = run("doctor", "--json");
    assertThat(doctor.jsonTexts("severity")).as(doctor.out()).doesNotContain("REFUSE");
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        values ('e1', 'placed', 'order', '1', '{"n":1}')""");
    Process relay = start();

    assertThat(received(name + "-" + fate, 1).get(0).value()).isEqualTo("{\"n\":1}");
    int left = fate.equals("keep") ? 1 : 0;
    await()
        .atMost(LIMIT)
        .until(
            () ->
                count("status = 'PUBLISHED'", "waybill_outbox_status") == left
                    && count("1 = 1", "waybill_outbox") == left);
    stop(relay);
  }

  private void event(int id, String type, String key, String created) throws SQLException {
    sql(
        """
        insert into event_outbox (id, event_key, entity_table, entity_pk, event_type, payload,
          created_at)
        values (%d, '%s', 'customers', '%s', '%s', '{"n":1}', '%s')"""
            .formatted(id, id(id), key, type, created));
  }

  private static String id(int number) {
    return "00000000-0000-0000-0000-%012d".formatted(number);
  }

  private List<String> ids(String... filter) {
    return list("eventId", filter);
  }

  private List<String> states() {
    return list("state");
  }

  private List<String> list(String field, String... filter) {
    List<String> arguments = new ArrayList<>(List.of("events", "list", "--json"));
    arguments.addAll(List.of(filter));
    return run(arguments.toArray(String[]::new)).jsonTexts(field);
  }

  private void ask(String verb, String id) {
    CommandRun run = run("events", verb, id, "--yes", "--reason", "test", "--wait", "60s");
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.OK);
  }

  private static String message(String queue) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(rabbit.port());
    try (com.rabbitmq.client.Connection broker = factory.newConnection();
        Channel channel = broker.createChannel()) {
      GetResponse response = channel.basicGet(queue, true);
      assertThat(response).as(queue).isNotNull();
      return new String(response.getBody(), StandardCharsets.UTF_8);
    }
  }
}
