package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.layout.RowIdKind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The notes of starts of events that may have killed the process, on one connection. */
final class Starts {
  private final InboxConnection connection;
  private final InboxParts parts;

  Starts(InboxConnection connection, InboxParts parts) {
    this.connection = connection;
    this.parts = parts;
  }

  /** How often events were started without having ended; those that were not are left out. */
  Map<String, Integer> open(List<String> eventIds) throws SQLException {
    Map<String, Integer> open = new HashMap<>();
    PreparedStatement statement =
        prepare(
            """
            select event_id, started - finished from ${attempt}
            where finished < started and\s""",
            eventIds);
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        open.put(result.getString(1), result.getInt(2));
      }
    }
    return open;
  }

  /** In the order of their ids, so that two transactions never wait for each other in a circle. */
  int begun(List<String> eventIds) throws SQLException {
    PreparedStatement statement = connection.prepare(parts.sql().start(eventIds.size()));
    Binding binding = new Binding(statement, parts.dialect());
    for (String id : eventIds.stream().sorted().toList()) {
      binding.text(parts.consumer());
      binding.text(id);
    }
    return statement.executeUpdate();
  }

  int ended(List<String> eventIds) throws SQLException {
    return prepare(
            """
            update ${attempt} set finished = finished + 1
            where finished < started and\s""",
            eventIds)
        .executeUpdate();
  }

  int forget(List<String> eventIds) throws SQLException {
    return prepare("delete from ${attempt} where ", eventIds).executeUpdate();
  }

  private PreparedStatement prepare(String template, List<String> eventIds) throws SQLException {
    String events = "consumer = ? and " + parts.dialect().oneOf("event_id", eventIds.size());
    PreparedStatement statement = connection.prepare(parts.fill(template + events));
    Binding binding = new Binding(statement, parts.dialect());
    binding.text(parts.consumer());
    binding.oneOf(RowIdKind.STRING, eventIds.stream().sorted().toList());
    return statement;
  }
}
