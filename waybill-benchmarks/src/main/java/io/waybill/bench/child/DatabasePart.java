package io.waybill.bench.child;

import io.waybill.bench.measure.Settings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The database alone: a plain read of 1,000 rows and one delete of them, until none is left. */
final class DatabasePart implements ChildMain.Part {
  private static final int BATCH = 1000;
  private static final String READ =
      """
      select id, event_id, event_type, aggregate_type, aggregate_id, payload, created_at
      from waybill_outbox where id > ? order by id limit ?
      """;
  private static final String DELETE =
      """
      delete from waybill_outbox where id = any(?)
      """;

  @Override
  public void play(Settings settings, Control control) throws Exception {
    long events = settings.number("events");
    Progress progress = new Progress(control, events);
    try (Connection connection = Sql.open(settings.text("database"));
        PreparedStatement read = connection.prepareStatement(READ);
        PreparedStatement delete = connection.prepareStatement(DELETE)) {
      control.readyAndAwaitGo();
      long last = 0;
      for (long done = 0; done < events; ) {
        Long[] ids = read(read, last);
        delete.setArray(1, connection.createArrayOf("int8", ids));
        delete.executeUpdate();
        last = ids[ids.length - 1];
        done += ids.length;
        progress.completed(ids.length);
      }
      control.awaitStop();
    }
  }

  private static Long[] read(PreparedStatement read, long last) throws SQLException {
    Long[] ids = new Long[BATCH];
    int count = 0;
    read.setLong(1, last);
    read.setInt(2, BATCH);
    try (ResultSet rows = read.executeQuery()) {
      for (; rows.next(); count++) {
        ids[count] = rows.getLong(1);
        for (int column = 2; column <= 7; column++) {
          rows.getBytes(column);
        }
      }
    }
    return java.util.Arrays.copyOf(ids, count);
  }
}
