package io.waybill.jdbc;

import io.waybill.layout.RowIdKind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Marks of events that are noted as processed though their handlers have not returned, on one
 * connection. They are written in the transaction of the notes before a statement that may commit
 * it, and go with its end: if the notes are committed alone, the marks are as well, and tell the
 * transaction that meets the note next that nobody has applied the event. They stand among the
 * starts.
 */
final class OpenNotes {
  // No event id has a blank.
  private static final String PREFIX = " ";

  private final InboxConnection connection;
  private final InboxParts parts;

  OpenNotes(InboxConnection connection, InboxParts parts) {
    this.connection = connection;
    this.parts = parts;
  }

  void open(Collection<String> eventIds) throws SQLException {
    PreparedStatement statement = connection.prepare(parts.sql().start(eventIds.size()));
    Binding binding = new Binding(statement, parts.dialect());
    for (String id : eventIds) {
      binding.text(parts.consumer());
      binding.text(PREFIX + id);
    }
    statement.executeUpdate();
  }

  /** Whether all of them were open. */
  boolean close(Collection<String> eventIds) throws SQLException {
    return eventIds.isEmpty()
        || prepare(parts.sql().forgetStarts(eventIds.size()), eventIds).executeUpdate()
            == eventIds.size();
  }

  /** Those that are open, locked until the end of the transaction. */
  Set<String> among(Collection<String> eventIds) throws SQLException {
    if (eventIds.isEmpty()) {
      return Set.of();
    }
    Set<String> found = new LinkedHashSet<>();
    PreparedStatement statement = prepare(parts.sql().holdStarts(eventIds.size()), eventIds);
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        found.add(result.getString(1).substring(PREFIX.length()));
      }
    }
    return found;
  }

  private PreparedStatement prepare(String sql, Collection<String> eventIds) throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    Binding binding = new Binding(statement, parts.dialect());
    binding.text(parts.consumer());
    binding.oneOf(RowIdKind.STRING, List.copyOf(eventIds).stream().map(PREFIX::concat).toList());
    return statement;
  }
}
