package io.waybill.internal.jdbc.inbox;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.sql.SqlStates;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Looks at an inbox's tables before it works on them: what they are, whose they are, and whether
 * they take its rows.
 */
public final class InboxOpening {
  private static final String PROBE = "waybill-probe";

  private final InboxConnections connections;
  private final DatabaseKind kind;
  private final String consumer;
  private final InboxTables tables;

  /**
   * Prepares a look.
   *
   * @param connections connections of the inbox
   * @param kind database product
   * @param consumer name of the consumer
   * @param tables the tables
   */
  public InboxOpening(
      InboxConnections connections, DatabaseKind kind, String consumer, InboxTables tables) {
    this.connections = connections;
    this.kind = kind;
    this.consumer = consumer;
    this.tables = tables;
  }

  /**
   * Looks at the tables.
   *
   * @return what the inbox consists of
   * @throws io.waybill.store.StoreException when the database does not answer in time or refuses
   * @throws IllegalStateException when the tables are unsuitable, or another consumer's
   */
  public InboxParts run() {
    SqlDialect dialect = Dialects.of(kind);
    InboxCatalogue.Found found =
        connections.transaction(
            "inspect the tables of the inbox",
            connection -> new InboxCatalogue(kind, tables).read(connection.plain()));
    ProcessedTable processed = found.processed();
    InboxSql sql = InboxSql.of(dialect, tables.schema(), processed);
    InboxParts parts =
        new InboxParts(consumer, dialect, InboxSession.of(dialect), sql, processed, found.names());
    if (tables.adopted() != null) {
      register(parts);
    }
    probe(parts);
    return parts;
  }

  /** The name stays when the inbox is closed: what it has processed is in the table. */
  private void register(InboxParts parts) {
    String holder =
        connections.transaction(
            "register the consumer",
            connection -> {
              PreparedStatement statement = connection.prepare(parts.sql().register());
              statement.setString(1, tables.table().name());
              statement.setString(2, consumer);
              statement.executeUpdate();
              return registered(connection, parts);
            });
    if (!holder.equals(consumer)) {
      throw new IllegalStateException(
          "The table %s has room for one consumer, and belongs to consumer '%s': consumer '%s' is"
                  .formatted(tables.table().name(), holder, consumer)
              + " refused, since it would treat the other's events as duplicates. Give it a"
              + " separate table, or Waybill's own; if the consumer was only renamed, update its"
              + " row in waybill_inbox_consumer");
    }
  }

  private String registered(InboxConnection connection, InboxParts parts) throws SQLException {
    PreparedStatement statement =
        connection.prepare(parts.fill("select consumer from ${consumer} where table_name = ?"));
    statement.setString(1, tables.table().name());
    try (ResultSet result = statement.executeQuery()) {
      return result.next() ? result.getString(1) : consumer;
    }
  }

  /** Writes a row and takes it back: privileges, further columns and rules show now, not later. */
  private void probe(InboxParts parts) {
    ProcessedTable.Row row = new ProcessedTable.Row(parts.names().of(PROBE), PROBE, PROBE);
    InboxConnection connection = connections.begin();
    try {
      PreparedStatement statement = connection.prepare(parts.sql().take(true));
      int index = 0;
      for (String value : parts.processed().values(consumer, row)) {
        statement.setString(++index, value);
      }
      parts.inserts(statement);
    } catch (SQLException e) {
      if (SqlStates.isTransient(e)) {
        throw InboxConnections.failure("write to the table of processed events", e);
      }
      throw new IllegalStateException(
          "The table "
              + parts.processed().name()
              + " refuses the rows that consumer '"
              + consumer
              + "' writes to it",
          e);
    } catch (RuntimeException | Error e) {
      connection.cut();
      throw e;
    } finally {
      connections.end(connection);
    }
  }
}
