package io.waybill.bench.child;

import io.waybill.bench.load.AdoptedTable;
import io.waybill.bench.load.LoopSql;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.bench.wire.Wire;
import io.waybill.message.Header;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a careful team writes by hand: read 1,000 rows {@code FOR UPDATE SKIP LOCKED}, send them
 * all, await the broker, mark them with one statement, commit. Polls every 5 ms when idle.
 */
final class LoopPart implements ChildMain.Part {
  private static final int BATCH = 1000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  @Override
  public void play(Settings settings, Control control) throws Exception {
    Progress progress = new Progress(control, settings.number("events"));
    LoopSql sql = sql(settings);
    try (Wire wire =
            BrokerKind.of(settings.text("broker"))
                .wire(settings.text("address"), settings.text("destination"));
        Connection connection = Sql.open(settings.text("database"));
        PreparedStatement read = connection.prepareStatement(sql.read())) {
      connection.setAutoCommit(false);
      Loop loop = new Loop(new Statements(connection, sql, read), wire, settings.has("stamps"));
      control.readyAndAwaitGo();
      while (!control.stopping()) {
        int count = loop.turn();
        if (count > 0) {
          progress.completed(count);
        } else {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
      if (settings.has("stamps")) {
        loop.stamps.write(Path.of(settings.text("stamps")));
      }
    }
  }

  private static LoopSql sql(Settings settings) {
    if (settings.has("layout")) {
      return AdoptedTable.of(settings.text("layout")).loop();
    }
    return Sql.isMariaDb(settings.text("database")) ? LoopSql.PLAIN_MARIADB : LoopSql.PLAIN;
  }

  private record Statements(Connection connection, LoopSql sql, PreparedStatement read) {
    /** The driver keeps what it has prepared, by its text. */
    void mark(List<Object> ids) throws SQLException {
      try (PreparedStatement mark = connection.prepareStatement(sql.mark(ids.size()))) {
        sql.bind(mark, ids);
        mark.executeUpdate();
      }
    }
  }

  private record Loop(Statements sql, Wire wire, boolean stamping, Stamps stamps) {
    Loop(Statements sql, Wire wire, boolean stamping) {
      this(sql, wire, stamping, new Stamps());
    }

    int turn() throws SQLException {
      List<Object> ids = new ArrayList<>(BATCH);
      try (ResultSet rows = sql.read().executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getObject(1));
          send(rows);
        }
      }
      if (!ids.isEmpty()) {
        wire.await();
        sql.mark(ids);
      }
      sql.connection().commit();
      return ids.size();
    }

    private void send(ResultSet rows) throws SQLException {
      byte[] body = rows.getBytes(5);
      Runnable confirmed = stamping ? () -> stamps.stamp(Ref.find(body)) : () -> {};
      String id = text(rows, 2);
      String type = text(rows, 3);
      List<Header> headers = List.of(new Header("event-id", id), new Header("event-type", type));
      wire.send(new Wire.Message(rows.getBytes(4), body, id, type, headers), confirmed);
    }

    private static String text(ResultSet rows, int column) throws SQLException {
      return new String(rows.getBytes(column), StandardCharsets.UTF_8);
    }
  }
}
