package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.KafkaServer;
import io.waybill.server.terminal.ExitCode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A group of dead events is retried by a relay, a few first and then the rest, in their order. */
@Tag("server")
@Tag("long")
class RetryOnMySqlTest {
  private static final int KEYS = 50;
  private static final int EVENTS = 1_000;
  private static final String DIGITS = "0123456789abcdef".repeat(2);

  @TempDir private Path folder;
  private String url = "unset";

  @ParameterizedTest
  @EnumSource(names = {"MARIADB", "MYSQL"})
  void eachEventOfTheGroupHasItsOutcomeAndItsPlace(DatabaseKind kind) throws Exception {
    try (DatabaseServer server = DatabaseServer.launch(kind);
        KafkaServer kafka = KafkaServer.launch();
        RelayProcesses relays = new RelayProcesses(folder)) {
      url = server.createDatabase("shop");
      kafka.createTopic("orders", 4, Map.of());
      Path config = config(server, kafka);
      assertThat(CommandRun.on(config, Map.of(), "schema", "apply").code()).isEqualTo(ExitCode.OK);
      giveUp();
      Process relay = relays.start(config, Map.of());

      CommandRun done =
          CommandRun.on(
              config,
              Map.of(),
              "failures retry dead-%s --canary 5 --rate 1000 --yes --reason mended --json"
                  .formatted(DIGITS)
                  .split(" "));

      assertThat(done.code()).as(done + relays.log()).isEqualTo(ExitCode.OK);
      assertThat(text("select concat_ws(' ', state, succeeded, failed, open) from waybill_job"))
          .isEqualTo("DONE %d 0 0".formatted(EVENTS));
      assertThat(text("select count(*) from waybill_job_event where outcome = 'PUBLISHED'"))
          .isEqualTo("" + EVENTS);
      assertThat(text("select count(*) from waybill_audit where verb = 'RETRY' and done"))
          .isEqualTo("" + EVENTS);
      assertThat(text("select count(*) from waybill_outbox")).isEqualTo("0");
      assertThat(byKey(Arrivals.await(kafka, "orders", EVENTS)))
          .hasSize(KEYS)
          .allSatisfy((key, numbers) -> assertThat(numbers).isSorted().hasSize(EVENTS / KEYS));
      relays.stop(relay);
    }
  }

  private Path config(DatabaseServer server, KafkaServer kafka) throws Exception {
    return CommandRun.write(
        folder,
        """
        server: {port: 0}
        waybill:
          outboxes:
            orders:
              database:
                url: "jdbc:mysql://127.0.0.1:%d/shop"
                username: root
                properties: {sslMode: disable}
              kafka: {bootstrap-servers: ["%s"]}
              routes: {default: {target: orders}}
        """
            .formatted(server.port(), kafka.bootstrapServers()));
  }

  private void giveUp() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement insert =
            connection.prepareStatement(
                """
                insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
                values (?, 'placed', 'order', ?, '{}')""");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < EVENTS; i++) {
        insert.setString(1, "e" + i);
        insert.setString(2, "k" + i % KEYS);
        insert.addBatch();
      }
      insert.executeBatch();
      statement.execute(
          """
          insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id, state, attempts,
            unknown_outcome, last_reason, last_detail, destination, failure_group)
          select id, timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', created_at), lane,
            aggregate_type, aggregate_id, 'DEAD', 10, false, 'unroutable', 'a wrong route', 'orders', '%s'
          from waybill_outbox"""
              .formatted(DIGITS));
      connection.commit();
    }
  }

  private String text(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }

  private static Map<String, List<Integer>> byKey(List<ConsumerRecord<String, String>> records) {
    Map<String, List<Integer>> numbers = new TreeMap<>();
    for (ConsumerRecord<String, String> each : records) {
      String id = new String(each.headers().lastHeader("waybill-event-id").value(), UTF_8);
      numbers
          .computeIfAbsent(each.key(), key -> new ArrayList<>())
          .add(Integer.parseInt(id.substring(1)));
    }
    return numbers;
  }
}
