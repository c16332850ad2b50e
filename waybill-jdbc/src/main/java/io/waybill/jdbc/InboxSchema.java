package io.waybill.jdbc;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.schema.SchemaDialect;
import io.waybill.internal.jdbc.schema.SchemaScript;
import io.waybill.internal.jdbc.schema.ScriptSet;
import io.waybill.internal.sql.Identifiers;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The tables of an inbox, as versioned scripts in the jar. They may be in the schema of an outbox
 * or in a separate one. Immutable; methods may be called by any thread.
 */
public final class InboxSchema {
  private final SchemaDialect dialect;
  private final SchemaOptions options;
  private final Schema schema;
  private final String processed;

  private InboxSchema(
      SchemaDialect dialect, SchemaOptions options, ScriptSet scripts, String processed) {
    this.dialect = dialect;
    this.options = options;
    this.schema = new Schema(dialect, options, scripts);
    this.processed = Identifiers.check("table", processed);
  }

  /**
   * Describes the tables of an inbox. An adopted table of processed events, named by {@link
   * InboxTables#ofOneConsumer}, is not created; only its side tables are.
   *
   * @param kind database product
   * @param schema plain name of the schema (on MySQL and MariaDB a database), which wins over that
   *     of the tables; created if it is missing
   * @param tables the tables
   * @return the tables
   * @throws IllegalArgumentException if a name is not an identifier
   */
  public static InboxSchema of(DatabaseKind kind, String schema, InboxTables tables) {
    return new InboxSchema(
        SchemaDialect.of(kind),
        SchemaOptions.ofDefaults().schema(schema),
        tables.adopted() == null ? ScriptSet.INBOX : ScriptSet.INBOX_BESIDE,
        tables.table().name());
  }

  /**
   * All statements that {@link #apply} would run on an empty database.
   *
   * @return SQL script
   */
  public String print() {
    return schema.print();
  }

  /**
   * The table of processed events as PolyShop has it, for one consumer, for a new installation.
   *
   * @return SQL script
   */
  public String printDocumented() {
    return filled("processed-events-of-one.sql");
  }

  /**
   * Statements that grant two roles their privileges: consumers handle events, readers look.
   *
   * @param consumer role of the applications that consume
   * @param reader role of people and dashboards
   * @return SQL script
   * @throws IllegalArgumentException if a role's name is not an identifier
   */
  public String grants(String consumer, String reader) {
    return filled("inbox-grants.sql")
        .replace("${consumer}", dialect.quote("consumer role", consumer))
        .replace("${reader}", dialect.quote("reader role", reader));
  }

  /**
   * Creates or updates the tables. Running it again changes nothing, and several processes may run
   * it at the same time.
   *
   * @param connection connection of a role that may create tables; in auto-commit mode before and
   *     after
   * @return number of scripts applied
   * @throws SQLException when the database refuses
   */
  public int apply(Connection connection) throws SQLException {
    return schema.apply(connection);
  }

  /**
   * Compares the tables with those that the scripts would create.
   *
   * @param connection connection of any role that may use the schema
   * @return findings, each naming the missing object and the statement that creates it
   * @throws SQLException when the database refuses
   */
  public List<Finding> check(Connection connection) throws SQLException {
    return schema.check(connection);
  }

  private String filled(String resource) {
    return SchemaScript.text(resource, dialect, options)
        .replace("${processed}", dialect.quote("table", processed))
        .replace("${processed_name}", processed);
  }
}
