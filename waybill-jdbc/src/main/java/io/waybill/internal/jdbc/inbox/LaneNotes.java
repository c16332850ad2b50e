package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.layout.RowIdKind;
import io.waybill.store.RecordedProgress;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How far lanes are, on one connection. Immutable. */
public final class LaneNotes {
  private final InboxConnection connection;
  private final InboxParts parts;

  public LaneNotes(InboxConnection connection, InboxParts parts) {
    this.connection = connection;
    this.parts = parts;
  }

  public Map<String, RecordedProgress.Place> of(List<String> lanes) throws SQLException {
    Map<String, RecordedProgress.Place> places = new HashMap<>();
    if (lanes.isEmpty()) {
      return places;
    }
    PreparedStatement statement =
        connection.prepare(
            parts.fill(
                "select l.lane, l.server, l.done_before from ${lane} l where l.consumer = ? and "
                    + parts.dialect().oneOf("l.lane", lanes.size())));
    Binding binding = new Binding(statement, parts.dialect());
    binding.text(parts.consumer());
    binding.oneOf(RowIdKind.STRING, lanes);
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        places.put(
            result.getString(1),
            new RecordedProgress.Place(result.getString(2), result.getLong(3)));
      }
    }
    return places;
  }

  /** In one order, so that two processes never wait for each other in a circle. */
  public void write(Map<String, Long> positions) throws SQLException {
    PreparedStatement statement =
        connection.prepare(
            parts.fill(
                "insert into ${lane} (consumer, lane, server, done_before) values (?, ?, ?, ?)\n"
                    + parts.dialect().orUpdate("consumer, lane", List.of("server", "done_before"))
                    + ", noted_at = ${now}"));
    for (Map.Entry<String, Long> lane : new TreeMap<>(positions).entrySet()) {
      statement.setString(1, parts.consumer());
      statement.setString(2, lane.getKey());
      statement.setString(3, connection.server());
      statement.setLong(4, lane.getValue());
      statement.addBatch();
    }
    statement.executeBatch();
  }
}
