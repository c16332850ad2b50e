package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Relays on a cluster of two nodes that both take writes. */
@Tag("server")
@Tag("long")
class MariaDbGaleraTest {
  private static final String SCHEMA = "shop";
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static @Nullable GaleraCluster cluster;

  @BeforeAll
  static void launch() throws SQLException {
    UnpackedServer.GALERA.assumeThere();
    GaleraCluster started = GaleraCluster.launch();
    cluster = started;
    started.first().createDatabase(SCHEMA);
    try (Connection connection = first().getConnection()) {
      Schema.of(DatabaseKind.MARIADB, SchemaOptions.ofDefaults().schema(SCHEMA)).apply(connection);
    }
  }

  @AfterAll
  static void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aRelayAndItsWritersOnOneNodeAreServed() throws SQLException {
    TableOutbox outbox = outbox(ConnectionFactory.of(second()));
    try (LaneStore lanes = outbox.lanes();
        OutboxReader reader = outbox.reader()) {
      Session session = lanes.join("one-node", LEASE);
      reader.assign(session, allLanes());
      insert(second(), "one-node");
      Awaitility.await().until(() -> eventIds(reader).contains("one-node"));
    }
  }

  @Test
  void aSessionIsNotTakenToTheOtherNode() throws SQLException {
    AtomicBoolean moved = new AtomicBoolean();
    TableOutbox outbox = outbox(() -> (moved.get() ? second() : first()).getConnection());
    try (LaneStore lanes = outbox.lanes();
        OutboxReader reader = outbox.reader()) {
      Session session = lanes.join("balanced", LEASE);
      moved.set(true);
      assertThatThrownBy(() -> reader.assign(session, Set.of(0)))
          .isInstanceOf(SessionLostException.class)
          .hasMessageContaining("Galera cluster");
    }
  }

  private static GaleraCluster running() {
    return Objects.requireNonNull(cluster, "no cluster");
  }

  private static DataSource first() {
    return running().first().dataSource(SCHEMA);
  }

  private static DataSource second() {
    return running().second().dataSource(SCHEMA);
  }

  private static TableOutbox outbox(ConnectionFactory connections) {
    Layout layout = Layouts.WAYBILL.table(new TableName(SCHEMA, "waybill_outbox"));
    return TableOutbox.of(connections, layout, DatabaseKind.MARIADB, TableOptions.defaults(layout));
  }

  private static Set<Integer> allLanes() {
    return IntStream.range(0, SchemaOptions.ofDefaults().lanes())
        .boxed()
        .collect(Collectors.toSet());
  }

  private static List<String> eventIds(OutboxReader reader) {
    return reader.read(10, 1 << 20).rows().stream().map(OutboxRow::eventId).toList();
  }

  private static void insert(DataSource node, String eventId) throws SQLException {
    try (Connection connection = node.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('%s', 'order.placed', 'order', '1', '{}')"""
              .formatted(eventId));
    }
  }
}
