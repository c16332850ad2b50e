package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.TableSchema;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database with a table of its own for each test, both brokers, and relays as processes. */
abstract class LayoutSetting {
  static final Duration LIMIT = Patience.of(Duration.ofSeconds(90));
  static final AtomicInteger NUMBERS = new AtomicInteger();
  static KafkaServer kafka;
  static RabbitServer rabbit;

  final String name = "layouts_" + NUMBERS.incrementAndGet();
  @TempDir Path folder;
  Path config = Path.of("unset");
  Connection connection;
  RelayProcesses relays;

  /** Creates a database and connects to it. */
  abstract Connection create(String name) throws SQLException;

  /** Lines of the section {@code database}. */
  abstract String section(String name);

  @BeforeAll
  static void launch() {
    kafka = KafkaServer.launch();
    rabbit = RabbitServer.launch();
  }

  @AfterAll
  static void close() {
    rabbit.close();
    kafka.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    connection = create(name);
    relays = new RelayProcesses(folder);
  }

  @AfterEach
  void end() throws SQLException {
    relays.close();
    connection.close();
  }

  /** Type of a column for UUIDs. */
  abstract String uuid();

  void configure(String lines) {
    config =
        CommandRun.write(
            folder,
            """
            server: {port: -1}
            waybill:
              relay: {name: relay-l}
              outboxes:
                shop:
            """
                + section(name).indent(6)
                + lines.indent(6));
  }

  static String toKafka() {
    return """
    kafka:
      bootstrap-servers: ["%s"]
      create-topics: {partitions: 1, replication-factor: 1}
    """
        .formatted(kafka.bootstrapServers());
  }

  void createDocumented() throws SQLException {
    CommandRun documented = run("schema", "print", "--documented");
    assertThat(documented.code()).as(documented.toString()).isEqualTo(ExitCode.OK);
    TableSchema.run(connection, documented.out());
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
    CommandRun doctor = run("doctor", "--json");
    assertThat(doctor.jsonTexts("severity")).as(doctor.out()).doesNotContain("REFUSE");
  }

  CommandRun run(String... arguments) {
    return CommandRun.on(config, Map.of(), arguments);
  }

  Process start() throws IOException {
    return relays.start(config, Map.of());
  }

  void stop(Process relay) throws Exception {
    relays.stop(relay);
  }

  static String header(ConsumerRecord<String, String> record, String key) {
    return new String(record.headers().lastHeader(key).value(), StandardCharsets.UTF_8);
  }

  static List<ConsumerRecord<String, String>> received(String topic, int count) {
    return Arrivals.await(kafka, topic, count);
  }

  int count(String condition, String table) throws SQLException {
    return Integer.parseInt(texts("select count(*) from " + table + " where " + condition).get(0));
  }

  List<String> texts(String query) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  void sql(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
