package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.waybill.Preset;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.it.Door.Reach;
import io.waybill.it.Door.Running;
import io.waybill.it.Door.Wish;
import io.waybill.jdbc.TableSchema;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A relay behaves alike, whether plain Java, an application or a file describes it. */
@Tag("server")
@Tag("long")
class DoorsTest {
  // As Kafka numbers the kinds of compression.
  private static final int NONE = 0;
  private static final int LZ4 = 3;
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(1));

  private static PostgresServer postgres;
  private static KafkaServer kafka;
  @RegisterExtension private final SupervisorLog log = new SupervisorLog();
  @TempDir private Path folder;

  @BeforeAll
  static void launch() {
    postgres = PostgresServer.launch();
    kafka = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    kafka.close();
    postgres.close();
  }

  private static String name(Door door, String test) {
    return test + "_" + door.name().toLowerCase(Locale.ROOT);
  }

  /** A database with Waybill's own tables, and a topic of the same name. */
  private static Connection own(String name) throws SQLException {
    Connection connection = empty(name);
    Schemas.apply(connection);
    return connection;
  }

  private static Connection empty(String name) throws SQLException {
    postgres.createDatabase(name);
    kafka.createTopic(name, 1, Map.of());
    return postgres.dataSource(name).getConnection();
  }

  /** The same with a documented table. */
  private static Connection adopted(String name, Preset preset) throws SQLException {
    Connection connection = empty(name);
    DatabaseKind kind = DatabaseKind.POSTGRESQL;
    TableSchema.run(connection, TableSchema.documentedTable(preset.layout().name(), kind));
    TableSchema.of(preset.layout(), kind, SideNames.of(preset.layout()), 4).apply(connection);
    return connection;
  }

  private static Wish wish(String name, Preset preset) {
    return Wish.of(postgres.jdbcUrl(name), Reach.kafka(kafka.bootstrapServers()), preset);
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void awaitReady(Running relay) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(relay.unready()).isEmpty());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }

  private List<String> warnings() {
    return log.lines().stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** An application is not started without its own database, or without tables in it. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SHORT_KEYS")
  void tablesThatAreMissingRefuseTheStart(Door door) throws Exception {
    String name = name(door, "missing");
    try (Connection connection = empty(name);
        Running relay = door.start(wish(name, Preset.WAYBILL).to(name), folder)) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(String.join(" ", relay.unready()) + warnings())
                      .contains("schema-missing"));
      assertThat(warnings()).noneMatch(line -> line.contains("starts nevertheless"));
      assertThat(connection.isValid(1)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void databaseBrokerAndSettingsAreChecked(Door door) throws Exception {
    String name = name(door, "checked");
    Wish unwise = wish(name, Preset.WAYBILL).to("nowhere-" + door);
    try (Connection connection = own(name);
        Running relay = door.start(unwise.leased(Duration.ofMinutes(5)), folder)) {
      run(connection, "select 1");
      awaitReady(relay);
      assertThat(warnings())
          .anyMatch(line -> line.contains("kafka-topic-missing"))
          .anyMatch(line -> line.contains("config-lease-long"))
          .allMatch(line -> line.contains("the relay starts nevertheless"));
    }
  }

  /** An application is not started without its own database, or without tables in it. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SHORT_KEYS")
  void aDatabaseThatIsAwayIsAwaited(Door door) throws Exception {
    String name = name(door, "away");
    try (PostgresServer late = PostgresServer.launch()) {
      late.createDatabase(name);
      try (Connection connection = late.dataSource(name).getConnection()) {
        Schemas.apply(connection);
      }
      late.stop();
      Reach reach = Reach.kafka(kafka.bootstrapServers());
      Wish wish = Wish.of(late.jdbcUrl(name), reach, Preset.WAYBILL).to("doors-away");
      try (Running relay = door.start(wish, folder)) {
        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () -> assertThat(String.join(" ", relay.unready())).contains("the database"));
        late.start();
        awaitReady(relay);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void keptRowsOfTheOwnTableAreRemovedAndCommitsElsewhereHeard(Door door) throws Exception {
    String name = name(door, "kept");
    Wish kept = wish(name, Preset.WAYBILL).to(name).kept(Duration.ofDays(7)).listening();
    try (Connection connection = own(name);
        Running relay = door.start(kept, folder)) {
      run(connection, "select 1");
      awaitReady(relay);
      assertThat(threads())
          .anyMatch(thread -> thread.endsWith("doors-retention"))
          .anyMatch(thread -> thread.endsWith("doors-listener"));
    }
    await()
        .atMost(PATIENCE)
        .until(() -> threads().stream().noneMatch(thread -> thread.contains("doors-retention")));
  }

  @ParameterizedTest
  @EnumSource
  void aPresetBringsTableRouteAndTheRemovalOfOldRows(Door door) throws Exception {
    String name = name(door, "preset");
    try (Connection connection = adopted(name, Preset.POLYSHOP);
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of(name));
        Running relay = door.start(wish(name, Preset.POLYSHOP).kept(Duration.ofDays(7)), folder)) {
      run(
          connection,
          """
          insert into outbox_events (id, aggregate_id, event_type, payload)
          values (gen_random_uuid(), 'a-1', '%s', '{}')"""
              .formatted(name));
      await().atMost(PATIENCE).until(() -> tail.count() == 1);
      assertThat(threads()).anyMatch(thread -> thread.endsWith("doors-retention"));
      awaitReady(relay);
    }
  }

  /** Consumers of an adopted table may be clients that know no LZ4, kafkajs for one. */
  @ParameterizedTest
  @EnumSource
  void onlyEventsOfTheOwnTableAreCompressedUnasked(Door door) throws Exception {
    String adopted = name(door, "plain");
    String own = name(door, "lz4");
    try (Connection ofAdopted = adopted(adopted, Preset.POLYSHOP);
        Connection ofOwn = own(own);
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of(adopted, own))) {
      run(
          ofAdopted,
          """
          insert into outbox_events (id, aggregate_id, event_type, payload)
          values (gen_random_uuid(), 'a-1', '%s', '{}')"""
              .formatted(adopted));
      run(
          ofOwn,
          """
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('e-1', 'placed', 'order', 'o-1', '{}')""");
      try (Running one = door.start(wish(adopted, Preset.POLYSHOP), folder)) {
        await().atMost(PATIENCE).until(() -> tail.count() == 1);
        awaitReady(one);
      }
      try (Running other = door.start(wish(own, Preset.WAYBILL).to(own), folder)) {
        await().atMost(PATIENCE).until(() -> tail.count() == 2);
        awaitReady(other);
      }
    }
    assertThat(log.lines())
        .filteredOn(line -> line.getFormattedMessage().contains("kafka-not-compressed"))
        .as("a note of the adopted table alone")
        .singleElement()
        .returns(Level.INFO, ILoggingEvent::getLevel)
        .satisfies(line -> assertThat(line.getFormattedMessage()).doesNotContain("nevertheless"));
    assertThat(compressions(adopted)).containsExactly(NONE);
    assertThat(compressions(own)).containsExactly(LZ4);
  }

  /** The kinds of compression of the batches that the broker has of a topic's only partition. */
  private static Set<Integer> compressions(String topic) throws Exception {
    Path data;
    try (Admin admin = kafka.admin()) {
      int node = admin.describeCluster().nodes().get().iterator().next().id();
      // A broker that was too busy answers without folders.
      data = await().atMost(PATIENCE).until(() -> folder(admin, node), Objects::nonNull);
    }
    Path segment = data.resolve(topic + "-0").resolve("00000000000000000000.log");
    ByteBuffer batches = ByteBuffer.wrap(Files.readAllBytes(segment));
    Set<Integer> found = new TreeSet<>();
    // A batch: its offset (8 bytes), the length of what follows (4), 9 more, its attributes.
    for (int at = 0; at < batches.limit(); at += 12 + batches.getInt(at + 8)) {
      found.add(batches.getShort(at + 21) & 7);
    }
    return found;
  }

  private static @Nullable Path folder(Admin admin, int node) throws Exception {
    var folders = admin.describeLogDirs(List.of(node)).allDescriptions().get().get(node);
    return folders == null
        ? null
        : folders.keySet().stream().findFirst().map(Path::of).orElse(null);
  }

  @ParameterizedTest
  @EnumSource
  void rowsBeforeTheTimeRangeStay(Door door) throws Exception {
    String name = name(door, "range");
    try (Connection connection = adopted(name, Preset.EVENT_OUTBOX);
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of(name))) {
      run(
          connection,
          """
          insert into event_outbox (id, event_key, event_type, entity_table, entity_pk, payload, created_at)
          values (1, 'old', 'order.placed', 'orders', '1', '{}', now() - interval '2 days'),
            (2, 'new', 'order.placed', 'orders', '1', '{}', now())""");
      Instant yesterday = Instant.now().minus(Duration.ofDays(1));
      try (Running relay =
          door.start(wish(name, Preset.EVENT_OUTBOX).to(name).since(yesterday), folder)) {
        await().atMost(PATIENCE).until(() -> tail.count() == 1);
        awaitReady(relay);
      }
      assertThat(tail.messages())
          .singleElement()
          .satisfies(
              message ->
                  assertThat(message.headers())
                      .extractingByKey("waybill-event-id")
                      .asString()
                      .startsWith("new"));
    }
  }
}
