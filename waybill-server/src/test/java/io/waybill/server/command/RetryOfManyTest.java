package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group of many dead events is retried, while relays are killed and the broker restarts. */
@Tag("server")
@Tag("long")
class RetryOfManyTest {
  private static final int KEYS = 10_000;
  private static final int EVENTS = 100_000;
  private static final int PARTITIONS = 8;
  private static final int KILLS = 3;
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(10));
  private static final String DIGITS = "0123456789abcdef".repeat(2);

  @TempDir private Path folder;
  private @Nullable PostgresServer started;

  @Test
  void nothingIsLostOrOutOfOrderAndEachEventHasItsOutcome() throws Exception {
    try (PostgresServer server = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch();
        RelayProcesses relays = new RelayProcesses(folder)) {
      started = server;
      kafka.createTopic("orders", PARTITIONS, Map.of());
      Path config = config(kafka);
      assertThat(CommandRun.on(config, Map.of(), "schema", "apply").code()).isEqualTo(ExitCode.OK);
      giveUp();
      List<Process> running =
          new ArrayList<>(List.of(relay(relays, config, 0), relay(relays, config, 1)));

      Future<CommandRun> retry =
          CompletableFuture.supplyAsync(
              () ->
                  CommandRun.on(
                      config,
                      Map.of(),
                      "failures retry dead-%s --canary 5 --rate 1000 --yes --reason mended --json"
                          .formatted(DIGITS)
                          .split(" ")));
      for (int kill = 1; kill <= KILLS; kill++) {
        published(kill * EVENTS / (KILLS + 2));
        running.remove(0).destroyForcibly().waitFor();
        running.add(relay(relays, config, kill + 1));
      }
      published((KILLS + 1) * EVENTS / (KILLS + 2));
      kafka.stop();
      kafka.start();

      await().atMost(LIMIT).until(retry::isDone);
      CommandRun done = retry.get();
      assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
      assertThat(number("select count(*) from waybill_job_event where outcome = 'PUBLISHED'"))
          .isEqualTo(Integer.toString(EVENTS));
      assertThat(number("select count(*) from waybill_job_event")).isEqualTo("" + EVENTS);
      assertThat(number("select concat_ws(' ', state, succeeded, failed, open) from waybill_job"))
          .isEqualTo("DONE %d 0 0".formatted(EVENTS));
      judge(Arrivals.await(kafka, "orders", size(kafka)));
    }
  }

  private Path config(KafkaServer kafka) throws Exception {
    return CommandRun.write(
        folder,
        """
        server: {port: 0}
        waybill:
          outboxes:
            orders:
              database: {url: "jdbc:postgresql://127.0.0.1:%d/postgres", username: postgres}
              kafka: {bootstrap-servers: ["%s"]}
              routes: {default: {target: orders}}
        """
            .formatted(database().port(), kafka.bootstrapServers()));
  }

  private static Process relay(RelayProcesses relays, Path config, int number) throws Exception {
    return relays.start(config, Map.of("WAYBILL_RELAY_NAME", "relay-" + number));
  }

  /** Ten dead events of each key, of one group. */
  private void giveUp() throws SQLException {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select 'e' || n, 'placed', 'order', (n %% %d)::text, '{}' from generate_series(1, %d) n
        """
            .formatted(KEYS, EVENTS));
    sql(
        """
        insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id, state, attempts,
          unknown_outcome, last_reason, last_detail, destination, failure_group)
        select id, (extract(epoch from created_at) * 1000000)::bigint, lane, aggregate_type, aggregate_id,
          'DEAD', 10, false, 'unroutable', 'a wrong route', 'orders', '%s'
        from waybill_outbox"""
            .formatted(DIGITS));
    sql("analyze");
  }

  private void published(int number) {
    await()
        .atMost(LIMIT)
        .until(
            () ->
                Integer.parseInt(number("select count(*) from waybill_outbox")) <= EVENTS - number);
  }

  private PostgresServer database() {
    return Objects.requireNonNull(started);
  }

  private void sql(String text) throws SQLException {
    try (Connection connection = database().dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  private String number(String query) throws SQLException {
    try (Connection connection = database().dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }

  private static int size(KafkaServer kafka) throws Exception {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      ends.put(new TopicPartition("orders", partition), OffsetSpec.latest());
    }
    try (Admin admin = kafka.admin()) {
      return admin.listOffsets(ends).all().get(20, TimeUnit.SECONDS).values().stream()
          .mapToInt(end -> (int) end.offset())
          .sum();
    }
  }

  /** The first copies of a key are in order; later copies come of the kills. */
  private static void judge(List<ConsumerRecord<String, String>> records) {
    Set<String> seen = new HashSet<>();
    Map<String, Long> last = new HashMap<>();
    int inversions = 0;
    for (ConsumerRecord<String, String> each : records) {
      String id = new String(each.headers().lastHeader("waybill-event-id").value(), UTF_8);
      if (seen.add(id)) {
        long number = Long.parseLong(id.substring(1));
        Long before = last.put(each.key(), number);
        inversions += before != null && before > number ? 1 : 0;
      }
    }
    System.out.printf(
        "%d events of %d keys, %d copies, %d inversions, %d lost%n",
        seen.size(), last.size(), records.size() - seen.size(), inversions, EVENTS - seen.size());
    assertThat(inversions).isZero();
    assertThat(seen).hasSize(EVENTS);
    assertThat(last).hasSize(KEYS);
  }
}
