package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.layout.Layouts;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Toxic;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A transaction that was open for more than ten seconds, and the next one of its key, end one after
 * the other while the way to the database is slow. Torture found it: mariadb-rabbitmq, seed 208.
 */
@Tag("server")
@Tag("long")
class SlowRescanTest {
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration OPEN = Duration.ofSeconds(12);
  private static final int KEYS = 4;

  private final OwnTable table = new OwnTable(Pair.MARIADB_RABBITMQ, false);
  private final List<String> read = new ArrayList<>();
  private int ticks;

  @Test
  void theOrderOfAKeyHoldsBehindALongTransaction() throws SQLException {
    try (MariaDbServer server = MariaDbServer.launch();
        Proxy proxy = Proxy.start(Protocol.MYSQL, server.port())) {
      String url = server.createDatabase("slow");
      try (Connection writer = DriverManager.getConnection(url)) {
        table.create(writer);
        read(url, url.replace(":" + server.port(), ":" + proxy.port()), proxy, writer);
      }
    }
    for (int key = 0; key < KEYS; key++) {
      assertThat(read.indexOf("first-" + key))
          .as("key %d in %s", key, read)
          .isNotNegative()
          .isLessThan(read.indexOf("second-" + key));
    }
  }

  private void read(String url, String slow, Proxy proxy, Connection writer) throws SQLException {
    TableOutbox outbox =
        TableOutbox.of(
            () -> DriverManager.getConnection(slow),
            Layouts.WAYBILL,
            DatabaseKind.MARIADB,
            TableOptions.defaults(Layouts.WAYBILL));
    try (LaneStore lanes = outbox.lanes();
        OutboxReader reader = outbox.reader();
        OutboxStore store = outbox.store()) {
      Session session = lanes.join("one", LEASE);
      reader.assign(session, lanes.acquire(session, lanes.view(session).free()));
      proxy.add(Toxic.latency(Duration.ofMillis(20), Duration.ZERO));
      List<Connection> open = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        Connection held = DriverManager.getConnection(url);
        held.setAutoCommit(false);
        table.append(held, List.of(event("first-" + key, key)));
        open.add(held);
      }
      long end = System.nanoTime() + OPEN.toNanos();
      while (System.nanoTime() < end) {
        step(writer, reader, store, session);
      }
      for (int key = 0; key < KEYS; key++) {
        try (Connection held = open.get(key)) {
          held.commit();
        }
        write(writer, event("second-" + key, key));
        step(writer, reader, store, session);
      }
      while (read.stream().filter(id -> !id.startsWith("tick")).count() < 2L * KEYS) {
        step(writer, reader, store, session);
      }
    }
  }

  private void step(Connection writer, OutboxReader reader, OutboxStore store, Session session)
      throws SQLException {
    write(writer, event("tick-" + ++ticks, KEYS));
    List<OutboxRow> rows = reader.read(100, 1 << 20).rows();
    rows.forEach(row -> read.add(row.eventId()));
    store.settle(session, Settlement.published(rows));
  }

  private void write(Connection writer, Planned event) throws SQLException {
    writer.setAutoCommit(false);
    table.append(writer, List.of(event));
    writer.commit();
  }

  private static Planned event(String id, int key) {
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    return new Planned(id, key, 1, new Planned.Content(payload, "application/json", Map.of()));
  }
}
