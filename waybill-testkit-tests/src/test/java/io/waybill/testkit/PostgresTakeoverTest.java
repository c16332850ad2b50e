package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.proof.server.PostgresServer;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.ReadResult;
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import io.waybill.store.Settlement;
import io.waybill.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A standby takes over. It may lack what the old server had committed last, and gives out the same
 * transaction numbers again: what a reader remembers of them would hide its rows.
 */
@Tag("long")
@Tag("server")
class PostgresTakeoverTest {
  private static final Duration LEASE = Duration.ofHours(1);
  private static final Set<Integer> LANES =
      IntStream.range(0, 64).boxed().collect(Collectors.toUnmodifiableSet());

  @Test
  void everythingIsReadFromTheStartByAReaderThatSawTheOldServer() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      PostgresOutbox outbox = outbox(server);
      try (LaneStore lanes = outbox.lanes();
          OutboxStore store = outbox.store();
          OutboxReader reader = outbox.reader()) {
        Session session = lanes.join("relay", LEASE);
        reader.assign(session, LANES);
        Settlement nothing = Settlement.published(List.of());
        assertThat(store.settle(session, nothing).fenced()).isFalse();
        insert(server, "a");
        assertThat(drain(reader)).containsExactly("a");
        assertThat(drain(reader)).isEmpty();

        takeOver(server);
        assertThatExceptionOfType(StoreException.class).isThrownBy(reader::pausedDestinations);
        // Another call than a read may be the first on the new connection.
        assertThat(reader.pausedDestinations()).isEmpty();
        assertThatExceptionOfType(SessionLostException.class).isThrownBy(() -> drain(reader));

        // What was confirmed may have other rows' ids now.
        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(() -> store.settle(session, nothing));
        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(() -> store.settle(session, nothing));
        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(() -> lanes.renew(session, LEASE));
        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(() -> lanes.renew(session, LEASE));

        Session anew = lanes.join("relay", LEASE);
        reader.assign(anew, LANES);
        assertThat(drain(reader)).containsExactly("a");
        assertThat(drain(reader)).isEmpty();
      }
    }
  }

  @Test
  void theFirstSettlementIsRefusedBehindATakeOver() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      PostgresOutbox outbox = outbox(server);
      try (LaneStore lanes = outbox.lanes();
          OutboxStore store = outbox.store();
          OutboxReader reader = outbox.reader()) {
        Session session = lanes.join("relay", LEASE);
        reader.assign(session, LANES);
        insert(server, "a");
        List<OutboxRow> confirmed = reader.read(100, 1 << 20).rows();
        assertThat(confirmed).hasSize(1);

        takeOver(server);
        // The new server lacks "a" and has given its id to another event.
        try (Connection connection = server.dataSource().getConnection();
            Statement statement = connection.createStatement()) {
          statement.execute("update waybill_outbox set event_id = 'other'");
        }

        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(() -> store.settle(session, Settlement.published(confirmed)));
        assertThat(setting(server, "select count(*) from waybill_outbox")).isEqualTo("1");
      }
    }
  }

  @Test
  void rolesThatRestedWhileAStandbyTookOverServeTheNextSession() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      PostgresOutbox outbox = outbox(server);
      try (LaneStore lanes = outbox.lanes();
          OutboxStore store = outbox.store();
          OutboxReader reader = outbox.reader()) {
        Session session = lanes.join("relay", LEASE);
        reader.assign(session, LANES);
        store.settle(session, Settlement.published(List.of()));
        insert(server, "a");
        assertThat(drain(reader)).containsExactly("a");

        takeOver(server);
        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(() -> lanes.renew(session, LEASE));
        Session anew = lanes.join("relay", LEASE);

        // Their connections are broken, and they have not noticed.
        reader.assign(anew, LANES);
        assertThat(drain(reader)).containsExactly("a");
        assertThat(store.settle(anew, Settlement.published(List.of())).fenced()).isFalse();
      }
    }
  }

  /** The server's outbox, whose tables are made. */
  static PostgresOutbox outbox(PostgresServer server) throws SQLException {
    ConnectionFactory connections = ConnectionFactory.postgres(server.jdbcUrl(), new Properties());
    try (Connection connection = connections.open()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
    }
    return PostgresOutbox.of(connections, PostgresOptions.ofDefaults());
  }

  /** The server starts as a standby and is promoted. */
  static void takeOver(PostgresServer server) throws Exception {
    Path data = Path.of(setting(server, "show data_directory"));
    server.stop();
    Files.createFile(data.resolve("standby.signal"));
    server.start();
    assertThat(setting(server, "select pg_promote(true, 60)")).isEqualTo("t");
  }

  private static String setting(PostgresServer server, String query) throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }

  private static void insert(PostgresServer server, String eventId) throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id)
          values ('%s', 'order-placed', 'order', '1')"""
              .formatted(eventId));
    }
  }

  private static List<String> drain(OutboxReader reader) {
    List<String> ids = new ArrayList<>();
    ReadResult result;
    do {
      result = reader.read(100, 1 << 20);
      result.rows().stream().map(OutboxRow::eventId).forEach(ids::add);
    } while (result.more() || !result.rows().isEmpty());
    return ids;
  }
}
