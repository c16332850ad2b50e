package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;

/** How one database product makes and shows the tables. */
public interface SchemaDialect {
  /** Work that changes the tables. */
  interface Work {
    int run() throws SQLException;
  }

  /**
   * Longest wait for the lock of a table. Whoever wants the table next waits behind this wait, so
   * writers stand still no longer than this.
   */
  int LOCK_SECONDS = 2;

  /** Waits for a lock before the change is given up. */
  int LOCK_ATTEMPTS = 15;

  /** Repeats work that may be repeated while somebody else has a lock on a table. */
  static int again(Predicate<SQLException> locked, Work work) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.run();
      } catch (SQLException e) {
        if (attempt == LOCK_ATTEMPTS || !locked.test(e)) {
          throw e;
        }
      }
    }
  }

  /** The dialect of a product. */
  static SchemaDialect of(DatabaseKind kind) {
    return kind == DatabaseKind.POSTGRESQL
        ? new PostgresSchemaDialect()
        : new MySqlSchemaDialect(kind);
  }

  /** Folder of the scripts in the jar. */
  String folder();

  /** Quotes a name that was checked. */
  String quote(String what, String identifier);

  /** Fills in what a script leaves to the product. */
  String fill(String script);

  /** Cuts a script into what is sent at once. */
  List<String> statements(String script);

  /** Statement that makes the table of versions, in the form of the scripts. */
  String versionTable();

  /** Query for a schema of a name, its parameter. */
  String schemaExists();

  /**
   * Does the work while nobody else does any, in a transaction where there is one. It waits for
   * others that do such work, but not for long for those that use a table.
   */
  int exclusively(Connection connection, Work work) throws SQLException;

  /** Everything of an outbox in a schema: kind, name and definition. */
  PreparedStatement things(Connection connection, String schema) throws SQLException;

  /** Statement that drops an index of a table; both names are quoted as far as needed. */
  String dropIndex(String schema, String table, String index);

  /** What makes an invalid constraint valid, after {@code alter table}. */
  String validate(String constraint, String definition);
}
