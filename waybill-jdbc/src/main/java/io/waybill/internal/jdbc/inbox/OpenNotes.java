package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.layout.RowIdKind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Marks of events that are noted as processed though their handlers have not returned, on one
 * connection. They are written in the transaction of the notes before a statement that may commit
 * it, and go with its end: if the notes are committed alone, the marks are as well, and tell the
 * transaction that meets the note next that nobody has applied the event. They stand among the
 * starts. A transaction knows its marks by a token: where one that has taken a note over is rolled
 * back and goes on, the earlier mark is back, or by then that of a third.
 */
public final class OpenNotes {
  // No event id has a blank.
  private static final String PREFIX = " ";

  private final InboxConnection connection;
  private final InboxParts parts;
  private final int token = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);

  public OpenNotes(InboxConnection connection, InboxParts parts) {
    this.connection = connection;
    this.parts = parts;
  }

  /** Replaces marks of other transactions. */
  void open(Collection<String> eventIds) throws SQLException {
    String rows = "(?, ?, ?, 0)" + ", (?, ?, ?, 0)".repeat(eventIds.size() - 1);
    PreparedStatement statement =
        connection.prepare(
            parts.fill(
                "insert into ${attempt} (consumer, event_id, started, finished)\nvalues "
                    + rows
                    + "\n"
                    + parts.dialect().orUpdate("consumer, event_id", List.of("started"))
                    + ", started_at = ${now}"));
    Binding binding = new Binding(statement, parts.dialect());
    for (String id : eventIds) {
      binding.text(parts.consumer());
      binding.text(PREFIX + id);
      binding.number(token);
    }
    statement.executeUpdate();
  }

  /** Closes those that this transaction has opened; tells whether all of them still were. */
  boolean close(Collection<String> eventIds) throws SQLException {
    if (eventIds.isEmpty()) {
      return true;
    }
    PreparedStatement statement =
        connection.prepare(
            parts.fill("delete from ${attempt} where started = ? and " + these(eventIds)));
    Binding binding = new Binding(statement, parts.dialect());
    binding.number(token);
    bind(binding, eventIds);
    return statement.executeUpdate() == eventIds.size();
  }

  /** Removes the marks of whichever transaction has opened them. */
  void takeOver(Collection<String> eventIds) throws SQLException {
    prepare("delete from ${attempt} where " + these(eventIds), eventIds).executeUpdate();
  }

  /** Those that are open, locked until the end of the transaction. */
  Set<String> among(Collection<String> eventIds) throws SQLException {
    return held(eventIds).keySet();
  }

  /** Those that this transaction has opened, locked likewise. */
  Set<String> own(Collection<String> eventIds) throws SQLException {
    Map<String, Integer> held = held(eventIds);
    held.values().removeIf(by -> by != token);
    return held.keySet();
  }

  private Map<String, Integer> held(Collection<String> eventIds) throws SQLException {
    Map<String, Integer> held = new LinkedHashMap<>();
    if (eventIds.isEmpty()) {
      return held;
    }
    PreparedStatement statement =
        prepare(
            "select event_id, started from ${attempt} where " + these(eventIds) + " for update",
            eventIds);
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        held.put(result.getString(1).substring(PREFIX.length()), result.getInt(2));
      }
    }
    return held;
  }

  private String these(Collection<String> eventIds) {
    return "consumer = ? and " + parts.dialect().oneOf("event_id", eventIds.size());
  }

  private PreparedStatement prepare(String template, Collection<String> eventIds)
      throws SQLException {
    PreparedStatement statement = connection.prepare(parts.fill(template));
    bind(new Binding(statement, parts.dialect()), eventIds);
    return statement;
  }

  private void bind(Binding binding, Collection<String> eventIds) throws SQLException {
    binding.text(parts.consumer());
    binding.oneOf(RowIdKind.STRING, List.copyOf(eventIds).stream().map(PREFIX::concat).toList());
  }
}
