package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import io.waybill.store.Settlement;
import io.waybill.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another server takes over from the one with an adopted table. It may lack what was committed last
 * and give out the same row ids again.
 */
@Tag("server")
class LayoutTakeoverTest {
  private static final Layout LAYOUT = Layouts.WALLET;

  @TempDir Path folder;

  /** Ends the old server and makes the connections lead to the new one. */
  private interface Takeover {
    void run() throws Exception;
  }

  @Test
  void onPostgres() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      ConnectionFactory connections =
          ConnectionFactory.postgres(server.jdbcUrl(), new Properties());
      tables(connections, DatabaseKind.POSTGRESQL);
      check(connections, DatabaseKind.POSTGRESQL, () -> PostgresTakeoverTest.takeOver(server));
    }
  }

  @Tag("long")
  @Test
  void onMariaDb() throws Exception {
    try (MariaDbServer old = MariaDbServer.launch();
        MariaDbServer replica = MariaDbServer.launch()) {
      AtomicBoolean takenOver = new AtomicBoolean();
      ConnectionFactory connections =
          () -> (takenOver.get() ? replica : old).dataSource().getConnection();
      tables(connections, DatabaseKind.MARIADB);
      check(
          connections,
          DatabaseKind.MARIADB,
          () -> {
            takenOver.set(true);
            tables(connections, DatabaseKind.MARIADB);
            insert(connections, "a");
            // The session came with the rest, by replication.
            join(connections, DatabaseKind.MARIADB);
            old.kill();
          });
    }
  }

  @Tag("long")
  @Test
  void aMariaDbSetBackToASnapshotLosesTheSession() throws Exception {
    try (MariaDbServer server = MariaDbServer.launch()) {
      ConnectionFactory connections = () -> server.dataSource().getConnection();
      tables(connections, DatabaseKind.MARIADB);
      Session joined = join(connections, DatabaseKind.MARIADB);
      Path data = data(connections);
      server.stop();
      PostgresOtherServerTest.copy(data, folder.resolve("snapshot"));
      server.start();

      TableOutbox outbox = outbox(connections, DatabaseKind.MARIADB);
      try (LaneStore lanes = outbox.lanes();
          OutboxReader reader = outbox.reader();
          OutboxStore store = outbox.store()) {
        assertThat(lanes.renew(joined, Duration.ofHours(1))).isTrue();
        Session session = joined.renewed();
        reader.assign(session, Set.of(0));
        insert(connections, "gone");
        List<OutboxRow> confirmed = StoreContract.drain(reader);
        assertThat(confirmed).extracting(OutboxRow::eventType).containsExactly("gone");

        server.stop();
        PostgresOtherServerTest.delete(data);
        PostgresOtherServerTest.copy(folder.resolve("snapshot"), data);
        server.start();
        insert(connections, "new");

        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(() -> store.settle(session, Settlement.published(confirmed)));
        assertThatExceptionOfType(StoreException.class).isThrownBy(reader::pausedDestinations);
        reader.assign(join(connections, DatabaseKind.MARIADB), Set.of(0));
        assertThat(types(reader)).containsExactly("new");
      }
    }
  }

  private static Path data(ConnectionFactory connections) throws SQLException {
    try (Connection connection = connections.open();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select @@datadir")) {
      result.next();
      return Path.of(result.getString(1));
    }
  }

  private static void tables(ConnectionFactory connections, DatabaseKind kind) throws SQLException {
    try (Connection connection = connections.open()) {
      TableSchema.run(connection, TableSchema.documentedTable(LAYOUT.name(), kind));
      TableSchema.of(LAYOUT, kind, SideNames.of(LAYOUT), 1).apply(connection);
    }
  }

  private static TableOutbox outbox(ConnectionFactory connections, DatabaseKind kind) {
    return TableOutbox.of(connections, LAYOUT, kind, TableOptions.defaults(LAYOUT));
  }

  private static Session join(ConnectionFactory connections, DatabaseKind kind) {
    try (LaneStore lanes = outbox(connections, kind).lanes()) {
      Session session = lanes.join("relay", Duration.ofHours(1));
      lanes.acquire(session, Set.of(0));
      return session;
    }
  }

  private static void insert(ConnectionFactory connections, String type) throws SQLException {
    try (Connection connection = connections.open();
        Statement statement = connection.createStatement()) {
      statement.execute("insert into outbox (event_type, payload) values ('" + type + "', '{}')");
    }
  }

  private static void check(ConnectionFactory connections, DatabaseKind kind, Takeover takeover)
      throws Exception {
    TableOutbox outbox = outbox(connections, kind);
    Session session = join(connections, kind);
    Settlement nothing = Settlement.published(List.of());
    try (OutboxReader reader = outbox.reader();
        OutboxStore store = outbox.store()) {
      reader.assign(session, Set.of(0));
      assertThat(store.settle(session, nothing).fenced()).isFalse();
      insert(connections, "a");
      assertThat(types(reader)).containsExactly("a");
      assertThat(types(reader)).isEmpty();

      takeover.run();
      assertThatExceptionOfType(StoreException.class).isThrownBy(reader::pausedDestinations);
      // Another call than a read may be the first on the new connection.
      assertThat(reader.pausedDestinations()).isEmpty();
      assertThatExceptionOfType(SessionLostException.class).isThrownBy(() -> types(reader));

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> store.settle(session, nothing));
      // What was confirmed may have other rows' ids now.
      assertThatExceptionOfType(SessionLostException.class)
          .isThrownBy(() -> store.settle(session, nothing));

      Session anew = join(connections, kind);
      reader.assign(anew, Set.of(0));
      assertThat(types(reader)).containsExactly("a");
      assertThat(types(reader)).isEmpty();
    }
  }

  private static List<String> types(OutboxReader reader) {
    return StoreContract.drain(reader).stream().map(OutboxRow::eventType).toList();
  }
}
