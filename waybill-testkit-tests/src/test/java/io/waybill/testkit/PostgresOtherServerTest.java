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
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import io.waybill.store.Settlement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another server answers at the same address, or the same one from an earlier point, and says
 * nothing of it: both have the timeline of the old one. Transaction numbers, ids and positions of
 * the log are given out again.
 */
@Tag("server")
class PostgresOtherServerTest {
  private static final Duration LEASE = Duration.ofHours(1);
  private static final Set<Integer> LANES =
      IntStream.range(0, 64).boxed().collect(Collectors.toUnmodifiableSet());

  @TempDir Path folder;

  @Test
  void aCopyOfAllTablesIsAnotherHistory() throws Exception {
    try (PostgresServer old = PostgresServer.launch();
        PostgresServer copy = PostgresServer.launch()) {
      AtomicBoolean switched = new AtomicBoolean();
      ConnectionFactory connections =
          () -> (switched.get() ? copy : old).dataSource().getConnection();
      for (PostgresServer server : List.of(old, copy)) {
        try (Connection connection = server.dataSource().getConnection()) {
          Schema.of(SchemaOptions.ofDefaults()).apply(connection);
        }
      }
      run(
          old,
          "do $$ begin for i in 1..500 loop perform pg_current_xact_id(); commit; end loop; end $$");
      PostgresOutbox outbox = PostgresOutbox.of(connections, PostgresOptions.ofDefaults());
      try (LaneStore lanes = outbox.lanes();
          OutboxReader reader = outbox.reader()) {
        Session session = lanes.join("relay", LEASE);
        reader.assign(session, LANES);
        assertThat(StoreContract.drain(reader)).isEmpty();

        // The session comes with the rest; writers are switched before the relay is.
        run(copy, sessions(old));
        run(copy, "alter table waybill_session alter column fence restart with 2");
        run(copy, insert("early"));
        switched.set(true);
        old.kill();

        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(() -> secondTime(reader::pausedDestinations, () -> read(reader)));
        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(
                () -> secondTime(() -> lanes.view(session), () -> lanes.renew(session, LEASE)));

        Session anew = lanes.join("relay", LEASE);
        reader.assign(anew, LANES);
        assertThat(read(reader)).containsExactly("early");
      }
    }
  }

  @Test
  void aWarmUpOnTheOldServerCostsNoSession() throws Exception {
    try (PostgresServer old = PostgresServer.launch();
        PostgresServer next = PostgresServer.launch()) {
      AtomicBoolean switched = new AtomicBoolean();
      for (PostgresServer server : List.of(old, next)) {
        try (Connection connection = server.dataSource().getConnection()) {
          Schema.of(SchemaOptions.ofDefaults()).apply(connection);
        }
      }
      PostgresOutbox outbox =
          PostgresOutbox.of(
              () -> (switched.get() ? next : old).dataSource().getConnection(),
              PostgresOptions.ofDefaults());
      try (LaneStore lanes = outbox.lanes();
          OutboxReader reader = outbox.reader();
          OutboxStore store = outbox.store()) {
        assertThat(reader.warmUp(10, 1000)).isEmpty();
        store.warmUp(List.of());

        switched.set(true);
        run(next, insert("early"));
        Session session = lanes.join("relay", LEASE);
        reader.assign(session, LANES);
        List<OutboxRow> rows = StoreContract.drain(reader);
        assertThat(rows).extracting(OutboxRow::eventId).containsExactly("early");
        assertThat(store.settle(session, Settlement.published(rows)))
            .isEqualTo(new OutboxStore.Settled(false, 1));
      }
    }
  }

  @Test
  void aServerSetBackToASnapshotLosesTheSession() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      PostgresOutbox outbox = PostgresTakeoverTest.outbox(server);
      Session joined;
      try (LaneStore lanes = outbox.lanes()) {
        joined = lanes.join("relay", LEASE);
      }
      Path data = Path.of(text(server, "show data_directory"));
      server.stop();
      copy(data, folder.resolve("snapshot"));
      server.start();

      try (LaneStore lanes = outbox.lanes();
          OutboxStore store = outbox.store();
          OutboxReader reader = outbox.reader()) {
        assertThat(lanes.renew(joined, LEASE)).isTrue();
        Session session = joined.renewed();
        reader.assign(session, LANES);
        run(server, insert("gone"));
        List<OutboxRow> confirmed = StoreContract.drain(reader);
        assertThat(confirmed).extracting(OutboxRow::eventId).containsExactly("gone");
        store.settle(session, Settlement.published(List.of()));

        server.stop();
        delete(data);
        copy(folder.resolve("snapshot"), data);
        server.start();
        run(server, insert("new"));
        assertThat(text(server, "select id::text from waybill_outbox"))
            .isEqualTo(confirmed.get(0).rowId().toString());

        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(
                () ->
                    secondTime(
                        () -> store.settle(session, Settlement.published(List.of())),
                        () -> store.settle(session, Settlement.published(confirmed))));
        assertThat(text(server, "select event_id from waybill_outbox")).isEqualTo("new");
        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(() -> secondTime(reader::pausedDestinations, () -> read(reader)));
        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(
                () -> secondTime(() -> lanes.view(session), () -> lanes.renew(session, LEASE)));

        Session anew = lanes.join("relay", LEASE);
        reader.assign(anew, LANES);
        assertThat(read(reader)).containsExactly("new");
      }
    }
  }

  @Test
  void aPositionAheadOfTheLogLosesTheSession() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      PostgresOutbox outbox = PostgresTakeoverTest.outbox(server);
      Session session;
      try (LaneStore lanes = outbox.lanes()) {
        session = lanes.join("relay", LEASE);
      }
      Path data = Path.of(text(server, "show data_directory"));
      server.stop();
      copy(data, folder.resolve("snapshot"));
      server.start();

      try (OutboxReader reader = outbox.reader()) {
        reader.assign(session, LANES);
        run(server, insert("gone"));
        assertThat(read(reader)).containsExactly("gone");
        assertThat(read(reader)).isEmpty();

        server.stop();
        delete(data);
        copy(folder.resolve("snapshot"), data);
        server.start();

        // Nobody renewed the session meanwhile: its row says nothing.
        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(() -> secondTime(() -> read(reader), () -> read(reader)));
      }
    }
  }

  /** The first call finds its connection broken. */
  private static void secondTime(Runnable first, Runnable second) {
    assertThatExceptionOfType(RuntimeException.class).isThrownBy(first::run);
    first.run();
    second.run();
  }

  private static List<String> read(OutboxReader reader) {
    return StoreContract.drain(reader).stream().map(OutboxRow::eventId).toList();
  }

  private static String insert(String eventId) {
    return """
    insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id)
    values ('%s', 'order-placed', 'order', '1')"""
        .formatted(eventId);
  }

  /** A statement that inserts the sessions of a server. */
  private static String sessions(PostgresServer server) throws SQLException {
    return "insert into waybill_session overriding system value"
        + " select * from json_populate_recordset(null::waybill_session, '"
        + text(server, "select json_agg(s)::text from waybill_session s")
        + "')";
  }

  private static void run(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String text(PostgresServer server, String query) throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Files.copy(
            path, to.resolve(from.relativize(path).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
